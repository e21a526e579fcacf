package umpire

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing/fstest"

	"github.com/klauspost/compress/zstd"

	"fieldpost/adjudicator"
	"fieldpost/internal/systems"
	"fieldpost/internal/vrf"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/scenarios"
	"fieldpost/store"
)

// Archived is what the check of an archive came to.
type Archived struct {
	Game, Title, Status string
	Signer              string
	Phases, Rolls       int // derived anew; dice proved
	Sheets              int // signatures good
	Answers             int // that the sheets gave
	Reports             int // signed, and telling what the position showed
	Commitments         int // kept
	Unproven            []string
}

// maxPart bounds what a part of a foreign archive may unpack to.
const maxPart = 256 << 20

// IsArchive tells an archive from a mail by its first bytes.
func IsArchive(raw []byte) bool {
	return bytes.HasPrefix(raw, []byte(partManifest)) || len(raw) > 512 && string(raw[257:262]) == "ustar"
}

// VerifyArchive checks an archive with nothing but itself and the keys of the
// invitation: the daemon's signature over all of it, the players' signatures
// under their sheets, the proofs of the dice, every position derived anew from
// the scenario's files, the sheets and the dice, the reports' signatures and
// what they showed, and the commitments. The error names the parts that are wrong.
func VerifyArchive(raw []byte, trust Trust) (a Archived, err error) {
	parts, err := unbundle(raw)
	if err != nil {
		return a, err
	}
	v := &verifier{parts: parts, found: &a}
	v.manifest(trust)
	if len(v.faults) > 0 { // what is not what was signed needs no reading
		return a, errors.Join(v.faults...)
	}
	v.unpack()
	if len(v.faults) > 0 {
		return a, errors.Join(v.faults...)
	}
	game, sys, err := v.rules()
	if err != nil {
		return a, err
	}
	v.game(game, sys)
	return a, errors.Join(v.faults...)
}

// verifier is the state of a check.
type verifier struct {
	parts  map[string][]byte
	found  *Archived
	m      manifest
	faults []error

	phases  []store.Phase
	open    *store.OpenPhase
	sheets  []archiveSheet
	reports []archiveReport
	salts   map[uint64]string
	key     vrf.PublicKey
	root    []byte

	migrated uint64 // the Change of the last migration; 0 for none
}

func (v *verifier) fault(part, format string, args ...any) {
	v.faults = append(v.faults, fmt.Errorf("part %s: "+format, append([]any{part}, args...)...))
}

func (v *verifier) unproven(format string, args ...any) {
	v.found.Unproven = append(v.found.Unproven, fmt.Sprintf(format, args...))
}

// manifest checks the signature, and that every part is the one that was signed.
func (v *verifier) manifest(trust Trust) {
	text, ok := v.parts[partManifest]
	if !ok {
		v.fault(partManifest, "it is missing")
		return
	}
	signature := v.parts[partSignature]
	if len(signature) == 0 || !bytes.Equal(signature, []byte(rearmored(string(signature)))) {
		v.fault(partSignature, "it is missing or not in the form in which it was written")
		return
	}
	key, err := seal.Verify(text, string(signature), archiveNamespace)
	if err != nil {
		v.fault(partManifest, "the signature in %s does not fit it: %w", partSignature, err)
		return
	}
	v.found.Signer = key.Fingerprint()
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&v.m); err != nil {
		v.fault(partManifest, "%w", err)
		return
	}
	if v.m.Format != archiveFormat {
		v.fault(partManifest, "it has format %d, this program knows %d", v.m.Format, archiveFormat)
		return
	}
	v.found.Game, v.found.Title, v.found.Status = v.m.Game, v.m.Title, string(v.m.Status)
	v.trust(trust, key)
	listed := map[string]bool{partManifest: true, partSignature: true}
	for _, p := range v.m.Parts {
		listed[p.Name] = true
		if got, ok := v.parts[p.Name]; !ok {
			v.fault(p.Name, "it is missing")
		} else if sum(got) != p.SHA256 {
			v.fault(p.Name, "it is not the one that was signed (SHA-256 differs)")
		}
	}
	for name := range v.parts {
		if !listed[name] {
			v.fault(name, "it is not listed in %s", partManifest)
		}
	}
}

// trust compares the keys with those that the reader has from elsewhere.
func (v *verifier) trust(trust Trust, signer seal.Key) {
	if own, err := seal.ParsePublicKey(v.m.DaemonKey); err != nil || own != signer {
		v.fault(partManifest, "it is not signed by the daemon's key that it names")
	}
	if trust.DaemonKey == "" {
		v.unproven("the archive is signed by %s; whether that is the daemon's key: compare with the invitation", signer.Fingerprint())
	} else if known, err := seal.ParsePublicKey(trust.DaemonKey); err != nil || known != signer {
		v.fault(partManifest, "signed by %s, not by the daemon's key given", signer.Fingerprint())
	}
	if trust.DiceKey == "" {
		v.unproven("the dice fit the key in the archive; whether that is the game's key: compare with the invitation")
	} else if !sameKey(trust.DiceKey, v.m.DiceKey) {
		v.fault(partManifest, "it names another dice key than the one given")
	}
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
		v.fault(partManifest, "%w", err)
		return
	}
	defer z.Close()
	for name, b := range v.parts {
		if strings.HasSuffix(name, packedSuffix) {
			if v.parts[name], err = z.DecodeAll(b, nil); err != nil {
				v.fault(name, "%w", err)
			}
		}
	}
	if v.phases, err = fromLines[store.Phase](v.parts[partJournal]); err != nil || len(v.phases) == 0 {
		v.fault(partJournal, "it is empty or cannot be read: %v", err)
	}
	if v.sheets, err = fromLines[archiveSheet](v.parts[partSheets]); err != nil {
		v.fault(partSheets, "%w", err)
	}
	if v.reports, err = fromLines[archiveReport](v.parts[partReports]); err != nil {
		v.fault(partReports, "%w", err)
	}
	salts, err := fromLines[archiveSalt](v.parts[partSalts])
	if err != nil {
		v.fault(partSalts, "%w", err)
	}
	v.salts = map[uint64]string{}
	for _, s := range salts {
		v.salts[s.Seq] = s.Salt
	}
	open, err := fromLines[store.OpenPhase](v.parts[partOpen])
	if err != nil {
		v.fault(partOpen, "%w", err)
	}
	if len(open) > 0 {
		v.open = &open[0]
	}
	if v.key, err = vrf.ParsePublicKey(v.m.DiceKey); err != nil {
		v.fault(partManifest, "%w", err)
	}
	if v.root, err = hex.DecodeString(v.m.Root); err != nil {
		v.fault(partManifest, "root of the dice: %w", err)
	}
	players, err := v.players()
	if err != nil {
		v.fault(partManifest, "%w", err)
	}
	if want := rootOf(players); !bytes.Equal(v.root, want[:]) {
		v.fault(partManifest, "the root of the dice is not made of the keys and nonces with which the players began")
	}
	v.keys()
}

// players are the seats as they were when the game began.
func (v *verifier) players() (all []store.Player, err error) {
	for _, p := range v.m.Players {
		nonce, err := ParseNonce(p.Nonce)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Side, err)
		}
		all = append(all, store.Player{Side: p.Side, Key: p.Key, Nonce: nonce})
	}
	return all, nil
}

// rules loads the scenario from the archive's own files.
func (v *verifier) rules() (adjudicator.Game, adjudicator.System, error) {
	sys, ok := systems.Get(v.m.System)
	if !ok {
		return nil, sys, fmt.Errorf("part %s: %w %q", partManifest, ErrUnknownSystem, v.m.System)
	}
	if have := strconv.Itoa(sys.Version()); have != v.m.RulesVersion {
		return nil, sys, fmt.Errorf("part %s: the game follows version %s of the rules, this program has version %s: check it with a program of that version", partManifest, v.m.RulesVersion, have)
	}
	files := fstest.MapFS{}
	for name, text := range v.parts {
		if file, ok := strings.CutPrefix(name, partScenario); ok && fs.ValidPath(file) {
			files[strings.TrimSuffix(file, packedSuffix)] = &fstest.MapFile{Data: text}
		}
	}
	pack, err := scenarios.OpenFS(files, v.m.Scenario)
	if err != nil {
		return nil, sys, fmt.Errorf("part %s: %w", partScenario, err)
	}
	if hash, err := pack.Hash(); err != nil || hash != v.m.ScenarioHash {
		return nil, sys, fmt.Errorf("part %s: the files do not have the hash %.16s of the game's scenario: %v", partScenario, v.m.ScenarioHash, err)
	}
	game, err := sys.Load(pack)
	if err != nil {
		return nil, sys, fmt.Errorf("part %s: %w", partScenario, err)
	}
	if game, err = adjudicator.Under(game, v.m.Options); err != nil {
		return nil, sys, fmt.Errorf("part %s: options: %w", partManifest, err)
	}
	return game, sys, nil
}

// game goes through the game from its opening: files each sheet when it came,
// runs the phases on what the sheets say and the proofs give, and compares.
func (v *verifier) game(game adjudicator.Game, sys adjudicator.System) {
	c := course{phases: v.phases, open: v.open, migrated: v.parts[partMigrated]}
	if n := lastMigration(v.phases); n > 0 {
		v.migrated = v.phases[n].Seq
		v.proveEarlier(n)
	}
	var filed []filing
	var position []byte // before the phases of the Change that is looked at
	next, told := 0, 0
	file := func(upTo uint64, phase string) {
		for ; next < len(v.sheets) && v.sheets[next].Seq <= upTo; next++ {
			if f, ok := v.sheet(game, sys, v.sheets[next], position, phase); ok {
				filed = append(filed, f)
			}
		}
	}
	tell := func(before uint64) {
		for ; told < len(v.reports) && v.reports[told].Seq < before; told++ {
			v.report(game, v.reports[told], position)
		}
	}
	c.inputs = func(p store.Phase, journal []adjudicator.Entry) ([]adjudicator.Entry, adjudicator.Dice, adjudicator.Answerer) {
		tell(p.Seq)
		file(p.Seq, p.Phase)
		if e := hand(journal); e != nil && e.Label == restoreLabel {
			filed = slices.DeleteFunc(filed, func(f filing) bool { return f.Seq > v.seqOf(e.Answer) })
		}
		return nil, provedDice{v, p.Phase, journal}, &fromSheets{v: v, filed: filed, settings: settingsOf(store.Game{Options: v.m.Options}, sys), p: p, journal: journal}
	}
	n, err := c.repeat(game, func(n int, p store.Phase, journal []adjudicator.Entry, after []byte) error {
		position = after
		if p.Number != uint64(n)+1 {
			return fmt.Errorf("phase %d has number %d", n+1, p.Number)
		}
		v.found.Phases++
		return nil
	})
	if err != nil {
		v.fault(partJournal, "phase %d: %w", n+1, err)
		return
	}
	tell(^uint64(0))
	open := ""
	if v.open != nil {
		open = v.open.Phase
	}
	file(^uint64(0), open)
	at, err := game.At(position)
	if err == nil && at.Over != (v.m.Status == store.StatusFinished) {
		err = fmt.Errorf("the game is %s, the last position says over: %v", v.m.Status, at.Over)
	}
	if err != nil {
		v.fault(partManifest, "%w", err)
	}
	if v.m.Status == store.StatusFinished && v.found.Commitments != len(v.reports) {
		v.unproven("%d of %d commitments could be checked", v.found.Commitments, len(v.reports))
	}
}

// seqOf is the Change that brought a phase.
func (v *verifier) seqOf(number string) uint64 {
	for _, p := range v.phases {
		if strconv.FormatUint(p.Number, 10) == number {
			return p.Seq
		}
	}
	return 0
}

// provedDice throws what the proofs of a phase's journal give.
type provedDice struct {
	v       *verifier
	phase   string
	journal []adjudicator.Entry
}

func (d provedDice) Throw(label string, count, sides int) ([]int, []byte, error) {
	for _, e := range d.journal {
		if e.Kind != adjudicator.EntryRoll || e.Label != label {
			continue
		}
		dice, err := vrf.Check(d.v.key, d.v.m.Game, d.phase, label, d.v.root, e.Proof, count, sides)
		if err != nil {
			return nil, nil, fmt.Errorf("dice %q: %w", label, err)
		}
		if !slices.Equal(dice, e.Dice) {
			return nil, nil, fmt.Errorf("dice %q: the journal says %v, the proof gives %v", label, e.Dice, dice)
		}
		d.v.found.Rolls++
		return dice, e.Proof, nil
	}
	return nil, nil, fmt.Errorf("dice %q: %w", label, errMissing)
}

// fromSheets answers as the sheets do. What no sheet answers (a deadline passed)
// is taken from the journal.
//
// A phase that waited for answers was run in several passes: each entry of its
// journal comes from the sheets that were there in the pass that wrote it.
type fromSheets struct {
	v *verifier
	settings
	filed   []filing
	p       store.Phase
	journal []adjudicator.Entry

	then   filings // what counted in the pass that ended with Change at
	at     uint64
	inPass bool
}

func (f *fromSheets) Answer(d adjudicator.Decision) (answer, source string, known bool) {
	i := slices.IndexFunc(f.journal, func(e adjudicator.Entry) bool {
		return e.Kind == adjudicator.EntryAnswer && e.Label == d.Label && e.Side == d.Side
	})
	if v := f.v; v.migrated > 0 && i >= 0 { // the sheets from before it cannot be read as they were
		return f.journal[i].Answer, f.journal[i].Source, true
	}
	if answer, source, known = f.pass(i).Answer(d); known {
		f.v.found.Answers++
		return answer, source, known
	}
	if i < 0 {
		return "", "", false
	}
	e := f.journal[i]
	f.v.unproven("%q of %s was not answered by a sheet but by: %s", d.Label, d.Side, e.Source)
	return e.Answer, e.Source, true
}

// pass is the sheets that counted when the entry was written.
func (f *fromSheets) pass(entry int) filings {
	at := f.p.Seq
	for _, s := range f.p.Stops {
		if entry >= 0 && entry < s.Entries {
			at = s.Seq
			break
		}
	}
	if !f.inPass || at != f.at {
		before := slices.DeleteFunc(slices.Clone(f.filed), func(s filing) bool { return s.Seq > at })
		f.then, f.at, f.inPass = collect(before, f.p.Turn, f.p.Phase, f.settings), at, true
	}
	return f.then
}

// report checks a report against the position that it told.
func (v *verifier) report(game adjudicator.Game, r archiveReport, position []byte) {
	name := fmt.Sprintf("%s, report %d to %s", partReports, r.Seq, r.Side)
	if r.Text == "" {
		v.unproven("report %d to %s: its mail is not kept any more", r.Seq, r.Side)
		return
	}
	key, err := seal.Verify([]byte(r.Text), r.Signature, signatureNamespace)
	if err == nil {
		if own, bad := seal.ParsePublicKey(v.m.DaemonKey); bad != nil || own != key {
			err = errors.New("it is not signed by the daemon")
		}
	}
	if err != nil {
		v.fault(name, "%w", err)
		return
	}
	if r.Seq < v.migrated {
		if err := v.reportDice(r); err != nil {
			v.fault(name, "%w", err)
		}
		return
	}
	seen, err := game.View(position, adjudicator.Side(r.Side))
	if err != nil {
		v.fault(name, "%w", err)
		return
	}
	seen.Game = v.m.Game
	text, err := json.Marshal(seen)
	listed := slices.ContainsFunc(report.ParseFiles(r.Text), func(f report.File) bool { return f.Name == fileView && f.SHA256 == sum(text) })
	if err != nil || !listed {
		v.fault(name, "it does not tell what %s could see then", r.Side)
		return
	}
	if err := v.reportDice(r); err != nil {
		v.fault(name, "%w", err)
		return
	}
	v.found.Reports++
	salt, disclosed := v.salts[r.Seq]
	if !disclosed {
		if v.m.Status == store.StatusFinished {
			v.fault(partSalts, "the salt of report %d is missing", r.Seq)
		}
		return
	}
	b, err := hex.DecodeString(salt)
	if err != nil || !strings.Contains(strings.Join(strings.Fields(r.Text), ""), committed(b, position)) {
		v.fault(name, "its commitment is not to the position of that moment")
		return
	}
	v.found.Commitments++
}

// reportDice checks that a report tells dice of the journal.
func (v *verifier) reportDice(r archiveReport) error {
	proved, _, _, err := report.ParseDice(r.Text)
	if err != nil {
		return err
	}
	for _, p := range proved {
		i := slices.IndexFunc(v.phases, func(x store.Phase) bool { return x.Phase == p.Phase })
		if i < 0 {
			return fmt.Errorf("it tells of %s, which the journal does not have", p.Phase)
		}
		journal, err := entriesOf(v.phases[i].Journal)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(journal, func(e adjudicator.Entry) bool {
			return e.Label == p.Label && e.Sides == p.Sides && slices.Equal(e.Dice, p.Dice) && bytes.Equal(e.Proof, p.Proof)
		}) {
			return fmt.Errorf("it tells %v for %s, %s; the journal does not", p.Dice, p.Phase, p.Label)
		}
	}
	return nil
}

// sameEntries compares what a run wrote with the journal.
func sameEntries(a, b []adjudicator.Entry) error {
	for i := range min(len(a), len(b)) {
		if !reflect.DeepEqual(a[i], b[i]) {
			return fmt.Errorf("entry %d (%s %q) is not what the sheets and the dice give (%s %q)", i+1, b[i].Kind, b[i].Label, a[i].Kind, a[i].Label)
		}
	}
	if len(a) != len(b) {
		return fmt.Errorf("it has %d entries, the sheets and the dice give %d", len(b), len(a))
	}
	return nil
}
