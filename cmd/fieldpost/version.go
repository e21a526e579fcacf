package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"fieldpost/cmdline"
	"fieldpost/desk/dist"
	"fieldpost/orders/seal"
	"fieldpost/packaging/sums"
)

// release and releaseSigner are set by packaging/build: the version, and the public key that
// signs releases.
var release, releaseSigner string

func version(f *flag.FlagSet) cmdline.Action {
	check := f.String("check", "", "tell whether a `FILE` of a release is as it was given away; SHA256SUMS and SHA256SUMS.sig lie beside it")
	signer := f.String("signer", "", "with --check: the public `KEY` of who gives releases away, or a file with it (default: the one that this program was built with)")
	return func(_ context.Context, words []string) error {
		if len(words) > 0 {
			return cmdline.Usagef("no words are expected")
		}
		if *check != "" {
			return checkRelease(*check, *signer)
		}
		fmt.Println("fieldpost", versionName())
		if sum, err := dist.Sum(); err == nil {
			fmt.Println("desk.html SHA-256", sum)
		}
		if releaseSigner != "" {
			fmt.Println("releases are signed by", releaseSigner)
		}
		return nil
	}
}

func versionName() string {
	if release != "" {
		return release
	}
	name := "development"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return name
	}
	if info.Main.Version != "" && info.Main.Version != "(devel)" {
		name = info.Main.Version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			name += " " + s.Value[:12]
		}
	}
	return name
}

// checkRelease prints who vouches for a file of a release, and fails if nobody does.
func checkRelease(file, signer string) error {
	expected, err := signerOf(signer)
	if err != nil {
		return err
	}
	by, err := sums.Check(file)
	if err != nil {
		return err
	}
	if by.Fingerprint() != expected.Fingerprint() {
		return fmt.Errorf("the list beside %s is signed by %s, not by %s who gives releases away: do not use the file", filepath.Base(file), by.Fingerprint(), expected.Fingerprint())
	}
	fmt.Printf("%s is as it was given away: listed in %s, signed by %s\n", filepath.Base(file), sums.ListFile, by.Fingerprint())
	return nil
}

// signerOf is the key of who gives releases away: a key, a file with one, or the one that this
// program was built with.
func signerOf(text string) (seal.Key, error) {
	if text == "" {
		text = releaseSigner
	}
	if text == "" {
		return nil, cmdline.Usagef("this program was not built as a release, so it knows no key: name it with --signer KEY")
	}
	if file, err := os.ReadFile(text); err == nil {
		text = string(file)
	} else if !strings.Contains(text, " ") {
		return nil, err
	}
	key, err := seal.ParsePublicKey(strings.TrimSpace(text))
	if err != nil {
		return nil, fmt.Errorf("--signer is not a public key: %w", err)
	}
	return key, nil
}
