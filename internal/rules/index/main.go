// Command index writes the indices of citations of all systems. It is run by go generate.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"fieldpost/adjudicator"
	"fieldpost/internal/rules"
	"fieldpost/internal/systems"
)

func main() {
	for _, sys := range systems.All {
		book, ok := sys.(adjudicator.Rulebook)
		if !ok {
			continue
		}
		dir := filepath.Join("..", "..", "adjudicator", sys.ID())
		s, err := rules.ReadSources(os.DirFS(dir), book.Book().Name)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "citations.tsv"), []byte(rules.WriteCitations(s.Citations)), 0o644)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
