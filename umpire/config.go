package umpire

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"fieldpost/mailbox"
	"fieldpost/store/bolt"
	"fieldpost/store/postgres"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/club"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/share"
	"fieldpost/umpire/turns"
)

// Config is the daemon's config.toml. Paths in it are relative to the file.
type Config struct {
	// Data is the folder of the database, spool and mails.
	Data string `toml:"data"`
	// Store is the database of PostgreSQL, "postgres://...", in which games are kept in place of a
	// file in Data; empty for the file.
	Store string `toml:"store"`
	// StoreIdentity is the file of the key, as age-keygen writes it, by which the dice keys in the
	// database are sealed; empty for none. Variables of the environment count in it:
	// "$CREDENTIALS_DIRECTORY/store" is a credential of systemd.
	StoreIdentity string `toml:"store_identity"`
	// Roles are the parts of the work that the daemon does, where several share a Store; all of
	// them by default.
	Roles []Role `toml:"roles"`
	// Key is the file of the daemon's signing key; it is made at the first start.
	Key  string         `toml:"key"`
	Mail mailbox.Config `toml:"mail"`
	// Moderators may carry out acts by signed mail.
	Moderators []acts.Moderator `toml:"moderator"`
	// Club is what the club says of itself: a page, where the program is, an address.
	Club post.Club `toml:"club"`
	// ScenarioDirs are folders laid over the built-in scenarios, the first on top.
	ScenarioDirs []string `toml:"scenario_dirs"`
	// KeepMailDays is how long the files of mails are kept that belong to no game
	// which goes on; 0 is for ever.
	KeepMailDays int `toml:"keep_mail_days"`
	// NewAddressesPerDay is how many mails a day go to addresses that never wrote to us, at
	// the wish of others; 0 sets no bound.
	NewAddressesPerDay int `toml:"new_addresses_per_day"`
	// Beacon is where the values of drand are read, for games with beacon=drand.
	Beacon BeaconConfig `toml:"beacon"`
	// Web is the page for spectators and the moderator.
	Web WebConfig `toml:"web"`

	// Name is that of one of several clubs, "" for a club that has the file for itself.
	Name string `toml:"-"`
	// Share is what the club has of the processors; nil is all of them.
	Share *share.Share `toml:"-"`
	// Fault is what is wrong with the club's settings; nil for nothing.
	Fault error `toml:"-"`

	dir     string
	library *match.Library
}

// BeaconConfig is who is asked for drand's values. They prove themselves, so the
// servers need no trust.
type BeaconConfig struct {
	Servers []string `toml:"servers"` // https://..., asked in turn; left out: three public ones
}

// WebConfig is the web page. Without Listen there is none.
type WebConfig struct {
	Listen string `toml:"listen"` // an address of this machine alone: 127.0.0.1:8025
	// Password is the hash of the moderator's, as "fieldpost web password" prints
	// it; without one nobody can log in.
	Password string `toml:"password"`
	// PublicArchives lets everybody fetch the archives of finished games. They hold
	// the players' names, and mails with their addresses.
	PublicArchives bool `toml:"public_archives"`
	// PublicLadder lets everybody read the ladder and the results, with the players' names.
	PublicLadder bool `toml:"public_ladder"`
	// Downloads is a folder with the files of a release, which everybody may fetch.
	Downloads string `toml:"downloads"`
	// DeskHost is the name of a host, such as desk.example.org, under which there is nothing but
	// the order desk: what it keeps in a browser no page of the club can read.
	DeskHost string `toml:"desk_host"`
	// Host is the name of the host, and Path what the address begins with behind it, under which
	// one of several clubs has its page: one of the two.
	Host string `toml:"host"`
	Path string `toml:"path"`
}

// hostName is a name as a request's Host has it, without a port.
var hostName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`)

// check says what is wrong with the settings.
func (w WebConfig) check() error {
	if w.DeskHost != "" && !hostName.MatchString(w.DeskHost) {
		return fmt.Errorf("web.desk_host = %q: the name of a host alone, such as desk.example.org", w.DeskHost)
	}
	if w.Listen == "" {
		return nil
	}
	host, _, err := net.SplitHostPort(w.Listen)
	if err != nil {
		return fmt.Errorf("web.listen = %q: %w", w.Listen, err)
	}
	if host != "localhost" && !net.ParseIP(host).IsLoopback() {
		return fmt.Errorf("web.listen = %q: only an address of this machine, such as 127.0.0.1:8025; for the world put a web server with TLS in front of it", w.Listen)
	}
	return nil
}

// isWebServer tells whether a text is the address of a server that speaks HTTP.
func isWebServer(text string) bool {
	at, err := url.Parse(text)
	if err != nil || at.Host == "" {
		return false
	}
	return at.Scheme == "https" || at.Scheme == "http"
}

// ReadConfig reads and checks the config file of one club. The error lists every fault.
func ReadConfig(path string) (*Config, error) {
	f, err := ReadFile(path)
	if err != nil {
		return nil, err
	}
	if f.Several() {
		return nil, fmt.Errorf("%s has several clubs: %s", path, strings.Join(f.Names(), ", "))
	}
	return f.Clubs[0], f.Clubs[0].Fault
}

// withDefaults is a Config with what counts where the file says nothing.
func withDefaults(dir string) Config {
	return Config{Roles: AllRoles(), KeepMailDays: 365, NewAddressesPerDay: 100, dir: dir, Beacon: BeaconConfig{Servers: turns.DrandServers}}
}

// settle makes paths of the settings and fills in what was left empty. What is wrong it tells.
func (c *Config) settle(shared *libraries) (all faults) {
	for _, file := range []*string{&c.Mail.IMAP.PasswordFile, &c.Mail.SMTP.PasswordFile, &c.Mail.IMAP.CAFile, &c.Mail.SMTP.CAFile, &c.Mail.DKIM.KeyFile} {
		if *file != "" {
			*file = c.path(*file)
		}
	}
	if c.Web.Downloads != "" {
		c.Web.Downloads = c.path(c.Web.Downloads)
	}
	for i, dir := range c.ScenarioDirs {
		c.ScenarioDirs[i] = c.path(dir)
	}
	var err error
	if c.library, err = shared.of(c.ScenarioDirs); err != nil {
		all.add("scenario_dirs", fmt.Errorf("scenario_dirs: %w", err))
	}
	for i := range c.Moderators {
		if err := c.Moderators[i].Read(c.path); err != nil {
			all.add(fmt.Sprintf("moderator[%d]", i), fmt.Errorf("moderator %d: %w", i+1, err))
		}
	}
	all.add("store", c.KeepIn(c.Store))
	all.add("roles", c.checkRoles())
	if c.KeepMailDays < 0 {
		all.add("keep_mail_days", fmt.Errorf("keep_mail_days = %d: 0 or more days are expected", c.KeepMailDays))
	}
	if c.NewAddressesPerDay < 0 {
		all.add("new_addresses_per_day", fmt.Errorf("new_addresses_per_day = %d: 0 or more mails are expected", c.NewAddressesPerDay))
	}
	all.each(c.Club.Check())
	all.each(c.Web.check())
	all.each(c.Mail.Validate())
	c.Mail = c.Mail.WithDefaults()
	return all
}

// check says what is wrong with the servers.
func (b BeaconConfig) check() error {
	var all []error
	for _, server := range b.Servers {
		if !isWebServer(server) {
			all = append(all, fmt.Errorf("beacon.servers: %q is not an address of a server, such as %s", server, turns.DrandServers[0]))
		}
	}
	return errors.Join(all...)
}

func (c *Config) path(p string) string {
	if filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(c.dir, p)
}

// Library is the scenarios, with the folders of the config.
func (c *Config) Library() *match.Library { return c.library }

// Database is the path of the bbolt file.
func (c *Config) Database() string { return filepath.Join(c.path(c.Data), bolt.Database) }

// KeepIn has games kept in a database of PostgreSQL, "" for the file.
func (c *Config) KeepIn(database string) error {
	if database != "" && !postgres.Is(database) {
		return fmt.Errorf("store = %q: the address of a database, such as postgres://fieldpost@db.example.org/fieldpost, is expected; leave it out for a file in the data folder", database)
	}
	c.Store = database
	return nil
}

// Place is where games are kept, for people: the file, or the database without its password.
func (c *Config) Place() string {
	if c.Store == "" {
		return c.Database()
	}
	at, err := url.Parse(c.Store)
	if err != nil {
		return "PostgreSQL"
	}
	return at.Redacted()
}

// Socket is the path of the running daemon's control socket. Where the data
// folder's path is too long for one (107 bytes on Linux) it lies among the
// temporary files, under a name made of that path.
func (c *Config) Socket() string {
	path := filepath.Join(c.path(c.Data), "control")
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if len(path) < 100 {
		return path
	}
	name := sha256.Sum256([]byte(path))
	return filepath.Join(os.TempDir(), "fieldpost-"+hex.EncodeToString(name[:8]))
}

// KeyFile is the path of the daemon's signing key.
func (c *Config) KeyFile() string { return c.path(c.Key) }

// has tells whether a daemon of this configuration has a role.
func (c *Config) has(r Role) bool { return slices.Contains(c.Roles, r) }

// works tells whether a daemon of this configuration gives mail its effect.
func (c *Config) works() bool { return c.has(Intake) || c.has(Workers) }

// ServesPage tells whether a daemon of this configuration serves the page.
func (c *Config) ServesPage() bool { return c.Web.isSomewhere() && c.has(Web) }

// isSomewhere tells whether the page has an address, of its own or among those of several clubs.
func (w WebConfig) isSomewhere() bool { return w.Listen != "" || w.Host != "" || w.Path != "" }

// TakeRoles has a daemon take the roles in a list such as "intake, senders" alone.
func (c *Config) TakeRoles(list string) error {
	c.Roles = nil
	for _, name := range strings.Split(list, ",") {
		c.Roles = append(c.Roles, Role(strings.TrimSpace(name)))
	}
	return c.checkRoles()
}

// checkRoles says what is wrong with the roles.
func (c *Config) checkRoles() error {
	all := strings.Join(club.Roles, ", ")
	for _, r := range c.Roles {
		if !slices.Contains(AllRoles(), r) {
			return fmt.Errorf("roles: there is no role %q; a daemon may have %s", r, all)
		}
	}
	switch missing := len(c.lacks()); {
	case len(c.Roles) == 0:
		return fmt.Errorf("roles: a daemon without any does nothing; it may have %s", all)
	case missing > 0 && c.Store == "":
		return errors.New("roles: a file has one daemon, which does everything; only daemons that share a database (store) may share the roles")
	}
	return nil
}

// lacks are the roles that a daemon of this configuration leaves to others.
func (c *Config) lacks() []Role {
	return slices.DeleteFunc(AllRoles(), func(r Role) bool { return c.has(r) || r == Workers && c.works() })
}

// roleNames are the roles of a configuration as the nodes of a store tell them.
func (c *Config) roleNames() []string {
	var names []string
	for _, r := range AllRoles() {
		if c.has(r) {
			names = append(names, string(r))
		}
	}
	return names
}
