package wb95

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"fieldpost/adjudicator/caserun"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// judge tells what is wrong with an expectation, "" if it holds.
func (r *caseRun) judge(l CaseLine) string {
	for _, x := range expectations {
		if m := x.form.FindStringSubmatch(l.Text); m != nil {
			return x.holds(r, l.At, m[1:])
		}
	}
	for i := range r.s.Units {
		u := &r.s.Units[i]
		if rest, ok := strings.CutPrefix(l.Text, r.s.labelName(u)+" "); ok {
			return r.judgeUnit(l.At, u, rest)
		}
	}
	r.broken(l.At, "%q is not understood as an expectation", l.Text)
	return ""
}

type expectation struct {
	form  *regexp.Regexp
	holds func(r *caseRun, at int, m []string) string
}

var expectations = []expectation{
	{regexp.MustCompile(`^refused (\d[\d.]*)(?:: (.+))?$`), (*caseRun).isRefused},
	{regexp.MustCompile(`^nothing refused$`), (*caseRun).nothingRefused},
	{regexp.MustCompile(`^event ([\w-]+)(?:: (.+))?$`), (*caseRun).hasEvent},
	{regexp.MustCompile(`^event ([\w-]+) at ([\d ]+)$`), (*caseRun).hasEventAt},
	{regexp.MustCompile(`^no event ([\w-]+)$`), (*caseRun).hasNoEvent},
	{regexp.MustCompile(`^option ([\w-]+) is open$`), (*caseRun).hasOption},
	{regexp.MustCompile(`^no option ([\w-]+)$`), (*caseRun).hasNoOption},
	{regexp.MustCompile(`^receipt reads "(.+)"$`), (*caseRun).receiptReads},
	{regexp.MustCompile(`^receipt does not read "(.+)"$`), (*caseRun).receiptReadsNot},
	{regexp.MustCompile(`^(\w+) is told of (\d{4}): (.+)$`), (*caseRun).isToldOfCrowd},
	{regexp.MustCompile(`^(\w+) reads "(.+)"$`), (*caseRun).reads},
	{regexp.MustCompile(`^(\w+) does not read "(.+)"$`), (*caseRun).readsNot},
	{regexp.MustCompile(`^(\w+) decides (.+)$`), (*caseRun).decides},
	{regexp.MustCompile(`^due (\w+): (.+)$`), (*caseRun).isDue},
	{regexp.MustCompile(`^asked (.+)$`), (*caseRun).wasAsked},
	{regexp.MustCompile(`^not asked (.+)$`), (*caseRun).wasNotAsked},
	{regexp.MustCompile(`^ordered (.+)$`), (*caseRun).wasOrdered},
	{regexp.MustCompile(`^not ordered (.+)$`), (*caseRun).wasNotOrdered},
	{regexp.MustCompile(`^offered ([^:]+): (.+)$`), (*caseRun).wasOffered},
	{regexp.MustCompile(`^not offered ([^:]+): (.+)$`), (*caseRun).wasNotOffered},
	{regexp.MustCompile(`^answer ([^:]+): (.+) means "(.+)"$`), (*caseRun).answerMeans},
	{regexp.MustCompile(`^control (\d+) (\w+)$`), (*caseRun).controls},
	{regexp.MustCompile(`^counts (\d+) (\w+)$`), (*caseRun).counts},
	{regexp.MustCompile(`^(FF|IF) (\w+) (\d+)$`), (*caseRun).hasFort},
	{regexp.MustCompile(`^no works (\d+)$`), (*caseRun).hasNoFort},
	{regexp.MustCompile(`^ammunition (\w+) (\d+)$`), (*caseRun).ammunition},
	{regexp.MustCompile(`^must attack: (.+)$`), (*caseRun).mustAttack},
	{regexp.MustCompile(`^must be attacked: (.+)$`), (*caseRun).mustBeAttacked},
	{regexp.MustCompile(`^(\w+) knows (\d+): (.+)$`), (*caseRun).knows},
	{regexp.MustCompile(`^phase (\d+) of turn (\d+) is next$`), (*caseRun).isNext},
	{regexp.MustCompile(`^(\w+) flies (.+)$`), (*caseRun).flies},
	{regexp.MustCompile(`^(\w+) has (\d+) air SP left$`), (*caseRun).hasAirLeft},
	{regexp.MustCompile(`^(\w+) knows the air strength of (.*)$`), (*caseRun).knowsAir},
	{regexp.MustCompile(`^bridge (\d+/\d+) (\w+)$`), (*caseRun).bridgeIs},
	{regexp.MustCompile(`^(\w+) has (\d+) points?$`), (*caseRun).hasPoints},
	{regexp.MustCompile(`^verdict "(.*)"$`), (*caseRun).isDecided},
}

var refusals = []string{"refused", "halt", "attack-refused", "attack-part", "attack-off", "barrage-refused", "barrage-part", "standing-skipped", "air-skipped"}

func (r *caseRun) isRefused(_ int, m []string) string {
	return r.RefusedBy("WB-95 "+m[0], m[1], refusals)
}

func (r *caseRun) nothingRefused(int, []string) string { return r.NothingRefused(refusals) }

// hasEvent looks for an event with all the facts: "attack = 8; defence = 5".
func (r *caseRun) hasEvent(at int, m []string) string { return r.Event(m[0], r.Facts(at, m[1])) }

// hasEventAt looks for an event that marks exactly these hexes.
func (r *caseRun) hasEventAt(at int, m []string) string {
	var want []hex.Hex
	for h := range strings.FieldsSeq(m[1]) {
		want = append(want, r.hex(at, h))
	}
	var seen []string
	for _, e := range r.Events {
		if e.Kind != m[0] {
			continue
		}
		if slices.Equal(e.Hexes, want) {
			return ""
		}
		seen = append(seen, list(e.Hexes))
	}
	return fmt.Sprintf("such events are at %q", seen)
}

// hasOption: whoever begins a game of the scenario may choose about it.
func (r *caseRun) hasOption(_ int, m []string) string {
	fits := slices.ContainsFunc(gameOptions(), func(o gameOption) bool { return o.name == m[0] && (o.fits == nil || o.fits(r.s.sc)) })
	return caserun.Unless(fits, "it has no such option")
}

func (r *caseRun) hasNoOption(at int, m []string) string {
	return caserun.Unless(r.hasOption(at, m) != "", "it has that option")
}

func (r *caseRun) hasNoEvent(_ int, m []string) string { return r.NoEvent(m[0], nil) }

// told is what a side reads of the phase.
func (r *caseRun) told(side string) string {
	var b strings.Builder
	for _, e := range r.Events {
		if !e.For(side) {
			continue
		}
		form := ""
		for _, words := range []view.Wording{wordingMove, wordingCombat, wordingFire, wordingSpecial, wordingKursk, wordingNysa, wordingAir} {
			form = cmp.Or(form, words[e.Kind])
		}
		if form == "" {
			continue
		}
		template.Must(template.New(e.Kind).Parse(form)).Execute(&b, e.Facts.Map())
		b.WriteString("\n")
	}
	return b.String()
}

func (r *caseRun) reads(_ int, m []string) string {
	if text := r.told(m[0]); !strings.Contains(text, m[1]) {
		return "it reads:\n" + text
	}
	return ""
}

func (r *caseRun) readsNot(_ int, m []string) string {
	if text := r.told(m[0]); strings.Contains(text, m[1]) {
		return "it reads:\n" + text
	}
	return ""
}

func (r *caseRun) wasAsked(_ int, m []string) string { return r.WasAsked(m[0]) }

// decides tells whether a question went to that player.
func (r *caseRun) decides(_ int, m []string) string {
	d := r.Question(m[1])
	if d == nil {
		return r.WasAsked(m[1])
	}
	return caserun.Same(string(d.Side), m[0])
}

// isDue compares what a player's View says they owe before the phase that comes next.
func (r *caseRun) isDue(_ int, m []string) string {
	got := cmp.Or(strings.Join(r.s.view(Side(m[0])).Due, ", "), "nothing")
	return caserun.Same(got, m[1])
}

func (r *caseRun) wasNotAsked(_ int, m []string) string { return r.WasNotAsked(m[0]) }

// wasOrdered expects a question that the sheet of the side on move has answered already.
func (r *caseRun) wasOrdered(_ int, m []string) string {
	d := r.Question(m[0])
	if d == nil {
		return r.WasAsked(m[0])
	}
	return caserun.Unless(d.Ordered, "no order of the sheet answers it")
}

func (r *caseRun) wasNotOrdered(_ int, m []string) string {
	d := r.Question(m[0])
	if d == nil {
		return r.WasAsked(m[0])
	}
	return caserun.Unless(!d.Ordered, "an order of the sheet answers it")
}

func (r *caseRun) wasOffered(_ int, m []string) string {
	have := r.Options(m[0])
	for want := range strings.SplitSeq(m[1], ",") {
		if !slices.Contains(have, strings.TrimSpace(want)) {
			return fmt.Sprintf("offered were %q; %s", have, r.WasAsked(m[0]))
		}
	}
	return ""
}

func (r *caseRun) wasNotOffered(_ int, m []string) string {
	have := r.Options(m[0])
	if len(have) == 0 {
		return "nothing was offered; " + r.WasAsked(m[0])
	}
	for want := range strings.SplitSeq(m[1], ",") {
		if slices.Contains(have, strings.TrimSpace(want)) {
			return fmt.Sprintf("offered were %q", have)
		}
	}
	return ""
}

// answerMeans compares what a question says of one of its answers.
func (r *caseRun) answerMeans(_ int, m []string) string {
	d := r.Question(m[0])
	if d == nil {
		return r.WasAsked(m[0])
	}
	for _, o := range d.Options {
		if o.Answer == m[1] {
			return caserun.Same(o.Means, m[2])
		}
	}
	return fmt.Sprintf("offered were %q", r.Options(m[0]))
}

func nobody(side Side) string {
	if side == "" {
		return "nobody"
	}
	return string(side)
}

func (r *caseRun) controls(at int, m []string) string {
	return caserun.Same(nobody(r.s.controller(r.hex(at, m[0]))), m[1])
}

func (r *caseRun) counts(at int, m []string) string {
	return caserun.Same(nobody(r.s.held(r.hex(at, m[0]))), m[1])
}

func (r *caseRun) hasFort(at int, m []string) string {
	f := r.s.fort(r.hex(at, m[2]))
	if f == nil {
		return "there are no works"
	}
	if string(f.Kind) != m[0] || string(f.Side) != m[1] {
		return fmt.Sprintf("there is %s %s", f.Kind, f.Side)
	}
	return ""
}

func (r *caseRun) hasNoFort(at int, m []string) string {
	if f := r.s.fort(r.hex(at, m[0])); f != nil {
		return fmt.Sprintf("there is %s %s", f.Kind, f.Side)
	}
	return ""
}

func (r *caseRun) ammunition(at int, m []string) string {
	if got := r.s.ammo(Side(m[0])); got != r.number(at, m[1]) {
		return fmt.Sprintf("%d units are left", got)
	}
	return ""
}

func (r *caseRun) mustAttack(_ int, m []string) string {
	bound, _ := r.start.duties(r.start.mover())
	got := names(bound)
	if got == "" {
		got = "nobody"
	}
	return caserun.Same(got, m[0])
}

func (r *caseRun) mustBeAttacked(_ int, m []string) string {
	_, due := r.start.duties(r.start.mover())
	got := list(due)
	if got == "" {
		got = "nothing"
	}
	return caserun.Same(got, m[0])
}

func (r *caseRun) knows(at int, m []string) string {
	got := "nothing"
	if c := r.s.contact(Side(m[0]), r.hex(at, m[1])); c != nil {
		var parts []string
		for _, g := range c.Units {
			text := string(g.Type)
			if g.Name != "" {
				text = g.Name + " " + text
			}
			if g.Steps > 0 {
				text += " " + strconv.Itoa(g.Steps)
			}
			parts = append(parts, text)
		}
		got = strings.Join(parts, ", ")
	}
	return caserun.Same(got, m[2])
}

func (r *caseRun) isNext(_ int, m []string) string {
	if got := fmt.Sprintf("%d %d", r.s.Phase, r.s.Turn); got != m[0]+" "+m[1] {
		return fmt.Sprintf("next is phase %d of turn %d", r.s.Phase, r.s.Turn)
	}
	return ""
}

// flies compares the missions of a side that last: "SUPPORT 0505 3, DISRUPT 0605 1".
func (r *caseRun) flies(_ int, m []string) string {
	var out []string
	for _, o := range r.s.Missions {
		if string(o.Side) == m[0] {
			out = append(out, fmt.Sprintf("%s %v %d", o.Kind, o.Hex, o.SP))
		}
	}
	got := strings.Join(out, ", ")
	if got == "" {
		got = "nothing"
	}
	return caserun.Same(got, m[1])
}

// knowsAir: whose strength of the first day at hand a side reads in its report.
func (r *caseRun) knowsAir(_ int, m []string) string {
	var said []string
	if air := r.s.airView(Side(m[0])); air != nil && len(air.Phases) > 0 {
		for _, score := range air.Phases[0].Strength {
			said = append(said, score.Side)
		}
	}
	return caserun.Same(strings.Join(said, " and "), m[1])
}

func (r *caseRun) hasAirLeft(at int, m []string) string {
	if got := r.s.airLeft(Side(m[0]), r.s.Turn); got != r.number(at, m[1]) {
		return fmt.Sprintf("%d are left", got)
	}
	return ""
}

// bridgeIs reads "stands", "down", or the side that controls the bridge.
func (r *caseRun) bridgeIs(at int, m []string) string {
	b := r.s.bridge(r.edge(at, m[0]))
	switch {
	case b == nil:
		return "there never was one"
	case m[1] == "stands" || m[1] == "down":
		if b.Stands != (m[1] == "stands") {
			return fmt.Sprintf("stands: %v", b.Stands)
		}
	case nobody(b.Holder) != m[1]:
		return "it is held by " + nobody(b.Holder)
	}
	return ""
}

// hasPoints compares the victory points of a side.
func (r *caseRun) hasPoints(at int, m []string) string {
	if got := r.s.points(Side(m[0])); got != r.number(at, m[1]) {
		return counted(got, "point")
	}
	return ""
}

// isDecided compares the verdict, "" while the game goes on.
func (r *caseRun) isDecided(_ int, m []string) string {
	if r.s.Verdict != m[0] {
		return fmt.Sprintf("it is %q", r.s.Verdict)
	}
	return ""
}

// receiptReads looks into what the mover is told when the orders of the phase come in,
// refusals and warnings included.
func (r *caseRun) receiptReads(_ int, m []string) string {
	if !strings.Contains(r.receipt, m[0]) {
		return "it reads:\n" + r.receipt
	}
	return ""
}

// isToldOfCrowd compares what a side's report says of an own stack over the limit: "9
// steps, 8 may stay, f4 loses".
func (r *caseRun) receiptReadsNot(_ int, m []string) string {
	if r.receipt == "" || strings.Contains(r.receipt, m[0]) {
		return "it reads:\n" + r.receipt
	}
	return ""
}

func (r *caseRun) isToldOfCrowd(at int, m []string) string {
	var told []string
	for _, c := range r.s.view(Side(m[0])).Crowded {
		text := fmt.Sprintf("%d steps, %d may stay", c.Steps, c.MayStay)
		if len(c.Loses) > 0 {
			text += ", " + strings.Join(c.Loses, " and ") + " loses"
		}
		if c.Hex == r.hex(at, m[1]) && text == m[2] {
			return ""
		}
		told = append(told, fmt.Sprintf("%v: %s", c.Hex, text))
	}
	return fmt.Sprintf("it is told %q", told)
}

// judgeUnit reads "at 0305, steps 1, disorganized".
func (r *caseRun) judgeUnit(at int, u *Unit, text string) string {
	for part := range strings.SplitSeq(text, ",") {
		word, rest, _ := strings.Cut(strings.TrimSpace(part), " ")
		ok := false
		switch word {
		case "at":
			ok = u.Where == OnMap && u.Hex == r.hex(at, rest)
		case "gone":
			ok = u.Where == Gone
		case "waits":
			ok = u.Where == Later
		case "steps":
			ok = u.Where == OnMap && u.Steps == r.number(at, rest)
		case "OoS":
			ok = u.OoS == r.number(at, rest)
		case "disorganized":
			ok = u.disorganized()
		case "organized":
			ok = u.Where == OnMap && !u.disorganized()
		case "supplied":
			ok = u.Supplied
		case "unsupplied":
			ok = u.Where == OnMap && !u.Supplied
		case "retreated":
			ok = u.Retreated
		case "mined":
			ok = u.Mined
		case "repairing":
			ok = u.Repair == underRepair
		case "firing": // guns in combat set-up
			ok = u.Where == OnMap && rooted(u)
		case "transport":
			ok = u.Where == OnMap && u.c.hasSetup() && !u.Firing
		case "silent": // for Combat Phases after a barrage
			ok = int(u.Barraged) == r.number(at, cmp.Or(rest, "2"))
		default:
			r.broken(at, "%q is not understood of a unit", part)
		}
		if !ok {
			return fmt.Sprintf("%s at %v, steps %d, OoS %d, disorganized %v, supplied %v", u.Where, u.Hex, u.Steps, u.OoS, u.disorganized(), u.Supplied)
		}
	}
	return ""
}
