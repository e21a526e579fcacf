package famous

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/view"
)

// Brief implements adjudicator.Storyteller: an activation in a paragraph, a fight in its
// own, all passes in one line.
func (g *Game) Brief(v *view.View, told []view.Said) view.Brief {
	if len(told) == 0 {
		return view.Brief{}
	}
	t := &teller{side: v.Side}
	switch first := told[0]; {
	case first.Kind == "chit":
		return t.activation(first, told[1:])
	case first.Kind == "combat":
		return t.fight(first, told[1:])
	case first.Kind == "supply" || first.Kind == "nominated":
		t.collect(told)
		return view.Brief{Head: "Supply: " + strings.Join(t.sentences(), " ")}
	}
	return view.Brief{}
}

// teller gathers what an item tells of, by what is said in one sentence.
type teller struct {
	side   string // the reader's
	active string // whose chit it is
	bn     string // of which battalion

	losses   phrase.Groups // by what became of the units
	moves    phrase.Groups // units, by where they came to
	fire     volleys       // at what moved
	shots    volleys       // at what stood
	shelling volleys
	retreats phrase.Groups
	advances phrase.Groups
	supply   phrase.Groups
	others   []string      // as they are told in full
	skipped  phrase.Groups // orders, by why they were not done
}

// activation tells of a chit and all that its units did outside of fights.
func (t *teller) activation(chit view.Said, below []view.Said) view.Brief {
	t.active, t.bn = chit.Facts.Get("side"), chit.Facts.Get("chit")
	name := fmt.Sprintf("%s (%s)", t.bn, chit.Facts.Get("who"))
	if len(below) == 1 && below[0].Kind == "pass" {
		return view.Brief{List: "Passed:", Head: name}
	}
	if len(below) == 0 {
		return view.Brief{List: "Drawn:", Head: name}
	}
	t.collect(below)
	if moreThanMoves := func(e view.Said) bool { return e.Kind != "enemy-move" && e.Kind != "move" }; !slices.ContainsFunc(below, moreThanMoves) {
		return view.Brief{List: fmt.Sprintf("Of the %s these only moved:", chit.Facts.Get("who")), Head: t.bn + ": " + strings.Join(stations(&t.moves), "; ")}
	}
	told := t.sentences()
	if cost := t.cost(); cost != "" {
		told = append([]string{cost}, told...)
	}
	return view.Brief{Head: name + ": " + strings.Join(told, " ")}
}

// fight tells of an attack: who, why the result is what it is, and what it cost.
func (t *teller) fight(e view.Said, below []view.Said) view.Brief {
	f := e.Facts
	t.active = f.Get("side")
	t.collect(below)
	what := "attack"
	if f.Get("overrun") != "" {
		what = "overrun"
	}
	head := fmt.Sprintf("%s: %s of the %s, %s: %s.", f.Get("hex"), what, f.Get("who"), f.Get("result"), f.Get("meaning"))
	if cost := t.cost(); cost != "" {
		head += " " + cost
	}
	with, against := together(f.Get("units")), together(f.Get("enemy"))
	if f.Get("guns") != "" {
		with += ", guns " + together(f.Get("guns"))
	}
	if f.Get("shells") != "" {
		against += ", guns " + together(f.Get("shells"))
	}
	sum := fmt.Sprintf("%s against %s. %s:%s = %s", with, against, f.Get("attack"), f.Get("defence"), f.Get("column"))
	if f.Get("drms") != "" {
		sum += "; " + f.Get("drms")
	}
	if f.Get("halved") != "" {
		sum += "; ground and works halved by engineers"
	}
	told := append([]string{fmt.Sprintf("%s; dice %s, in all %s.", sum, f.Get("dice"), f.Get("roll"))}, t.sentences()...)
	return view.Brief{Head: head, Detail: []string{strings.Join(told, " ")}}
}

// collect sorts events by what is said together.
func (t *teller) collect(told []view.Said) {
	for _, e := range told {
		f := e.Facts
		switch e.Kind {
		case "loss":
			t.lost(f)
		case "move":
			t.moves.Add(lastHex(f.Get("path"))+halt(f.Get("stop")), t.short(f.Get("units")))
		case "enemy-move":
			t.moves.Add(lastHex(f.Get("path")), t.short(f.Get("units")))
		case "shot":
			t.shot(e)
		case "barrage":
			t.shelling.add(f.Get("hex"), round{by: t.short(f.Get("unit")), distance: f.Get("distance"), result: shellResult(f)})
		case "retreat":
			t.retreats.Add(lastHex(f.Get("path")), t.short(f.Get("unit")))
		case "advance", "enemy-advance":
			t.advances.Add(lastHex(f.Get("path")), t.short(f.Get("unit")+f.Get("units")))
		case "supply":
			t.supply.Add(strings.TrimSuffix(f.Get("state")+", "+f.Get("left"), ", "), f.Get("unit")+" "+f.Get("hex"))
		case "skipped":
			t.skip(f)
		case "event":
			t.drawn(f)
		case "black":
			if !cancels(told, f.Get("event")) {
				t.others = append(t.others, e.Text)
			}
		case "pass":
			t.others = append(t.others, "Passed.")
		default:
			t.others = append(t.others, e.Text)
		}
	}
}

// drawn tells of a chit that was without effect; the others stand among the modifiers, under
// their names.
func (t *teller) drawn(f view.Pairs) {
	name := strings.TrimSpace(f.Get("event") + " " + f.Get("drm"))
	switch {
	case f.Get("why") != "":
		t.others = append(t.others, fmt.Sprintf("%s of the %s: %s.", name, f.Get("who"), f.Get("why")))
	case f.Get("drm") == "", f.Get("drm") == "+0":
		t.others = append(t.others, fmt.Sprintf("%s of the %s.", name, f.Get("who")))
	}
}

// cancels tells whether a black chit is named as what cancelled another.
func cancels(told []view.Said, black string) bool {
	return slices.ContainsFunc(told, func(e view.Said) bool { return e.Kind == "event" && e.Facts.Get("why") == "cancelled by "+black })
}

// lost notes what a unit suffered; what the reader's own suffered stands in capitals.
func (t *teller) lost(f view.Pairs) {
	what := f.Get("left")
	if f.Get("side") == t.side {
		what = strings.ToUpper(what)
	}
	unit := t.short(f.Get("unit"))
	if f.Get("rider") != "" {
		unit += " with " + t.short(f.Get("rider"))
	}
	if f.Get("why") == "no retreat" {
		unit += " (no retreat)"
	}
	t.losses.Add(what, unit)
}

// cost is what the item cost in units, the worst first: the sentence of the headline.
func (t *teller) cost() string {
	var out []string
	for _, what := range []string{"ELIMINATED", "DEPLETED", "eliminated", "depleted"} {
		if us := t.losses.Of(what); len(us) > 0 {
			out = append(out, phrase.Together(us)+" "+what)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return strings.Join(out, "; ") + "."
}

// sentences are what was gathered, but for the losses.
func (t *teller) sentences() []string {
	var out []string
	add := func(lead string, parts []string) {
		if len(parts) > 0 {
			out = append(out, lead+strings.Join(parts, "; ")+".")
		}
	}
	add("", stations(&t.moves))
	add("", t.fire.told("fired on the way"))
	add("", t.shots.told("fired at"))
	add("", t.shelling.told("shelled"))
	add("Fell back: ", stations(&t.retreats))
	add("Followed: ", stations(&t.advances))
	var short []string
	for state, us := range t.supply.All() {
		short = append(short, state+" "+strings.Join(us, ", "))
	}
	add("", short)
	out = append(out, t.others...)
	var skipped []string
	for why, orders := range t.skipped.All() {
		skipped = append(skipped, strings.Join(orders, ", ")+": "+why)
	}
	add("Not done: ", skipped)
	return out
}

// stations says where units came to: "1K, 3K to 1741"; stacks that nobody could name last.
func stations(g *phrase.Groups) []string {
	var out, unseen []string
	for at, units := range g.All() {
		if len(units) == 1 && strings.HasPrefix(units[0], "a stack of the ") {
			unseen = append(unseen, at)
			continue
		}
		out = append(out, phrase.Together(units)+" to "+at)
	}
	if len(unseen) > 0 {
		out = append(out, "unseen to "+strings.Join(unseen, ", "))
	}
	return out
}

// halt says why a march ended, in a word where it is the usual.
func halt(stop string) string {
	switch {
	case stop == "", strings.HasPrefix(stop, "in an enemy zone"):
		return ""
	case strings.HasSuffix(stop, " was hit"):
		return " (hit)"
	}
	return " (" + stop + ")"
}

// lastHex is where a way ends.
func lastHex(path string) string { return path[max(0, len(path)-4):] }

// together is a list of units with the name of each battalion once.
func together(units string) string { return phrase.Together(strings.Split(units, ", ")) }

// short is a list of units without the name of the battalion whose chit it is.
func (t *teller) short(units string) string {
	if t.bn == "" {
		return units
	}
	list := strings.Split(units, ", ")
	for i, u := range list {
		list[i] = strings.TrimSuffix(u, "/"+t.bn)
	}
	return strings.Join(list, ", ")
}

// shot notes a shot of direct fire: those at a march together, the others by their target.
func (t *teller) shot(e view.Said) {
	f, result := e.Facts, "missed"
	switch {
	case f.Get("harm") != "":
		result = "harm"
	case f.Get("hit") != "" && f.Get("moving") != "":
		result = "pinned"
	case f.Get("hit") != "":
		result = "without harm"
	}
	if f.Get("moving") != "" {
		t.fire.add("", round{t.short(f.Get("unit")), f.Get("from"), t.short(f.Get("target")), f.Get("distance"), result})
		return
	}
	t.shots.add(f.Get("hex"), round{t.short(f.Get("unit")), f.Get("from"), t.short(f.Get("target")), f.Get("distance"), result})
}

func shellResult(f view.Pairs) string {
	switch n, _ := strconv.Atoi(f.Get("harm")); {
	case f.Get("hit") == "":
		return "missed"
	case n == 0:
		return "without harm"
	case n == 1:
		return "harm"
	}
	return "harm to " + f.Get("harm")
}

// nobodyThere is a reason why an order was not done.
var nobodyThere = regexp.MustCompile(`^(has no enemy on|no enemy stands on) \d{4}$`)

// skip notes an order that was not done, without its terms: the sheet has them.
func (t *teller) skip(f view.Pairs) {
	order, _, _ := strings.Cut(f.Get("order"), ";")
	order, _, _ = strings.Cut(order, " WITH ")
	why := f.Get("why")
	if who, rest, ok := strings.Cut(why, " "); ok && strings.Contains(order, strings.ToUpper(who)) {
		why = rest
	}
	if nobodyThere.MatchString(why) {
		why = "nobody there"
	}
	if t.bn != "" {
		order = strings.ReplaceAll(order, "/"+strings.ToUpper(t.bn), "")
	}
	t.skipped.Add(why, strings.TrimSpace(order))
}

// volley is the fire that is told in one sentence.
type volley struct {
	at      string        // the hex, "" for what was on the march
	by      phrase.Groups // by their hexes
	of      []string
	near    int
	far     int
	results phrase.Groups
	count   map[string]int
}

type volleys []*volley

// round is one shot: who fired from where at whom, how far it was, and what came of it.
type round struct{ by, from, at, distance, result string }

// add counts a shot among the fire at its hex.
func (vs *volleys) add(hex string, shot round) {
	i := slices.IndexFunc(*vs, func(w *volley) bool { return w.at == hex })
	n, _ := strconv.Atoi(shot.distance)
	if i < 0 {
		i = len(*vs)
		*vs = append(*vs, &volley{at: hex, near: n, far: n, count: map[string]int{}})
	}
	v := (*vs)[i]
	v.near, v.far = min(v.near, n), max(v.far, n)
	v.by.Add(shot.from, shot.by)
	v.of = with(v.of, shot.at)
	v.results.Add(shot.result, shot.at)
	v.count[shot.result]++
}

// with is a list that has an entry, once.
func with(list []string, entry string) []string {
	if entry == "" || slices.Contains(list, entry) {
		return list
	}
	return append(list, entry)
}

// told says each volley: who fired at whom, from how far, and with what success.
func (vs volleys) told(verb string) []string {
	var out []string
	for _, v := range vs {
		what := ""
		if v.at != "" {
			what = strings.TrimSuffix(v.at+" ("+phrase.Together(v.of)+")", " ()")
		}
		span := strconv.Itoa(v.near)
		if v.far > v.near {
			span += "-" + strconv.Itoa(v.far)
		}
		var by []string
		for from, units := range v.by.All() {
			by = append(by, strings.TrimSpace(phrase.Together(units)+" "+from))
		}
		words := slices.DeleteFunc([]string{strings.Join(by, ", "), verb, what, v.times()}, func(w string) bool { return w == "" })
		out = append(out, fmt.Sprintf("%s, range %s: %s", strings.Join(words, " "), span, v.success()))
	}
	return out
}

// total is how often was fired.
func (v *volley) total() (n int) {
	for _, k := range v.count {
		n += k
	}
	return n
}

// times says how often was fired, if more than once.
func (v *volley) times() string {
	switch n := v.total(); n {
	case 1:
		return ""
	case 2:
		return "twice"
	default:
		return fmt.Sprintf("%d times", n)
	}
}

// success counts what came of the fire: "5 missed, 1 pinned Sturm".
func (v *volley) success() string {
	total := v.total()
	var out []string
	for kind, of := range v.results.All() {
		result := kind
		if kind == "pinned" {
			result += " " + phrase.Together(of)
		}
		out = append(out, fmt.Sprintf("%d %s", v.count[kind], result))
	}
	switch {
	case len(out) == 1 && total == 1:
		return strings.TrimPrefix(out[0], "1 ")
	case v.count["missed"] == total:
		return "all missed"
	}
	return strings.Join(out, ", ")
}
