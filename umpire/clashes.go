package umpire

import (
	"cmp"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
)

var clubName = regexp.MustCompile(`^[a-z0-9][-a-z0-9]{0,29}$`)

// claim is something that a club has and no other may have.
type claim struct {
	what string // in words
	key  string // the setting that says it
	is   string // "" for nothing
}

// clashes are the clubs without a fit name, and those that have the same as another one.
func (r *reader) clashes() (all faults) {
	owner := map[claim]string{}
	for i, c := range r.Clubs {
		at := fmt.Sprintf("club[%d].", i)
		if !clubName.MatchString(c.Name) {
			all.add(at+"name", fmt.Errorf("club %d: name = %q: a short name of small letters, digits and hyphens is expected, such as north", i+1, c.Name))
			continue
		}
		for _, has := range c.claims() {
			id := claim{what: has.what, is: has.is}
			if has.is == "" {
				continue
			}
			if other, taken := owner[id]; taken && other != c.Name {
				all.add(at+has.key, fmt.Errorf("the clubs %q and %q have the same %s, %s: each club needs its own", other, c.Name, has.what, has.is))
				continue
			}
			if _, taken := owner[id]; taken && has.key == "name" {
				all.add(at+"name", fmt.Errorf("two clubs are called %q: each needs a name of its own", c.Name))
			}
			owner[id] = c.Name
		}
		for _, other := range r.Clubs[:i] {
			if inner, outer := folderOf(c), folderOf(other); isInside(inner, outer) || isInside(outer, inner) {
				all.add(at+"data", fmt.Errorf("the data folders of the clubs %q and %q lie one in the other, %s and %s: give each a place of its own", other.Name, c.Name, outer, inner))
			}
		}
	}
	return all
}

// claims are what a club has for itself.
func (c *Config) claims() []claim {
	all := []claim{
		{"name", "name", c.Name},
		{"address", "mail.address", strings.ToLower(c.Mail.Address)},
		{"data folder", "data", folderOf(c)},
		{"signing key", "key", solid(c.KeyFile())},
		{"database", "store", databaseOf(c.Store)},
		{"page", "web.path", c.Web.Path},
		{"page", "web.host", strings.ToLower(c.Web.Host)},
		{"page", "web.desk_host", strings.ToLower(c.Web.DeskHost)},
	}
	for _, folder := range c.Mail.Folders() {
		all = append(all, claim{"mailbox", "mail.imap", folder})
	}
	return all
}

func folderOf(c *Config) string { return solid(c.path(c.Data)) }

// solid is a path without links, as far as it is there.
func solid(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	for there, rest := abs, ""; ; there, rest = filepath.Dir(there), filepath.Join(filepath.Base(there), rest) {
		if real, err := filepath.EvalSymlinks(there); err == nil {
			return filepath.Join(real, rest)
		}
		if there == filepath.Dir(there) {
			return abs
		}
	}
}

func isInside(inner, outer string) bool {
	return strings.HasPrefix(inner, outer+string(filepath.Separator))
}

// databaseOf is which database an address means, whoever logs in there.
func databaseOf(store string) string {
	at, err := url.Parse(store)
	if err != nil || store == "" {
		return store
	}
	name := cmp.Or(at.Query().Get("host"), at.Host) + at.Path
	if path := at.Query().Get("search_path"); path != "" {
		name += " (" + path + ")"
	}
	return name
}
