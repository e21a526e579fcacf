package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
	"time"
)

func epoch(moment time.Time) string { return strconv.FormatInt(moment.Unix(), 10) }

// debian makes a Debian package (deb(5)): an ar archive of its format, what it is, and its files.
func debian(r *release, p product) error {
	t, err := r.installed(p)
	if err != nil {
		return err
	}
	version := debianVersion(r.version)
	return r.write("fieldpost_"+version+"_"+p.arch+".deb", func(w io.Writer) error {
		return packed(w, r.moment, controlFile(version, p.arch, t), t)
	})
}

// packed writes a package of what is said of it and its files.
func packed(w io.Writer, moment time.Time, about string, files tree) error {
	control := tree{
		"control":  {mode: 0o644, content: []byte(about)},
		"postinst": {mode: 0o755, content: []byte(postinst)},
	}
	var controlTar, dataTar bytes.Buffer
	if err := control.tarGz(&controlTar, "./", moment); err != nil {
		return err
	}
	if err := files.withFolders().tarGz(&dataTar, "./", moment); err != nil {
		return err
	}
	return ar(w, moment, []member{{"debian-binary", []byte("2.0\n")}, {"control.tar.gz", controlTar.Bytes()}, {"data.tar.gz", dataTar.Bytes()}})
}

// debianVersion begins with a digit, as Debian's must (deb-version(7)).
func debianVersion(version string) string {
	version = strings.TrimPrefix(version, "v")
	if version[0] >= '0' && version[0] <= '9' {
		return version
	}
	return "0~" + version
}

// installed are the files where Debian has them.
func (r *release) installed(p product) (tree, error) {
	binary, err := r.binary(p.os, p.arch)
	if err != nil {
		return nil, err
	}
	const docs = "usr/share/doc/fieldpost"
	t := tree{"etc/fieldpost/": {mode: 0o755}}
	if err := t.put("usr/bin/fieldpost", binary, 0o755); err != nil {
		return nil, err
	}
	for at, from := range map[string]string{
		"usr/lib/systemd/system/fieldpost.service": "packaging/fieldpost.service",
		"usr/lib/sysusers.d/fieldpost.conf":        "packaging/fieldpost.sysusers",
		docs + "/copyright":                        "LICENSE",
		docs + "/NOTICE":                           "NOTICE",
		docs + "/config.toml":                      "config.toml",
	} {
		if err := t.put(at, from, 0o644); err != nil {
			return nil, err
		}
	}
	for _, pattern := range []string{"packaging/config/*.toml", "docs/*.md"} {
		if err := t.putAll(docs, pattern); err != nil {
			return nil, err
		}
	}
	if err := r.bill(t, docs, binary); err != nil {
		return nil, err
	}
	const man = "usr/share/man/man1/fieldpost.1"
	err = r.manual(t, man, "usr/share/bash-completion/completions/fieldpost", "usr/share/zsh/vendor-completions/_fieldpost", "usr/share/fish/vendor_completions.d/fieldpost.fish")
	if err != nil {
		return nil, err
	}
	t[man+".gz"], err = gzipped(t[man])
	delete(t, man)
	return t, err
}

func gzipped(f file) (file, error) {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return file{}, err
	}
	if _, err := w.Write(f.content); err != nil {
		return file{}, err
	}
	return file{mode: f.mode, content: packed.Bytes()}, w.Close()
}

// controlFile says what the package is (deb-control(5)).
func controlFile(version, arch string, t tree) string {
	size := 0
	for _, f := range t {
		size += len(f.content)
	}
	return fmt.Sprintf(`Package: fieldpost
Version: %s
Architecture: %s
Maintainer: The Fieldpost authors <fieldpost@localhost>
Installed-Size: %d
Section: games
Priority: optional
Depends: ca-certificates, tzdata
Description: hex-and-counter wargames by e-mail, adjudicated by a machine
 Players post signed orders from any mail client; the daemon checks them, resolves
 the game by the printed rules with dice that everybody can check, and posts back to
 each player what their side may know, with a map.
`, version, arch, (size+1023)/1024)
}

const postinst = `#!/bin/sh
set -e
if [ "$1" = configure ] && command -v systemd-sysusers >/dev/null; then systemd-sysusers fieldpost.conf; fi
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
`

// member is a file of an ar archive; its name has at most 16 letters.
type member struct {
	name    string
	content []byte
}

// ar writes the common format of ar(5).
func ar(w io.Writer, moment time.Time, members []member) error {
	var out bytes.Buffer
	out.WriteString("!<arch>\n")
	for _, m := range members {
		fmt.Fprintf(&out, "%-16s%-12s%-6d%-6d%-8o%-10d`\n", path.Base(m.name), epoch(moment), 0, 0, 0o100644, len(m.content))
		out.Write(m.content)
		if len(m.content)%2 == 1 {
			out.WriteByte('\n')
		}
	}
	_, err := w.Write(out.Bytes())
	return err
}
