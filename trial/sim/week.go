package sim

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"time"

	"fieldpost/demo/world"
	"fieldpost/mailbox"
	"fieldpost/store"
	"fieldpost/store/bolt"
	"fieldpost/umpire"
	"fieldpost/umpire/intake"
	"fieldpost/umpire/post"
	"fieldpost/umpire/records"
)

// The rhythm of the daemon in the simulation. In between nothing would happen, so it is left
// out: with IDLE a mail is fetched when it comes.
const (
	looksEvery = 5 * time.Minute // is what the daemon believes of itself
	idleLooks  = 6 * time.Hour
	again      = 20 * time.Minute // while something is out, at first
	// calm is how long after the week everything is well, so that all comes to rest.
	calm = 36 * time.Hour
	// recovery is how long after the week faults may still begin.
	recovery = 6 * time.Hour
)

// week is one seed's week of the daemon and its players.
type week struct {
	*Template
	plan   Plan
	folder string
	begun  time.Time
	now    time.Time     // in truth
	skew   time.Duration // of the clock of the machine
	boot   time.Time     // of the process

	disk     *disk
	folders  map[string]*folder
	troubles []*trouble
	out      [2]time.Time // until when a server cannot be reached
	agenda   []item       // what the events of the plan have made happen later

	db     store.Store
	u      *umpire.Umpire
	poller *mailbox.Poller
	inbox  *intake.Inbox
	sender *mailbox.Sender
	ctx    context.Context
	end    context.CancelFunc
	polled time.Time     // by the clock of the machine: when the last complete look began
	next   time.Time     // when the keeper of time wants to look again, in truth
	looked time.Time     // when the mailbox was looked into last
	idle   chan struct{} // has a token while no mail is being handled

	letters []*letter
	serials [seats]int
	arrived []arrival
	ailing  time.Time // until when something was wrong, as far as is known
	unbegun int       // starts in vain, one after the other
	sound   time.Time // when all was well last
	wrote   time.Time // when the disk first refused something that it still refuses
	seen    sight
	tally   *Tally
}

// item is something that happens at a moment.
type item struct {
	at time.Time
	do func()
}

// arrival is a mail that a player's server has taken.
type arrival struct {
	to  string
	raw []byte
}

// violation is what must not be.
type violation struct{ kind, what string }

func (v violation) Error() string { return v.what }

func (w *week) wrong(format string, a ...any) {
	panic(violation{format, w.now.Sub(w.begun).String() + ": " + fmt.Sprintf(format, a...)})
}

// Play plays a plan. The error is a violation, or a fault of the simulation.
func (t *Template) Play(ctx context.Context, plan Plan, tally *Tally) (err error) {
	w := &week{Template: t, plan: plan, begun: t.start, now: t.start, tally: tally,
		folders: map[string]*folder{"INBOX": {validity: 1}, "Junk": {validity: 1}}}
	if err := t.room(); err != nil {
		return err
	}
	if w.folder, err = os.MkdirTemp(t.folder, "week"); err != nil {
		return err
	}
	defer func() {
		if err != nil { // a full disk below makes faults that nobody simulated
			err = cmp.Or(t.room(), err)
		}
		err = errors.Join(err, os.RemoveAll(w.folder))
	}()
	if err := t.lay(w.folder); err != nil {
		return err
	}
	w.disk = &disk{path: filepath.Join(w.folder, bolt.Database), random: rand.New(rand.NewPCG(plan.Seed, 22)), kept: -1,
		died: func() { w.end() }, happen: w.happened}
	defer func() {
		w.stop()
		if r := recover(); r != nil {
			v, ok := r.(violation)
			if !ok {
				panic(r)
			}
			err = v
		}
	}()
	for _, e := range plan.Events {
		w.plans(w.begun.Add(e.At), func() { w.event(e) })
	}
	w.plans(w.begun.Add(length+recovery+time.Second), func() { w.disk.mend(true) }) // also faults that wait for an operation
	w.start(ctx)
	for until := w.begun.Add(length + calm); ; {
		at := w.upcoming()
		if at.After(until) {
			break
		}
		w.pass(ctx, at)
	}
	w.final()
	return nil
}

func (w *week) plans(at time.Time, do func()) { w.agenda = append(w.agenda, item{at, do}) }

// wall is the clock of the machine.
func (w *week) wall() time.Time { return w.now.Add(w.skew) }

// happened counts a fault that came to pass.
func (w *week) happened(kind Kind) {
	w.tally.Faults[kind]++
	w.ailing = later(w.ailing, w.now)
	if (kind == DiskFull) && w.wrote.IsZero() {
		w.wrote = w.now
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// upcoming is the next moment at which anything happens.
func (w *week) upcoming() time.Time {
	at := later(w.looked.Add(idleLooks), w.now.Add(time.Minute))
	if w.u == nil { // it looks at nothing
		at = w.now.Add(max(again, w.now.Sub(w.sound)/4))
	}
	sooner := func(t time.Time) {
		if t.Before(at) {
			at = t
		}
	}
	for _, i := range w.agenda {
		sooner(i.at)
	}
	if w.u == nil {
		return later(at, w.now)
	}
	if !w.next.IsZero() && w.u.Service.Held() {
		sooner(w.now.Add(time.Hour))
	} else if !w.next.IsZero() {
		sooner(later(w.next, w.now.Add(w.patience())))
	}
	if next, ok, err := w.db.NextAttempt(); err == nil && ok {
		sooner(later(next.Add(-w.skew), w.now.Add(time.Second)))
	}
	if w.now.Sub(w.ailing) < again {
		sooner(w.now.Add(max(again, w.now.Sub(w.sound)/4)))
	}
	return later(at, w.now)
}

// patience is how long the simulation waits with what cannot go on: a minute, and longer the
// longer something has been out.
func (w *week) patience() time.Duration {
	return min(max(time.Minute, w.now.Sub(w.sound)/4), 30*time.Minute)
}

// pass lets time pass, and what happens then happen.
func (w *week) pass(ctx context.Context, at time.Time) {
	if ctx.Err() != nil {
		panic(violation{"", ctx.Err().Error()})
	}
	w.now = at
	for {
		i := slices.IndexFunc(w.agenda, func(i item) bool { return !i.at.After(at) })
		if i < 0 {
			break
		}
		do := w.agenda[i].do
		w.agenda = slices.Delete(w.agenda, i, i+1)
		do()
	}
	for range 4 {
		if w.u == nil || w.disk.isDead() {
			w.start(ctx)
		}
		if w.u == nil {
			return // it does not even begin
		}
		w.step()
		if !w.disk.isDead() {
			break
		}
	}
	if !w.disk.isDead() {
		w.look()
	}
}

// start begins the process over what the one before has left.
func (w *week) start(ctx context.Context) {
	w.stop()
	if w.disk.isDead() {
		w.tally.Deaths++
		if err := w.disk.revive(); err != nil {
			panic(err)
		}
	}
	w.ctx, w.end = context.WithCancel(ctx)
	db, err := bolt.Open(w.disk.path, w.disk.options())
	if err != nil {
		w.disk.detach()
		if errors.Is(err, store.ErrNotDatabase) || errors.Is(err, store.ErrDamaged) {
			w.wrong("the store cannot be opened any more: %v", err)
		}
		if w.unbegun++; w.unbegun > 200 {
			w.wrong("the store cannot be opened: %v", err)
		}
		w.ailing = w.now
		return // of a full disk, or another death: it is tried again
	}
	w.unbegun = 0
	w.db, w.boot, w.wrote = db, w.now, time.Time{}
	w.u = world.New(db, w.options(w.wall)).Umpire
	w.u.LookupTXT = func(string) ([]string, error) { return nil, errors.New("no network") }
	w.u.Steady = func() time.Duration { return w.now.Sub(w.boot) }
	w.u.Service.Begin(looksEvery, []string{"INBOX"}, w.wall())
	w.idle = make(chan struct{}, 1)
	w.idle <- struct{}{}
	account := mailbox.Config{Address: desk, Name: "Fieldpost"}
	account.IMAP.ServerConfig = mailbox.ServerConfig{Host: "127.0.0.1", Port: 143, TLS: mailbox.NoTLS, User: desk, Password: "secret"}
	account.SMTP.ServerConfig = mailbox.ServerConfig{Host: "127.0.0.1", Port: 587, TLS: mailbox.NoTLS, User: desk, Password: "secret"}
	dial := func(of server) mailbox.DialFunc {
		return func(context.Context, string, string) (net.Conn, error) { return w.reach(of) }
	}
	w.u.AtOnce = 1 // so that the same seed is the same week
	w.inbox = w.u.Inbox()
	if w.poller, err = mailbox.NewPoller(account, inTurn{w.inbox, w}, w.receive, mailbox.PollerOptions{Dial: dial(imapServer), NoIdle: true,
		Ahead: w.ahead, Timeout: time.Hour, Done: func(time.Time) { w.polled = w.wall() },
		Looked: func(box string) { w.u.Service.Looked(box, w.wall()) }, Failed: func(err error, _ time.Time) { w.u.Service.LookFailed(err, w.wall()) }}); err != nil {
		panic(err)
	}
	if w.sender, err = mailbox.NewSender(account, mailbox.SenderOptions{Dial: dial(smtpServer), Timeout: time.Hour}); err != nil {
		panic(err)
	}
	w.polled = time.Time{}
	_, err = db.Requeue()
	if err = errors.Join(err, w.u.RememberJump(), w.u.ThawAll(), w.u.SetAlarms(), w.u.ClampRetries()); err != nil && !w.disk.isDead() {
		w.stop() // the process ends, and is begun again by whoever keeps it running
		return
	}
	for _, bad := range records.Check(db) {
		w.wrong("after a start the store is not in order: %v", bad)
	}
}

// stop lets go of the process.
func (w *week) stop() {
	if w.end != nil {
		w.end()
	}
	if w.poller != nil {
		w.poller.Close()
		w.sender.Close()
	}
	if w.db != nil {
		w.disk.settleDown()
		w.db.Close()
		w.disk.detach()
	}
	w.db, w.u, w.poller, w.sender = nil, nil, nil, nil
}

// inTurn has the poller wait with the next mail until the last one is dealt with: so that
// the same seed is the same week.
type inTurn struct {
	mailbox.Seen
	w *week
}

// Handled is asked before each mail is fetched.
func (s inTurn) Handled(k mailbox.Key) bool {
	if s.w.free() {
		s.w.idle <- struct{}{}
	}
	return s.Seen.Handled(k)
}

// free waits until no mail is being handled. It is false if the process has died.
func (w *week) free() bool {
	select {
	case <-w.idle:
		return true
	case <-w.ctx.Done():
		return false
	}
}

// ahead is shown a mail before it is taken in hand.
func (w *week) ahead(mailbox.Raw) { w.free() }

// receive is given a mail.
func (w *week) receive(ctx context.Context, raw mailbox.Raw) error {
	defer func() { w.idle <- struct{}{} }()
	err := w.inbox.Fetched(ctx, raw)
	w.u.AheadCount() // waits until it is read
	return err
}

// step is what the daemon does at a moment.
func (w *week) step() {
	w.tally.Steps++
	defer func() {
		if w.ailing.Before(w.now) {
			w.sound = w.now
		}
	}()
	w.looked = w.now
	polled := errors.Join(w.poller.Poll(w.ctx), w.u.WorkOff(w.ctx))
	if b, err := w.db.Backlog(); polled != nil || err != nil || b.Mails > 0 {
		w.ailing = later(w.ailing, w.now)
	}
	defer w.mustNotComplain(polled)
	if w.disk.isDead() {
		return
	}
	if next := w.u.Tick(w.polled); next.IsZero() {
		w.next = time.Time{}
	} else {
		w.next = next.Add(-w.skew)
	}
	if w.disk.isDead() {
		return
	}
	if _, err := w.u.SendDue(w.ctx, w.sender); err != nil && !w.disk.isDead() {
		w.ailing = later(w.ailing, w.now)
		w.tally.Unsent++
	}
	if w.disk.isDead() {
		return
	}
	if err := w.u.Complain(); err != nil {
		w.ailing = later(w.ailing, w.now)
	}
}

// arrives is a mail that a server has taken for a player.
func (w *week) arrives(to string, raw []byte) {
	if to == desk { // it asks what time it is
		w.folders["INBOX"].put(bytes.Clone(raw), w.now)
		return
	}
	w.arrived = append(w.arrived, arrival{to, bytes.Clone(raw)})
	w.tally.Arrived++
}

// event lets something of the plan happen.
func (w *week) event(e Event) {
	switch e.Kind {
	case DiskFull:
		w.disk.arm(diskFault{kind: DiskFull, until: true, grow: e.Part})
		w.plans(w.now.Add(e.Long), func() {
			w.mustComplain(post.Keeping, w.wrote, time.Minute)
			w.disk.mend(false)
			w.wrote = time.Time{}
		})
	case ShortWrite, WriteFails, SyncFails, Crash:
		w.disk.arm(diskFault{kind: e.Kind, after: e.Times, grow: e.Part})
	case Killed:
		if w.db != nil {
			w.happened(Killed)
			w.disk.kill()
		}
	case IMAPOut, SMTPOut:
		w.outage(e)
	case IMAPOdd, SMTPOdd:
		of := imapServer
		if e.Kind == SMTPOdd {
			of = smtpServer
		}
		w.troubles = append(w.troubles, &trouble{of, verbs[of][e.Verb], e.How, e.Times + 1, w.now.Add(e.Long)})
	case Renumbered:
		w.folders["INBOX"].renumber()
		w.happened(Renumbered)
	case ClockSet:
		w.setClock(e)
	default:
		w.writes(e)
	}
}

// outage is a server that cannot be reached for a while.
func (w *week) outage(e Event) {
	of := imapServer
	if e.Kind == SMTPOut {
		of = smtpServer
	}
	began := w.now
	w.out[of] = later(w.out[of], w.now.Add(e.Long))
	w.poller0()
	if of == imapServer {
		w.plans(w.now.Add(e.Long-time.Second), func() { w.mustComplain(post.Fetching, began, 4*looksEvery) })
	}
}

// poller0 drops the connections that are open.
func (w *week) poller0() {
	if w.poller != nil {
		w.poller.Close()
		w.sender.Close()
	}
}

// mustComplain looks whether status tells of a trouble that began at a moment.
func (w *week) mustComplain(of string, since time.Time, within time.Duration) {
	if since.IsZero() || w.u == nil || w.disk.isDead() || w.now.Sub(later(since, w.boot)) <= within+time.Minute {
		return
	}
	if of == post.Fetching && !w.now.Before(w.out[imapServer]) {
		return
	}
	w.step()
	if w.disk.isDead() {
		return
	}
	st, err := w.u.Status()
	if err != nil {
		w.wrong("status: %v", err)
	}
	if !slices.ContainsFunc(st.Troubles, func(t post.Trouble) bool { return t.Of == of }) {
		w.wrong("status says nothing of %s, which is out since %v: %v", of, since.Sub(w.begun), st.Troubles)
	}
	w.tally.Alarms++
}

// mustNotComplain looks whether status says that no mail is fetched just after some was.
func (w *week) mustNotComplain(polled error) {
	if polled != nil || w.u == nil || w.disk.isDead() {
		return
	}
	for _, t := range w.u.Service.Troubles(w.wall()) {
		if t.Of == post.Fetching {
			w.wrong("the folders were looked through just now, and status says: %v", t)
		}
	}
}

// goOn is a moderator who says that the clock is right, until the daemon takes it.
func (w *week) goOn() {
	if w.skew.Abs() > time.Hour {
		return
	}
	held := w.u == nil || w.disk.isDead() || w.u.Service.Held()
	if held && (w.u == nil || w.u.ClockGoesOn() != nil) {
		w.plans(w.now.Add(time.Hour), w.goOn)
	}
}

// setClock sets the clock of the machine, and sets it right later.
func (w *week) setClock(e Event) {
	w.happened(ClockSet)
	w.skew += e.Jump
	w.plans(w.now.Add(min(e.Long, time.Minute)), func() {
		if w.u != nil && !w.disk.isDead() && w.now.Sub(w.boot) > time.Minute && e.Long > time.Minute && e.Jump.Abs() > time.Hour {
			w.step()
			wrongStill := w.skew.Abs() > time.Hour // two faults may make it right
			if wrongStill && !w.disk.isDead() && !w.u.Service.Held() {
				w.wrong("the clock was set by %v, and deadlines are not held", e.Jump)
			}
		}
	})
	w.plans(w.now.Add(e.Long), func() {
		w.skew -= e.Jump
		w.happened(ClockSet)
		w.plans(w.now.Add(10*time.Minute), w.goOn)
	})
}
