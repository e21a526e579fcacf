package archive

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/seats"
)

// archivePlayer is a seat with every key that it ever had. Addresses are left
// out: those are nobody's business.
type archivePlayer struct {
	Side string `json:"side"`
	Name string `json:"name"`
	// Key is the one with which they began: the root of the dice is made of it.
	Key string `json:"key"`
	// Nonce is their part in the root besides, hexadecimal, Signature what they signed
	// it with.
	Nonce     string `json:"nonce,omitempty"`
	Signature string `json:"nonce_signature,omitempty"`
	// Later are the changes of it, in order.
	Later []archiveKey `json:"later,omitempty"`
	// Commanders are the keys of those who shared the side with them, in their order,
	// and of their deputies.
	Commanders []archiveCommander `json:"commanders,omitempty"`
}

// archiveCommander is the key of a commander or deputy.
type archiveCommander struct {
	Name   string `json:"name,omitempty"`
	Key    string `json:"key"`
	Deputy bool   `json:"deputy,omitempty"`
	// Former are the keys that they signed with before.
	Former []string `json:"former,omitempty"`
}

// archiveKey is a change of a player's key. Their own statement proves it; without
// one it was the moderator's doing.
type archiveKey struct {
	Seq uint64 `json:"seq"` // the Change of the game from which it counts
	Key string `json:"key"` // its name (the sheets carry the whole of it); "" when it was revoked
	// Statement and Signatures are what the player signed, with the old key and
	// with the new one; Mail is the whole mail where they cannot be lifted out.
	Statement  string    `json:"statement,omitempty"`
	Signatures []string  `json:"signatures,omitempty"`
	Mail       []byte    `json:"mail,omitempty"`
	Received   time.Time `json:"received,omitzero"` // that mail
}

// keyAt names the key that counted in a Change of the game, "" for none.
func (p archivePlayer) keyAt(seq uint64) string {
	key := p.Key
	for _, k := range p.Later {
		if k.Seq <= seq {
			key = k.Key
		}
	}
	return store.KeyID(key)
}

// archivePlayers are the seats of a game that began with the Change begin.
func (w Writer) archivePlayers(g store.Game, begin uint64) ([]archivePlayer, error) {
	keys, err := seats.KeyRecords.All(w.DB, g.ID)
	if err != nil {
		return nil, err
	}
	players := map[string]*archivePlayer{}
	var out []archivePlayer
	for _, p := range g.Players {
		out = append(out, archivePlayer{Side: p.Side, Name: p.Name, Key: p.Key, Nonce: hex.EncodeToString(p.Nonce), Signature: p.NonceSignature})
		for _, c := range p.Commanders {
			out[len(out)-1].Commanders = append(out[len(out)-1].Commanders, archiveCommander{c.Name, c.Key, c.Deputy, c.Former})
		}
	}
	for i := range out {
		players[out[i].Side] = &out[i]
	}
	changed := map[string]bool{}
	for _, at := range slices.SortedFunc(maps.Keys(keys), func(a, b store.Numbered) int { return cmp.Compare(a.Seq, b.Seq) }) {
		k, seq := keys[at], at.Seq
		p := players[k.Side]
		if p == nil {
			return nil, fmt.Errorf("the change of a key with Change %d: %w: %s", seq, match.ErrNoSide, k.Side)
		}
		if seq <= begin { // before the game began only the last one counts
			p.Key, changed[k.Side] = k.New, true
			continue
		}
		if !changed[k.Side] {
			p.Key, changed[k.Side] = k.Old, true
		}
		later := archiveKey{Seq: seq, Key: k.New}
		if err := w.stated(&later, k.Mail); err != nil {
			return nil, err
		}
		p.Later = append(p.Later, later)
	}
	return out, nil
}

// stated adds what the player signed to a change of their key, if the mail that
// brought it is still there.
func (w Writer) stated(k *archiveKey, sha string) error {
	if sha == "" {
		return nil
	}
	raw, received, err := w.mailKept(sha)
	if err != nil || raw == nil {
		return err
	}
	m, err := mailbox.Read(raw)
	if err != nil {
		return err
	}
	for _, s := range sheetsIn(m, seal.NewRing(w.Now(), mailbox.OfferedKeys(m)...)) {
		if armored, signed := seats.Evidence(m, s.Text, s.Key); armored != "" && signed == nil && (k.Statement == "" || k.Statement == s.Text) {
			k.Statement, k.Signatures = s.Text, append(k.Signatures, armored)
		}
	}
	want := 2 // the old key and the new one
	if k.Key == "" {
		want = 1
	}
	if len(k.Signatures) < want {
		k.Statement, k.Signatures, k.Mail, k.Received = "", nil, raw, received
	}
	return nil
}

// sheetsIn are the signed texts of a mail, as far as the ring knows their keys.
func sheetsIn(m *mailbox.Message, ring *seal.Ring) []seal.Sealed {
	one, err := mailbox.SignedBy(m, ring)
	var several *mailbox.SeveralError
	switch {
	case errors.As(err, &several):
		return several.Sheets
	case err != nil:
		return nil
	}
	return []seal.Sealed{one}
}

// keys checks that every change of a key was signed by its player.
func (v *verifier) keys() {
	for _, p := range v.m.Players {
		if p.Signature != "" {
			v.nonceSigned(p)
		} else if p.Nonce != "" {
			v.unproven("the nonce of %s is %s, says the archive: its player knows whether it is theirs", p.Side, p.Nonce)
		}
		old := store.KeyID(p.Key)
		for _, k := range p.Later {
			v.keyChanged(p, old, k)
			old = store.KeyID(k.Key)
		}
	}
}

func (v *verifier) keyChanged(p archivePlayer, old string, k archiveKey) {
	name := fmt.Sprintf("%s, the key of %s changed in step %d", PartManifest, p.Side, k.Seq)
	by := map[string]string{} // what was signed, by key
	for _, armored := range k.Signatures {
		key, err := seal.Verify([]byte(k.Statement), armored, seal.Namespace)
		if err != nil {
			v.fault(name, "%w", err)
			return
		}
		by[key.ID()] = k.Statement
	}
	if len(k.Mail) > 0 {
		m, err := mailbox.Read(k.Mail)
		if err != nil {
			v.fault(name, "its mail: %w", err)
			return
		}
		for _, s := range sheetsIn(m, v.ring(k.Received, mailbox.OfferedKeys(m)...)) {
			by[s.Key.ID()] = s.Text
		}
	}
	if len(k.Mail) == 0 && len(k.Signatures) == 0 {
		v.unproven("the key of %s was changed in step %d without a statement of the player that is kept: by the moderator, or the mail is gone", p.Side, k.Seq)
		return
	}
	text, signed := by[old]
	if !signed {
		v.fault(name, "the key until then, %s, did not sign it", old)
		return
	}
	if !seats.IsIdentity(text) {
		v.fault(name, "what the player signed is not a statement about keys")
		return
	}
	st, err := seats.ParseStatement(text)
	switch {
	case err != nil:
		v.fault(name, "%w", err)
	case !strings.EqualFold(st.Game, v.m.Game), !strings.EqualFold(st.Side, p.Side):
		v.fault(name, "the statement is of another game or side")
	case st.Rotate != seats.KeyName(strings.Fields(k.Key)):
		v.fault(name, "the statement does not name the key %q", k.Key)
	case k.Key == "":
		// given up, and no new one to sign
	case by[store.KeyID(k.Key)] != text:
		v.fault(name, "the new key did not sign it")
	}
}

// nonceSigned checks that a player signed the nonce that stands for them in the root.
func (v *verifier) nonceSigned(p archivePlayer) {
	key, err := seal.Verify([]byte(seats.NonceStatement(v.m.Game, p.Side, p.Nonce)), p.Signature, seal.Namespace)
	if err != nil || key.ID() != store.KeyID(p.Key) {
		v.fault(PartManifest, "the nonce of %s is not the one that they signed: %v", p.Side, err)
	}
}
