package bolt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"fieldpost/store"
)

// A key of another method is known by its first two words, not by its block; two
// blocks without a name in front are never taken for one key.
func TestKeyID(t *testing.T) {
	const block = "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n"
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"ssh-ed25519 AAAA anna", "ssh-ed25519 AAAA", true},
		{"ssh-ed25519 AAAA", "ssh-ed25519 AAAB", false},
		{"OpenPGP 0123\n" + block + "xjM", "OpenPGP 0123\n" + block + "xjN", true},
		{"OpenPGP 0123\n" + block, "OpenPGP 4567\n" + block, false},
		{block + "xjM", block + "xjN", false},
		{"S/MIME 0123", "S/MIME 0123\n-----BEGIN CERTIFICATE-----", true},
	} {
		if (store.KeyID(c.a) == store.KeyID(c.b)) != c.same {
			t.Errorf("%q and %q: %q and %q", c.a, c.b, store.KeyID(c.a), store.KeyID(c.b))
		}
	}
}

func TestGamePrintsNoSecret(t *testing.T) {
	g := newGame("g1")
	g.DiceKey = store.Secret("0123456789abcdef0123456789abcdef")
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d", "%q"} {
		for _, v := range []any{g, &g, g.DiceKey} {
			out := fmt.Sprintf(verb, v)
			if strings.Contains(out, "0123") || strings.Contains(out, "30313233") || strings.Contains(out, "48 49") {
				t.Errorf("%s prints %s", verb, out)
			}
		}
	}
	b, err := json.Marshal(g)
	must(t, err)
	var back store.Game
	if err := json.Unmarshal(b, &back); err != nil || !bytes.Equal(back.DiceKey, g.DiceKey) {
		t.Errorf("JSON loses the key: %v", err)
	}
}
