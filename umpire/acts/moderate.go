package acts

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/calendar"
	"fieldpost/store"
	"fieldpost/umpire/audit"
	"fieldpost/umpire/match"
	"fieldpost/umpire/tournament"
	"fieldpost/umpire/turns"
)

// verb is an act: what it does to the Change, and what the players are told.
type verb struct {
	name, needs, means string
	do                 func(u *Executor, c *store.Change, pos store.Position, a Act) (did string, err error)
	quiet              bool // it tells the players itself
	fresh              bool // there is no game yet
	personal           bool // what it needs names a person
	clock              bool // it is told a minute later, with others like it
	tried              bool // what it would do can be asked for
}

var verbs []verb

func init() {
	verbs = []verb{
		{name: "create", needs: "SCENARIO [OPTION=VALUE ...]", means: "makes a game that waits for players (by mail with GAME: NEW)", do: (*Executor).doCreate, quiet: true, fresh: true},
		{name: "tournament", needs: tournament.Describes, means: "arranges rounds of games by the Swiss system (by mail with GAME: NEW)", do: (*Executor).doTournament, quiet: true, fresh: true, personal: true},
		{name: "invite", needs: "ADDRESS [NAME]", means: "invites a player to a free side", do: (*Executor).doInvite, personal: true},
		{name: "announce", needs: "", means: "opens the game to anybody who asks for a side by mail", do: (*Executor).doAnnounce},
		{name: "start", needs: "", means: "begins the game, with staff officers on the free sides", do: (*Executor).doStart, quiet: true},
		{name: "branch", needs: "[PHASE]", means: "copies the game as it was after that phase as a new one", do: (*Executor).doBranch, quiet: true},
		{name: "extend", needs: "TERM", means: "gives those the game waits for more time: 48h, 3d", do: (*Executor).doExtend, clock: true},
		{name: "force", needs: "", means: "lets the deadline pass now", do: (*Executor).doForce},
		{name: "pause", needs: "[WHY]", means: "stops the clock; no sheet is taken until resume", do: (*Executor).doPause, clock: true},
		{name: "unpause", needs: "", means: "lets the clock run again", do: (*Executor).doUnpause, clock: true},
		{name: "finish", needs: "[WINNER[: WHY]]", means: "ends the game with a verdict", do: (*Executor).doFinish, quiet: true},
		{name: "rollback", needs: "WHERE: WHY", means: "sets the game back, with other dice: before GERMAN turn 2, after turn 3, or the number of a phase (game phases lists them)", do: (*Executor).doRollback, quiet: true, tried: true},
		{name: "edit", needs: "EDIT", means: "changes the position", do: (*Executor).doEdit, quiet: true, tried: true},
		{name: "message", needs: "TEXT", means: "writes to a side, or to all", do: (*Executor).doMessage, quiet: true, personal: true},
		{name: "resend", needs: "REPORT NUMBER", means: "sends a report to a side once more, or any mail of the game by its id", do: (*Executor).doResend, quiet: true},
		{name: "address", needs: "ADDRESS", means: "changes where a side's mail goes, when the new address has confirmed it", do: (*Executor).doAddress, personal: true},
		{name: "act-for", needs: "ORDERS", means: "files orders for a side, marked as the moderator's", do: (*Executor).doActFor, quiet: true},
		{name: "commander", needs: "ADDRESS [NAME]: FORMATIONS", means: "invites somebody to lead formations of a side", do: (*Executor).doCommander, quiet: true, personal: true},
		{name: "assign", needs: "ADDRESS: FORMATIONS", means: "gives a commander other formations", do: (*Executor).doAssign, quiet: true, personal: true},
		{name: "deputy", needs: "ADDRESS [NAME] [FROM DAY TO DAY]", means: "invites somebody to stand in for a player, in that time or while they are away", do: (*Executor).doDeputy, quiet: true, personal: true},
		{name: "relieve", needs: "ADDRESS", means: "removes a commander or a deputy", do: (*Executor).doRelieve, quiet: true, personal: true},
		{name: "serial", needs: "[NUMBER]", means: "sets the numbers of a side's sheets back; filed sheets with higher ones no longer count", do: (*Executor).doSerial, quiet: true},
		{name: "replace", needs: "ADDRESS [NAME]", means: "invites another player to take over a side", do: (*Executor).doReplace, personal: true},
	}
}

// Verbs lists the acts with what they need and do, a line each.
func Verbs() (lines [][3]string) {
	for _, v := range verbs {
		lines = append(lines, [3]string{v.name, v.needs, v.means})
	}
	return lines
}

// Moderate carries out an act: one Change with its entry in the audit log, and
// mails to all whom it concerns.
func (hd *Executor) Moderate(a Act) (done Done, err error) {
	err = hd.Anew(func(on *Executor) error {
		done, err = on.moderate(a)
		return err
	})
	return done, err
}

func (hd *Executor) moderate(a Act) (Done, error) {
	var c store.Change
	did, err := hd.CarryOut(&c, a)
	if err != nil {
		return Done{}, err
	}
	if a.Dry {
		return Done{Says: strings.Split(did, "\n")}, nil
	}
	if err := hd.Commit(c); err != nil {
		return Done{}, err
	}
	hd.Log.Info("moderator", "by", a.By, "verb", a.Verb, "game", a.Game, "did", did)
	return Done{Says: strings.Split(did, "\n")}, nil
}

// CarryOut adds an act to a Change that holds nothing of a game yet, with its entry in
// the audit log and the mails to all whom it concerns, and says what it did.
func (hd *Executor) CarryOut(c *store.Change, a Act) (did string, err error) {
	v, known := verbNamed(a.Verb)
	if !known {
		return "", fmt.Errorf("%w: %q", ErrVerb, a.Verb)
	}
	if a.Dry && !v.tried {
		return "", fmt.Errorf("%w: %s cannot be tried; that can be done with %s", ErrNotNow, v.name, strings.Join(triedVerbs(), ", "))
	}
	a.Game, a.Side = strings.ToUpper(a.Game), strings.ToUpper(a.Side)
	var pos store.Position
	if !v.fresh {
		if pos, err = hd.DB.Load(a.Game); err != nil {
			return "", err
		}
	}
	g := pos.Game
	g.Players = slices.Clone(g.Players)
	if !v.fresh && a.Side != "" && !slices.Contains(g.Sides, a.Side) {
		return "", fmt.Errorf("game %s: %w: %s; it has %s", g.ID, match.ErrNoSide, a.Side, strings.Join(g.Sides, " and "))
	}
	c.Game, c.Expect = &g, g.Seq
	did, err = v.do(hd, c, pos, a)
	if err != nil {
		if v.fresh {
			return "", err
		}
		return "", fmt.Errorf("game %s: %s: %w", g.ID, v.name, err)
	}
	if err := hd.tell(c, pos, v, did); err != nil {
		return "", err
	}
	if v.fresh && c.Game != nil {
		a.Game = c.Game.ID
	}
	if v.personal {
		a.Value = "" // the log is for ever, and a person's address and name are not
	}
	return did, hd.ActLog().Add(c, audit.Entry{By: a.By, Verb: v.name, Game: a.Game, Side: a.Side, Value: a.Value, Did: did})
}

// tell lets the players know of an act, unless it has told them itself.
func (hd *Executor) tell(c *store.Change, pos store.Position, v verb, did string) error {
	switch {
	case v.fresh:
		return nil
	case v.clock:
		return hd.TellClock(c, did, hd.howItStands(c, pos))
	}
	before := c.Mails
	c.Mails = nil
	if err := hd.TellClockNow(c); err != nil {
		return err
	}
	c.Mails = append(c.Mails, before...) // those of the act follow
	if v.quiet {
		return nil
	}
	for _, p := range hd.Everybody(*c.Game) {
		if err := hd.Notify(c, p, "moderator", "The moderator: "+did); err != nil {
			return err
		}
	}
	return nil
}

// howItStands says of a game with a Change whether its clock runs, and until when.
func (hd *Executor) howItStands(c *store.Change, pos store.Position) string {
	open := pos.Open
	if c.Open != nil {
		open = c.Open
	}
	switch {
	case c.Game.Status == store.StatusPaused:
		return "the game is paused, and the clock stands still"
	case !match.ClockRuns(open):
		return "the game goes on, without a deadline"
	}
	return "the game goes on; the deadline is now " + hd.UntilInWords(store.Player{}, *c.Game, open.Deadline)
}

// Personal tells whether what an act needs names a person.
func Personal(name string) bool {
	v, known := verbNamed(name)
	return known && v.personal
}

// triedVerbs are the acts of which one can ask what they would do.
func triedVerbs() (names []string) {
	for _, v := range verbs {
		if v.tried {
			names = append(names, v.name)
		}
	}
	return names
}

// verbNamed finds an act by its name in any letters.
func verbNamed(name string) (verb, bool) {
	i := slices.IndexFunc(verbs, func(v verb) bool { return strings.EqualFold(v.name, name) })
	if i < 0 {
		return verb{}, false
	}
	return verbs[i], true
}

func (hd *Executor) doExtend(c *store.Change, pos store.Position, a Act) (string, error) {
	open, pending, err := waits(pos)
	if err != nil {
		return "", err
	}
	t, err := calendar.ParseTerm(a.Value)
	if err != nil {
		return "", err
	}
	r, err := match.ScheduleOf(*c.Game)
	if err != nil {
		return "", err
	}
	from := open.Deadline
	if from.IsZero() || from.Before(hd.Now()) {
		from = hd.Now()
	}
	hd.Postpone(open, r, r.Away(*c.Game, match.WaitingFor(pending)).After(from, t))
	c.Open = open
	return fmt.Sprintf("the deadline of %s is now %s", strings.Join(match.WaitingFor(pending), " and "), hd.UntilInWords(store.Player{}, *c.Game, open.Deadline)), nil
}

func (hd *Executor) doForce(c *store.Change, pos store.Position, _ Act) (string, error) {
	open, pending, err := waits(pos)
	if err != nil {
		return "", err
	}
	r, err := match.ScheduleOf(*c.Game)
	if err != nil {
		return "", err
	}
	if r.Late == match.LateWait {
		r.Late = match.LateStanding
	}
	c.Open = open
	did := fmt.Sprintf("the game goes on without waiting for %s", strings.Join(match.WaitingFor(pending), " and "))
	if match.Beaconed(*c.Game) {
		return did, hd.CloseOrders(c, hd.Now(), "The moderator has ended the time for orders.")
	}
	return did, hd.PassDeadline(c, pos, r, pending)
}

// PausedRecords are since when games are paused.
var PausedRecords = store.OnePerGame[time.Time]("paused")

func (hd *Executor) doPause(c *store.Change, pos store.Position, a Act) (string, error) {
	if pos.Game.Status != store.StatusRunning {
		return "", fmt.Errorf("%w: the game is %s", ErrNotNow, pos.Game.Status)
	}
	c.Game.Status = store.StatusPaused
	PausedRecords.Put(c, c.Game.ID, hd.Now().UTC())
	did := "the game is paused, and the clock stands still"
	if a.Value != "" {
		did += ": " + a.Value
	}
	return did, nil
}

func (hd *Executor) doUnpause(c *store.Change, pos store.Position, _ Act) (string, error) {
	if pos.Game.Status != store.StatusPaused {
		return "", fmt.Errorf("%w: it is %s", ErrNotPaused, pos.Game.Status)
	}
	c.Game.Status = store.StatusRunning
	since, known, err := PausedRecords.Get(hd.DB, c.Game.ID)
	if err != nil && !errors.Is(err, store.ErrDamaged) {
		return "", err
	}
	PausedRecords.Drop(c, c.Game.ID)
	did := "the game goes on"
	if known && match.ClockRuns(pos.Open) {
		open := *pos.Open
		if err := hd.restart(*c.Game, &open, since); err != nil {
			return "", err
		}
		c.Open = &open
		did += "; the deadline is now " + hd.UntilInWords(store.Player{}, *c.Game, open.Deadline)
	}
	return did, nil
}

// restart moves the deadline of a phase of a game that was paused: whoever it waits for has as much time as
// they had left, counted by the game's calendar. Days on which they are away do not count, be it
// that they said so before the pause or in it.
func (hd *Executor) restart(g store.Game, open *store.OpenPhase, since time.Time) error {
	r, err := match.ScheduleOf(g)
	if err != nil {
		return err
	}
	pending, err := match.PendingOf(open)
	if err != nil {
		return err
	}
	counts := r.Away(g, match.WaitingFor(pending))
	left := counts.Between(since, open.Deadline)
	if left == 0 { // it had passed
		open.Deadline = open.Deadline.Add(hd.Now().Sub(since)).UTC()
		return nil
	}
	hd.Postpone(open, r, counts.After(hd.Now(), calendar.Term{Hours: left}))
	return nil
}

// doFinish ends the game: Value is the winning side and why, or why alone.
func (hd *Executor) doFinish(c *store.Change, pos store.Position, a Act) (string, error) {
	if pos.Latest == nil || pos.Game.Status == store.StatusFinished {
		return "", fmt.Errorf("%w: the game is %s", ErrNotNow, pos.Game.Status)
	}
	winner, why, _ := strings.Cut(a.Value, ":")
	winner = strings.ToUpper(strings.TrimSpace(winner))
	if !slices.Contains(c.Game.Sides, winner) {
		winner, why = "", a.Value
	}
	verdict := "the moderator ends the game without a winner"
	if winner != "" {
		verdict = "the moderator ends the game: " + winner + " wins"
	}
	if why = strings.TrimSpace(why); why != "" {
		verdict += " (" + why + ")"
	}
	return verdict, hd.EndBy(c, pos, turns.Ending{Winner: adjudicator.Side(winner), Verdict: verdict, Source: a.By})
}

func (hd *Executor) doEdit(c *store.Change, pos store.Position, a Act) (string, error) {
	if pos.Latest == nil || !match.Underway(pos.Game) {
		return "", fmt.Errorf("%w: the game is %s", ErrNotNow, pos.Game.Status)
	}
	game, _, err := hd.RulesOf(*c.Game)
	if err != nil {
		return "", err
	}
	after, says, err := match.Edited(game, pos.Latest.Snapshot, a.Value)
	if err != nil {
		return "", err
	}
	if rolled, err := match.HasRolled(pos.Open); err != nil {
		return "", err
	} else if rolled { // its dice were seen, and must not be known to whoever plays it anew
		c.Game.Rollbacks++
	}
	// What was edited may be secret: the players hear that, not what.
	on := restart{position: after, turn: pos.Latest.Turn, note: "The moderator has corrected the position."}
	err = hd.onFrom(c, pos, adjudicator.Entry{Label: match.EditLabel, Answer: a.Value, Source: "the moderator"}, on)
	if a.Dry {
		says += "\n" + nothingDone(c)
	}
	return says, err
}

// nothingDone ends what is said of an act that was only tried.
func nothingDone(c *store.Change) string {
	return fmt.Sprintf("Nothing was done; %d mails would go out.", len(c.Mails))
}

// restart is where a game goes on, and what its players are told of that.
type restart struct {
	position []byte
	turn     int
	note     string
	back     *match.SetBack // if the game is set back
}

// onFrom closes the open phase by an entry, goes on from a position and tells all.
func (hd *Executor) onFrom(c *store.Change, pos store.Position, e adjudicator.Entry, on restart) error {
	g := c.Game
	pos.Game = *g
	m, err := hd.Under(pos)
	if err != nil {
		return err
	}
	if err := hd.CheckVersion(*g); err != nil {
		return err
	}
	phase, err := match.InterventionPhase(pos, e)
	if err != nil {
		return err
	}
	phase.Snapshot, phase.Turn = on.position, on.turn
	g.Status = store.StatusRunning
	if match.Beaconed(*g) {
		c.Phases = []store.Phase{phase}
		return hd.AwaitDice(c, m.Since(phase), cmp.Or(on.note, on.back.Words()))
	}
	late := match.Lateness{Policy: match.OptionOr(*g, match.OptionLate, match.LateStanding), Held: match.Held(*g)}
	p, err := m.Since(phase).Play(hd.SheetsOf(m, match.Given{Late: late, Changed: c}))
	if err != nil {
		return err
	}
	if err := hd.SetDeadline(*g, p); err != nil {
		return err
	}
	c.Phases, c.Open = append([]store.Phase{phase}, p.Phases...), p.Open
	if p.At.Over {
		hd.Finish(c)
	}
	if p.Back = on.back; on.note != "" {
		p.Notes = []string{on.note}
	}
	return hd.Reports(c, m, p)
}

func (hd *Executor) doMessage(c *store.Change, _ store.Position, a Act) (string, error) {
	if strings.TrimSpace(a.Value) == "" {
		return "", fmt.Errorf("%w: there is nothing to say", ErrNotNow)
	}
	told := 0
	for _, p := range hd.Everybody(*c.Game) {
		if a.Side == "" || a.Side == p.Side {
			told++
			if err := hd.Notify(c, p, "moderator", "The moderator writes", a.Value, "To answer, reply to this mail and write above these lines: your words go to the moderator."); err != nil {
				return "", err
			}
		}
	}
	return fmt.Sprintf("the message went to %d player(s)", told), nil
}
