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
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(f) != 8 || strings.HasPrefix(line, "#") {
			continue
		}
		m := Mutant{Func: f[3], Operator: Operator(f[4]), Change: f[5]}
		m.File, m.Func, _ = strings.Cut(f[3], " ")
		m.Nth, _ = strconv.Atoi(f[6])
		l.hint[m.key()] = f[7]
		if same {
			l.done[m.key()] = Result{Mutant: m, By: f[7]}
		}
	}
	mode := os.O_CREATE | os.O_WRONLY | os.O_APPEND
	if !same {
		mode |= os.O_TRUNC
	}
	if l.file, err = os.OpenFile(path, mode, 0o644); err != nil || same {
		return l, err
	}
	_, err = l.file.WriteString(head)
	return l, err
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
