package umpire

import (
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
