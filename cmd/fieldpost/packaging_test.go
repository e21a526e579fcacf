package main

import (
	"debug/buildinfo"
	"os"
	"os/exec"
	"path/filepath"
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
