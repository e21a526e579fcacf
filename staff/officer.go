// Package staff holds staff officers: automatic players. A staff officer sees their
// side's View, exactly what a person gets with the report, and writes an order
// sheet, nothing else. They are deterministic: an equal View gives an equal sheet.
package staff

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/famous"
	"fieldpost/adjudicator/steppe"
	"fieldpost/adjudicator/view"
	"fieldpost/adjudicator/wb95"
	"fieldpost/orders"
)

// office is who writes sheets for a system, and in which words.
type office struct {
	construct constructor
	words     orders.Vocabulary
	prices    prices
	doubt     int                         // by how many standard errors another plan must lead the first: more than none where rehearsals are few
	asks      bool                        // a sheet may ask for the orders of a chit to be written when it is drawn
	unchanged bool                        // what a sheet without programmes says is the same in every turn
	later     bool                        // in rehearsals of orders for a chit no programmes are written before their chits come
	anew      bool                        // a chief drafts plans near the best one, for there is little to change in a sheet
	uneven    int                         // how much more than an equal share of the bound, in percent, orders for a chit may take: at many there is nothing to choose
	plain     func(section string) string // the answer that a section with such orders is
}

// offices are those of the systems, by id. A system without a line here has no automatic
// player.
var offices = map[string]office{
	wb95.System{}.ID(): {construct: playing(newWB95), words: wb95.System{}.Vocabulary(), doubt: 1, anew: true, prices: prices{sheet: 20, phase: 20, draw: 50}},
	steppe.System{}.ID(): {construct: playing(newSteppe), words: steppe.System{}.Vocabulary(), asks: true, later: true, plain: asWritten,
		prices: prices{sheet: 3, phase: 1, draw: 12, reply: 3}},
	famous.System{}.ID(): {construct: playing(newFamous), words: famous.System{}.Vocabulary(), asks: true, later: true, unchanged: true, uneven: 30, plain: belowHead,
		prices: prices{sheet: 25, phase: 3, draw: 10, reply: 6}},
}

// asWritten is a section of orders for a chit, or for the stack that acts alone, as it answers.
func asWritten(section string) string {
	if strings.HasPrefix(section, "CHIT ") || strings.HasPrefix(section, "SOLO ") {
		return section
	}
	return ""
}

// belowHead is what stands below the head of a section of orders for a chit.
func belowHead(section string) string {
	head, lines, _ := strings.Cut(section, "\n")
	if !strings.HasPrefix(head, "CHIT ") {
		return ""
	}
	return strings.ReplaceAll(lines, "\n  ", "\n")
}

// author has looked at a View and writes the sections of a sheet.
type author interface{ write(b *sheet) }

// constructor makes the author of one sheet, of a temper.
type constructor func(g adjudicator.Game, v *view.View, as temper) (author, error)

// playing makes a constructor for games of any system of one for games of its own.
func playing[G adjudicator.Game](construct func(g G, v *view.View, as temper) (author, error)) constructor {
	return func(g adjudicator.Game, v *view.View, as temper) (author, error) {
		own, ok := g.(G)
		if !ok {
			return nil, fmt.Errorf("the view is of %s, the game is not", v.System)
		}
		return construct(own, v, as)
	}
}

// Officer plays one side of a game.
type Officer struct {
	Game adjudicator.Game // the scenario, for the rules that the officer reads up
	// Mode is the MODE line of the sheets, empty for none. In a mode that asks the officer
	// answers questions on the View that comes with them.
	Mode string
	// Holds is for an officer who plays a side for good: who looks ahead asks to be shown the map at
	// each of their chits, where there are any. One who writes a sheet for somebody else does not.
	Holds bool
	// Strength is how far the officer looks ahead; the zero value is the cadet.
	Strength Strength
	// Units bounds the work of a sheet, see [Strength.Units]; 0 is the strength's own bound.
	Units int
	// Usual names the plan to begin with, one of [Plans]: another one must do better, and where there is no room for a
	// rehearsal it is played. "" is for what is known of the scenario; only trials begin otherwise. A cadet has no plans.
	Usual string
	// Fresh is on how many positions that were not drawn before another plan than the usual one is tried once more when it
	// has been chosen, see [Thought.Lead]. Only trials ask for that.
	Fresh int
	// Pause is called between two rehearsals, to let others go on; nil is for nothing.
	Pause func()
	// Stood lets an officer who looks ahead keep to a plan; a cadet has none.
	Stood Stood
	// Plan names the plan that the sheet of the turn was written by, as [Thought] has it: what is
	// answered at the chits of the turn follows it. "" is the usual one.
	Plan string
}

// Sheet writes the orders of a turn for the side whose View it is.
func (o Officer) Sheet(v *view.View, serial int) (string, error) {
	r, err := o.Think(v, serial)
	return r.Sheet, err
}

// Replies tells whether the officer writes the orders of a chit when it is drawn.
func (o Officer) Replies() bool { return o.Mode == asking || o.Mode == "" && o.Holds && o.LooksAhead() }

// asking is the mode in which a player sees the map at each of their chits.
const asking = "ASK"

// LooksAhead tells whether the officer does more than a cadet.
func (o Officer) LooksAhead() bool { return o.Strength != Cadet && o.Strength != "" }

// mode is the MODE line of sheets for a system, empty for none.
func (o Officer) mode(system string) string {
	if offices[system].asks && o.Replies() {
		return asking
	}
	return o.Mode
}

// draft writes the orders of a turn as an officer of a temper would.
func (o Officer) draft(v *view.View, serial int, as temper) (string, error) {
	office, known := offices[v.System]
	if !known {
		return "", fmt.Errorf("no staff officer plays %s", v.System)
	}
	a, err := office.construct(o.Game, v, as)
	if err != nil {
		return "", fmt.Errorf("staff officer of %s: %w", v.Side, err)
	}
	b := &sheet{}
	b.line("GAME: %s", v.Game)
	b.line("SIDE: %s", v.Side)
	b.line("TURN: %d", v.Turn)
	b.line("SERIAL: %d", serial)
	if mode := o.mode(v.System); mode != "" {
		b.line("MODE: %s", mode)
	}
	a.write(b)
	b.line("DONE!")
	return b.String(), nil
}

// sheet collects lines and keeps the limits of a sheet.
type sheet struct {
	strings.Builder
	lines int
}

func (b *sheet) line(format string, a ...any) {
	fmt.Fprintf(b, format+"\n", a...)
	b.lines++
}

// section writes a section; what no longer fits on the sheet is left out, as is an
// order with a line that is too long; three lines are kept for what follows.
func (b *sheet) section(name string, list []string) {
	if len(list) == 0 {
		return
	}
	b.line("%s", name)
	for _, l := range list {
		rows := strings.Split(l, "\n")
		long := slices.ContainsFunc(rows, func(r string) bool { return len(r) > lineRoom })
		full := b.lines+len(rows) > orders.MaxLines-4
		if long || full {
			continue
		}
		for _, r := range rows {
			b.line("  %s", r)
		}
	}
}

// lineRoom is the length of a line of an order below its section.
const lineRoom = orders.MaxLine - len("  ")

// choice is the best of what was offered so far: what scored most, of equals the first.
type choice[T any] struct {
	best  T
	score int
	made  bool // else anything that is offered is taken
}

// unless is the choice of something that stands unless what is offered scores more.
func unless[T any](stands T, score int) choice[T] { return choice[T]{stands, score, true} }

// offer takes something if it scores more than what was offered before.
func (c *choice[T]) offer(x T, score int) {
	if c.made && score <= c.score {
		return
	}
	c.best, c.score, c.made = x, score, true
}
