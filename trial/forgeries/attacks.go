package forgeries

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fieldpost/demo/world"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/trial/signers"
	"fieldpost/umpire/post"
)

// attack makes the content of one forged mail for a seat.
type attack struct {
	kind string
	make func(w *games, s seat) string
}

// digit is one at random, from 1 to n.
func (w *games) digit(n int) string { return strconv.Itoa(1 + w.random.IntN(n)) }

// outsiders are those whose keys count nowhere.
func (w *games) outsiders() []voice { return slices.Concat(w.strangers, w.former) }

// Attacks are the kinds of forgeries.
var Attacks = slices.Concat(changed, repeated, borrowed, identities, unproven)

// changed are good signatures over something else than what arrives.
var changed = []attack{
	{"an order changed", func(w *games, s seat) string {
		sheet := s.sheet(1, 500) + "133/XXII 2206-2306\nDONE\n"
		return strings.Replace(w.pick(s.own...).body(sheet), "2206-2306", "2206-230"+w.digit(5), 1)
	}},
	{"a line added", func(w *games, s seat) string {
		return strings.Replace(w.pick(s.own...).body(s.sheet(1, 500)+"DONE\n"), "MOVE\r\n", "MOVE\r\n133/XXII 2206-2306\r\n", 1)
	}},
	{"a line taken out", func(w *games, s seat) string {
		return strings.Replace(w.pick(s.own...).body(s.sheet(1, 500)+"133/XXII 2206-2306\nDONE\n"), "133/XXII 2206-2306\r\n", "", 1)
	}},
	{"a byte of the head changed", func(w *games, s seat) string {
		b := []byte(w.pick(s.own...).body(s.sheet(1, 500)))
		at := strings.Index(string(b), "GAME:") + w.random.IntN(len("GAME: XXXXXXXX\r\nSIDE: SOVIET\r\nTURN: 1\r\nSERIAL: 500"))
		for strings.TrimSpace(string(b[at])) == "" {
			at--
		}
		for {
			if c := byte('!' + w.random.IntN(90)); !strings.EqualFold(string(c), string(b[at])) {
				b[at] = c
				return string(b)
			}
		}
	}},
	{"re-dated", func(w *games, s seat) string {
		return strings.Replace(w.pick(s.own...).body(s.sheet(2+w.random.IntN(9), 500)), "TURN: ", "TURN: 1", 1)
	}},
	{"re-serialled", func(w *games, s seat) string {
		return strings.Replace(w.again(), "SERIAL: ", "SERIAL: "+w.digit(9), 1)
	}},
	{"sheet and signature of different people", func(w *games, s seat) string {
		g := w.seats[0]
		a, b := w.strangers[1].body(s.sheet(1, 500)), g.own[1].body(g.sheet(1, 501))
		const mark = "Content-Type: application/pgp-signature"
		return a[:strings.Index(a, mark)] + b[strings.Index(b, mark):]
	}},
}

// again is the content of a mail that was accepted.
func (w *games) again() string { return w.accepted[w.random.IntN(len(w.accepted))] }

// repeated are sheets well signed that were there before, or are for another place
// or time.
var repeated = []attack{
	{"replayed", func(w *games, _ seat) string { return w.again() }},
	{"replayed with words around", func(w *games, _ seat) string {
		head, body, _ := strings.Cut(w.again(), "\r\n\r\n")
		return head + "\r\n\r\nGAME: " + w.seats[0].game + "\r\nSERIAL: 900\r\n" + body + "\r\nSERIAL: 901\r\nDONE\r\n"
	}},
	{"another turn", func(w *games, s seat) string { return w.pick(s.own...).body(s.sheet(2+w.random.IntN(20), 500)) }},
	{"stale", func(w *games, s seat) string { return w.pick(s.own...).body(s.sheet(1, w.random.IntN(11))) }},
	{"no serial", func(w *games, s seat) string {
		return w.pick(s.own...).body(strings.Replace(s.sheet(1, 500), "SERIAL: 500\n", "", 1))
	}},
	{"for another game", func(w *games, s seat) string {
		there := s
		there.game = "ABCDEFGH"
		// The German plays the same side in both games.
		if w.random.IntN(2) == 0 && s.side == "SOVIET" {
			there.game = map[bool]string{true: w.seats[2].game, false: w.seats[0].game}[s.game == w.seats[0].game]
		}
		return w.pick(s.own...).body(there.sheet(1, 500))
	}},
	{"for the other side", func(w *games, s seat) string {
		there := s
		there.side = map[string]string{"SOVIET": "GERMAN", "GERMAN": "SOVIET"}[s.side]
		return w.pick(s.own...).body(there.sheet(1, 500))
	}},
}

// borrowed are sheets well signed by somebody else.
var borrowed = []attack{
	{"another player's key", func(w *games, s seat) string { return w.pick(s.other...).body(s.sheet(1, 500)) }},
	{"a stranger's key", func(w *games, s seat) string { return w.pick(w.strangers...).body(s.sheet(1, 500)) }},
	{"a former key", func(w *games, s seat) string { return w.pick(w.former...).body(s.sheet(1, 500)) }},
	{"a stranger's key offered along", func(w *games, s seat) string {
		v := w.pick(w.strangers[:3]...)
		return "Content-Type: multipart/mixed; boundary=both\r\n\r\n--both\r\n" + v.body(s.sheet(1, 500)) +
			"\r\n--both\r\nContent-Type: text/plain; name=key.asc\r\n\r\n" + world.CRLF(v.public) + "\r\n--both--\r\n"
	}},
	{"a stranger moderates", func(w *games, s seat) string {
		act := []string{"PAUSE", "END DRAW", "STATUS"}[w.random.IntN(3)]
		return w.pick(slices.Concat(w.outsiders(), s.own)...).body(fmt.Sprintf("GAME: %s\nSERIAL: %d\nMODERATE: %s\n", s.game, w.random.IntN(1000), act))
	}},
}

// identities are attempts to become a player, or to get rid of one.
var identities = []attack{
	{"a stranger rotates a key", func(w *games, s seat) string {
		key, _ := seal.ParseKey(w.strangers[3].public)
		return w.pick(w.outsiders()...).body(fmt.Sprintf("GAME: %s\nSIDE: %s\nROTATE: %s\n", s.game, s.side, key.ID()))
	}},
	{"rotated without proof", func(w *games, s seat) string {
		key, _ := seal.ParseKey(w.pick(w.strangers...).public)
		return w.pick(s.own...).body(fmt.Sprintf("GAME: %s\nSIDE: %s\nROTATE: %s\n", s.game, s.side, key.ID()))
	}},
	{"a stranger or the enemy revokes a key", func(w *games, s seat) string {
		return w.pick(append(w.outsiders(), s.other[0])...).body(fmt.Sprintf("GAME: %s\nSIDE: %s\nREVOKE\n", s.game, s.side))
	}},
	{"joins, or recovers a key, with a guessed code", func(w *games, s seat) string {
		word := []string{"JOIN", "RECOVER"}[w.random.IntN(2)]
		code := strings.Repeat(strings.Repeat(w.digit(7), 5)+"-", 4)
		return w.pick(w.outsiders()...).body(fmt.Sprintf("GAME: %s\nSIDE: %s\n%s: %s\n", s.game, s.side, word, code+w.digit(7)))
	}},
}

// unproven are sheets without a signature that counts.
var unproven = []attack{
	{"a code where there is a key", func(w *games, s seat) string {
		// The very code that the phase would have, had the seat any.
		return world.Text("CODE: " + w.code(s) + "\n" + s.sheet(1, 500) + "DONE\n")
	}},
	{"orders in a letter", func(w *games, s seat) string {
		part, digest := orders.Press(s.sheet(1, 500) + "DONE\n")
		return world.Text(signers.NewSSH(1).Block(fmt.Sprintf("GAME: %s\nSIDE: GERMAN\nSERIAL: %d\nPRESS: ALL\nPRESS-SHA256: %s\n", w.seats[1].game, w.random.IntN(1000), digest)) + part)
	}},
	{"unsigned", func(w *games, s seat) string { return world.Text(s.sheet(1, 500)) }},
	{"signed for something else", func(w *games, s seat) string {
		armored, err := seal.Sign(signers.NewSSH(1).PrivateKey, "git", []byte(s.sheet(1, 500)))
		if err != nil {
			panic(err)
		}
		return world.Text(seal.Block(s.sheet(1, 500), armored))
	}},
}

// code is the code by which the seat could play in the first phase, if it played
// by codes: the forger is then the operator.
func (w *games) code(s seat) string {
	g, err := w.Umpire.DB.Game(s.game)
	if err != nil {
		panic(err)
	}
	return post.PhaseCode(g, s.side, "turn 1 phase 1")
}
