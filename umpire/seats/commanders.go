package seats

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/view"
	"fieldpost/orders/seal"
	"fieldpost/store"
)

// SignedBy is the person of a seat whose key it is: see store.Player.As.
func SignedBy(p store.Player, key seal.Key) (commander int) {
	if key == nil || store.KeyID(p.Key) == key.ID() {
		return 0
	}
	for i, c := range p.Commanders {
		if !c.Left && store.KeyID(c.Key) == key.ID() {
			return i + 1
		}
	}
	return 0
}

// WrittenFrom is the person of a seat whose address it is.
func WrittenFrom(p store.Player, address string) (commander int) {
	if HasAddress(p, address) {
		return 0
	}
	for i, c := range p.Commanders {
		if !c.Left && strings.EqualFold(c.Address, address) {
			return i + 1
		}
	}
	return 0
}

// Deputy tells whether a person stands in for the player of the seat.
func Deputy(p store.Player) bool { return p.Commander > 0 && p.Commanders[p.Commander-1].Deputy }

// ByDeputy names in a filing who sent it in the player's place.
const ByDeputy = "a deputy"

// CommandName is how the others of a side call one of its persons.
func CommandName(p store.Player, commander int) string {
	if commander == 0 {
		if p.Name == "" {
			return "the commander-in-chief"
		}
		return p.Name + " (commander-in-chief)"
	}
	if name := p.Commanders[commander-1].Name; name != "" {
		return name
	}
	if p.Commanders[commander-1].Deputy {
		return "the deputy"
	}
	return fmt.Sprintf("commander %d", commander)
}

// Leaders says by unit id who of a side leads it: 0, who is not in the map, is the
// commander-in-chief. What is given by the unit's own name goes before what is given
// by its corps or division, and that before its army.
func Leaders(p store.Player, v *view.View) map[string]int {
	lead := map[string]int{}
	for _, list := range [][]view.Unit{v.Units, v.Arrivals, v.Lost} {
		for _, unit := range list {
			for _, names := range [][]string{{unit.ID, unit.Name}, {unit.Parent}, {unit.Formation}} {
				if commander := Leads(p, names); commander > 0 {
					lead[unit.ID] = commander
					break
				}
			}
		}
	}
	return lead
}

// Commands tells whether somebody leads units of the side now: a commander who has not
// left it, and no deputy.
func Commands(c store.Commander) bool { return !c.Left && !c.Deputy }

// WritesPart tells whether a person writes a part of the side's sheet: the player and
// those who lead units.
func WritesPart(p store.Player, commander int) bool {
	return commander == 0 || Commands(p.Commanders[commander-1])
}

// HasAddress tells whether an address is the player's own, the first or the second.
func HasAddress(p store.Player, address string) bool {
	return strings.EqualFold(p.Address, address) || strings.EqualFold(p.Second, address)
}

// Leads is the commander to whom one of the names is given, 0 for none.
func Leads(p store.Player, names []string) int {
	for i, c := range p.Commanders {
		if !Commands(c) {
			continue
		}
		for _, given := range c.Leads {
			if slices.ContainsFunc(names, func(n string) bool { return n != "" && strings.EqualFold(n, given) }) {
				return i + 1
			}
		}
	}
	return 0
}

// LedBy is a View for the sheet that a person of its side fills in: with the units only
// that they lead.
func LedBy(v *view.View, p store.Player) view.View {
	out := *v
	if !p.Shared() {
		return out
	}
	commander := p.Commander
	if Deputy(p) {
		commander = 0
	}
	lead := Leaders(p, v)
	others := func(u view.Unit) bool { return lead[u.ID] != commander }
	out.Units = slices.DeleteFunc(slices.Clone(v.Units), others)
	out.Arrivals = slices.DeleteFunc(slices.Clone(v.Arrivals), others)
	return out
}

// Relieved is what is kept of somebody who is no commander any more.
func Relieved(c store.Commander) store.Commander {
	return store.Commander{Name: c.Name, Key: c.Key, Former: c.Former, Serial: c.Serial, Deputy: c.Deputy, Left: true}
}

// SignerOf is how mails name a key, "none" for no key.
func SignerOf(line string) string {
	key, err := seal.ParseKey(line)
	if err != nil {
		return "none"
	}
	return seal.Signer(key)
}
