package law

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
	"fieldpost/trial/systems"
)

// vary makes of orders that were meant to be legal some that a hurried player writes: a hex
// beside the one that was meant, a unit too many, a least column too high, a march left out
// and the attack behind it not. Of some chits the marches become one order to the formation.
func (t *table) vary(v *view.View, list []systems.Order) []systems.Order {
	var out []systems.Order
	formed := map[string]bool{} // whether the chit has an order to its formation, by section
	for _, o := range list {
		if toForm := t.forms(v, o); toForm != "" {
			if _, decided := formed[o.Section]; !decided {
				if formed[o.Section] = t.in(3); formed[o.Section] {
					out = append(out, systems.Order{Section: o.Section, Text: toForm})
				}
			}
			if formed[o.Section] {
				continue
			}
		}
		if chitOn(o.Section) == "" || o.Text == "" {
			out = append(out, o)
			continue
		}
		march := strings.HasPrefix(o.Text, "MOVE ") || strings.HasPrefix(o.Text, "HQ ")
		if march && t.in(5) {
			continue
		}
		out = append(out, t.slip(v, o))
	}
	if t.in(3) {
		t.random.Shuffle(len(out), func(i, j int) {
			if sameChit := out[i].Section == out[j].Section && chitOn(out[i].Section) != ""; sameChit {
				out[i], out[j] = out[j], out[i]
			}
		})
	}
	return t.asks(out)
}

// forms is an order to the formation that could stand for a march; "" where there is none.
func (t *table) forms(v *view.View, o systems.Order) string {
	words := strings.Fields(o.Text)
	k := slices.Index(words, "TO")
	march := len(words) > 0 && words[0] == "MOVE" && k > 0 && k+1 < len(words)
	if !march || chitOn(o.Section) == "" {
		return ""
	}
	if v.System == "steppe" {
		return "ADVANCE TO " + words[k+1]
	}
	order := []string{"ADVANCE", "ADVANCE", "WITHDRAW"}[t.random.IntN(3)] + " TO " + words[k+1]
	if t.in(2) {
		order += " INTO CONTACT"
	}
	if t.in(3) {
		order += " BY COVER"
	}
	return order
}

func (t *table) in(n int) bool { return t.random.IntN(n) == 0 }

// slip writes an order with a slip of the pen, or as it is.
func (t *table) slip(v *view.View, o systems.Order) systems.Order {
	words := strings.Fields(o.Text)
	attack := words[0] == "ATTACK" && len(words) > 1 && words[1] != "AT-WILL"
	switch {
	case attack && t.in(3) && !strings.Contains(o.Text, "MIN"):
		o.Text += "; MIN " + t.column(v)
	case attack && t.in(4):
		o.Text += "; IF ODDS " + t.column(v)
	case attack && t.in(6) && v.System == "famous":
		before, rest, _ := strings.Cut(o.Text, " WITH ")
		_, terms, more := strings.Cut(rest, ";")
		if o.Text = before + " WITH ALL"; more {
			o.Text += ";" + terms
		}
	case attack && t.in(3) && len(v.Units) > 0:
		o.Text = strings.Replace(o.Text, " WITH ", " WITH "+t.anybody(v)+", ", 1)
	case t.in(5):
		k := slices.IndexFunc(words, func(w string) bool { _, err := hex.Parse(w); return err == nil })
		if k < 0 {
			return o
		}
		h, _ := hex.Parse(words[k])
		beside := v.Board.Grid.Neighbours(h)
		if len(beside) == 0 {
			return o
		}
		words[k] = beside[t.random.IntN(len(beside))].String()
		o.Text = strings.Join(words, " ")
	}
	return o
}

// column is a column of the system's table.
func (t *table) column(v *view.View) string {
	n := 1 + t.random.IntN(4)
	if v.System == "famous" {
		return fmt.Sprintf("%d-1", n)
	}
	return fmt.Sprintf("%d:1", n)
}

// anybody is a unit of the side on the map.
func (t *table) anybody(v *view.View) string {
	for range 20 {
		if u := v.Units[t.random.IntN(len(v.Units))]; u.Hex != hex.None {
			return u.Name
		}
	}
	return v.Units[0].Name
}
