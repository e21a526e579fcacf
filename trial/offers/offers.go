// Package offers tries the law of the guide: what it offers the check of the sheet accepts,
// and what it does not offer the check refuses, or there is a reason.
package offers

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/playtest"
	"fieldpost/staff"
	"fieldpost/trial"
	"fieldpost/trial/engine"
)

// Tally counts orders that were tried.
type Tally struct {
	Offered    int
	Refused    []string // of them, by the check
	Unoffered  int
	Accepted   []string       // of them, without a reason
	Reasons    map[string]int // accepted though not offered, by the reason
	ByVerb     map[string]int // of the offers
	Views      int
	Scenarios  map[string]int
	unanswered int
}

func newTally() *Tally {
	return &Tally{Reasons: map[string]int{}, ByVerb: map[string]int{}, Scenarios: map[string]int{}}
}

func (t *Tally) add(o *Tally) {
	t.Offered, t.Unoffered, t.Views = t.Offered+o.Offered, t.Unoffered+o.Unoffered, t.Views+o.Views
	t.Refused, t.Accepted = append(t.Refused, o.Refused...), append(t.Accepted, o.Accepted...)
	for _, pair := range []struct{ into, from map[string]int }{{t.Reasons, o.Reasons}, {t.ByVerb, o.ByVerb}, {t.Scenarios, o.Scenarios}} {
		for k, n := range pair.from {
			pair.into[k] += n
		}
	}
}

// Run tries so many offers, and as many orders that are not offered, over the scenarios.
func Run(ctx context.Context, t *trial.Trial) error {
	sum, began := newTally(), time.Now()
	share := max(1, t.Count/len(t.Scenarios))
	for number := t.Seed; sum.Offered < t.Count || sum.Unoffered < t.Count; number++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		m, err := t.Variant(t.Scenario(number-t.Seed), number)
		if err != nil {
			return err
		}
		m.Turns = max(5, t.Turns)
		one, err := Play(ctx, m, share)
		if err != nil {
			return fmt.Errorf("%s, --seed %d: %w", t.Scenario(number-t.Seed), number, err)
		}
		fmt.Fprintf(t.Progress, "%s %d: %d offers, %d refused; %d not offered, %d accepted\n", t.Scenario(number-t.Seed), number, one.Offered, len(one.Refused), one.Unoffered, len(one.Accepted))
		sum.add(one)
		if one.Offered == 0 {
			sum.unanswered++
		}
		if sum.unanswered > len(t.Scenarios) {
			return fmt.Errorf("the guides offer nothing")
		}
	}
	fmt.Fprintf(t.Out, "%d views: %d offers, %d refused; %d not offered, %d accepted (%v)\n", sum.Views, sum.Offered, len(sum.Refused), sum.Unoffered, len(sum.Accepted), time.Since(began).Round(time.Second))
	for _, table := range []map[string]int{sum.ByVerb, sum.Reasons} {
		for _, k := range slices.Sorted(maps.Keys(table)) {
			fmt.Fprintf(t.Out, "  %7d %s\n", table[k], k)
		}
	}
	if n := len(sum.Refused) + len(sum.Accepted); n > 0 {
		bad := slices.Concat(sum.Refused[:min(5, len(sum.Refused))], sum.Accepted[:min(5, len(sum.Accepted))])
		return fmt.Errorf("the guide and the check disagree %d times:\n%s", n, strings.Join(bad, "\n\n"))
	}
	return nil
}

// Play plays a match, every second sheet by staff officers, and tries offers on every view
// that a side gets.
func Play(ctx context.Context, m playtest.Match, limit int) (*Tally, error) {
	t := newTally()
	sides := m.Game.Sides()
	for _, side := range sides {
		m.Players[side] = newPlayer(m, side, t, max(4, limit/(max(1, m.Turns)*len(sides))))
	}
	_, err := m.Play(ctx)
	return t, err
}

// newPlayer seats a player who tries so many offers on every view.
func newPlayer(m playtest.Match, side adjudicator.Side, t *Tally, each int) *player {
	return &player{Random: engine.NewRandom(m.Game, m.Number, side, map[string][2]int{}), officer: staff.Officer{Game: m.Game},
		match: m, r: rand.New(rand.NewPCG(uint64(m.Number), uint64(len(side)))), tally: t, each: each}
}

// player plays one side, and tries what its guide offers.
type player struct {
	*engine.Random
	officer staff.Officer
	match   playtest.Match
	r       *rand.Rand
	tally   *Tally
	each    int
	sheets  int
}

// Sheet implements playtest.Player.
func (p *player) Sheet(v *view.View, serial int) (string, error) {
	write := p.Random.Sheet
	if p.sheets++; p.sheets%2 == 0 && v.Turn > 0 {
		write = p.officer.Sheet
	}
	text, err := write(v, serial)
	if err != nil {
		return "", err
	}
	guide, err := adjudicator.GuideOf(p.match.Game, v)
	if err != nil {
		return "", err
	}
	// A third is tried on an empty sheet, a third on half of it, a third on the whole.
	lines := strings.SplitAfter(text, "\n")
	half := strings.Join(lines[:len(lines)/2], "") + "DONE!\n"
	empty := strings.Join(lines[:4], "") + "DONE!\n"
	for _, given := range []string{empty, half, text} {
		(&Bench{player: p, guide: guide, v: v, text: given}).Try(p.each / 3)
	}
	p.tally.Views++
	p.tally.Scenarios[v.Scenario]++
	return text, nil
}

// Bench is a guide that stands after a sheet.
type Bench struct {
	*player
	guide adjudicator.Guide
	v     *view.View
	text  string
}

// NewBench tries a guide for the side of a view.
func NewBench(m playtest.Match, guide adjudicator.Guide, v *view.View, text string) *Bench {
	return &Bench{player: newPlayer(m, adjudicator.Side(v.Side), newTally(), 10), guide: guide, v: v, text: text}
}

// Tally is what was tried.
func (b *Bench) Tally() *Tally { return b.tally }

// Try tries so many offers, and so many orders that are not offered.
func (b *Bench) Try(most int) {
	sheet, faults := orders.Parse(orders.Canonical(b.text), b.match.Vocabulary)
	if len(faults) > 0 {
		return // a sheet cut in half may end in the midst of an order
	}
	b.guide.Rehearse(sheet)
	actors := b.guide.Actors()
	b.r.Shuffle(len(actors), func(i, j int) { actors[i], actors[j] = actors[j], actors[i] })
	each := max(2, most/max(1, len(actors)))
	offered, other := 0, 0
	for _, a := range actors {
		if offered >= most && other >= most {
			return
		}
		yes, no := b.of(a)
		b.r.Shuffle(len(yes), func(i, j int) { yes[i], yes[j] = yes[j], yes[i] })
		b.r.Shuffle(len(no), func(i, j int) { no[i], no[j] = no[j], no[i] })
		for _, o := range yes[:min(each, len(yes))] {
			offered++
			b.offer(o)
		}
		for _, o := range no[:min(each, len(no))] {
			other++
			b.refuse(o)
		}
	}
}

// of are what the guide offers an actor, and orders that it does not offer.
func (b *Bench) of(a adjudicator.Actor) (yes, no []adjudicator.Offer) {
	verbs, err := b.guide.Verbs(a.Name)
	if err != nil {
		b.tally.Refused = append(b.tally.Refused, fmt.Sprintf("%s %s, turn %d: %s has no verbs: %v", b.v.Scenario, b.v.Side, b.v.Turn, a.Name, err))
	}
	for _, o := range verbs {
		if o.Refused != nil {
			no = append(no, o)
			continue
		}
		if o.Section == "STANDING" && b.r.IntN(8) > 0 {
			continue // they are as many as all others, and of one kind
		}
		yes = append(yes, o)
		if elsewhere, ok := b.elsewhere(o, verbs); ok {
			no = append(no, elsewhere)
		}
	}
	for _, manner := range a.Ways {
		ways, err := b.guide.Reach(a.Name, manner)
		list := offersOf(ways, "way "+firstWord(manner))
		b.r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		yes = append(yes, list[:min(len(list), 3)]...)
		if err != nil && b.v.System == "wb95" && manner == "" {
			list = []adjudicator.Offer{{Section: "MOVE", Order: fmt.Sprintf("%s TO %v", a.Name, a.Hex), Verb: "way"}}
		}
		for range 2 {
			if len(list) == 0 {
				break
			}
			if elsewhere, ok := b.elsewhere(list[0], list); ok {
				no = append(no, elsewhere)
			}
		}
	}
	return yes, no
}

// offersOf are ways as offers.
func offersOf(ways []adjudicator.Way, verb string) (out []adjudicator.Offer) {
	for _, w := range ways {
		out = append(out, adjudicator.Offer{Section: w.Section, Order: w.Order, Verb: strings.TrimSpace(verb), Warning: strings.Join(w.Meets, "; ")})
	}
	return out
}

func firstWord(text string) string {
	word, _, _ := strings.Cut(text, " ")
	return word
}

var (
	anyHex  = regexp.MustCompile(`\b\d{4}\b`)
	oneEdge = regexp.MustCompile(`\b\d{4}/\d{4}\b`)
)

// elsewhere is an offer with another hex, one that is not offered.
func (b *Bench) elsewhere(o adjudicator.Offer, all []adjudicator.Offer) (adjudicator.Offer, bool) {
	places := anyHex.FindAllStringIndex(o.Order, -1)
	if len(places) == 0 || oneEdge.MatchString(o.Order) {
		return o, false
	}
	at := places[len(places)-1] // where a way ends; in an attack there is but one
	was, err := hex.Parse(o.Order[at[0]:at[1]])
	if err != nil {
		return o, false
	}
	g := &b.v.Board.Grid
	if !b.v.Board.On(was) {
		return o, false // a number of a name
	}
	near := g.Within(was, 1+b.r.IntN(6))
	h := near[b.r.IntN(len(near))]
	if b.r.IntN(4) == 0 {
		h = g.At(b.r.IntN(g.Len()))
	}
	head, tail := o.Order[:at[0]], o.Order[at[1]:]
	o.Order = head + h.String() + tail
	isOffered := slices.ContainsFunc(all, func(x adjudicator.Offer) bool { return x.Order == o.Order && x.Section == o.Section })
	return o, !isOffered && b.v.Board.On(h)
}

// judge puts an order on the sheet, and is the verdict on it.
func (b *Bench) judge(o adjudicator.Offer) (l adjudicator.Line, text string, ok bool) {
	text, at := Insert(b.text, o, b.match.Vocabulary)
	sheet, faults := orders.Parse(text, b.match.Vocabulary)
	if len(faults) > 0 {
		return l, text, false
	}
	for _, l := range b.match.Game.Check(b.v, sheet).Lines {
		if l.Pos.Line == at {
			return l, text, true
		}
	}
	return adjudicator.Line{}, text, true // an order without a remark stands
}

// Insert puts an offer behind the last line of its section on a sheet, or opens the section
// at its end, and is the line on which it stands in the canonical text.
func Insert(text string, o adjudicator.Offer, words orders.Vocabulary) (canonical string, at int) {
	text = orders.Canonical(text)
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	done := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "DONE") })
	if done < 0 {
		done = len(lines)
	}
	sheet, _ := orders.Parse(text, words)
	if o.Order == "" {
		return orders.Canonical(strings.Join(slices.Insert(lines, done, o.Section), "\n") + "\n"), done + 1
	}
	put := []string{o.Section, o.Order}
	end := done
	for i, sec := range sheet.Sections {
		if lines[sec.Pos.Line-1] != strings.TrimSpace(orders.Canonical(o.Section)) {
			continue
		}
		put, end = put[1:], done
		if i+1 < len(sheet.Sections) {
			end = sheet.Sections[i+1].Pos.Line - 1
		}
		break
	}
	return orders.Canonical(strings.Join(slices.Insert(lines, end, put...), "\n") + "\n"), end + len(put)
}

// offer tries an order that is offered.
func (b *Bench) offer(o adjudicator.Offer) {
	l, text, ok := b.judge(o)
	if !ok {
		return
	}
	b.tally.Offered++
	b.tally.ByVerb[o.Section[:len(firstWord(o.Section))]+": "+o.Verb]++
	switch {
	case l.Refused != nil:
		b.tally.Refused = append(b.tally.Refused, b.said(o, text)+"\nrefused: "+l.Refused.Error())
	case crowded.MatchString(o.Warning) && tooMany.MatchString(l.Warning):
		// The guide says so too.
	case strings.HasPrefix(o.Verb, "way") && fallsShort.MatchString(l.Warning):
		b.tally.Refused = append(b.tally.Refused, b.said(o, text)+"\nfalls short: "+l.Warning)
	}
}

// refuse tries an order that is not offered.
func (b *Bench) refuse(o adjudicator.Offer) {
	l, text, ok := b.judge(o)
	if !ok {
		return
	}
	b.tally.Unoffered++
	if l.Refused != nil {
		return
	}
	if why := reason(o, l); why != "" {
		b.tally.Reasons[why]++
		return
	}
	b.tally.Accepted = append(b.tally.Accepted, fmt.Sprintf("%s\naccepted: %s %s; the guide said: %v", b.said(o, text), l.Understood, l.Warning, o.Refused))
}

func (b *Bench) said(o adjudicator.Offer, text string) string {
	return fmt.Sprintf("%s %s, turn %d, %s: %s, on\n%s", b.v.Scenario, b.v.Side, b.v.Turn, o.Section, o.Order, text)
}

// reason is why the check may accept what the guide does not offer; "" if there is none.
func reason(o adjudicator.Offer, l adjudicator.Line) string {
	for _, r := range reasons {
		if r.order.MatchString(firstWord(o.Section)+" "+o.Verb+": "+o.Order) && r.said.MatchString(l.Understood+" "+l.Warning) {
			return r.why
		}
	}
	return ""
}

// fallsShort is what the check says of a way in a programme that does not get to its end:
// there nothing is refused that may yet become possible before the chit comes.
var fallsShort = regexp.MustCompile(`would come to \S+.* now|could not move now|has moved in this activation`)

// crowded is what the guide says of a hex that somebody must leave first, and tooMany what the
// check says.
var crowded, tooMany = regexp.MustCompile(`too many steps now`), regexp.MustCompile(`holds \d+ steps then`)

// reasons are why orders stand that the guide does not offer: by the section, the verb and the order as
// written, and by what the check says.
var reasons = []struct {
	order, said *regexp.Regexp
	why         string
}{
	{regexp.MustCompile(`^MOVE way STRATEGIC`), regexp.MustCompile(`impossible: |no farther: `), "a strategic move is marked now and made after the combats: what cannot be made as things stand may be then"},
	{regexp.MustCompile(`^MOVE way`), regexp.MustCompile(`\bstays in `), "an order to the unit's own hex keeps it there"},
	{regexp.MustCompile(`^(CHIT|SOLO) way`), fallsShort, "a programme is read when its chit comes: what its units cannot reach now they may reach then"},
	{regexp.MustCompile(`^(CHIT|SOLO) way`), regexp.MustCompile(`is out of range|has used all its movement points`), "a programme is read when its chit comes: the headquarters may be nearer then"},
	{regexp.MustCompile(`^(CHIT|SOLO) ATTACK`), regexp.MustCompile(`holds no enemy|has attacked|would not stand beside|is not on the map|out of range of`), "a programme is read when its chit comes: who is not there now may be there then"},
	{regexp.MustCompile(`^(CHIT|SOLO) `), regexp.MustCompile(`is on \S+.* already|\b0 MP of `), "an order to the unit's own hex keeps it there"},
	{regexp.MustCompile(`^CHIT STACK`), regexp.MustCompile(`noted`), "the stack that acts is looked for when the chit comes: who is not there now may be there then"},
	{regexp.MustCompile(`^(CHIT|SOLO) RAIL`), regexp.MustCompile(``), "any town may be named: the first that is open is taken"},
	{regexp.MustCompile(`^CHIT ENTER: ENTER ALL `), regexp.MustCompile(``), "who of all may enter by a hex is looked for when the chit comes: any hex of their zones may be named, and one is offered"},
	{regexp.MustCompile(`^MOVE ENTER`), regexp.MustCompile(`half the points for another zone`), "the zones printed for a unit are offered, and not those that it may enter by at the price of half its points"},
	{regexp.MustCompile(`^AIR `), regexp.MustCompile(``), "a mission may be flown over any hex: where nobody is seen now somebody may be then"},
}
