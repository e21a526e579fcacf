// Package scenarios is the data of the games: maps, counters, tables, set-ups.
// The files are text that a person can read, edit and diff; this package finds
// and reads them and knows no rules.
//
// A scenario is a folder with a scenario.toml; its map's folder is above it and
// its system's above that:
//
//	wb95/                      tables of the system
//	wb95/kharkov/              map, counters, what one book says differently
//	wb95/kharkov/kharkov-1942/ scenario.toml, set-up, reinforcements
//
// An owner of the printed game can lay a folder of corrected files over these,
// with the same paths: see OpenDir.
package scenarios

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"fieldpost/adjudicator/table"
)

//go:embed wb95 steppe famous
var files embed.FS

// Info is what a list of scenarios shows.
type Info struct {
	ID     string // the folder's name, "kharkov-1942"
	System string // the rules system, "wb95"
	Map    string // the map's folder, "kharkov"
	Title  string
	Dir    string // the folder, "wb95/kharkov/kharkov-1942"
}

// Pack is the files of one scenario. It implements table.Source.
type Pack struct {
	Info
	layers []layer
}

// layer is one set of files; Over marks the owner's.
type layer struct {
	fsys fs.FS
	name string // goes before a path in errors
}

// The folders as they are quoted in errors.
const (
	builtin = "scenarios"
	overlay = "overlay"
)

// ErrUnknown is a scenario that no folder holds.
var ErrUnknown = errors.New("no such scenario")

// List names the built-in scenarios, sorted by system, map and id.
func List() []Info {
	infos, err := new(Library).List()
	if err != nil {
		panic(err) // the files are part of the program, and a test lists them
	}
	return infos
}

// Open opens a built-in scenario.
func Open(id string) (*Pack, error) { return new(Library).Open(id) }

// OpenDir opens a scenario with a folder of corrected files laid over the
// built-in ones: a file of the same path wins. The folder may hold scenarios and
// maps of its own. Errors quote its files as overlay/path.
func OpenDir(over fs.FS, id string) (*Pack, error) {
	l := &Library{}
	l.Lay(overlay, over)
	return l.Open(id)
}

// Library is the built-in scenarios with an owner's folders laid over them. The
// zero Library is the built-in ones alone.
type Library struct {
	over []layer
	bare bool // without the built-in ones
}

// Lay lays a folder over the built-in scenarios, below those laid before: of a
// file that several folders hold the one laid first wins. The name goes before
// the folder's paths in errors.
func (l *Library) Lay(name string, folder fs.FS) { l.over = append(l.over, layer{folder, name}) }

func (l *Library) layers() []layer {
	if l.bare {
		return l.over
	}
	return append(slices.Clone(l.over), layer{files, builtin})
}

// List names the scenarios, sorted by system, map and id. The error lists those
// whose scenario.toml cannot be read; they are in the list without a title.
func (l *Library) List() ([]Info, error) {
	found, err := l.find()
	var out []Info
	var errs []error
	for _, f := range found {
		info, err := f.info()
		out = append(out, info)
		errs = append(errs, err)
	}
	return out, errors.Join(append(errs, err)...)
}

// Open opens a scenario. What is wrong with others does not matter.
func (l *Library) Open(id string) (*Pack, error) {
	found, err := l.find()
	if err != nil {
		return nil, err
	}
	var match []entry
	for _, f := range found {
		if f.ID == id {
			match = append(match, f)
		}
	}
	switch {
	case len(match) == 0:
		return nil, fmt.Errorf("%w: %q", ErrUnknown, id)
	case len(match) > 1:
		return nil, fmt.Errorf("two scenarios have the id %q: %s and %s", id, match[0].Dir, match[1].Dir)
	}
	info, err := match[0].info()
	if err != nil {
		return nil, err
	}
	return &Pack{info, l.layers()}, nil
}

// entry is a scenario that was found, still without its title, and the text of its
// scenario.toml, with the path as errors quote it.
type entry struct {
	Info
	path string
	text []byte
}

// info reads the title too.
func (e entry) info() (Info, error) {
	var head struct{ Title string }
	err := toml.Unmarshal(e.text, &head)
	if err != nil {
		err = tomlError(e.path, err)
	}
	e.Title = head.Title
	return e.Info, err
}

// find looks for every folder with a scenario.toml.
func (l *Library) find() ([]entry, error) {
	var out []entry
	seen := map[string]bool{}
	for _, l := range l.layers() {
		found, err := fs.Glob(l.fsys, "*/*/*/scenario.toml")
		if err != nil {
			return nil, err
		}
		for _, name := range found {
			dir := path.Dir(name)
			if seen[dir] {
				continue
			}
			seen[dir] = true
			text, err := fs.ReadFile(l.fsys, name)
			if err != nil {
				return nil, err
			}
			info := Info{ID: path.Base(dir), Map: path.Base(path.Dir(dir)), System: path.Dir(path.Dir(dir)), Dir: dir}
			out = append(out, entry{info, path.Join(l.name, name), text})
		}
	}
	slices.SortFunc(out, func(a, b entry) int { return cmp.Compare(a.Dir, b.Dir) })
	return out, nil
}

// Sources lists the files that a scenario may read, those of its own folder
// first: by name, with the path as errors quote it. Of a name that several
// folders hold, only the file that counts.
func (p *Pack) Sources() ([]File, error) {
	var out []File
	seen := map[string]bool{}
	for dir := p.Dir; dir != "."; dir = path.Dir(dir) {
		var here []File
		for _, l := range p.layers {
			list, err := fs.ReadDir(l.fsys, dir)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
			for _, f := range list {
				if !f.IsDir() && !seen[f.Name()] {
					seen[f.Name()] = true
					here = append(here, File{Name: f.Name(), Path: path.Join(l.name, dir, f.Name())})
				}
			}
		}
		slices.SortFunc(here, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
		out = append(out, here...)
	}
	return out, nil
}

// File is a file of a scenario.
type File struct {
	Name string // "setup.tsv"
	Path string // as errors quote it
	From string // where its values are from, in words; by Provenance
}

// Read implements table.Source: the scenario's folder first, then the map's,
// then the system's, and in each the owner's file first.
func (p *Pack) Read(name string) (quoted string, text []byte, err error) {
	for dir := p.Dir; dir != "."; dir = path.Dir(dir) {
		for _, l := range p.layers {
			file := path.Join(dir, name)
			text, err := fs.ReadFile(l.fsys, file)
			switch {
			case err == nil:
				return path.Join(l.name, file), text, nil
			case !errors.Is(err, fs.ErrNotExist):
				return "", nil, err
			}
		}
	}
	return "", nil, fmt.Errorf("%s: no file %s in its folder nor those above it", p.Dir, name)
}

// Decode implements table.Source. A key that v does not know is an error.
func (p *Pack) Decode(name string, v any) error {
	quoted, text, err := p.Read(name)
	if err != nil {
		return err
	}
	md, err := toml.Decode(string(text), v)
	if err != nil {
		return tomlError(quoted, err)
	}
	var errs []error
	for _, key := range md.Undecoded() {
		line, col := keyAt(string(text), key)
		errs = append(errs, &table.Error{File: quoted, Line: line, Col: col, Why: fmt.Sprintf("unknown key %q", key.String())})
	}
	return errors.Join(errs...)
}

// wrongKind is the TOML reader's text for a value of the wrong kind.
var wrongKind = regexp.MustCompile(`^toml: line (\d+) \(last key "(.*?)"\): (.*)$`)

// tomlError gives an error of the TOML reader its file and line.
func tomlError(file string, err error) error {
	var pe toml.ParseError
	if !errors.As(err, &pe) { // a value of the wrong kind: only the text tells the line
		e := &table.Error{File: file, Line: 1, Why: strings.TrimPrefix(err.Error(), "toml: ")}
		if m := wrongKind.FindStringSubmatch(err.Error()); m != nil {
			e.Line, _ = strconv.Atoi(m[1]) // digits by the pattern
			e.Why = fmt.Sprintf("%s: %s", m[2], m[3])
		}
		return e
	}
	return &table.Error{File: file, Line: pe.Position.Line, Col: pe.Position.Col, Why: strings.TrimPrefix(pe.Message, "toml: ")}
}

// keyAt finds where a key is written: the first line that sets or opens its last
// part. The TOML reader does not tell.
func keyAt(text string, key toml.Key) (line, col int) {
	last := key[len(key)-1]
	for i, l := range strings.Split(text, "\n") {
		word := strings.TrimLeft(l, " \t[")
		at := len(l) - len(word) + 1
		rest, found := strings.CutPrefix(strings.TrimPrefix(word, `"`), last)
		rest = strings.TrimLeft(rest, "\" \t")
		if found && strings.IndexAny(rest, "=].") == 0 {
			return i + 1, at
		}
	}
	return 1, 0
}
