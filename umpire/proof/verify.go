// Package proof is what a report proves about itself: the parts of its mail and
// their hashes, the daemon's signature, the proofs of the dice, and the commitments
// to what it does not tell. Anybody can check it with the keys of the invitation;
// neither a store nor the rules are needed.
package proof

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/view"
	"fieldpost/dice/beacon"
	"fieldpost/dice/vrf"
	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
)

// SignatureNamespace keeps the daemon's signatures apart from players' orders.
const SignatureNamespace = "report@fieldpost"

// The names of a report's parts.
const (
	FileSignature = "report.sig"
	FileView      = view.File // listed by its text; it travels as view.PackedFile
	FileMap       = "map.png"
	FileHTML      = "report.html"
	FileSheet     = "orders.txt"
)

// View is the view that a report brings, packed or not; nil if it brings none.
func View(m *mailbox.Message) (*view.View, error) {
	for _, a := range m.Attachments {
		if a.Name != view.File && a.Name != view.PackedFile {
			continue
		}
		v, err := view.Parse(a.Data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.Name, err)
		}
		return v, nil
	}
	return nil, nil
}

// FileKey is the OpenPGP key that encrypted mail is signed with, as mails bring it.
const FileKey = "fieldpost.asc"

// Trust is what the checker knows from elsewhere: the keys of the invitation.
// An empty key is unknown; the mail's own word for it proves nothing.
type Trust struct {
	DiceKey   string // the game's public dice key
	DaemonKey string // the daemon's signing key, an ssh-ed25519 line
	// Drand says that the invitation promised dice bound to drand. Beacon is the
	// chain; nil is drand's Quicknet.
	Drand  bool
	Beacon *beacon.Chain
}

func (t Trust) Chain() *beacon.Chain {
	if t.Beacon == nil {
		return beacon.Quicknet
	}
	return t.Beacon
}

// Found is what a check of a report came to.
type Found struct {
	Game     string
	Dice     int // random events proved
	Files    int // parts whose SHA-256 fits the signed text
	Signer   string
	Unproven []string // what could not be proved for want of a key from elsewhere
}

// Verify checks a report as it was received: the daemon's signature over the text
// part, the SHA-256 of every other part, the proof of every random event (RFC
// 9381), and that the story tells just the dice that are proved. The error lists
// everything that is wrong.
func Verify(raw []byte, trust Trust) (Found, error) {
	var found Found
	m, err := mailbox.Read(raw)
	if err != nil {
		return found, err
	}
	var text, page string
	for _, p := range m.Texts {
		switch p.Type { // of each the first
		case "text/plain":
			text = cmp.Or(text, p.AsSent)
		case "text/html":
			page = cmp.Or(page, p.AsSent)
		}
	}
	if text == "" {
		return found, errors.New("the mail has no text part: it is no report")
	}
	var faults []error
	fault := func(format string, a ...any) { faults = append(faults, fmt.Errorf(format, a...)) }
	found.checkSignature(m, text, trust, fault)
	found.checkFiles(m, text, page, fault)
	found.checkDice(m, told{text, page}, trust, fault)
	return found, errors.Join(faults...)
}

func (found *Found) checkSignature(m *mailbox.Message, text string, trust Trust, fault func(string, ...any)) {
	i := slices.IndexFunc(m.Attachments, func(a mailbox.Attachment) bool { return a.Name == FileSignature })
	if i < 0 {
		fault("the mail carries no signature (%s)", FileSignature)
		return
	}
	key, err := seal.Verify(Plain(text), string(m.Attachments[i].Data), SignatureNamespace)
	if err != nil {
		fault("the daemon's signature does not fit the text: %w", err)
		return
	}
	found.Signer = key.Fingerprint()
	if trust.DaemonKey == "" {
		found.Unproven = append(found.Unproven, "the signature is good, but whether "+key.Fingerprint()+" is the daemon's key is unproven: compare with the invitation")
		return
	}
	known, err := seal.ParsePublicKey(trust.DaemonKey)
	switch {
	case err != nil:
		fault("the daemon's key given: %w", err)
	case known != key:
		fault("signed by %s, the daemon's key is %s", key.Fingerprint(), known.Fingerprint())
	}
}

func (found *Found) checkFiles(m *mailbox.Message, text, page string, fault func(string, ...any)) {
	parts := map[string]string{}
	empty := map[string]bool{} // pictures that were left out of the mail
	for _, a := range m.Attachments {
		if a.Type == "image/png" && len(a.Data) == 0 {
			empty[a.Name] = true
			continue
		}
		name, data, err := view.Contents(a.Name, a.Data)
		if err != nil {
			fault("%s cannot be unpacked: %w", a.Name, err)
			continue
		}
		parts[name] = store.Sum(data)
	}
	if page != "" {
		parts[FileHTML] = store.Sum(Plain(page))
	}
	delete(parts, FileSignature)
	listed := report.ParseFiles(text)
	for _, f := range listed {
		switch got, ok := parts[f.Name]; {
		case !ok && empty[f.Name]:
			found.Unproven = append(found.Unproven, f.Name+" is left out of this copy of the mail: there is nothing to check")
		case !ok:
			fault("%s is listed in the text and not in the mail", f.Name)
		case got != f.SHA256:
			fault("%s is not the one that the text lists", f.Name)
		default:
			found.Files++
		}
		delete(parts, f.Name)
	}
	for name := range empty {
		if !slices.ContainsFunc(listed, func(f report.File) bool { return f.Name == name }) {
			fault("%q is in the mail and not listed in the text", name)
		}
	}
	for name := range parts {
		fault("%q is in the mail and not listed in the text", name)
	}
}

// told are the parts of a report that people read.
type told struct{ text, page string }

// dice are those that a report proves, with what they are checked with: of its story, or of the
// text of a report from before it had one.
func (t told) dice(m *mailbox.Message) (proved []report.Proof, head report.Head, faults []error) {
	v, err := View(m)
	if err != nil {
		return nil, head, []error{err}
	}
	if v == nil || v.Story == nil {
		if proved, _, head, err = report.ParseDice(t.text); err != nil {
			faults = append(faults, fmt.Errorf("section of dice: %w", err))
		}
		return proved, head, faults
	}
	for _, c := range v.Story.Phases {
		faults = append(faults, c.Loose()...)
	}
	return report.Proofs(v.Story), report.Head{Game: v.Game, Key: v.Story.Key, Root: v.Story.Root}, faults
}

func (found *Found) checkDice(m *mailbox.Message, t told, trust Trust, fault func(string, ...any)) {
	proved, head, faults := t.dice(m)
	for _, err := range faults {
		fault("%w", err)
	}
	found.Game = head.Game
	keyText := trust.DiceKey
	if keyText == "" {
		keyText = head.Key
		if len(proved) > 0 {
			found.Unproven = append(found.Unproven, "the proofs fit the key in the mail itself; whether it is the game's key is unproven: give the key of the invitation with --key")
		}
	} else if head.Key != "" && !SameKey(keyText, head.Key) {
		fault("the mail names another dice key than the one given")
	}
	key, err := vrf.ParsePublicKey(keyText)
	if err != nil && len(proved) > 0 {
		fault("dice key: %w", err)
		return
	}
	root, err := hex.DecodeString(head.Root)
	if err != nil {
		fault("root of the dice: %w", err)
	}
	said := map[string]error{}
	repeated := 0
	for _, p := range proved {
		if p.Proof == nil {
			repeated++
			continue
		}
		var dice []int
		bound, err := boundRoot(trust, root, p, said)
		if err == nil {
			throw := vrf.Throw{Game: head.Game, Phase: p.Phase, Label: p.Label, Root: bound, Count: len(p.Dice), Sides: p.Sides}
			dice, err = vrf.Check(key, throw, p.Proof)
		}
		switch {
		case err != nil:
			fault("%s, %s: the proof is not good: %w", p.Phase, p.Label, err)
		case !slices.Equal(dice, p.Dice):
			fault("%s, %s: the report says %v, the proof gives %v", p.Phase, p.Label, p.Dice, dice)
		default:
			found.Dice++
		}
	}
	if repeated > 0 {
		found.Unproven = append(found.Unproven, fmt.Sprintf("dice told again, whose proofs are in the reports of their time and in the archive: %d", repeated))
	}
	_, told, _, _ := report.ParseDice(t.text)
	compare("story", told, proved, fault)
	if t.page != "" {
		_, told, _, _ := report.ParseDice(t.page)
		compare("HTML part", told, proved, fault)
	}
}

// boundRoot is the root that the dice of an event are checked with: bound to the
// beacon's value that the report gives, which must be the beacon's.
func boundRoot(trust Trust, root []byte, p report.Proof, said map[string]error) ([]byte, error) {
	if p.Round == 0 {
		if trust.Drand {
			return nil, errors.New("the game promised dice bound to drand, and these are not")
		}
		return root, nil
	}
	v := beacon.Value{Round: p.Round, Signature: p.Value}
	err, looked := said[v.String()]
	if !looked {
		err = trust.Chain().Verify(v)
		said[v.String()] = err
	}
	bound := vrf.Bound(root, p.Value)
	return bound[:], err
}

// compare demands that the dice told are the dice proved, one by one.
func compare(where string, told []report.Told, proved []report.Proof, fault func(string, ...any)) {
	left := slices.Clone(proved)
	for _, t := range told {
		i := slices.IndexFunc(left, func(p report.Proof) bool { return p.Label == t.Label && slices.Equal(p.Dice, t.Dice) })
		if i < 0 {
			fault("the %s tells %v for %s, which is not proved", where, t.Dice, t.Label)
			continue
		}
		left = slices.Delete(left, i, i+1)
	}
	for _, p := range left {
		fault("the %s does not tell the dice of %s", where, p.Label)
	}
}

func SameKey(a, b string) bool {
	x, err1 := vrf.ParsePublicKey(a)
	y, err2 := vrf.ParsePublicKey(b)
	return err1 == nil && err2 == nil && x == y
}

// Plain is the form of a text part that is signed and hashed: LF line ends, no
// blanks at the ends of lines, one line end at the end. It survives the mail.
func Plain(text string) []byte {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\r")
	}
	return []byte(strings.TrimRight(strings.Join(lines, "\n"), "\n") + "\n")
}
