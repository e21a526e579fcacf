// Package secrets plays whole games through the umpire whose units bear names and
// ids that stand nowhere else, and searches every mail for those that its reader
// must not know.
package secrets

import (
	"encoding/base32"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"fieldpost/scenarios"
)

// Mark is a planted string and what it stands for.
type Mark struct {
	Text string // small letters
	Unit string // the id of the counter in the scenario as it is in the library
	Name bool   // its name; else its id
}

// String says it for people.
func (m Mark) String() string {
	if m.Name {
		return "the name of " + m.Unit
	}
	return "the id of " + m.Unit
}

// marked finds what may be a planted string.
var marked = regexp.MustCompile(`(?i)q[in][a-z2-7]{8}`)

func token(r *rand.Rand, kind string) string {
	var raw [5]byte
	for i := range raw {
		raw[i] = byte(r.Uint32())
	}
	return kind + strings.ToLower(base32.StdEncoding.EncodeToString(raw[:]))
}

// Plant writes the files of a scenario into a folder, every counter under a name
// and an id of our own, and returns those by their text.
func Plant(id, folder string, seed uint64) (map[string]Mark, error) {
	var library scenarios.Library
	pack, err := library.Open(id)
	if err != nil {
		return nil, err
	}
	files, err := pack.Files()
	if err != nil {
		return nil, err
	}
	r, marks, renamed := rand.New(rand.NewPCG(seed, 1601)), map[string]Mark{}, newNames{map[string]string{}, map[string]string{}}
	counters := ""
	for name, text := range files {
		if filepath.Base(name) == "counters.tsv" {
			if counters != "" {
				return nil, fmt.Errorf("%s has two tables of counters", id)
			}
			counters = name
			if files[name], err = rename(text, r, marks, renamed); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	if len(marks) == 0 {
		return nil, fmt.Errorf("%s has no counters to rename", id)
	}
	for name, text := range files {
		if name != counters {
			text = renamed.in(text)
		}
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return nil, err
		}
	}
	return marks, nil
}

// newNames are what the counters' ids and names have become. A name that several
// counters bear stays as it is.
type newNames struct{ ids, names map[string]string }

var (
	idWord = regexp.MustCompile(`[a-z0-9]+(-[a-z0-9]+)+`)
	cell   = regexp.MustCompile(`[^\t\r\n]+`)
	quoted = regexp.MustCompile(`"[^"\n]+"`)
)

// in puts the new ids and names where a file of the scenario speaks of counters:
// ids wherever they stand alone or fill a cell, names in quotation marks.
func (n newNames) in(text []byte) []byte {
	put := func(to map[string]string) func([]byte) []byte {
		return func(w []byte) []byte {
			if t, ok := to[string(w)]; ok {
				return []byte(t)
			}
			return w
		}
	}
	text = idWord.ReplaceAllFunc(text, put(n.ids))
	text = cell.ReplaceAllFunc(text, put(n.ids))
	return quoted.ReplaceAllFunc(text, func(w []byte) []byte { return fmt.Appendf(nil, "%q", put(n.names)(w[1:len(w)-1])) })
}

// rename gives every counter of the table another id and name.
func rename(text []byte, r *rand.Rand, marks map[string]Mark, renamed newNames) ([]byte, error) {
	lines := strings.Split(string(text), "\n")
	var head []string
	for i, l := range lines {
		if l == "" || strings.HasPrefix(l, "#") {
			continue
		}
		cells := strings.Split(strings.TrimRight(l, "\r"), "\t")
		if head == nil {
			head = cells
			continue
		}
		at := func(column string) int { return slices.Index(head, column) }
		idAt, nameAt := at("id"), at("name")
		if idAt < 0 || nameAt < 0 || len(cells) <= max(idAt, nameAt) {
			return nil, fmt.Errorf("line %d has no id and name", i+1)
		}
		was, title := cells[idAt], cells[nameAt]
		id, name := token(r, "qi"), token(r, "qn")
		marks[id], marks[name] = Mark{id, was, false}, Mark{name, was, true}
		renamed.ids[was] = id
		if rest, ok := strings.CutPrefix(title, "KG "); ok && rest != "" {
			name = "KG " + name // the rules of the steppe know battle groups by it
		}
		if _, twice := renamed.names[title]; twice {
			renamed.names[title] = title
		} else {
			renamed.names[title] = name
		}
		cells[idAt], cells[nameAt] = id, name
		lines[i] = strings.Join(cells, "\t")
	}
	return []byte(strings.Join(lines, "\n")), nil
}
