package umpire

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fieldpost/umpire/club"
)

// Role is a part of the work of a daemon. Where several share a database each may have some of them.
type Role string

// The roles.
const (
	Intake  Role = "intake"  // fetches mail, and does what Workers do
	Workers Role = "workers" // give mail its effect: they judge, play and draw
	Senders Role = "senders" // sends what is written
	Alarms  Role = "alarms"  // keeps deadlines, waits for the beacon, tidies up
	Web     Role = "web"     // serves the page
)

// AllRoles are the roles of a daemon that is told nothing else.
func AllRoles() (all []Role) {
	for _, name := range club.Roles {
		all = append(all, Role(name))
	}
	return all
}

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
