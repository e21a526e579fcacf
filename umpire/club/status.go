package club

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/seats"
)

// Status is all games at one look, the worst first, and the state of the house.
type Status struct {
	// Club is the name of one of several clubs, Down why nothing else can be told of it.
	Club string `json:"club,omitempty"`
	Down string `json:"down,omitempty"`

	At    time.Time    `json:"at"`
	Games []GameStatus `json:"games"`
	// In and Out count the mails handled and sent since Since, when the process
	// began; Stuck are those that wait although a server could have had them.
	Since   time.Time `json:"since"`
	In      int64     `json:"in"`
	Out     int64     `json:"out"`
	Refused int64     `json:"refused"`
	// Silent are mails of that time that nobody was answered to: of strangers, machines,
	// and our own that came back.
	Silent Silent `json:"silent"`
	Queued int    `json:"queued"`
	Stuck  int    `json:"stuck"`
	// Unhandled are incoming mails that wait for their effect, the first of them since Waits;
	// Tries is how often handling that one failed, and Failing with what.
	Unhandled int       `json:"unhandled"`
	Waits     time.Time `json:"waits,omitzero"`
	Tries     int       `json:"tries,omitempty"`
	Failing   string    `json:"failing,omitempty"`
	// Disk is what the data take, Free what the disk has left, in bytes; Free is
	// -1 where that is not known.
	Disk   int64     `json:"disk"`
	Free   int64     `json:"free"`
	Backup time.Time `json:"backup,omitzero"` // the last one; zero for none
	// Looked is when each folder was last looked through, Sent when a server last took a
	// mail, by the process that runs; Troubles are what is out.
	Looked   map[string]time.Time `json:"looked,omitempty"`
	Sent     time.Time            `json:"sent,omitzero"`
	Troubles []post.Trouble       `json:"troubles,omitempty"`
	// NewAddresses is how many mails went today to addresses that never wrote to us, out of
	// NewAddressesBound; 0 is no bound.
	NewAddresses      int `json:"new_addresses"`
	NewAddressesBound int `json:"new_addresses_bound,omitempty"`
	// Nodes are the daemons, if several may work over the store, and Standbys what follows it.
	Nodes    []store.Node `json:"nodes,omitempty"`
	Standbys *Standbys    `json:"standbys,omitempty"`
	// Damaged names the records that cannot be read, and the mails that wait for one to
	// be repaired.
	Damaged []string `json:"damaged,omitempty"`
}

// Standbys are the copies of a store that follow it. Behind is how many bytes the slowest has
// still to take over; -1 where that is not for us to know.
type Standbys struct {
	Copies int   `json:"copies"`
	Behind int64 `json:"behind"`
}

// Silent counts incoming mails without an answer, by who sent them.
type Silent struct {
	Strangers int64 `json:"strangers"`
	Machines  int64 `json:"machines"`
	Loops     int64 `json:"loops"`
}

// Rank says how much a game wants its moderator.
type Rank int

// The ranks, the worst first.
const (
	RankStopped Rank = iota // nothing goes on without the moderator
	RankAlarm               // overdue, or mail comes back
	RankWarning             // due soon, reminded, refused sheets
	RankNormal
	RankOver
)

// GameStatus is what a moderator sees of a game.
type GameStatus struct {
	ID       string       `json:"id"`
	Scenario string       `json:"scenario"`
	Title    string       `json:"title"`
	State    store.Status `json:"state"`
	Rank     Rank         `json:"rank"`
	Turn     int          `json:"turn"`
	Phase    string       `json:"phase"`
	Sides    []string     `json:"sides"`
	Waiting  []string     `json:"waiting"` // sides
	Asked    []string     `json:"-"`       // sides that the phase asks, finished or not: what everybody may know
	Since    time.Time    `json:"since,omitzero"`
	Deadline time.Time    `json:"deadline,omitzero"`
	Grace    time.Time    `json:"grace,omitzero"` // until when orders count after the deadline
	Ended    time.Time    `json:"ended,omitzero"`
	Reminded bool         `json:"reminded,omitempty"`
	// Late is how many deadlines passed without each side, Bounces are the sides
	// whose mail comes back, Refused the sheets refused since the game waits, and
	// Questions the reactions that a side is asked about.
	Late      map[string]int    `json:"late,omitempty"`
	Bounces   map[string]string `json:"bounces,omitempty"`
	Refused   int               `json:"refused,omitempty"`
	Questions int               `json:"questions,omitempty"`
	// Why is what an unfinished game waits for, in words; never empty but by a fault.
	Why string `json:"why"`
}

// BackupRecord is when the last backup was written.
var BackupRecord = store.OneOfHouse[time.Time]("backup-last").Plain()

// StoreAnswers tells whether anything can be read.
func (o *Observer) StoreAnswers() error {
	_, _, err := BackupRecord.Get(o.DB, store.House{})
	return err
}

// Status looks at all games. It holds nothing up: mails are handled meanwhile.
func (o *Observer) Status() (s Status, err error) {
	s.At = o.Now().UTC()
	s.Since = time.Unix(o.Tally.Since.Load(), 0).UTC()
	s.In, s.Out, s.Refused = o.Tally.In.Load(), o.Tally.Out.Load(), o.Tally.Refused.Load()
	s.Silent = Silent{Strangers: o.Tally.Strangers.Load(), Machines: o.Tally.Machines.Load(), Loops: o.Tally.Loops.Load()}
	s.Looked, s.Sent = o.Service.Last()
	if refused := o.DB.Refused(); refused != nil {
		o.Service.Kept(refused, o.Now())
	}
	s.Troubles = o.Service.Troubles(o.Now())
	var (
		queue    []store.Mail
		queueErr error
		read     sync.WaitGroup
	)
	read.Go(func() { queue, queueErr = o.DB.Queue(s.At.AddDate(store.AllUnsent, 0, 0), 0) }) // as much work as all games
	defer read.Wait()
	games, err := o.DB.Games()
	lostGames, err := s.leaveOut(err)
	if err != nil {
		return s, err
	}
	s.Games = o.statusOfAll(games, s.At)
	for i := range s.Games {
		s.Games[i].mark(s.Troubles)
	}
	for _, d := range lostGames {
		s.Games = append(s.Games, GameStatus{ID: d.ID, Rank: RankStopped, Why: "it cannot be read: " + d.Err.Error()})
	}
	slices.SortStableFunc(s.Games, func(a, b GameStatus) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), soonest(a.Deadline, b.Deadline), a.Since.Compare(b.Since), cmp.Compare(a.ID, b.ID))
	})
	read.Wait()
	lostMails, err := s.leaveOut(queueErr)
	if err != nil {
		return s, err
	}
	s.Queued, s.Stuck = len(queue)+len(lostMails), len(lostMails)
	for _, m := range queue {
		switch {
		case m.Damage != "":
			s.Damaged = append(s.Damaged, fmt.Sprintf("mail %s (%s to %s) waits: %s", m.ID, m.Kind, m.To, m.Damage))
			s.Stuck++
		case m.Attempts > 1, m.Next.After(s.At.Add(time.Hour)): // put off
			s.Stuck++
		}
	}
	s.Backup, _, err = BackupRecord.Get(o.DB, store.House{})
	if post.KindOf(err) == post.Damaged {
		s.Damaged, err = append(s.Damaged, "when the last backup was written: "+err.Error()), nil
	}
	if err != nil {
		return s, err
	}
	s.NewAddresses, err = o.FirstMailsToday()
	if post.KindOf(err) == post.Damaged {
		s.Damaged, err = append(s.Damaged, "the count of mails to new addresses: "+err.Error()), nil
	}
	if err != nil {
		return s, err
	}
	s.NewAddressesBound = o.FirstMails
	if err := s.countUnhandled(o.DB); err != nil {
		return s, err
	}
	if err := s.lookAtNodes(o.DB); err != nil {
		return s, err
	}
	s.Free = -1
	if file, is := o.DB.(store.File); is {
		dir := filepath.Dir(file.Path())
		s.Disk, s.Free = o.size(dir), FreeSpace(dir)
	}
	return s, nil
}

// countUnhandled adds what is in the queue of incoming mails.
func (s *Status) countUnhandled(db store.Store) error {
	b, err := db.Backlog()
	s.Unhandled, s.Waits, s.Tries, s.Failing = b.Mails, b.First.Queued, b.First.Tries, b.First.Why
	return err
}

// lookAtNodes adds what is known of the daemons over a store that several share.
func (s *Status) lookAtNodes(db store.Store) (err error) {
	shared, is := db.(store.Shared)
	if !is {
		return nil
	}
	if s.Nodes, err = shared.Nodes(); err != nil {
		return err
	}
	s.Standbys = &Standbys{}
	s.Standbys.Copies, s.Standbys.Behind, err = shared.Standbys()
	return err
}

// Roles are what daemons over a store that several share may do; see umpire.Role.
var Roles = []string{"intake", "workers", "senders", "alarms", "web"}

// Manned counts the daemons at work that have each role.
func (s Status) Manned() map[string]int {
	manned := map[string]int{}
	for _, n := range s.Nodes {
		if n.Gone() {
			continue
		}
		for _, role := range n.Roles {
			manned[role]++
		}
	}
	return manned
}

// Unmanned are the roles that no daemon at work has, though daemons are at work. Who fetches mail works
// at it, too.
func (s Status) Unmanned() []string {
	manned := s.Manned()
	if len(manned) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(Roles), func(role string) bool { return role == "web" || role == "workers" || manned[role] > 0 })
}

// CanBeOut are the kinds of Troubles that there are.
func CanBeOut() []string {
	return []string{post.Fetching, post.Sending, post.Keeping, post.Handling, post.Clock, post.Serving}
}

// mark says of a game that is not over what is out for all.
func (st *GameStatus) mark(troubles []post.Trouble) {
	if st.Rank == RankOver {
		return
	}
	for _, t := range troubles {
		st.Rank = min(st.Rank, RankAlarm)
		st.Why = strings.TrimPrefix(st.Why+"; "+t.String(), "; ")
	}
}

// leaveOut names the damaged records of a list, which goes on without them. Another
// error it hands back.
func (s *Status) leaveOut(err error) (store.DamagedRecords, error) {
	var lost store.DamagedRecords
	if !errors.As(err, &lost) {
		return nil, err
	}
	for _, d := range lost {
		s.Damaged = append(s.Damaged, d.String())
	}
	return lost, nil
}

// soonest compares deadlines; none comes last.
func soonest(a, b time.Time) int {
	if a.IsZero() != b.IsZero() {
		if a.IsZero() {
			return 1
		}
		return -1
	}
	return a.Compare(b)
}

// statusOfAll looks at games, as many at a time as there are processors: somebody waits for it.
func (o *Observer) statusOfAll(games []store.Game, now time.Time) []GameStatus {
	all := make([]GameStatus, len(games))
	var lookers sync.WaitGroup
	for first, many := 0, runtime.GOMAXPROCS(0); first < many; first++ {
		lookers.Go(func() {
			for i := first; i < len(games); i += many {
				st, err := o.statusOf(games[i], now)
				if err != nil {
					st.Rank, st.Why = RankStopped, "it cannot be read: "+err.Error()
				}
				all[i] = st
			}
		})
	}
	lookers.Wait()
	return all
}

// statusOf looks at one game.
func (o *Observer) statusOf(g store.Game, now time.Time) (st GameStatus, err error) {
	st = GameStatus{ID: g.ID, Scenario: g.Scenario, Title: g.Title, State: g.Status, Rank: RankNormal, Ended: g.Ended, Sides: g.Sides, Late: map[string]int{}, Bounces: map[string]string{}}
	at, err := o.lookAt(g)
	if err != nil {
		return st, err
	}
	st.Turn, st.Phase = at.Turn, at.Name
	for _, p := range g.Players {
		if p.LateTurns > 0 {
			st.Late[p.Side] += p.LateTurns
		}
	}
	if g.Status == store.StatusFinished {
		st.Rank = RankOver
		return st, nil
	}
	open, err := o.DB.Waiting(g.ID)
	if err != nil {
		return st, err
	}
	if open != nil {
		pending, err := match.PendingOf(open)
		if err != nil {
			return st, err
		}
		st.Waiting, st.Since, st.Deadline, st.Reminded = o.Awaited(g.ID, pending), open.Since, open.Deadline, open.Reminded
		for _, d := range pending {
			if !d.Turn {
				st.Questions++
			}
		}
		st.Asked = askedInPublic(g, pending)
		if open.Closed > 0 {
			st.Asked = nil
			st.Waiting, st.Deadline, st.Questions = nil, time.Time{}, 0
		}
		if r, err := match.ScheduleOf(g); err == nil && !st.Deadline.IsZero() {
			st.Grace = open.Deadline.Add(r.Grace)
		}
	}
	if err := o.countMails(&st, g); err != nil {
		return st, err
	}
	return st, o.explain(&st, g, open, now)
}

// askedInPublic are the sides that a phase asks for orders, whether they have finished or
// not. Which side is asked a question in the midst of a phase is for that side alone.
func askedInPublic(g store.Game, pending []adjudicator.Decision) []string {
	if slices.ContainsFunc(pending, func(d adjudicator.Decision) bool { return !d.Turn }) {
		return g.Sides
	}
	return match.WaitingFor(pending)
}

// lookAt is where a game stands.
func (o *Observer) lookAt(g store.Game) (at adjudicator.Phase, err error) {
	o.looking.Lock()
	defer o.looking.Unlock()
	if l, ok := o.looks[g.ID]; ok && l.seq == g.Seq {
		return l.at, nil
	}
	if g.Phases > 0 {
		game, _, err := o.RulesOf(g)
		if err != nil {
			return at, err
		}
		latest, err := o.DB.Phase(g.ID, g.Phases)
		if err != nil {
			return at, err
		}
		if at, err = game.At(latest.Snapshot); err != nil {
			return at, err
		}
	}
	if o.looks == nil {
		o.looks = map[string]look{}
	}
	o.looks[g.ID] = look{g.Seq, at}
	return at, nil
}

// countMails counts the refused sheets since the game waits, and finds the players
// whose mail comes back.
func (o *Observer) countMails(st *GameStatus, g store.Game) error {
	mails, err := o.DB.MailsSince(g.ID, st.Since)
	if err := o.Readable(err); err != nil {
		return err
	}
	for _, m := range mails {
		sentBefore := !m.Changed.IsZero() && m.Changed.Before(st.Since)
		if m.Kind == "refusal" && !sentBefore {
			st.Refused++
		}
	}
	for _, p := range g.Players {
		if p.Staffed() {
			continue
		}
		h, err := o.Health(p.Address)
		switch n := len(h.Dead) + len(h.Soft); {
		case err != nil:
			return err
		case h.Suspended && p.Second != "":
			st.Bounces[p.Side] = "mail comes back; it goes to the second address"
		case h.Suspended:
			st.Bounces[p.Side] = "mail comes back; nothing more is sent"
		case n > 0:
			st.Bounces[p.Side] = fmt.Sprintf("%d mail(s) came back", n)
		}
	}
	return nil
}

// explain says why a game waits, and how bad that is.
func (o *Observer) explain(st *GameStatus, g store.Game, open *store.OpenPhase, now time.Time) error {
	worse := func(r Rank) { st.Rank = min(st.Rank, r) }
	var why []string
	switch g.Status {
	case store.StatusOpen:
		st.Since = g.Created
		for _, side := range g.Sides {
			if !slices.ContainsFunc(g.Players, func(p store.Player) bool { return p.Side == side }) {
				st.Waiting = append(st.Waiting, side)
			}
		}
		if len(st.Waiting) > 0 {
			why = append(why, "has no player for "+strings.Join(st.Waiting, " and "))
		} else {
			st.Waiting = seats.Unopened(g)
			why = append(why, "waits for the nonce of "+strings.Join(st.Waiting, " and "))
		}
		st.Asked = st.Waiting
	case store.StatusPaused:
		worse(RankWarning)
		why = append(why, "paused by the moderator")
	case store.StatusFrozen:
		worse(RankStopped)
		why = append(why, "stopped by a fault of the program: game resume goes on when it is mended")
	case store.StatusRunning:
		if err := o.CheckVersion(g); err != nil {
			worse(RankStopped)
			why = append(why, err.Error())
		}
		why = append(why, o.waitsFor(st, g, open, now, worse)...)
	}
	for _, side := range g.Sides {
		if text := st.Bounces[side]; text != "" {
			worse(RankAlarm)
			why = append(why, side+": "+text)
		}
	}
	if st.Refused > 0 {
		worse(RankWarning)
		why = append(why, fmt.Sprintf("%d sheet(s) refused", st.Refused))
	}
	st.Why = strings.Join(why, "; ")
	if st.Why == "" {
		worse(RankStopped)
	}
	return nil
}

// waitsFor is what a running game waits for.
func (o *Observer) waitsFor(st *GameStatus, g store.Game, open *store.OpenPhase, now time.Time, worse func(Rank)) (why []string) {
	if match.OrdersClosed(open) {
		if now.After(o.Chain().Time(open.Round).Add(post.BeaconLate)) {
			worse(RankAlarm)
		}
		return []string{o.DiceWait(open.Round)}
	}
	if open == nil || len(st.Waiting) == 0 {
		worse(RankStopped)
		return nil
	}
	what := "orders"
	if st.Questions > 0 {
		what = fmt.Sprintf("%d answer(s)", st.Questions)
	}
	why = append(why, what+" of "+strings.Join(st.Waiting, " and "))
	for _, p := range g.Players {
		if !slices.Contains(st.Waiting, p.Side) {
			continue
		}
		if p.Staffed() {
			worse(RankStopped)
			why = append(why, "the staff officer of "+p.Side+" did not play: see the log")
		}
		if names := o.CommandersNotDone(g, p, open); len(names) > 0 {
			why = append(why, p.Side+" waits for "+strings.Join(names, " and "))
		}
		for _, a := range p.Away {
			if match.Within(a, now) {
				why = append(why, p.Side+" is away until "+a.To.Format("2 Jan"))
			}
		}
	}
	switch {
	case open.Deadline.IsZero():
		if now.Sub(open.Since) > 14*24*time.Hour {
			worse(RankWarning)
			why = append(why, "no deadline runs")
		}
	case open.Late:
		worse(RankAlarm)
		why = append(why, "the deadline has passed and the game waits: force, extend or replace")
	case now.After(open.Deadline):
		worse(RankAlarm)
		why = append(why, "overdue, grace until "+st.Grace.Format("2 Jan 15:04")+", then "+match.OptionOr(g, match.OptionLate, match.LateStanding))
	case open.Reminded:
		worse(RankWarning)
		why = append(why, "reminded")
	}
	return why
}

// size is what a folder takes, reckoned at most once a minute: it has a file for
// every mail.
func (o *Observer) size(dir string) int64 {
	o.looking.Lock()
	defer o.looking.Unlock()
	if now := o.Now(); o.sized.IsZero() || now.Sub(o.sized) > time.Minute || now.Before(o.sized) {
		o.data, o.sized = folder(dir), now
	}
	return o.data
}

// folder is the size of all files below a folder, in bytes. A folder of a hundred thousand mails
// is read a few of them at a time.
func folder(dir string) (n int64) {
	f, err := os.Open(dir)
	if err != nil {
		return 0
	}
	defer f.Close()
	for {
		list, err := f.ReadDir(256)
		for _, d := range list {
			if d.IsDir() {
				n += folder(filepath.Join(dir, d.Name()))
			} else if info, err := d.Info(); err == nil && d.Type().IsRegular() {
				n += info.Size()
			}
		}
		if err != nil {
			return n
		}
	}
}
