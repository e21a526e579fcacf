package scale

import (
	"context"
	"fmt"
	"time"

	"fieldpost/trial"
)

// What is assumed and not measured: machines as hosters rent them, a mailbox and a server for sending at a
// provider, and one that stands beside the daemons.
const (
	cores         = 8
	databaseCores = 16
	logRate       = 150e6
	fetching      = 2 * time.Millisecond
	farSend       = 50 * time.Millisecond
	nearSend      = 2 * time.Millisecond
)

// Run measures what a turn costs with so many games, and reckons how a day of a million goes.
func Run(ctx context.Context, t *trial.Trial) error {
	c, err := Measure(ctx, t.Games)
	if err != nil {
		return err
	}
	fmt.Fprintln(t.Out, c)
	one, two := plant(1, 1, nearSend), plant(2, 1, nearSend)
	fmt.Fprintf(t.Out, "two daemons do %.2f times what one does, as long as the database has room: one that has %d cores has it for %.0f daemons of %d\n",
		Gain(c, one, two), databaseCores, room(c), cores)
	for _, d := range []Day{{Games: 1_000_000, Each: 2}, {Games: 1_000_000, Each: 2, Deadline: 20, Rush: 100_000}} {
		fmt.Fprintf(t.Out, "%d games, %g sheets each; %.0f a minute before a common deadline\n", d.Games, d.Each, d.Rush)
		for _, p := range []Plant{plant(1, 1, farSend), plant(4, 1, farSend), plant(25, 1, farSend), plant(25, 1, nearSend), plant(25, 4, nearSend), plant(100, 4, nearSend)} {
			fmt.Fprintln(t.Out, "  ", p.Play(c, d))
		}
	}
	return nil
}

func plant(daemons, databases int, send time.Duration) Plant {
	return Plant{Daemons: daemons, Cores: cores, Databases: databases, DatabaseCores: databaseCores, LogRate: logRate,
		Fetch: fetching / time.Duration(databases), Send: send} // a database has a club of its own, with its mailbox
}

// Gain is how many times what one plant does another one does, fetching and sending aside.
func Gain(c Costs, one, other Plant) float64 { return judged(c, other) / judged(c, one) }

// judged is how many sheets a minute a plant judges and keeps.
func judged(c Costs, p Plant) float64 {
	stages := p.stages(c)
	return min(stages[1].Rate, stages[2].Rate, stages[3].Rate)
}

// room is how many daemons one database has room for.
func room(c Costs) float64 {
	stages := plant(1, 1, nearSend).stages(c)
	return min(stages[2].Rate, stages[3].Rate) / stages[1].Rate
}
