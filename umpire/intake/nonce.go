package intake

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"fieldpost/orders/seal"
	"fieldpost/store"
	"fieldpost/umpire/seats"
)

// A player's nonce is sealed first and opened later. With the seat comes its
// SHA-256, and the nonce itself when all seats are taken and all have been told the
// seals, in a statement that the player's key signs:
//
//	GAME: K7QX2MPA
//	SIDE: SOVIET
//	NONCE: 0123...
//
// So whoever joins last, and the operator with them, cannot choose a nonce or a key
// to suit the others': they would have to know what is sealed.

// reveal opens a player's nonce. With the last one the game begins. Whoever signs
// with another key than the seat's is not answered.
func (l *incoming) reveal(g store.Game, side, text string, s seal.Sealed) store.Change {
	i := slices.IndexFunc(g.Players, func(p store.Player) bool { return p.Side == side && store.KeyID(p.Key) == s.Key.ID() })
	if i < 0 {
		return l.outcome("not accepted: a nonce for " + side + " in game " + g.ID + " by a key that does not play it")
	}
	l.game, l.player = g, g.Players[i]
	refuse := func(why, instead string) store.Change {
		c, _ := l.refuse(because("your nonce is not taken", refusal(why, instead)))
		return c
	}
	nonce, err := seats.ParseNonce(strings.ToLower(text))
	sum := sha256.Sum256(nonce)
	switch {
	case g.Status != store.StatusOpen:
		return refuse("the game has begun", "")
	case len(l.player.Sealed) == 0:
		return refuse("you sealed none when you joined", "There is nothing for you to do.")
	case len(l.player.Nonce) > 0:
		return refuse("it is open already", "There is nothing for you to do.")
	case len(g.Players) < len(g.Sides):
		return refuse("not all sides have players", "Keep it to yourself until we ask for it: whoever joins after you must not know it.")
	case err != nil:
		return refuse(err.Error(), "")
	case !bytes.Equal(sum[:], l.player.Sealed):
		return refuse("it is not the one that you sealed: its SHA-256 is "+hex.EncodeToString(sum[:]), "fieldpost enrol --reveal with the key with which you joined prints the right one.")
	}
	c := l.outcome(side + " opens the nonce in game " + g.ID)
	g.Players = slices.Clone(g.Players)
	g.Players[i].Nonce = nonce
	if armored, signed := seats.Evidence(l.msg, seats.NonceStatement(g.ID, side, hex.EncodeToString(nonce)), s.Key); signed == nil {
		g.Players[i].NonceSignature = armored
	}
	c.Game, c.Expect = &g, g.Seq
	left := seats.Unopened(g)
	if len(left) == 0 {
		if err := l.h.Begin(&c); err != nil {
			l.h.Log.Error("a game cannot begin", "game", g.ID, "error", err)
			return refuse("a fault of ours; the moderator will see it in the log", "Send the mail again later.")
		}
		return c
	}
	l.game, l.player = g, g.Players[i]
	c.Mails = l.letterTo(l.player, "your nonce is open", "The game begins when that of "+strings.Join(left, " and ")+" is open too.")
	return c
}
