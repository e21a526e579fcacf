package umpire

import (
	"encoding/hex"
	"strings"
	"testing"

	"fieldpost/orders"
	"fieldpost/store"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/archive"
	"fieldpost/umpire/seats"
)

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// openNonce has a side send its nonce.
func (g *gameTable) openNonce(side, nonce string) {
	g.t.Helper()
	g.receive(g.mail(side, g.signed(side, seats.NonceStatement(g.game, side, nonce))))
}

// Both players seal a nonce with their seats. Nobody opens one before all seats are
// taken, none but the sealed one is taken, and with the last one the game begins.
func TestSealedNonces(t *testing.T) {
	g := newTable(t)
	nonces := map[string]string{"SOVIET": strings.Repeat("5a", 16), "GERMAN": strings.Repeat("0123456789abcdef", 4)}
	seat := func(side string) {
		t.Helper()
		s := acts.Seat{Game: g.game, Side: side, Address: strings.ToLower(side) + "@example.org", Key: g.keys[side].Public().String(), Sealed: store.Sum(unhex(t, nonces[side]))}
		if err := g.u.Seat(s); err != nil {
			t.Fatal(err)
		}
	}
	status := func() store.Status {
		t.Helper()
		game, err := g.u.DB.Game(g.game)
		if err != nil {
			t.Fatal(err)
		}
		return game.Status
	}
	says := func(side, want string) {
		t.Helper()
		if text := strings.Join(strings.Fields(g.heard(side)), " "); !strings.Contains(text, want) {
			t.Errorf("%s reads: %s\nwant: %s", side, text, want)
		}
	}
	if text := seats.NonceStatement(g.game, "soviet", nonces["GERMAN"]); orders.Canonical(text) != text {
		t.Errorf("the statement is not canonical: %q, %q", text, orders.Canonical(text))
	}
	if err := g.u.Seat(acts.Seat{Game: g.game, Side: "SOVIET", Address: "x@example.org", Key: acts.ByCodes, Sealed: store.Sum(nil)}); err == nil {
		t.Error("a player by codes has sealed what they cannot open")
	}
	seat("SOVIET")
	says("SOVIET", "you play the Soviet side")
	g.openNonce("SOVIET", nonces["SOVIET"])
	says("SOVIET", "Keep it to yourself until we ask for it")
	seat("GERMAN")
	for _, side := range []string{"SOVIET", "GERMAN"} {
		says(side, "The nonce of SOVIET is sealed by "+store.Sum(unhex(t, nonces["SOVIET"])))
	}
	if s := g.status(); !strings.HasPrefix(s.Why, "waits for the nonce of SOVIET and GERMAN") {
		t.Errorf("status: %+v", s)
	}
	g.openNonce("SOVIET", strings.Repeat("5b", 16))
	says("SOVIET", "it is not the one that you sealed")
	g.receive(g.mail("STRANGER", g.signed("STRANGER", seats.NonceStatement(g.game, "SOVIET", nonces["SOVIET"]))))
	g.receive(g.mail("GERMAN", g.signed("GERMAN", seats.NonceStatement(g.game, "SOVIET", nonces["SOVIET"]))))
	if text := g.heard("STRANGER") + g.heard("SOVIET"); text != "" || status() != store.StatusOpen {
		t.Errorf("another key opens a nonce: %s, %s", status(), text)
	}
	g.openNonce("SOVIET", nonces["SOVIET"])
	says("SOVIET", "The game begins when that of GERMAN is open too")
	g.openNonce("SOVIET", nonces["SOVIET"])
	g.heard("SOVIET")
	g.openNonce("GERMAN", nonces["GERMAN"])
	for _, side := range []string{"SOVIET", "GERMAN"} {
		says(side, "nonce "+nonces["GERMAN"])
	}
	if status() != store.StatusRunning {
		t.Errorf("with both nonces the game is %s", status())
	}
	g.proved()
	raw, err := g.u.Archive(g.game)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{{`"nonce_signature": "[^"]*"`, `"nonce_signature": "none"`}, {`"nonce": "5a`, `"nonce": "5b`}} {
		if bad, ok := g.forged(raw, archive.PartManifest, c[0], c[1]); !ok {
			t.Errorf("no %s in the archive", c[0])
		} else if _, err := archive.Verify(bad, g.trust()); err == nil {
			t.Errorf("%s, and it passes", c[1])
		}
	}
}
