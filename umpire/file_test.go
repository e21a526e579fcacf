package umpire

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"fieldpost"
)

// twoClubs is a configuration of two clubs; tests put something in the place of a word in capitals.
const twoClubs = `# A house of two clubs.
[web]
listen = "127.0.0.1:8025"

[[club]]
name = "north"
page = "https://north.example.org"
# NORTH
[club.mail]
address = "umpire@north.example.org"
[club.mail.imap]
host = "imap.example.org"
user = "north"
password = "x"
[club.mail.smtp]
host = "smtp.example.org"
[club.web]
host = "north.example.org"

[[club]]
name = "south"
# SOUTH
[club.mail]
address = "umpire@south.example.org"
[club.mail.imap]
host = "imap.example.org"
user = "south"
password = "x"
[club.mail.smtp]
host = "smtp.example.org"
[club.web]
path = "/south"
# PAGE
`

// houseOf writes a configuration of two clubs, changed as the pairs say.
func houseOf(t *testing.T, changes ...string) (*File, error) {
	t.Helper()
	return ReadFile(write(t, t.TempDir(), "house.toml", strings.NewReplacer(changes...).Replace(twoClubs)))
}

func TestSeveralClubsInOneFile(t *testing.T) {
	f, err := houseOf(t, "# SOUTH\n", "keep_mail_days = 9\ndata = \"there\"\n[[club.moderator]]\nname = \"Anna\"\naddress = \"anna@example.org\"\nkey = \"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJVD+MMfLq4VTUdAkaShpPhKCrYxZtkuDysOPBUWv41D\"\n")
	if err != nil || f.Fault() != nil {
		t.Fatal(err, f.Fault())
	}
	if !f.Several() || !slices.Equal(f.Names(), []string{"north", "south"}) || f.Listen != "127.0.0.1:8025" {
		t.Fatalf("%v, %q", f.Names(), f.Listen)
	}
	north, _ := f.Club("north")
	south, _ := f.Club("south")
	dir := filepath.Dir(f.Path)
	if north.Database() != filepath.Join(dir, "north-data", "fieldpost.db") || south.Database() != filepath.Join(dir, "there", "fieldpost.db") {
		t.Errorf("the stores are %s and %s", north.Database(), south.Database())
	}
	if north.KeyFile() != filepath.Join(dir, "north-daemon.key") || north.KeepMailDays != 365 || north.NewAddressesPerDay != 100 || south.KeepMailDays != 9 {
		t.Errorf("north: key %s, %d days, %d mails; south: %d days", north.KeyFile(), north.KeepMailDays, north.NewAddressesPerDay, south.KeepMailDays)
	}
	if north.Club.Page != "https://north.example.org" || south.Club.Page != "" || len(south.Moderators) != 1 || len(north.Moderators) != 0 {
		t.Errorf("north says %+v and has %v; south has %v", north.Club, north.Moderators, south.Moderators)
	}
	if north.Library() != south.Library() {
		t.Error("every club loads the scenarios for itself")
	}
	for name, says := range map[string]string{"": "say which with --club NAME: north, south", "east": `no club "east": it has north, south`} {
		if _, err := f.Club(name); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("club %q: %v", name, err)
		}
	}
	if _, err := ReadConfig(f.Path); err == nil || !strings.Contains(err.Error(), "several clubs") {
		t.Errorf("as the file of one club: %v", err)
	}
	one := write(t, dir, "one.toml", mailSettings)
	write(t, dir, "p", "secret")
	if f, err = ReadFile(one); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Club("north"); err == nil || !strings.Contains(err.Error(), "leave --club out") {
		t.Errorf("a name where there is one club: %v", err)
	}
}

// What is wrong with the file stops all of it; what is wrong with one club's settings stops that
// club. Both name the line and the key.
func TestFaultsOfSeveralClubs(t *testing.T) {
	for what, c := range map[string]struct {
		changes []string
		says    string
		ofClub  string // whose fault it is, "" for the file's
	}{
		"the same mailbox":             {[]string{`user = "south"`, `user = "north"`}, `:25: the clubs "north" and "south" have the same mailbox, INBOX of north at imap.example.org:993: each club needs its own`, ""},
		"the same address":             {[]string{"umpire@south.", "Umpire@North."}, `:24: the clubs "north" and "south" have the same address, umpire@north.example.org`, ""},
		"the same folder":              {[]string{"# SOUTH", "data = \"./north-data/\""}, `:22: the clubs "north" and "south" have the same data folder`, ""},
		"one folder in the other":      {[]string{"# SOUTH", "data = \"north-data/mails\""}, `:22: the data folders of the clubs "north" and "south" lie one in the other`, ""},
		"the same key":                 {[]string{"# SOUTH", "key = \"north-daemon.key\""}, `:22: the clubs "north" and "south" have the same signing key`, ""},
		"the same database":            {[]string{"# SOUTH", `store = "postgres://b:y@db.example.org/f"`, "# NORTH", `store = "postgres://a:x@db.example.org/f"`}, `:22: the clubs "north" and "south" have the same database, db.example.org/f`, ""},
		"the same page":                {[]string{`path = "/south"`, `host = "North.example.org"`}, `have the same page, north.example.org`, ""},
		"the same name":                {[]string{`name = "south"`, `name = "north"`}, `:21: two clubs are called "north"`, ""},
		"no name":                      {[]string{"name = \"south\"\n", ""}, `:20: club 2: name = ""`, ""},
		"a strange name":               {[]string{`name = "south"`, `name = "South Club"`}, `:21: club 2: name = "South Club"`, ""},
		"a setting of all":             {[]string{"# A house", "keep_mail_days = 3\n#"}, `:1: "keep_mail_days" is not a setting outside of the clubs`, ""},
		"a misspelt setting":           {[]string{"# SOUTH", "datta = \"x\""}, `:22: "club.datta" is not a setting`, ""},
		"no TOML":                      {[]string{"# SOUTH", "datta ="}, `:22:`, ""},
		"a seed":                       {[]string{"# SOUTH", "seed = 4"}, `:22: "club.seed" is not a setting: the dice of real games have no seed`, ""},
		"a page for the world":         {[]string{"127.0.0.1:8025", "0.0.0.0:8025"}, `:3: web.listen = "0.0.0.0:8025"`, ""},
		"a page without a place":       {[]string{"listen = \"127.0.0.1:8025\"", ""}, `:17: club "north": web: there is a page, but no [web] with listen`, "north south"},
		"a listening club":             {[]string{"# PAGE", "listen = \"127.0.0.1:9\""}, `:33: club "south": web.listen stands once`, "south"},
		"two places of a page":         {[]string{"# PAGE", "host = \"south.example.org\""}, `:32: club "south": web.host and web.path`, "south"},
		"a path that is none":          {[]string{`"/south"`, `"south/games"`}, `:32: club "south": web.path = "south/games"`, "south"},
		"a missing server":             {[]string{"user = \"south\"\n", ""}, `:25: club "south": mail.imap.user: is missing`, "south"},
		"a password that is not there": {[]string{"user = \"south\"\npassword = \"x\"", "user = \"south\"\npassword_file = \"nowhere\""}, `:28: club "south": mail.imap.password_file`, "south"},
		"a number":                     {[]string{"# SOUTH", "keep_mail_days = -3"}, `:22: club "south": keep_mail_days = -3`, "south"},
		"a page of the club":           {[]string{"# SOUTH", "desk = \"nowhere\""}, `:22: club "south": club.desk`, "south"},
		"a moderator":                  {[]string{"# SOUTH", "[[club.moderator]]\nname = \"A\"\naddress = \"a@example.org\"\nkey = \"k\""}, `:22: club "south": moderator 1: key`, "south"},
	} {
		f, err := houseOf(t, c.changes...)
		whose := ""
		if err == nil {
			for _, one := range f.Clubs {
				if one.Fault != nil {
					whose = strings.TrimSpace(whose + " " + one.Name)
				}
			}
			err = f.Fault()
		}
		if err == nil || !strings.Contains(err.Error(), c.says) || whose != c.ofClub {
			t.Errorf("%s: the clubs %q have faults; it is said:\n%v", what, whose, err)
		}
	}
}

// The lines are found of every key that the program's configurations have.
func TestEveryKeyHasItsLine(t *testing.T) {
	odd := "a = [ # [[club]]\n  \"x = 1 ]\",\n]\nb = \"\"\"\n[no.table]\nc = 2 \\\"\"\"\"\n'd e' . f = 3\n[[ g ]]\n[ g.h ]\ni = '''\nj = 4'''\n[[g]]\n[g.h]\nk = {l = 5, m = [\n6]}\nn=7\n"

	for _, text := range []string{odd, fieldpost.Config, twoClubs} {
		var any map[string]any
		meta, err := toml.Decode(text, &any)
		if err != nil {
			t.Fatal(err)
		}
		at, all := placesOf(text), strings.Split(text, "\n")
		for _, k := range meta.Keys() {
			paths := at.all(strings.ReplaceAll(k.String(), `"`, ""))
			inline := strings.HasPrefix(k.String(), "g.h.k.")
			if len(paths) == 0 && !inline && !strings.Contains(k.String(), "d e") {
				t.Errorf("%s is not found", k)
			}
			for _, path := range paths {
				if last := k[len(k)-1]; !strings.Contains(all[at[path]-1], last) {
					t.Errorf("%s is said to be in the line %q", k, all[at[path]-1])
				}
			}
		}
	}
	if at := placesOf(odd); at["g[1].h.n"] != 16 || at["c"] != 0 || at.of("g[1].h.z") != 13 || at.of("z") != 0 {
		t.Errorf("%v", at)
	}
}
