package post

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/calendar"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/seats"
)

// In a game with a beacon not even who holds the dice key can know a roll while
// orders can still be given. At the deadline the game is closed: no more orders are
// taken, and a mail to every player seals those that count by a hash. Some minutes
// later comes the round of drand that the deadline had named all the time; the dice
// are bound to it, and the game goes on. Without the value it waits: anything else
// would let somebody choose. The value may come by network, or by mail from anybody.
const (
	// BeaconAfter is from closing to the round: time for the mails that seal the
	// orders to arrive before anybody can know the dice.
	BeaconAfter = 10 * time.Minute
	// BeaconAgain is how long to wait before looking again for a value that is due,
	// BeaconLate when its absence wants the moderator.
	BeaconAgain = 5 * time.Second
	BeaconLate  = time.Hour
)

func (o *Office) RoundInWords(round uint64) string {
	return fmt.Sprintf("round %d of drand, which comes on %s", round, o.Chain().Time(round).Format("2 January 2006 at 15:04:05 UTC"))
}

// roundFor is the round from which the dice of the orders come that are asked for; 0 in a
// game without a beacon.
func (o *Office) roundFor(g store.Game, open *store.OpenPhase) uint64 {
	r, err := match.ScheduleOf(g)
	if err != nil || !match.Beaconed(g) {
		return 0
	}
	return o.Chain().RoundAt(open.Deadline.Add(r.Grace + BeaconAfter))
}

// diceFrom announces that round in words.
func (o *Office) diceFrom(g store.Game, open *store.OpenPhase) []string {
	round := o.roundFor(g, open)
	if round == 0 {
		return nil
	}
	return []string{"The dice of these orders come from " + o.RoundInWords(round) + ", unless the deadline is moved."}
}

// WhenDrawn is what an acknowledgement says of a finished sheet.
func (o *Office) WhenDrawn(g store.Game, open *store.OpenPhase, done bool) string {
	if !done || open == nil {
		return ""
	}
	return fmt.Sprintf("It is carried out after the deadline, %s, when the dice have come from drand. Until then a sheet with a higher SERIAL replaces it.", o.UntilInWords(store.Player{}, g, open.Deadline))
}

// DiceWait is what a closed game waits for.
func (o *Office) DiceWait(round uint64) string {
	return fmt.Sprintf("the dice wait for round %d of drand (%s); anybody who can read it may mail it in", round, o.Chain().Time(round).Format("2 Jan 15:04:05"))
}

// UntilInWords says a deadline in words, by the player's clock.
func (o *Office) UntilInWords(p store.Player, g store.Game, due time.Time) string {
	return report.Deadline(due, o.Now(), ZoneOf(p, g))
}

// without says what happens if nothing comes until the deadline.
func (o *Office) without(g store.Game) string {
	switch match.OptionOr(g, match.OptionLate, match.LateStanding) {
	case match.LateWait:
		return "Without a sheet by then, the game waits, and its moderator is told."
	case match.LateHold:
		return "Without a sheet by then, your units hold; your standing orders count."
	case match.LateStaff:
		return "Without a finished sheet by then, a staff officer of the program writes it for you, and every report says so."
	case match.LateReplace:
		return "Without a finished sheet by then, a staff officer of the program writes it for you, every report says so, and the moderator looks for another player."
	}
	return "Without a finished sheet by then, what you have filed is carried out, and your standing orders count."
}

// PhaseCode is the code by which a player without a key sends sheets while a phase
// waits: whoever has read their report can send orders in their name, and so can the
// server. The roster says so.
func PhaseCode(g store.Game, side, phase string) string {
	mac := hmac.New(sha256.New, g.DiceKey)
	fmt.Fprintf(mac, "fieldpost code %s %s %s", g.ID, side, phase)
	for _, p := range g.Players {
		if p.Side == side && p.Holder > 0 {
			fmt.Fprintf(mac, " %d", p.Holder)
		}
	}
	code := base32.StdEncoding.EncodeToString(mac.Sum(nil)[:10])
	return code[:4] + "-" + code[4:8] + "-" + code[8:12] + "-" + code[12:]
}

// CodeOf is the code by which a player sends sheets while a phase waits; "" for those who
// have a key.
func CodeOf(g store.Game, p store.Player, phase string) string {
	if key, err := seal.ParseKey(p.Key); err != nil || key.Method() != seal.Code {
		return ""
	}
	return PhaseCode(g, p.Side, phase)
}

// CommandLines tell a side who leads what, a line each; none where it has one
// commander only.
func (o *Office) CommandLines(p store.Player) (lines []string) {
	for i, c := range p.Commanders {
		switch {
		case c.Left:
		case c.Deputy && !c.Stands.To.IsZero():
			lines = append(lines, Sentence(fmt.Sprintf("%s stands in for the player from %s to the end of %s", seats.CommandName(p, i+1), c.Stands.From.Format("2 Jan 2006"), c.Stands.To.Add(-time.Minute).Format("2 Jan 2006"))))
		case c.Deputy:
			lines = append(lines, Sentence(seats.CommandName(p, i+1)+" stands in for the player while they are away"))
		default:
			lines = append(lines, fmt.Sprintf("%s leads %s.", seats.CommandName(p, i+1), strings.Join(c.Leads, ", ")))
		}
	}
	if p.Shared() {
		lines = append(lines, Sentence(seats.CommandName(p, 0)+" leads everything else, may give orders to any unit, and finishes the turn with DONE"))
	}
	return lines
}

// CommandersNotDone are the commanders of a shared side, its player among them, who have not
// finished their part for the turn that waits; none of a side with one commander.
func (o *Office) CommandersNotDone(g store.Game, p store.Player, open *store.OpenPhase) (names []string) {
	if open == nil || !p.Shared() {
		return nil
	}
	m, err := o.Under(store.Position{Game: g, Open: open})
	if err != nil {
		return nil
	}
	if m.Settings().ByPhase { // a part is for one phase there
		pos, err := o.DB.Load(g.ID)
		if err != nil {
			return nil
		}
		m.Latest = pos.Latest
	}
	parts, err := o.PartsOf(m, p, open.Turn)
	if err != nil {
		return nil
	}
	thoughts, err := o.ThoughtsOf(g.ID)
	if err != nil {
		return nil
	}
	one, thinks := thoughts[adjudicator.Side(p.Side)]
	held := one.HeldParts()
	if !thinks || one.Turn != open.Turn {
		clear(held)
	}
	for commander := range len(p.Commanders) + 1 {
		if !seats.WritesPart(p, commander) {
			continue
		}
		_, waits := held[commander]
		if waits || !slices.ContainsFunc(parts, func(x match.Part) bool { return x.Commander == commander && x.Sheet.Done }) {
			names = append(names, seats.CommandName(p, commander))
		}
	}
	return names
}

// ZoneOf is the time zone that a player reads deadlines in: their own, or the game's.
func ZoneOf(p store.Player, g store.Game) *time.Location {
	for _, name := range []string{p.Zone, g.Options[match.OptionZone]} {
		if zone, err := calendar.ParseZone(name); name != "" && err == nil {
			return zone
		}
	}
	return time.UTC
}
