package scale

import (
	"os"
	"testing"
	"time"

	"fieldpost/store/postgres/server"
	"fieldpost/trial/ramdisk"
)

func TestMain(m *testing.M) { os.Exit(ramdisk.Tests(func() int { return server.Tests(m.Run) })) }

// Two games are measured: a turn costs something in all its parts.
func TestMeasure(t *testing.T) {
	server.Shared(t) // or PostgreSQL is missing
	c, err := Measure(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(c)
	if c.Sheets != 4 || c.Store <= 0 || c.Store > c.Daemon || c.Daemon <= 0 || c.Log < 1000 || c.Rows < 10 || c.Mails < 2 {
		t.Errorf("%+v", c)
	}
}

// What is too little shows: half of what a day needs leaves more than half of it undone, and names itself. With
// enough of everything nobody waits.
func TestTheModel(t *testing.T) {
	c := Costs{Daemon: 100 * time.Millisecond, Database: 5 * time.Millisecond, Log: 20_000, Rows: 20, Mails: 3}
	day := Day{Games: 1000, Each: 24 * 60 * 60. / 1000, Deadline: 20, Rush: 60} // a sheet a second in the mean
	enough := Plant{Daemons: 10, Cores: 1, Databases: 1, DatabaseCores: 1, LogRate: 1e6, Fetch: time.Millisecond, Send: time.Millisecond}
	if o := enough.Play(c, day); o.Left > 0 || o.Wait > 0 || o.First().Busy > 1 || o.Sheets < 86_000 || o.Sheets > 87_000 {
		t.Errorf("with enough of everything: %v", o)
	}
	for name, scarce := range map[string]func(*Plant, *Costs){
		"fetching":            func(p *Plant, _ *Costs) { p.Fetch = 2 * time.Second },
		"judging and drawing": func(_ *Plant, c *Costs) { c.Daemon = 20 * time.Second },
		"database: processor": func(_ *Plant, c *Costs) { c.Database = 2 * time.Second },
		"database: log":       func(p *Plant, _ *Costs) { p.LogRate = 10_000 },
		"sending":             func(p *Plant, _ *Costs) { p.Send = 6600 * time.Millisecond },
	} {
		p, costs := enough, c
		scarce(&p, &costs)
		if o := p.Play(costs, day); o.First().Name != name || o.Left < 43_200 || o.Left > 50_000 || o.Wait < 6*time.Hour {
			t.Errorf("with too little for %s: %v", name, o)
		}
	}
	one, two := enough, enough
	one.Daemons, two.Daemons = 1, 2
	if got := Gain(c, one, two); got != 2 {
		t.Errorf("two daemons do %g times what one does", got)
	}
	one.Daemons, two.Daemons = 20, 40 // the database is busy
	if got := Gain(c, one, two); got != 1 {
		t.Errorf("forty daemons do %g times what twenty do over a database that is busy", got)
	}
}
