package match

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/report"
	"fieldpost/store"
)

// Filings are the sheets that wait to answer decisions.
type Filings struct {
	// sheets holds, for each side, the answers of its finished sheet (DONE) for
	// the turn that is being played.
	sheets map[adjudicator.Side]Filing
	// latest holds, for each side and each name of an answer, the latest sheet that
	// has it, finished or not: who is not on move is never waited for, so what they
	// filed last is what they want when the phase opens.
	latest map[adjudicator.Side]map[string]Filing
	// done holds, newest first, the finished sheets of the turn; with the tempo
	// "phase" each answers what it speaks of and the phase that it was filed in.
	done    map[adjudicator.Side][]Filing
	asks    map[adjudicator.Side]adjudicator.Mode  // how each wants its reactions answered
	replies map[adjudicator.Side]map[string]Filing // by label
	phase   string                                 // that is played
	byPhase bool                                   // the tempo
	chits   bool                                   // a side may be asked at its own chits
	turn    int
	late    Lateness
}

// Answer implements adjudicator.Answerer: turn decisions are answered by the
// side's finished sheet, filed ones (standing orders, and what the side not on
// move does in a phase of both) by the latest sheet that says anything to them,
// and reactions by what the rules propose from both.
//
// So orders for a phase that has not come may be in two sheets: the later one
// counts until the side is on move, then the one that plays its turn.
func (f Filings) Answer(d adjudicator.Decision) (answer, source string, known bool) {
	switch {
	case d.Filed:
		s, ok := f.latest[d.Side][d.Answers()]
		if !ok {
			return d.Proposal, "none filed", true
		}
		return s.Answers[d.Answers()], fmt.Sprintf("sheet %d of turn %d%s", s.Serial, s.Turn, s.by()), true
	case d.Turn:
		s, ok := f.sheets[d.Side]
		switch {
		case f.byPhase:
			s, ok = f.forPhase(d)
		case f.chits && d.Entry != "":
			s = f.plotted(d, s)
		}
		if f.late.Held && !f.late.releasedFor(d.Side, f.turn) {
			return "", "", false
		}
		if !ok {
			return f.late.orders(f, d, f.turn)
		}
		return s.Answers[d.Answers()], fmt.Sprintf("sheet %d%s", s.Serial, s.by()), true
	case d.Wanted && !f.chits:
		return d.Proposal, d.Source + ", and nothing is asked in this game", true
	case f.late.hasGivenUp(d, f.turn):
		return d.Proposal, d.Source + ", no answer to two questions by the deadline", true
	case f.asks[d.Side].Asks(d):
		return f.reply(d)
	}
	return adjudicator.Standing{}.Answer(d)
}

// AreAsked tells whether a side's mode has it asked anything by mail.
func (f Filings) AreAsked(side adjudicator.Side) bool { return !f.asks[side].IsQuiet() }

// waitsFor is how long the side of a question wants to be waited for, as its MODE line says; ""
// for what the game has agreed.
func (f Filings) waitsFor(pending []adjudicator.Decision) string {
	if len(pending) == 0 || TurnDue(pending) || len(WaitingFor(pending)) > 1 {
		return ""
	}
	return f.asks[pending[0].Side].Within
}

// plotted is the sheet that holds the programme of a chit. What a side has answered
// while its turn was on, when it was asked about another chit, leaves the programmes
// that it does not speak of as they were; a sheet that came before the turn began, or
// in the same phase as the one before it, replaces that whole.
func (f Filings) plotted(d adjudicator.Decision, newest Filing) Filing {
	done := f.done[d.Side]
	for k, s := range done {
		if s.speaksOf(d) {
			return s
		}
		if !s.cameInItsTurn() {
			return newest
		}
		if k+1 < len(done) && done[k+1].Phase == s.Phase {
			return newest
		}
	}
	return newest
}

// forPhase is the newest finished sheet that speaks of the decision or was filed
// while its phase waited.
func (f Filings) forPhase(d adjudicator.Decision) (Filing, bool) {
	for _, s := range f.done[d.Side] {
		if s.speaksOf(d) || s.Phase == f.phase {
			return s, true
		}
	}
	return Filing{}, false
}

// reply is the side's own answer to a reaction that it wants to be asked about:
// a line of an ANSWER section, or orders for it filed while the phase waited.
func (f Filings) reply(d adjudicator.Decision) (answer, source string, known bool) {
	label := strings.ToUpper(d.Label)
	if s, ok := f.replies[d.Side][label]; ok {
		if text, _, bad := d.Reply(s.Replies[label]); bad == nil {
			return text, fmt.Sprintf("your answer, sheet %d%s", s.Serial, s.by()), true
		}
	}
	if f.late.Overdue[d.Label] {
		return d.Proposal, d.Source + ", no answer by the deadline", true
	}
	if len(d.Options) > 0 {
		return "", "", false // a choice is answered by its label alone
	}
	s, ok := f.latest[d.Side][d.Answers()]
	if !ok || s.Phase != f.phase {
		return "", "", false
	}
	return s.Answers[d.Answers()], fmt.Sprintf("your answer, sheet %d%s", s.Serial, s.by()), true
}

// Play runs phases until somebody has to decide or the game is over, as the next Change
// of the game. In a game with a beacon the last value of the open phase, drawn for it,
// binds all that is rolled.
func (m Match) Play(sheets Sheets) (p Progress, err error) {
	defer CatchPanic(&err)
	p.Position = m.Latest.Snapshot
	open := m.Open
	drawn := drawnFor(open)
	for {
		if p.At, err = m.Rules.At(p.Position); err != nil || p.At.Over {
			return p, err
		}
		name := PhaseName(p.At.Label, m.Game.Rollbacks)
		filed, err := sheets(p.At)
		if err != nil {
			return p, err
		}
		var journal []adjudicator.Entry
		var stops []store.Stop
		values := drawn
		if open != nil && open.Phase == name {
			if journal, err = EntriesOf(open.Journal); err != nil {
				return p, fmt.Errorf("%s: %w", name, err)
			}
			stops, values = open.Stops, open.Beacon
		}
		var out adjudicator.Outcome
		m.Share.Do(func() { out, err = m.Rules.Play(p.Position, journal, diceOf(m.Game, name, values), filed) })
		if err != nil {
			return p, err
		}
		values = usedOf(values, out.Journal)
		text, err := json.Marshal(out.Journal)
		if err != nil {
			return p, err
		}
		if len(out.Journal) == 0 {
			text = []byte("[]")
		}
		if len(out.Pending) > 0 {
			asked, err := json.Marshal(out.Pending)
			if len(out.Journal) > len(journal) {
				stops = append(slices.Clone(stops), store.Stop{Seq: m.Game.Seq + 1, Entries: len(out.Journal)})
			}
			p.Within = filed.waitsFor(out.Pending)
			p.Pending, p.Midst, p.Partly = out.Pending, out.Position, ProvedEvents(name, out, values)
			p.Open = &store.OpenPhase{Phase: name, Turn: p.At.Turn, Journal: text, Pending: asked, Stops: stops, Beacon: values}
			return p, err
		}
		p.Phases = append(p.Phases, store.Phase{Phase: name, Turn: p.At.Turn, Journal: text, Stops: stops, Beacon: values, Snapshot: out.Position})
		p.Events = append(p.Events, ProvedEvents(name, out, values)...)
		p.Position, open = out.Position, nil
	}
}

// StoryFor is what a side may know of the events, phase by phase, with the proofs of their
// dice. Side "" knows all.
func StoryFor(side string, all []ProvedEvent) (story []view.Chapter) {
	for _, h := range all {
		if side != "" && !h.For(side) {
			continue
		}
		if n := len(story); n == 0 || story[n-1].Phase != h.phase {
			story = append(story, view.Chapter{Phase: h.phase})
		}
		here := &story[len(story)-1]
		here.Events = append(here.Events, h.Event.Known())
		for _, r := range h.rolls {
			if slices.ContainsFunc(here.Rolls, func(x view.Roll) bool { return x.Label == r.Label }) {
				continue
			}
			here.Rolls = append(here.Rolls, view.Roll{Label: r.Label, Dice: r.Dice, Sides: r.Sides, Proof: r.Proof, Round: r.beacon.Round, Value: r.beacon.Signature})
		}
	}
	return story
}

// Sheets are what is filed, as it counts in a phase.
type Sheets func(adjudicator.Phase) (Filings, error)

// Given is what counts beside the filings that are kept: a deadline that has passed, and
// what the Change that is being made files or takes back.
type Given struct {
	Late  Lateness
	Fresh *Filing // about to be filed
	// Changed is the Change: filings that it drops no longer count.
	Changed *store.Change
}

// SheetsOf collects what is filed in a game, for the phase that is played. What
// is kept is read once, when it is first asked for.
func (gs *Games) SheetsOf(m Match, given Given) Sheets {
	kept := sync.OnceValues(func() ([]Filing, error) {
		all, err := gs.Filed(m.Game.ID, given.Changed)
		if err != nil {
			return nil, err
		}
		if given.Fresh != nil {
			all = append(all, *given.Fresh)
		}
		return all, nil
	})
	return func(at adjudicator.Phase) (Filings, error) {
		all, err := kept()
		f := Collect(all, at.Turn, PhaseName(at.Label, m.Game.Rollbacks), m.Settings())
		f.late = given.Late
		return f, err
	}
}

// Filed are the filings of a game, oldest first, under a Change: those that it
// drops are not among them, and of the others DONE counts as its thoughts say.
func (gs *Games) Filed(id string, changed *store.Change) (all []Filing, err error) {
	filed, err := FilingRecords.All(gs.DB, id)
	if err != nil {
		return nil, err
	}
	thoughts, _, err := ThoughtRecords.After(gs.DB, changed, id)
	if err != nil {
		return nil, err
	}
	for key, s := range filed {
		if FilingRecords.Drops(changed, key) {
			continue
		}
		if thoughts.of(s) {
			s.Done = false
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b Filing) int { return cmp.Compare(a.Serial, b.Serial) })
	return all, nil
}

// supersedes tells whether a filing takes back another, or stands in its place as the
// whole side's: for the turn, or where parts are by phase for the phase.
func (w Filing) supersedes(s Filing, byPhase bool) bool {
	switch {
	case w.Side != s.Side, w.Turn != s.Turn:
		return false
	case !w.Joined:
		return w.Withdrawn && w.Serial >= s.Serial
	case byPhase && w.Phase != s.Phase:
		return false
	case w.Withdrawn:
		return w.Serial >= s.Serial
	}
	return w.Serial > s.Serial
}

// Collect chooses among the filed sheets those that count in a phase of a turn.
func Collect(all []Filing, turn int, phase string, set Settings) Filings {
	f := Filings{sheets: map[adjudicator.Side]Filing{}, latest: map[adjudicator.Side]map[string]Filing{}, turn: turn, phase: phase, byPhase: set.ByPhase, chits: set.chits(),
		done: map[adjudicator.Side][]Filing{}, asks: map[adjudicator.Side]adjudicator.Mode{}, replies: map[adjudicator.Side]map[string]Filing{}}
	slices.SortFunc(all, func(a, b Filing) int { return cmp.Compare(a.Serial, b.Serial) })
	if set.Whole {
		all = settled(all, set)
	}
	for _, s := range all {
		if slices.ContainsFunc(all, func(w Filing) bool { return w.supersedes(s, set.ByPhase) }) {
			continue
		}
		if s.Mode != "" {
			if a, bad := adjudicator.ParseMode(s.Mode, set.May); bad == nil {
				f.asks[s.Side] = a
			}
		}
		if s.Done && s.Turn == turn {
			f.done[s.Side] = append([]Filing{s}, f.done[s.Side]...)
			keepNewest(f.sheets, s.Side, s)
		}
		if s.Phase == phase {
			f.keepReplies(s)
		}
		if f.latest[s.Side] == nil {
			f.latest[s.Side] = map[string]Filing{}
		}
		if s.Turn > turn+1 {
			continue
		}
		for name := range s.Answers {
			keepNewest(f.latest[s.Side], name, s)
		}
	}
	return f
}

// keepReplies keeps a sheet for each question that it answers.
func (f Filings) keepReplies(s Filing) {
	if f.replies[s.Side] == nil {
		f.replies[s.Side] = map[string]Filing{}
	}
	for label := range s.Replies {
		f.replies[s.Side][label] = s
	}
}

// keepNewest keeps a sheet, unless one is kept already that is as new.
func keepNewest[K comparable](kept map[K]Filing, key K, s Filing) {
	if have, ok := kept[key]; !ok || s.Serial > have.Serial {
		kept[key] = s
	}
}

// settled are filings, oldest first, with DONE where it counts: a bare DONE finishes the
// orders that were filed before it, and what a newer sheet replaces is no longer finished.
func settled(all []Filing, set Settings) []Filing {
	all = slices.Clone(all)
	for i, s := range all {
		switch {
		case s.Withdrawn:
		case !s.Bare:
			for k := range all[:i] {
				if s.replaces(all[k], set) {
					all[k].Done = false
				}
			}
		case !s.Done:
			all[i].Answers = nil
		default:
			if k := LastWithOrders(all[:i], s.Side, s.Turn); k >= 0 {
				all[k].Done, all[k].Phase = true, s.Phase
				all[i].Done, all[i].Answers = false, nil
			}
		}
	}
	return all
}

// LastWithOrders is the newest of the filings, oldest first, that has orders of a side for
// a turn and was not withdrawn; -1 for none.
func LastWithOrders(filed []Filing, side adjudicator.Side, turn int) int {
	for k := len(filed) - 1; k >= 0; k-- {
		switch f := filed[k]; {
		case f.Side != side, f.Turn != turn:
		case f.Withdrawn:
			return -1
		case !f.Bare:
			return k
		}
	}
	return -1
}

// replaces tells whether a sheet with orders takes the place of an earlier one. What is
// filed for another phase stands where sheets go by phase, and so do the programmes of
// chits that a turn under way has not drawn yet.
func (s Filing) replaces(earlier Filing, set Settings) bool {
	switch {
	case s.Side != earlier.Side, s.Turn != earlier.Turn:
		return false
	case set.ByPhase, set.chits() && s.cameInItsTurn():
		return s.Phase == earlier.Phase
	}
	return true
}

// What the source of an answer says where a deadline has passed without a finished sheet.
const (
	noOrders   = "no orders by the deadline"
	unfinished = ", which was not finished at the deadline"
)

// orders are the answer to a turn decision of a side without a finished sheet.
func (l Lateness) orders(f Filings, d adjudicator.Decision, turn int) (answer, source string, known bool) {
	switch {
	case !l.releasedFor(d.Side, turn), l.Policy == LateWait:
		return "", "", false
	case l.Policy == LateHold:
		return "", noOrders, true
	}
	if s, ok := f.latest[d.Side][d.Answers()]; ok && s.Turn == turn {
		return s.Answers[d.Answers()], fmt.Sprintf("sheet %d%s", s.Serial, s.by()) + unfinished, true
	}
	return "", noOrders, true
}

// UnfinishedOf are the sides whose orders or answers are missing, and not only the
// deadline, under the notes of a Change.
func (gs *Games) UnfinishedOf(m Match, pending []adjudicator.Decision, changed *store.Change) (sides []string, err error) {
	f, err := gs.SheetsOf(m, Given{Changed: changed})(adjudicator.Phase{Turn: m.Open.Turn, Label: RulesLabel(m.Open.Phase)})
	if err != nil {
		return nil, err
	}
	return WaitingFor(slices.DeleteFunc(slices.Clone(pending), func(d adjudicator.Decision) bool {
		_, _, known := f.Answer(d)
		return known
	})), nil
}

// Awaited are the sides that a game waits for. Where it waits for several at once, those
// that have finished are left out, unless it is only the deadline that is waited for.
func (gs *Games) Awaited(id string, pending []adjudicator.Decision) []string {
	sides := WaitingFor(pending)
	if len(sides) < 2 {
		return sides
	}
	m, err := gs.Load(id)
	if err != nil || m.Open == nil {
		return sides
	}
	if left, err := gs.UnfinishedOf(m, pending, nil); err == nil && len(left) > 0 {
		return left
	}
	return sides
}

// UnreportedRecords are the first phases that no report has told yet.
var UnreportedRecords = store.OnePerGame[uint64]("untold").Plain()

// ClaimOf is what a node claims that works at a game; "" is all that is about no game yet.
func ClaimOf(game string) string { return "game/" + game }

// UnansweredRecords are the sheets of a side that play has gone on with and that had no
// answer of their own: the side's next mail tells what was understood of them.
var UnansweredRecords = store.OnePerSeat[[]*report.Ack]("answered")

// HeardRecords are how many events since the last report a side has been told with questions.
var HeardRecords = store.OnePerSeat[int]("heard").Plain()

// Unreported repeats the phases since the last report, for what happened in them.
func (gs *Games) Unreported(m Match) (all []ProvedEvent, err error) {
	id := m.Game.ID
	first, there, err := UnreportedRecords.Get(gs.DB, id)
	if err != nil || !there {
		return nil, err
	}
	phases, err := gs.DB.Journal(id)
	if err != nil {
		return nil, err
	}
	for n := first; n <= m.Game.Phases; n++ {
		before, err := gs.DB.Phase(id, n-1)
		if err != nil {
			return nil, err
		}
		journal, err := EntriesOf(phases[n-1].Journal)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", phases[n-1].Phase, err)
		}
		if Intervention(journal) != nil {
			continue
		}
		out, err := m.Rules.Play(before.Snapshot, journal, JournalOnly{}, JournalOnly{})
		if err != nil {
			return nil, err
		}
		all = append(all, ProvedEvents(phases[n-1].Phase, out, phases[n-1].Beacon)...)
	}
	return all, nil
}
