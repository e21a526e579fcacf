// Command index writes the index of citations of WB-95. It is run by go generate.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"fieldpost/internal/rules"
)

func main() {
	dir := filepath.Join("..", "..", "adjudicator", "wb95")
	s, err := rules.ReadSources(os.DirFS(dir), "WB-95")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "citations.tsv"), []byte(rules.WriteCitations(s.Citations)), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
