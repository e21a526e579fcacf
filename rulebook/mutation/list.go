package mutation

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// list is the file in which a run leaves what came of each mutant, as it goes, so that
// another run goes on where it ended. After a change of the code or the cases everything is
// tried again, with the case first that noticed the last time.
type list struct {
	file *os.File
	done map[string]Result // by key, of the same sources and cases
	hint map[string]string // cases, by key
}

const listHead = "# what came of it\tchapter\tline\tplace\toperator\tchange\tnumber\tcase\n# of sources and cases "

// openList opens a list, or begins it. Without a path nothing is written.
func openList(path, digest string) (*list, error) {
	l := &list{done: map[string]Result{}, hint: map[string]string{}}
	if path == "" {
		return l, nil
	}
	text, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	head := listHead + digest + "\n"
	same := strings.HasPrefix(string(text), head)
	kept := "" // of other sources or cases
	for line := range strings.Lines(string(text)) {
		verdict, rest, _ := strings.Cut(line, "\t")
		r, ok := readResult(rest)
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		if r.By != "" && l.hint[r.key()] != r.By {
			l.hint[r.key()] = r.By
			kept += earlier + "\t" + rest
		}
		if same && verdict != earlier {
			l.done[r.key()] = r
		}
	}
	if !same {
		if err := os.WriteFile(path, []byte(head+kept), 0o644); err != nil {
			return nil, err
		}
	}
	l.file, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0o644)
	return l, err
}

// earlier marks what came of a mutant with other sources or cases.
const earlier = "earlier"

// readResult reads a line without its verdict.
func readResult(line string) (Result, bool) {
	f := strings.Split(strings.TrimRight(line, "\n"), "\t")
	if len(f) != 7 {
		return Result{}, false
	}
	m := Mutant{Operator: Operator(f[3]), Change: f[4]}
	m.File, m.Func, _ = strings.Cut(f[2], " ")
	m.Chapter, _ = strconv.Atoi(f[0])
	m.Line, _ = strconv.Atoi(f[1])
	m.Nth, _ = strconv.Atoi(f[5])
	return Result{Mutant: m, By: f[6]}, true
}

func (l *list) add(r Result) error {
	if l.file == nil {
		return nil
	}
	_, err := fmt.Fprintf(l.file, "%s\t%d\t%d\t%s\t%s\t%s\t%d\t%s\n", r.verdict(), r.Chapter, r.Line, r.Place(), r.Operator, r.Change, r.Nth, r.By)
	return err
}

func (l *list) close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}

// digestOf tells sources and cases from others.
func digestOf(dir string) (string, error) {
	var names []string
	for _, pattern := range []string{"*.go", "testdata/cases/*.txt"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return "", err
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	h := sha256.New()
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %d\n%s", filepath.Base(name), len(text), text)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8]), nil
}
