package umpire

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/turns"
)

// File is a configuration file: of one club, or of several that one daemon serves, each below a
// [[club]] of its own.
type File struct {
	Path string
	// Clubs stand in the order of the file. A club whose settings have a Fault is not served.
	Clubs []*Config
	// Listen is the address of this machine at which the pages of several clubs are served.
	Listen string

	several bool
	text    string
}

// Several tells whether the file names its clubs, be it only one.
func (f *File) Several() bool { return f.several }

// Names are those of several clubs.
func (f *File) Names() (names []string) {
	for _, c := range f.Clubs {
		names = append(names, c.Name)
	}
	return names
}

// Club is the club with a name, "" for the one that has the file for itself. The error says
// which clubs there are, or what is wrong with the club's settings.
func (f *File) Club(name string) (*Config, error) {
	i := slices.IndexFunc(f.Clubs, func(c *Config) bool { return c.Name == name })
	switch {
	case i >= 0:
		return f.Clubs[i], f.Clubs[i].Fault
	case !f.several:
		return nil, fmt.Errorf("%s is the configuration of one club without a name: leave --club out", f.Path)
	case name == "":
		return nil, fmt.Errorf("%s has several clubs: say which with --club NAME: %s", f.Path, strings.Join(f.Names(), ", "))
	}
	return nil, fmt.Errorf("%s has no club %q: it has %s", f.Path, name, strings.Join(f.Names(), ", "))
}

// Fault is what is wrong with any of the clubs' settings; nil for nothing.
func (f *File) Fault() error {
	var all []error
	for _, c := range f.Clubs {
		all = append(all, c.Fault)
	}
	return errors.Join(all...)
}

// Same tells whether another file says the same, and all that it says in the same order.
func (f *File) Same(other *File) bool { return f.text == other.text }

// ReadFile reads a configuration file. The error is of the file as a whole; what is wrong with
// the settings of a club is its Fault.
func ReadFile(path string) (*File, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no configuration %s: name one with --config, or begin one with \"fieldpost config describe > %s\"", path, path)
	} else if err != nil {
		return nil, err
	}
	r := reader{File: File{Path: path, text: string(text)}, at: placesOf(string(text)), libraries: libraries{}}
	var kind struct {
		Club any `toml:"club"`
	}
	if _, err := toml.Decode(r.text, &kind); err != nil {
		return nil, r.unreadable(err)
	}
	if _, r.several = kind.Club.([]map[string]any); r.several {
		return r.severalClubs()
	}
	return r.oneClub()
}

// reader makes a File.
type reader struct {
	File
	at        places
	libraries libraries
}

// unreadable is what is wrong with a file that is not understood.
func (r *reader) unreadable(err error) error {
	var p toml.ParseError
	if errors.As(err, &p) {
		return fmt.Errorf("%s:%d:%d: %s", r.Path, p.Position.Line, p.Position.Col, p.Message)
	}
	return fmt.Errorf("%s: %w", r.Path, err)
}

// oneClub reads the settings of a club that has the file for itself.
func (r *reader) oneClub() (*File, error) {
	c := withDefaults(filepath.Dir(r.Path))
	c.Data, c.Key = "fieldpost-data", "fieldpost-daemon.key"
	meta, err := toml.Decode(r.text, &c)
	if err != nil {
		return nil, r.unreadable(err)
	}
	all := r.strange(meta)
	if c.Web.Host != "" || c.Web.Path != "" {
		all.add("web", errors.New("web.host and web.path are of one of several clubs: this one has the page for itself"))
	}
	all = append(all, c.settle(&r.libraries)...)
	all.each(c.Beacon.check())
	c.Fault = r.located(all, "")
	r.Clubs = []*Config{&c}
	return &r.File, nil
}

// house is a file of several clubs: what all have in common, and the clubs.
type house struct {
	ScenarioDirs []string     `toml:"scenario_dirs"`
	Beacon       BeaconConfig `toml:"beacon"`
	Web          struct {
		Listen string `toml:"listen"`
	} `toml:"web"`
	Clubs []toml.Primitive `toml:"club"`
}

// named is one of several clubs: the settings of a file of one club, and beside them its name and
// what there stands below [club].
type named struct {
	Name string `toml:"name"`
	post.Club
	Config
	Nested struct{} `toml:"club"`
	Beacon struct{} `toml:"beacon"`
}

// severalClubs reads the settings of several clubs.
func (r *reader) severalClubs() (*File, error) {
	h := house{Beacon: BeaconConfig{Servers: turns.DrandServers}}
	meta, err := toml.Decode(r.text, &h)
	if err != nil {
		return nil, r.unreadable(err)
	}
	r.Listen = h.Web.Listen
	var own []faults
	for i, text := range h.Clubs {
		n := named{Config: withDefaults(filepath.Dir(r.Path))}
		if err := meta.PrimitiveDecode(text, &n); err != nil {
			return nil, r.unreadable(err)
		}
		c := &n.Config
		c.Name, c.Club, c.Beacon = n.Name, n.Club, h.Beacon
		c.Data, c.Key = cmp.Or(c.Data, c.Name+"-data"), cmp.Or(c.Key, c.Name+"-daemon.key")
		c.ScenarioDirs = append(slices.Clone(c.ScenarioDirs), h.ScenarioDirs...)
		all := c.settle(&r.libraries)
		all = append(all, c.pageFaults(h.Web.Listen)...)
		for j := range all {
			all[j].key = fmt.Sprintf("club[%d].%s", i, strings.TrimPrefix(all[j].key, "club."))
		}
		own = append(own, all)
		r.Clubs = append(r.Clubs, c)
	}
	shared := append(r.strange(meta), r.clashes()...)
	shared.each(h.Beacon.check())
	shared.each(WebConfig{Listen: h.Web.Listen}.check())
	if err := r.located(shared, ""); err != nil {
		return nil, err
	}
	for i, c := range r.Clubs {
		c.Fault = r.located(own[i], fmt.Sprintf("club %q: ", c.Name))
	}
	return &r.File, nil
}

var webPath = regexp.MustCompile(`^/[a-z0-9][-a-z0-9]*$`)

// pageFaults says what is wrong with where one of several clubs has its page.
func (c *Config) pageFaults(listen string) (all faults) {
	w := &c.Web
	if w.Listen != "" {
		all.add("web.listen", errors.New("web.listen stands once in the file, outside of the clubs: one address serves the pages of all of them"))
	}
	if w.Host != "" && w.Path != "" {
		all.add("web.path", errors.New("web.host and web.path: a club has its page at a host of its own or at a path, not at both"))
	}
	if w.Host != "" && !hostName.MatchString(w.Host) {
		all.add("web.host", fmt.Errorf("web.host = %q: the name of a host alone is expected, such as north.example.org", w.Host))
	}
	if w.Path != "" && (!webPath.MatchString(w.Path) || w.Path == "/healthz" || w.Path == "/metrics") {
		all.add("web.path", fmt.Errorf("web.path = %q: one word behind a slash is expected, such as /north, and neither /healthz nor /metrics", w.Path))
	}
	hasPage := w.Host != "" || w.Path != ""
	if hasPage && listen == "" {
		all.add("web", errors.New("web: there is a page, but no [web] with listen outside of the clubs: say at which address of this machine pages are served"))
	}
	if !hasPage && w.Password != "" {
		all.add("web", errors.New("web: neither host nor path says where the page is"))
	}
	w.Listen = "" // it is the house's
	return all
}

// ofClubs are settings that several clubs have each for themselves.
var ofClubs = []string{"data", "store", "store_identity", "roles", "key", "moderator", "keep_mail_days", "new_addresses_per_day", "mail", "web"}

// strange are the keys of a file that are no settings.
func (r *reader) strange(meta toml.MetaData) (all faults) {
	told := map[string]bool{}
	for _, k := range meta.Undecoded() {
		if told[k.String()] {
			continue
		}
		told[k.String()] = true
		why := "is not a setting"
		switch {
		case strings.Contains(strings.ToLower(k.String()), "seed"):
			why = "is not a setting: the dice of real games have no seed"
		case r.several && slices.Contains(ofClubs, k[0]):
			why = "is not a setting outside of the clubs: each of several has its own, below its [[club]]"
		}
		paths := r.at.all(k.String())
		if len(paths) == 0 {
			paths = []string{k.String()}
		}
		for _, path := range paths {
			all.add(path, fmt.Errorf("%q %s", k, why))
		}
	}
	return all
}

// fault is what is wrong with a setting.
type fault struct {
	key string // its path in the file, as places has them
	err error
}

type faults []fault

func (all *faults) add(key string, err error) {
	if err != nil {
		*all = append(*all, fault{key, err})
	}
}

var keyOfFault = regexp.MustCompile(`^[a-z_]+(\.[a-z_]+)*`)

// each adds several joined errors, which begin with the key that they are about.
func (all *faults) each(err error) {
	if joined, is := err.(interface{ Unwrap() []error }); is {
		for _, one := range joined.Unwrap() {
			all.each(one)
		}
		return
	}
	if err != nil {
		all.add(keyOfFault.FindString(err.Error()), err)
	}
}

// located says of faults in which line of the file they are, in order of lines.
func (r *reader) located(all faults, of string) error {
	slices.SortStableFunc(all, func(a, b fault) int { return r.at.of(a.key) - r.at.of(b.key) })
	var out []error
	for _, f := range all {
		where := r.Path
		if line := r.at.of(f.key); line > 0 {
			where = fmt.Sprintf("%s:%d", r.Path, line)
		}
		out = append(out, fmt.Errorf("%s: %s%w", where, of, f.err))
	}
	return errors.Join(out...)
}

// libraries are the scenario libraries of a file: clubs with the same folders share one, and load a
// scenario once.
type libraries map[string]*match.Library

func (l libraries) of(dirs []string) (*match.Library, error) {
	name := strings.Join(dirs, "\n")
	if l[name] != nil {
		return l[name], nil
	}
	var err error
	l[name], err = match.NewLibrary(dirs...)
	return l[name], err
}
