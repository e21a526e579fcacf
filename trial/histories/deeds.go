package histories

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"fieldpost/adjudicator/view"
	"fieldpost/demo/world"
	"fieldpost/orders"
	"fieldpost/trial/systems"
)

// common is what happens in both rooms alike: what the side writes and asks, and when
// spectators look.
func (t *table) common() ([]deed, error) {
	var all []deed
	mailed := func(after time.Duration, text string) {
		all = append(all, deed{after, func(r *room) error { return r.send(r.seats[t.observer].Player, text) }})
	}
	us := t.rooms[0].seats[t.observer]
	for _, ask := range []string{"STATUS", "ORDERS?", "REPORT 1", "TEMPLATE"} {
		if ask == "STATUS" || t.random.IntN(4) == 0 {
			mailed(t.within(5*hour), ask+"\n")
		}
	}
	if t.random.IntN(2) == 0 {
		mailed(t.within(5*hour), us.Sign(t.system.Probe(us.view, t.next(t.observer), t.random)))
	}
	for range 2 {
		all = append(all, deed{t.within(20 * hour), func(r *room) error { r.look(); return nil }})
	}
	mailed(12*hour, "STATUS\n")
	if !due(us) {
		return all, nil
	}
	text, err := us.writer.Sheet(us.view, t.next(t.observer))
	if err != nil {
		return nil, err
	}
	us.turn = us.view.Turn
	mailed(5*hour+30*time.Minute, us.Sign(text))
	return all, nil
}

// within is a moment drawn for both rooms.
func (t *table) within(span time.Duration) time.Duration {
	return time.Duration(t.random.Int64N(int64(span/time.Minute))) * time.Minute
}

// next is the next SERIAL of a side whose sheets are the same in both rooms.
func (t *table) next(side string) int {
	t.rooms[0].serials[side]++
	return t.rooms[0].serials[side]
}

func due(s *seat) bool { return s.view != nil && len(s.view.Due) > 0 && s.view.Turn > s.turn }

var serialLine = regexp.MustCompile(`(?m)^SERIAL: \d+$`)

// last is the sheet of the enemy's that is played: in both rooms the same but for its
// SERIAL. It is "" when no orders are asked of them, or not long enough.
func (t *table) last(inTime bool) (string, error) {
	enemy := t.rooms[0].enemyOf(t.observer)
	if !due(enemy) || !inTime {
		return "", nil
	}
	text, err := enemy.writer.Sheet(enemy.view, 1)
	if err == nil {
		enemy.turn = enemy.view.Turn
	}
	return text, err
}

// file sends the enemy's last sheet.
func (t *table) file(r *room, last string) error {
	by := r.enemyOf(t.observer)
	return r.send(by.Player, by.Sign(serialLine.ReplaceAllString(last, fmt.Sprintf("SERIAL: %d", r.serial(by.Player)))))
}

// serial is the next one of an enemy's, who leave some out.
func (r *room) serial(by world.Player) int {
	r.serials[by.Side] += 1 + r.random.IntN(3)
	return r.serials[by.Side]
}

// history is what the enemy does in one room before their last sheet, and the side must
// not learn. What changes the orders of the turn they do only where a last sheet replaces it.
func (t *table) history(r *room, last string) []deed {
	var all []deed
	enemy := r.enemyOf(t.observer)
	deeds := []func(*room, *seat) error{t.check, tooOld, wrongKey, wrongSerial, question, letterWithin, letterToModerator, ask, headLine}
	if last != "" {
		file := func(r *room, by *seat) error { return t.preliminary(r, by, last) }
		deeds = append(deeds, file, file, t.probe, withdraw)
	}
	for range r.random.IntN(8) {
		do := deeds[r.random.IntN(len(deeds))]
		after := time.Duration(r.random.IntN(5*minutes)) * time.Minute
		all = append(all, deed{after, func(r *room) error { r.acts++; return do(r, enemy) }})
	}
	return all
}

// unfinished is a sheet of orders that does not end the turn.
func (t *table) unfinished(r *room, by *seat, list []systems.Order) string {
	text, _ := systems.Compose(by.view, r.serial(by.Player), list)
	return strings.TrimSuffix(text, "DONE!\n")
}

// holdsOn tells whether the orders of a section hold on under a later sheet without such a
// section, and are carried out: what the enemy says for phases of the side's own turn, and
// what is to be done whenever something comes about.
func holdsOn(section string) bool {
	return strings.HasPrefix(section, "STANDING") || strings.HasPrefix(section, "AIR")
}

// preliminary is random orders all of which the last sheet takes the place of.
func (t *table) preliminary(r *room, by *seat, last string) error {
	list, err := t.system.Orders(t.game, by.view, r.random)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(o systems.Order) bool {
		return holdsOn(o.Section) && !strings.Contains(last, "\n"+o.Section+"\n")
	})
	return r.send(by.Player, by.Sign(t.unfinished(r, by, list)))
}

// check is random orders that are not filed.
func (t *table) check(r *room, by *seat) error {
	list, err := t.system.Orders(t.game, by.view, r.random)
	if err != nil {
		return err
	}
	text := t.unfinished(r, by, list)
	serial := serialLine.FindString(text)
	return r.send(by.Player, by.Sign(strings.Replace(text, serial, serial+"\nCHECK", 1)))
}

// probe feels for the other side with orders most of which are refused.
func (t *table) probe(r *room, by *seat) error {
	return r.send(by.Player, by.Sign(t.system.Probe(by.view, r.serial(by.Player), r.random)))
}

func head(v *view.View) string {
	return fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: %d\n", v.Game, v.Side, v.Turn)
}

func withdraw(r *room, by *seat) error {
	return r.send(by.Player, by.Sign(fmt.Sprintf("%sSERIAL: %d\nWITHDRAW\n", head(by.view), r.serial(by.Player))))
}

func tooOld(r *room, by *seat) error {
	return r.send(by.Player, by.Sign(head(by.view)+"SERIAL: 0\n"))
}

// wrongKey is a sheet that the other person of the side signs as nobody may.
func wrongKey(r *room, by *seat) error {
	sheet := fmt.Sprintf("%sSERIAL: %d\nDONE\n", head(by.view), r.serials[by.Side]+1)
	return r.send(by.Player, strings.Replace(by.Sign(sheet), "DONE", "DONE!", 1))
}

func wrongSerial(r *room, by *seat) error {
	return r.send(by.Player, by.Sign(head(by.view)+"SERIAL: 99999999999\nDONE!\n"))
}

func question(r *room, by *seat) error {
	return r.send(by.Player, fmt.Sprintf("What about the bridge at %d?\n", r.random.IntN(5000)))
}

// letter is one with a signature.
func letter(r *room, from world.Player, to string) error {
	part, digest := orders.Press(fmt.Sprintf("Attack at %d.", r.random.IntN(5000)))
	return r.send(from, from.Sign(fmt.Sprintf("GAME: %s\nSIDE: %s\nPRESS: %s\nPRESS-SHA256: %s\n", r.id, from.Side, to, digest))+part)
}

func letterWithin(r *room, by *seat) error {
	if r.random.IntN(2) == 0 {
		return letter(r, r.second, by.Side)
	}
	return letter(r, by.Player, by.Side)
}

func letterToModerator(r *room, by *seat) error { return letter(r, by.Player, "MODERATOR") }

func ask(r *room, by *seat) error {
	words := []string{"STATUS", "ORDERS?", "TEMPLATE", "REPORT 1", "HELP", "KEYS"}
	from := by.Player
	if r.random.IntN(2) == 0 {
		from = r.second
	}
	return r.send(from, words[r.random.IntN(len(words))]+"\n")
}

// headLine sends a sheet that changes something of the enemy's own.
func headLine(r *room, by *seat) error {
	lines := []string{"ZONE: Europe/Prague", "PICTURES: NONE", "ADDRESS: newcomer@mail.test"}
	return r.send(by.Player, by.Sign(fmt.Sprintf("%sSERIAL: %d\n%s\n", head(by.view), r.serial(by.Player), lines[r.random.IntN(len(lines))])))
}
