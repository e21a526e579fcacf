package main

import (
	"debug/buildinfo"
	"encoding/pem"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"fieldpost/umpire"
)

// The sample configurations are understood as they stand, once the passwords are there.
func TestSampleConfigurations(t *testing.T) {
	files, _ := filepath.Glob("../../packaging/config/*.toml")
	if len(files) < 4 {
		t.Fatalf("only %d samples", len(files))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		for name, content := range map[string]string{"config.toml": string(text), "imap-password": "secret", "smtp-password": "secret"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		c, err := umpire.ReadConfig(filepath.Join(dir, "config.toml"))
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(file), err)
			continue
		}
		if c.Mail.IMAP.TLS == "none" && c.Mail.IMAP.Host != "127.0.0.1" || !strings.HasPrefix(string(text), "# ") {
			t.Errorf("%s sends passwords in the open, or does not say what it is for", filepath.Base(file))
		}
	}
}

// The compose file and what it names agree: each file that is named is there, every host that a
// configuration asks for is a service, and the daemons' configuration is understood. That the servers run
// with these configurations is tried by demo (Patroni) and trial/realmail (Dovecot and Postfix).
func TestComposeFileNamesWhatThereIs(t *testing.T) {
	const folder = "../../packaging/compose/"
	read := func(name string) string {
		text, err := os.ReadFile(folder + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	compose := read("compose.yml")
	files := 0
	for _, text := range []string{compose, read("patroni.yml"), read("dovecot.conf")} {
		for _, m := range regexp.MustCompile(`/compose/([\w.-]+)`).FindAllStringSubmatch(text, -1) {
			read(m[1])
			files++
		}
	}
	if files < 7 {
		t.Errorf("only %d files are named", files)
	}
	withTLS := httptest.NewTLSServer(nil)
	defer withTLS.Close()
	certificate := string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: withTLS.Certificate().Raw}))
	dir := t.TempDir() // theirs is made with the image
	for name, text := range map[string]string{"cert.pem": certificate, "imap-password": read("imap-password"),
		"club.toml": strings.ReplaceAll(read("club.toml"), "/tls/", dir+"/")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := umpire.ReadConfig(filepath.Join(dir, "club.toml"))
	if err != nil {
		t.Fatal(err)
	}
	at, err := url.Parse(c.Store)
	if err != nil {
		t.Fatal(err)
	}
	lmtp := regexp.MustCompile(`lmtp:inet:(\w+):24`).FindStringSubmatch(read("main.cf"))
	if lmtp == nil {
		t.Fatal("Postfix does not deliver by LMTP")
	}
	hosts := append(strings.Split(at.Host, ","), c.Mail.IMAP.Host, c.Mail.SMTP.Host, lmtp[1], "etcd")
	if len(hosts) != 7 {
		t.Errorf("the hosts are %v", hosts)
	}
	for _, host := range hosts {
		if !strings.Contains(compose, "\n  "+host+":\n") {
			t.Errorf("the compose file has no service %q", host)
		}
	}
	for _, host := range strings.Split(at.Host, ",") {
		for _, m := range regexp.MustCompile(`PATRONI_NAME: `+host+`, PATRONI_RESTAPI_CONNECT_ADDRESS: "(\w+):8008", PATRONI_POSTGRESQL_CONNECT_ADDRESS: "(\w+):5432"`).FindAllStringSubmatch(compose, -1) {
			if m[1] != host || m[2] != host {
				t.Errorf("%s says that it is %v", host, m[1:])
			}
		}
	}
	if !strings.HasPrefix(read("users"), c.Mail.IMAP.User+":{PLAIN}"+strings.TrimSpace(read("imap-password"))+":") {
		t.Error("the mailbox of the daemons has no account, or another password")
	}
}

// Of every library in a binary its package has the licence text and a line in the bill of
// materials, the same for the same binary.
func TestPackagesSayWhatTheyAreMadeOf(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("packages are made on Linux")
	}
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	built, err := buildinfo.ReadFile(binary)
	if err != nil || len(built.Deps) < 10 {
		t.Fatalf("%d libraries, %v", len(built.Deps), err)
	}
	var bills []string
	dir := t.TempDir()
	for range 2 {
		if out, err := exec.Command("../../packaging/bill", binary, dir).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		bill, err := os.ReadFile(filepath.Join(dir, "bill.spdx"))
		if err != nil {
			t.Fatal(err)
		}
		bills = append(bills, string(bill))
	}
	if bills[0] != bills[1] {
		t.Error("the same binary has two bills")
	}
	inPage, err := filepath.Glob("../../desk/page/vendor/*/package.json")
	if err != nil || len(inPage) < 5 {
		t.Fatalf("%d libraries of the page, %v", len(inPage), err)
	}
	if n := strings.Count(bills[0], "\nPackageName: "); n != len(built.Deps)+len(inPage)+2 { // the program and Go
		t.Errorf("the bill has %d packages, there are %d libraries", n, len(built.Deps)+len(inPage))
	}
	for _, manifest := range inPage {
		name := filepath.Base(filepath.Dir(manifest))
		if text, err := os.ReadFile(filepath.Join(dir, "licences", "npm", name, "LICENSE")); err != nil || len(text) < 500 {
			t.Errorf("%s has no licence text: %v", name, err)
		}
	}
	for _, m := range built.Deps {
		if !strings.Contains(bills[0], "\nExternalRef: PACKAGE-MANAGER purl pkg:golang/"+m.Path+"@"+m.Version+"\n") {
			t.Errorf("%s is not in the bill", m.Path)
		}
		texts, _ := filepath.Glob(filepath.Join(dir, "licences", filepath.FromSlash(m.Path), "[CL][OI]*"))
		if len(texts) == 0 {
			t.Errorf("%s has no licence text", m.Path)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "licences", "go", "LICENSE")); err != nil || !strings.Contains(string(text), "Redistribution and use") {
		t.Errorf("the licence of Go: %v", err)
	}
	for _, script := range []string{"release/tree.go", "Containerfile"} {
		if text, err := os.ReadFile("../../packaging/" + script); err != nil || !strings.Contains(string(text), "packaging/bill") {
			t.Errorf("packaging/%s leaves the bill out: %v", script, err)
		}
	}
}
