package cluster

import (
	"context"
	"math"
	"time"
)

// faults are what happens to a round.
type faults struct {
	*club
	daemons  *daemons
	wanted   int
	happened map[string]int
}

// every is how long there is peace between two faults.
const every = 200 * time.Millisecond

// Of all faults one in fifty is a lost primary, and one in ten a daemon that is killed between leasing a
// mail and writing down what became of it.
const (
	primaries = 50
	leased    = 10
)

// run does one fault after the other, until there were enough or the games are at their end.
func (f *faults) run(ctx context.Context) error {
	for done := 0; done < f.wanted && ctx.Err() == nil && !f.ended(); {
		time.Sleep(every)
		kind, n, err := f.next(ctx, done)
		if err != nil {
			return err
		}
		if n == 0 {
			continue
		}
		f.happened[kind] += n
		if done += n; done%100 == 0 {
			f.tell("%d of %d faults", done, f.wanted)
		}
	}
	return nil
}

// next does a fault, and tells what it was; 0 if nothing was there to do it to.
func (f *faults) next(ctx context.Context, done int) (kind string, n int, err error) {
	switch {
	case done%primaries == primaries/2-5:
		return "primaries killed", 1, f.pair.Failover()
	case done%leased == leased/2:
		n, err := f.killSender(ctx)
		return "daemons killed between leasing a mail and its result", n, err
	}
	switch k := f.random.IntN(100); {
	case k < 35:
		return "connections to the database cut", f.pair.CutWire(f.random), nil
	case k < 45:
		n, err := f.pair.Cut("fieldpost")
		return "connections ended by the database", n, err
	case k < 65:
		return "connections to the mailbox cut", min(1, f.office.DropIMAP()), nil
	case k < 75:
		return "connections for sending cut", min(1, f.office.DropSMTP()), nil
	case k < 85:
		if !f.daemons.kill(f.random.IntN(f.Daemons)) {
			return "", 0, nil
		}
		return "daemons killed", 1, nil
	}
	pause := time.Duration(float64(f.Pause) * math.Pow(60, f.random.Float64()-1)) // as many of one to two seconds as of thirty to sixty
	if !f.daemons.stop(ctx, f.random.IntN(f.Daemons), pause) {
		return "", 0, nil
	}
	return "daemons stopped for a while", 1, nil
}

// senderIn is how long a mail is waited for that is being sent.
const senderIn = 5 * time.Second

// killSender kills a daemon that has leased a mail, before what became of the mail is written down.
func (f *faults) killSender(ctx context.Context) (int, error) {
	db, err := f.pair.Connect(ctx)
	if err != nil {
		return 0, err
	}
	defer db.Close(ctx)
	for until := time.Now().Add(senderIn); time.Now().Before(until) && ctx.Err() == nil; {
		var id, node string
		if db.QueryRow(ctx, `select id, sender from outgoing where state = 'sending' order by leased desc limit 1`).Scan(&id, &node) != nil {
			time.Sleep(2 * time.Millisecond)
			continue
		}
		n := f.daemons.ofNode(node)
		if n < 0 || !f.daemons.kill(n) {
			time.Sleep(20 * time.Millisecond) // it was killed before: its mail waits for another daemon
			continue
		}
		time.Sleep(20 * time.Millisecond) // what it had asked the database for is done
		var still bool
		err := db.QueryRow(ctx, `select exists (select 1 from outgoing where id = $1 and state = 'sending' and sender = $2)`, id, node).Scan(&still)
		if err == nil && !still {
			f.happened["daemons killed"]++
			continue
		}
		return 1, err
	}
	return 0, nil
}
