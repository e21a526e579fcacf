// Command index writes the indices of citations of all systems, and the lists of
// those that no numbered case comes through. It is run by go generate.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/systems"
	"fieldpost/rulebook"
)

func main() {
	for _, sys := range systems.All {
		book, ok := sys.(adjudicator.Rulebook)
		if !ok {
			continue
		}
		dir := filepath.Join("..", "adjudicator", sys.ID())
		err := index(dir, book.Book())
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func index(dir string, book adjudicator.Book) error {
	s, err := rulebook.ReadSources(os.DirFS(dir), book.Name)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "citations.tsv"), []byte(rulebook.WriteCitations(s.Citations)), 0o644); err != nil || book.Idle == "" {
		return err
	}
	exercised, err := rulebook.Exercise(dir, s)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "idle.tsv"), []byte(rulebook.WriteIdle(s.Citations, exercised)), 0o644)
}
