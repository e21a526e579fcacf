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

// last files the sheet of the enemy's that is played: in both rooms the same but for its
// SERIAL. It is nil when no orders are asked of them, or not long enough.
func (t *table) last(inTime bool) (func(*room) error, error) {
	enemy := t.rooms[0].enemyOf(t.observer)
	if !due(enemy) || !inTime {
		return nil, nil
	}
	text, err := enemy.writer.Sheet(enemy.view, 1)
	if err != nil {
		return nil, err
	}
	enemy.turn = enemy.view.Turn
	return func(r *room) error {
		by := r.enemyOf(t.observer)
		sheet := serialLine.ReplaceAllString(text, fmt.Sprintf("SERIAL: %d", r.serial(by.Player)))
		return r.send(by.Player, by.Sign(sheet))
	}, nil
}

// serial is the next one of an enemy's, who leave some out.
func (r *room) serial(by world.Player) int {
	r.serials[by.Side] += 1 + r.random.IntN(3)
	return r.serials[by.Side]
}

// history is what the enemy does in one room before their last sheet, and the side must
// not learn. What changes the orders of the turn they do only where a last sheet replaces it.
func (t *table) history(r *room, replaced bool) []deed {
	var all []deed
	enemy := r.enemyOf(t.observer)
	deeds := []func(*room, *seat) error{t.check, tooOld, wrongKey, wrongSerial, question, letterWithin, letterToModerator, ask, headLine}
	if replaced {
		deeds = append(deeds, t.preliminary, t.preliminary, t.probe, withdraw)
	}
	for range r.random.IntN(8) {
		do := deeds[r.random.IntN(len(deeds))]
		after := time.Duration(r.random.IntN(5*minutes)) * time.Minute
		all = append(all, deed{after, func(r *room) error { r.acts++; return do(r, enemy) }})
	}
	return all
}

// unfinished is a sheet of random orders that does not end the turn. It has no standing
// orders, for those would hold on under a last sheet without any.
func (t *table) unfinished(r *room, by *seat) (string, error) {
	list, err := t.system.Orders(t.game, by.view, r.random)
	if err != nil {
		return "", err
	}
	list = slices.DeleteFunc(list, func(o systems.Order) bool { return strings.HasPrefix(o.Section, "STANDING") })
	text, _ := systems.Compose(by.view, r.serial(by.Player), list)
	return strings.TrimSuffix(text, "DONE!\n"), nil
}

func (t *table) preliminary(r *room, by *seat) error {
	text, err := t.unfinished(r, by)
	if err != nil {
		return err
	}
	return r.send(by.Player, by.Sign(text))
}

func (t *table) check(r *room, by *seat) error {
	text, err := t.unfinished(r, by)
	if err != nil {
		return err
	}
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
