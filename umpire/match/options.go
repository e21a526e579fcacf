package match

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/calendar"
	"fieldpost/store"
)

// Names of the options that the turn loop has for every game.
const (
	OptionTempo    = "tempo"
	optionAsk      = "ask"
	OptionDeadline = "deadline"
	OptionAnswer   = "answer"
	optionGrace    = "grace"
	optionRemind   = "remind"
	OptionLate     = "late"
	optionBank     = "bank"
	optionEarly    = "early"
	OptionZone     = "zone"
	optionDays     = "days"
	optionHours    = "hours"
	optionHolidays = "holidays"
	OptionSignUp   = "sign-up"
	OptionReserved = "reserved"
	OptionBeacon   = "beacon"
	OptionUndo     = "undo"
	OptionStrength = "strength"

	OptionPress      = "press"
	optionPressDelay = "press-delay"
	OptionPressLimit = "press-limit"
)

// Values of options.
const (
	TempoPhase   = "phase"
	LateWait     = "wait"
	LateHold     = "hold"
	LateStanding = "standing"
	LateStaff    = "staff"
	LateReplace  = "replace"

	// StrengthCadet is the strength of staff officers in games that name none.
	StrengthCadet = "cadet"

	beaconNone  = "none"
	BeaconDrand = "drand"

	SignUpInvited = "invited"
	SignUpOpen    = "open"

	PressSigned    = "signed"
	PressAnonymous = "anonymous"
	PressNone      = "none"
)

// OwnSettings are the options of the turn loop.
var OwnSettings = []adjudicator.Setting{
	{Name: OptionTempo, Default: "turn", Values: []string{"turn", TempoPhase}, Means: "what a finished sheet answers: its whole turn, or only the phases that it speaks of"},
	{Name: optionAsk, Default: "all", Means: "the kinds of reactions that a side may want to be asked about, with commas; all, or none"},
	{Name: OptionDeadline, Default: "none", Means: "how long a side has for its orders: 3d, 3d 20:00, 36h; or none"},
	{Name: OptionAnswer, Default: "as deadline", Means: "how long a side has to answer a question in the midst of a phase; a new game with deadlines and chits has 12h if nothing else is agreed"},
	{Name: optionGrace, Default: "0h", Means: "how long after the deadline orders still count"},
	{Name: optionRemind, Default: "24h", Means: "how long before the deadline a side is reminded; or none"},
	{Name: OptionLate, Default: LateStanding, Values: []string{LateWait, LateHold, LateStanding, LateStaff, LateReplace}, Means: "what happens without orders: the game waits; the side's units hold; its unfinished sheet and standing orders are carried out; a staff officer of the program writes the sheet; or one does, and the moderator is told that the seat needs a player"},
	{Name: OptionStrength, Default: StrengthCadet, Values: []string{StrengthCadet, "officer", "chief"}, Means: "how far staff officers look ahead, who hold a side or write for a late one: they write what comes to mind; they try some plans on a sand table; or many, and better the best"},
	{Name: optionBank, Default: "0h", Means: "time in hand for each player, drawn day by day when they are late"},
	{Name: optionEarly, Default: "yes", Values: []string{"yes", "no"}, Means: "whether the game goes on before the deadline when all are done"},
	{Name: OptionUndo, Default: UndoBetweenPeople, Means: "how long a finished sheet can still be changed before it is played: 15m, 2h, 24h at most; 0, as in games against staff officers, plays it at once"},
	{Name: OptionZone, Default: "UTC", Means: "the time zone of deadlines, such as Europe/Prague"},
	{Name: optionDays, Default: "all", Means: "the days that count: mon-fri, or mon,wed,sat"},
	{Name: optionHours, Default: "all", Means: "the hours that count: 08:00-22:00"},
	{Name: optionHolidays, Default: "none", Means: "days that do not count: 2026-12-24,2026-12-25"},
	{Name: OptionSignUp, Default: SignUpInvited, Values: []string{SignUpInvited, SignUpOpen}, Means: "who takes a free side: those whom the moderator invites, or anybody who asks for it by mail"},
	{Name: OptionReserved, Default: "none", Means: "with open sign-up: sides that are kept for those whom the moderator invites, with commas"},
	{Name: OptionBeacon, Default: beaconNone, Values: []string{beaconNone, BeaconDrand}, Means: "drand: after the deadline and its grace no orders are taken, and the dice wait for the first round of the public beacon drand ten minutes later, which nobody can foresee; it takes a deadline and early=no"},
	{Name: OptionPress, Default: PressSigned, Values: []string{PressSigned, PressAnonymous, PressNone}, Means: "letters from player to player: under the sender's side; also without a name, or from the sender's staff; or none"},
	{Name: optionPressDelay, Default: "0h", Means: "how long a letter waits before it is passed on: 12h, 1d"},
	{Name: OptionPressLimit, Default: "10", Values: []string{"1", "3", "10", "30", "100"}, Means: "how many letters a player may send in a day (UTC)"},
	{Name: OptionSpectators, Default: "1", Values: []string{"0", "1", "2", "3", "none"}, Means: "how many whole turns the web page's map is behind the turn that was played last, or none: no map before the end"},
}

// Settings are the options of a scenario's games: those of the turn loop, then
// those of its rules.
func (s *Library) Settings(scenario string) ([]adjudicator.Setting, error) {
	game, _, err := s.Load(scenario)
	if err != nil {
		return nil, err
	}
	return append(slices.Clone(OwnSettings), adjudicator.SettingsOf(game)...), nil
}

// ErrOption says that an option of a game cannot be what is asked.
var ErrOption = errors.New("no such option")

// CheckOptions lists all that is wrong with options of a scenario's game.
func (s *Library) CheckOptions(scenario string, values map[string]string) error {
	settings, err := s.Settings(scenario)
	if err != nil {
		return err
	}
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(values)) {
		i := slices.IndexFunc(settings, func(s adjudicator.Setting) bool { return s.Name == name })
		if i < 0 {
			var names []string
			for _, s := range settings {
				names = append(names, s.Name)
			}
			faults = append(faults, fmt.Errorf("%w: %q; a game of %s has %s", ErrOption, name, scenario, strings.Join(names, ", ")))
			continue
		}
		if err := settings[i].Check(values[name]); err != nil {
			faults = append(faults, err)
		}
	}
	g := store.Game{Options: values}
	if game, sys, err := s.Load(scenario); err == nil {
		for _, side := range ReservedSides(g) {
			if !slices.Contains(game.Sides(), adjudicator.Side(side)) {
				faults = append(faults, fmt.Errorf("%s = %q: %w: %s", OptionReserved, values[OptionReserved], ErrNoSide, side))
			}
		}
		for _, kind := range strings.Split(OptionOr(g, optionAsk, "all"), ",") {
			switch asks := adjudicator.AsksOf(sys); {
			case kind == "all", kind == "none", slices.Contains(asks, kind):
				// something that is asked
			default:
				faults = append(faults, fmt.Errorf("%s = %q: nothing of that kind is asked; write all, none or some of %s", optionAsk, kind, strings.Join(asks, ",")))
			}
		}
	}
	if r, err := ScheduleOf(g); err != nil {
		faults = append(faults, err)
	} else if Beaconed(g) {
		faults = append(faults, r.fitsBeacon()...)
	}
	return errors.Join(faults...)
}

// OptionOr is the value of an option, or its default.
func OptionOr(g store.Game, name, otherwise string) string {
	if v, ok := g.Options[name]; ok {
		return v
	}
	return otherwise
}

// Values of the option undo that a new game has if nothing else was agreed.
const (
	UndoBetweenPeople = "15m"
	UndoAgainstStaff  = "0"
)

// undoTerm reads the option undo.
func undoTerm(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || d > 24*time.Hour {
		return 0, fmt.Errorf("%q is not a time for a second thought: write 0, 15m or 2h, 24h at most", text)
	}
	return d, nil
}

// Schedule is when a game goes on.
type Schedule struct {
	Calendar         calendar.Calendar
	Deadline, Answer *calendar.Term // nil: none
	Grace, Bank      time.Duration
	Remind           time.Duration // 0: never
	Press            time.Duration // that letters wait
	Late             string
	Early            bool
}

// ScheduleOf reads a game's options on time. The error lists all faults.
func ScheduleOf(g store.Game) (r Schedule, err error) {
	var faults []error
	fault := func(name string, err error) {
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", name, err))
		}
	}
	all := func(name string) string {
		switch v := g.Options[name]; v {
		case "all", "none":
			return ""
		default:
			return v
		}
	}
	r.Calendar, err = calendar.Parse(OptionOr(g, OptionZone, ""), all(optionDays), all(optionHours), all(optionHolidays))
	fault("calendar", err)
	term := func(name string) *calendar.Term {
		text := g.Options[name]
		switch text {
		case "", "none", "as deadline":
			return nil
		}
		t, err := calendar.ParseTerm(text)
		fault(name, err)
		return &t
	}
	r.Deadline, r.Answer = term(OptionDeadline), term(OptionAnswer)
	if r.Answer == nil && g.Options[OptionAnswer] != "none" {
		r.Answer = r.Deadline
	}
	hours := func(name, otherwise string) time.Duration {
		text := OptionOr(g, name, otherwise)
		switch text {
		case "none", "0h":
			return 0
		}
		t, err := calendar.ParseTerm(text)
		if err == nil && t.At >= 0 {
			err = fmt.Errorf("%q is not a length of time: write 36h or 3d", text)
		}
		fault(name, err)
		return t.Hours + time.Duration(t.Days)*24*time.Hour
	}
	r.Grace, r.Bank, r.Remind = hours(optionGrace, "0h"), hours(optionBank, "0h"), hours(optionRemind, "24h")
	r.Press = hours(optionPressDelay, "0h")
	_, err = undoTerm(OptionOr(g, OptionUndo, UndoAgainstStaff))
	fault(OptionUndo, err)
	r.Late, r.Early = OptionOr(g, OptionLate, LateStanding), OptionOr(g, optionEarly, "yes") == "yes"
	return r, errors.Join(faults...)
}

// ParseOptions reads options as a command line gives them, "name=value" each.
func ParseOptions(texts []string) (map[string]string, error) {
	out := map[string]string{}
	var faults []error
	for _, text := range texts {
		name, value, ok := strings.Cut(text, "=")
		name, value = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)
		switch _, twice := out[name]; {
		case !ok, name == "", value == "", twice:
			faults = append(faults, fmt.Errorf("%q is not an option: write name=value, each name once", text))
		default:
			out[name] = value
		}
	}
	return out, errors.Join(faults...)
}

// AgreedOptions tells what was agreed on in a game beside the defaults, a line each.
func AgreedOptions(g store.Game, settings []adjudicator.Setting) (lines []string) {
	for _, s := range settings {
		if v, ok := g.Options[s.Name]; ok && v != s.Default {
			lines = append(lines, fmt.Sprintf("Agreed: %s = %s (%s; the default is %s).", s.Name, v, s.Means, s.Default))
		}
	}
	return lines
}

// OptionSpectators is how many turns spectators are behind.
const OptionSpectators = "spectators"

func ReservedSides(g store.Game) []string {
	text := OptionOr(g, OptionReserved, "none")
	if text == "none" {
		return nil
	}
	return Listed(strings.ToUpper(text))
}

// AnswerAboutChits is the option answer of a new game with deadlines and chits if nothing else was
// agreed: a turn has many.
const AnswerAboutChits = "12h"

// TermsFor are the lengths of time that a phase may wait for its decisions: the shortest counts.
func (r Schedule) TermsFor(p Progress) (all []calendar.Term) {
	agreed := r.Answer
	if TurnDue(p.Pending) {
		agreed = r.Deadline
	}
	if agreed != nil {
		all = append(all, *agreed)
	}
	if t, err := calendar.ParseTerm(p.Within); err == nil {
		all = append(all, t)
	}
	return all
}

// Later is a moment so much later. Time in which the players of the sides are away does not count.
func (r Schedule) Later(g store.Game, sides []string, from time.Time, by time.Duration) time.Time {
	absence := calendar.Calendar{Away: r.Away(g, sides).Away}
	return absence.After(from, calendar.Term{Hours: by})
}

// Away is the calendar with the time that the players of the sides are away.
func (r Schedule) Away(g store.Game, sides []string) calendar.Calendar {
	c := r.Calendar
	c.Away = nil
	for _, p := range g.Players {
		if slices.Contains(sides, p.Side) {
			for _, a := range p.Away {
				c.Away = append(c.Away, calendar.Span{From: a.From, To: a.To})
			}
		}
	}
	return c
}

// Beaconed tells whether a game's dice are bound to the beacon.
func Beaconed(g store.Game) bool { return g.Options[OptionBeacon] == BeaconDrand }

// fitsBeacon lists which options leave somebody a choice after the value is known.
func (r Schedule) fitsBeacon() (faults []error) {
	need := func(ok bool, what string) {
		if !ok {
			faults = append(faults, fmt.Errorf("%s = %s: %s", OptionBeacon, BeaconDrand, what))
		}
	}
	need(r.Deadline != nil, "the deadline names the round: give a deadline, such as deadline=3d")
	need(r.Answer != nil, "answers need a deadline too: take answer=none out")
	need(!r.Early, "dice come after the deadline only: give early=no")
	need(r.Late == LateStanding || r.Late == LateHold, "a late player must not choose between orders and none: give late=standing or late=hold")
	need(r.Bank == 0, "time in hand would choose another round: take bank out")
	return faults
}

// HasDeadlines tells whether anything in a game is to be done by a time.
func HasDeadlines(g store.Game) bool {
	return g.Options[OptionDeadline] != "" || g.Options[OptionAnswer] != ""
}

// HasSecondThoughts tells whether a game goes by the rules of second thoughts: a sheet
// with DONE and doubts is held, and a bare DONE finishes what is filed.
func HasSecondThoughts(g store.Game) bool { return g.Options[OptionUndo] != "" }

// Staffed parts what is written of sides that staff officers play, SIDE or SIDE=STRENGTH each,
// into the sides and the options of a game with them. All of a game are of one strength.
func Staffed(written []string, options map[string]string) (sides []string, with map[string]string, err error) {
	with = options
	for _, w := range written {
		side, strength, named := strings.Cut(w, "=")
		sides = append(sides, side)
		if !named {
			continue
		}
		strength = strings.ToLower(strength)
		if other := with[OptionStrength]; other != "" && other != strength {
			return nil, nil, fmt.Errorf("%s=%s: all staff officers of a game are of one strength, and it is %s already", side, strength, other)
		}
		with = maps.Clone(with)
		if with == nil {
			with = map[string]string{}
		}
		with[OptionStrength] = strength
	}
	return sides, with, nil
}

// Listed are the words of a list, between commas or spaces.
func Listed(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(", ", r) })
}
