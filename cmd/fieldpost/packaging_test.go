package main

import (
	"os"
	"path/filepath"
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
