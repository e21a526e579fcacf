package archive

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing/fstest"

	"github.com/klauspost/compress/zstd"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/systems"
	"fieldpost/dice/beacon"
	"fieldpost/dice/vrf"
	"fieldpost/orders/seal"
	"fieldpost/scenarios"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/proof"
	"fieldpost/umpire/seats"
)

// Checked is what the check of an archive came to.
type Checked struct {
	Game, Title, Status string
	Signer              string
	Phases, Rolls       int // derived anew; dice proved
	Sheets              int // signatures good
	Answers             int // that the sheets gave
	Reports             int // signed, and telling what the position showed
	Commitments         int // kept
	Drawn               int // rounds of the beacon that the dice are bound to
	// Closings are the hashes that sealed the orders, as the mails said that closed
	// them: "step 12: HASH".
	Closings []string
	Unproven []string
}

// maxPart bounds what a part of a foreign archive may unpack to.
const maxPart = 256 << 20

// Is tells an archive from a mail by its first bytes.
func Is(raw []byte) bool {
	return bytes.HasPrefix(raw, []byte(PartManifest)) || len(raw) > 512 && string(raw[257:262]) == "ustar"
}

// Verify checks an archive with nothing but itself and the keys of the
// invitation: the daemon's signature over all of it, the players' signatures
// under their sheets, the proofs of the dice, every position derived anew from
// the scenario's files, the sheets and the dice, the reports' signatures and
// what they showed, and the commitments. The error names the parts that are wrong.
func Verify(raw []byte, trust proof.Trust) (a Checked, err error) {
	parts, err := Unbundle(raw)
	if err != nil {
		return a, err
	}
	v := &verifier{parts: parts, found: &a, chain: trust.Chain(), drawn: map[uint64]error{}, announced: map[uint64]uint64{}, happened: map[string][][]match.ProvedEvent{}}
	v.manifest(trust)
	if len(v.faults) > 0 { // what is not what was signed needs no reading
		return a, errors.Join(v.faults...)
	}
	v.unpack()
	if len(v.faults) > 0 {
		return a, errors.Join(v.faults...)
	}
	game, err := v.match()
	if err != nil {
		return a, err
	}
	v.game(game)
	return a, errors.Join(v.faults...)
}

// verifier is the state of a check.
type verifier struct {
	parts  map[string][]byte
	found  *Checked
	m      Manifest
	faults []error

	phases  []store.Phase
	open    *store.OpenPhase
	sheets  []Sheet
	reports []archiveReport
	salts   map[uint64]string
	key     vrf.PublicKey
	root    []byte

	chain     *beacon.Chain
	drawn     map[uint64]error                 // rounds of the beacon that were looked at
	announced map[uint64]uint64                // by reports: the round, by the Change of the report
	happened  map[string][][]match.ProvedEvent // by phases, as often as one was played
	migrated  uint64                           // the Change of the last migration; 0 for none
}

func (v *verifier) fault(part, format string, args ...any) {
	v.faults = append(v.faults, fmt.Errorf("part %s: "+format, append([]any{part}, args...)...))
}

func (v *verifier) unproven(format string, args ...any) {
	v.found.Unproven = append(v.found.Unproven, fmt.Sprintf(format, args...))
}

// manifest checks the signature, and that every part is the one that was signed.
func (v *verifier) manifest(trust proof.Trust) {
	text, ok := v.parts[PartManifest]
	if !ok {
		v.fault(PartManifest, "it is missing")
		return
	}
	signature := v.parts[PartSignature]
	if len(signature) == 0 || !bytes.Equal(signature, []byte(rearmored(string(signature)))) {
		v.fault(PartSignature, "it is missing or not in the form in which it was written")
		return
	}
	key, err := seal.Verify(text, string(signature), archiveNamespace)
	if err != nil {
		v.fault(PartManifest, "the signature in %s does not fit it: %w", PartSignature, err)
		return
	}
	v.found.Signer = key.Fingerprint()
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&v.m); err != nil {
		v.fault(PartManifest, "%w", err)
		return
	}
	if v.m.Format != ArchiveFormat {
		v.fault(PartManifest, "it has format %d, this program knows %d", v.m.Format, ArchiveFormat)
		return
	}
	v.found.Game, v.found.Title, v.found.Status = v.m.Game, v.m.Title, string(v.m.Status)
	v.trust(trust, key)
	listed := map[string]bool{PartManifest: true, PartSignature: true}
	for _, p := range v.m.Parts {
		listed[p.Name] = true
		if got, ok := v.parts[p.Name]; !ok {
			v.fault(p.Name, "it is missing")
		} else if store.Sum(got) != p.SHA256 {
			v.fault(p.Name, "it is not the one that was signed (SHA-256 differs)")
		}
	}
	for name := range v.parts {
		if !listed[name] {
			v.fault(name, "it is not listed in %s", PartManifest)
		}
	}
}

// trust compares the keys with those that the reader has from elsewhere.
func (v *verifier) trust(trust proof.Trust, signer seal.Key) {
	if !isKeyOf(signer, v.m.DaemonKey) {
		v.fault(PartManifest, "it is not signed by the daemon's key that it names")
	}
	if trust.DaemonKey == "" {
		v.unproven("the archive is signed by %s; whether that is the daemon's key: compare with the invitation", signer.Fingerprint())
	} else if !isKeyOf(signer, trust.DaemonKey) {
		v.fault(PartManifest, "signed by %s, not by the daemon's key given", signer.Fingerprint())
	}
	if trust.DiceKey == "" {
		v.unproven("the dice fit the key in the archive; whether that is the game's key: compare with the invitation")
	} else if !proof.SameKey(trust.DiceKey, v.m.DiceKey) {
		v.fault(PartManifest, "it names another dice key than the one given")
	}
}

// isKeyOf tells whether a text is the public key of who signed.
func isKeyOf(signer seal.Key, text string) bool {
	key, err := seal.ParsePublicKey(text)
	return err == nil && key == signer
}

// rearmored is an armoured signature in the one form in which it is written, ""
// when it is none.
func rearmored(armored string) string {
	all := strings.Split(strings.TrimSuffix(armored, "\n"), "\n")
	if len(all) < 3 {
		return ""
	}
	first, body, last := all[0], strings.Join(all[1:len(all)-1], ""), all[len(all)-1]
	blob, err := base64.StdEncoding.Strict().DecodeString(body)
	if err != nil {
		return ""
	}
	text, width := base64.StdEncoding.EncodeToString(blob), len(all[1])
	var b strings.Builder
	for len(text) > width {
		b.WriteString(text[:width] + "\n")
		text = text[width:]
	}
	return first + "\n" + b.String() + text + "\n" + last + "\n"
}

// unpack reads the parts.
func (v *verifier) unpack() {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxPart))
	if err != nil {
		v.fault(PartManifest, "%w", err)
		return
	}
	defer z.Close()
	for name, b := range v.parts {
		if strings.HasSuffix(name, PackedSuffix) {
			if v.parts[name], err = z.DecodeAll(b, nil); err != nil {
				v.fault(name, "%w", err)
			}
		}
	}
	if v.phases, err = FromLines[store.Phase](v.parts[PartJournal]); err != nil || len(v.phases) == 0 {
		v.fault(PartJournal, "it is empty or cannot be read: %v", err)
	}
	if v.sheets, err = FromLines[Sheet](v.parts[PartSheets]); err != nil {
		v.fault(PartSheets, "%w", err)
	}
	if v.reports, err = FromLines[archiveReport](v.parts[PartReports]); err != nil {
		v.fault(PartReports, "%w", err)
	}
	salts, err := FromLines[archiveSalt](v.parts[PartSalts])
	if err != nil {
		v.fault(PartSalts, "%w", err)
	}
	v.salts = map[uint64]string{}
	for _, s := range salts {
		v.salts[s.Seq] = s.Salt
	}
	open, err := FromLines[store.OpenPhase](v.parts[partOpen])
	if err != nil {
		v.fault(partOpen, "%w", err)
	}
	if len(open) > 0 {
		v.open = &open[0]
	}
	if v.key, err = vrf.ParsePublicKey(v.m.DiceKey); err != nil {
		v.fault(PartManifest, "%w", err)
	}
	if v.root, err = hex.DecodeString(v.m.Root); err != nil {
		v.fault(PartManifest, "root of the dice: %w", err)
	}
	players, err := v.players()
	if err != nil {
		v.fault(PartManifest, "%w", err)
	}
	if want := seats.RootOf(players); !bytes.Equal(v.root, want[:]) {
		v.fault(PartManifest, "the root of the dice is not made of the keys and nonces with which the players began")
	}
	v.keys()
}

// players are the seats as they were when the game began.
func (v *verifier) players() (all []store.Player, err error) {
	for _, p := range v.m.Players {
		nonce, err := seats.ParseNonce(p.Nonce)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Side, err)
		}
		all = append(all, store.Player{Side: p.Side, Key: p.Key, Nonce: nonce})
	}
	return all, nil
}

// match is the archived game under its rules, with the scenario from the archive's own
// files.
func (v *verifier) match() (m match.Match, err error) {
	sys, ok := systems.Get(v.m.System)
	if !ok {
		return m, fmt.Errorf("part %s: %w %q", PartManifest, match.ErrUnknownSystem, v.m.System)
	}
	files := fstest.MapFS{}
	for name, text := range v.parts {
		if file, ok := strings.CutPrefix(name, PartScenario); ok && fs.ValidPath(file) {
			files[strings.TrimSuffix(file, PackedSuffix)] = &fstest.MapFile{Data: text}
		}
	}
	pack, err := scenarios.OpenFS(files, v.m.Scenario)
	if err != nil {
		return m, fmt.Errorf("part %s: %w", PartScenario, err)
	}
	if hash, err := pack.Hash(); err != nil || hash != v.m.ScenarioHash {
		return m, fmt.Errorf("part %s: the files do not have the hash %.16s of the game's scenario: %v", PartScenario, v.m.ScenarioHash, err)
	}
	game, err := sys.Load(pack)
	if err != nil {
		return m, fmt.Errorf("part %s: %w", PartScenario, err)
	}
	if game, err = adjudicator.Under(game, v.m.Options); err != nil {
		return m, fmt.Errorf("part %s: options: %w", PartManifest, err)
	}
	game, ok = adjudicator.UnderVersion(sys, game, v.m.RulesVersion)
	if !ok {
		return m, fmt.Errorf("part %s: the game follows version %s of the rules, this program has version %d: check it with a program of that version", PartManifest, v.m.RulesVersion, sys.Version())
	}
	record := store.Game{ID: v.m.Game, Scenario: v.m.Scenario, Options: v.m.Options, Status: v.m.Status}
	return match.Match{Position: store.Position{Game: record, Open: v.open}, Rules: game, System: sys}, nil
}
