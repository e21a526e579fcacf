package umpire

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fieldpost/store"
	"fieldpost/umpire/club"
)

// A daemon has all roles unless it is told otherwise; a role that there is not, none at all, and a file
// that another daemon would have to share are faults of the configuration, which say what may be.
func TestRolesOfADaemon(t *testing.T) {
	const database = "store = \"postgres://db.example.org/fieldpost\"\n"
	for lines, want := range map[string]string{
		"":       "[intake workers senders alarms web]",
		database: "[intake workers senders alarms web]",
		database + `roles = ["alarms", "intake"]`:                       "[intake alarms]",
		database + `roles = ["judge"]`:                                  `there is no role "judge"; a daemon may have intake, workers, senders, alarms, web`,
		database + `roles = []`:                                         "a daemon without any does nothing",
		`roles = ["intake", "senders", "alarms"]`:                       "a file has one daemon, which does everything",
		database + "roles = [\"web\"]\n[web]\nlisten = \"localhost:0\"": "[web]",
	} {
		dir := t.TempDir()
		write(t, dir, "p", "secret")
		c, err := ReadConfig(write(t, dir, "config.toml", lines+mailSettings))
		got := fmt.Sprint(c.roleNames())
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", lines, got, want)
		}
	}
}

// A page is served by whoever has the role.
func TestWhoServesThePage(t *testing.T) {
	c := &Config{Store: "postgres:///x", Roles: AllRoles(), Web: WebConfig{Listen: "localhost:0"}}
	if !c.ServesPage() {
		t.Error("with all roles no page is served")
	}
	if err := c.TakeRoles("intake, senders"); err != nil || c.ServesPage() {
		t.Errorf("without the role a page is served, %v", err)
	}
}

// Status names the roles of each daemon, and a role that nobody at work has.
func TestStatusTellsWhichRoleNobodyHas(t *testing.T) {
	s := club.Status{At: time.Now(), Nodes: []store.Node{
		{Name: "one", About: "fieldpost", Roles: []string{"intake", "alarms"}},
		{Name: "two", About: "fieldpost", Roles: []string{"senders"}, Quiet: 2 * store.Quiet},
	}}
	var board strings.Builder
	if err := s.Board(&board, club.BoardOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"node one (fieldpost, intake, alarms)", "ALARM: no daemon has the role senders"} {
		if !strings.Contains(board.String(), want) {
			t.Errorf("status does not say %q:\n%s", want, &board)
		}
	}
	if got := fmt.Sprint(s.Manned()); got != "map[alarms:1 intake:1]" {
		t.Errorf("the roles are had by %s", got)
	}
}
