// Package archive writes a game as one file that proves itself, and verifies such a
// file with nothing but itself and the keys of the invitation: no daemon, no store.
package archive

import (
	"archive/tar"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"fieldpost/adjudicator/view"
	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/proof"
)

// An archive is a plain tar of parts. manifest.json tells what the game is and
// lists every other part with the SHA-256 of its bytes; manifest.sig is the
// daemon's signature over it (SSHSIG, namespace archive@fieldpost). Parts that
// end in .zst are compressed one by one, so that the tar has exactly one form
// and no byte of it goes unchecked:
//
//	scenario/PATH.zst    the scenario's files
//	journal.jsonl.zst    a line per phase: name, hash, entries with their proofs
//	open.json.zst        the phase that waits, if one does
//	sheets.jsonl.zst     a line per sheet, with its signature
//	reports.jsonl.zst    a line per report: its mail's SHA-256, the signed text, the signature
//	migrated.zst         the position after the last migration, if there was one
//	salts.jsonl.zst      the salts of the commitments, once the game is over
const (
	PartManifest  = "manifest.json"
	PartSignature = "manifest.sig"
	PartJournal   = "journal.jsonl.zst"
	partOpen      = "open.json.zst"
	PartSheets    = "sheets.jsonl.zst"
	PartReports   = "reports.jsonl.zst"
	PartSalts     = "salts.jsonl.zst"
	PartMigrated  = "migrated.zst"
	PartScenario  = "scenario/"
	PackedSuffix  = ".zst"
)

// ArchiveFormat is the version of the archive's parts.
const ArchiveFormat = 1

// archiveNamespace keeps signatures of archives apart from all others.
const archiveNamespace = "archive@fieldpost"

// Manifest is the part that is signed.
type Manifest struct {
	Format       int               `json:"format"`
	Game         string            `json:"game"`
	System       string            `json:"system"`
	RulesVersion string            `json:"rules"`
	Scenario     string            `json:"scenario"`
	ScenarioHash string            `json:"scenario_hash"`
	Title        string            `json:"title"`
	Status       store.Status      `json:"status"`
	Sides        []string          `json:"sides"`
	Options      map[string]string `json:"options,omitempty"`
	Players      []archivePlayer   `json:"players"`
	DiceKey      string            `json:"dice_key"`
	Root         string            `json:"root"`
	DaemonKey    string            `json:"daemon_key"`
	Parts        []archivePart     `json:"parts"`
}

type archivePart struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// Sheet is a sheet and, where the signature could not be lifted out of
// it, the mail that brought it.
type Sheet struct {
	store.Sheet
	Mail []byte `json:"mail,omitempty"`
	// Received is when that mail came: keys and certificates run out later.
	Received time.Time `json:"received,omitzero"`
}

// archiveReport is one report as it was sent. Without a text it was pruned, and
// only the hash of the mail is left.
type archiveReport struct {
	Side      string `json:"side"`
	Seq       uint64 `json:"seq"`
	MessageID string `json:"message_id"`
	Mail      string `json:"mail_sha256"`
	Text      string `json:"text,omitempty"`
	Signature string `json:"signature,omitempty"`
	// Rules, Reply and Story are what the umpire added to the view of the position; nil in
	// reports from before it did. The view's SHA-256 in the signed text covers them.
	Rules *view.Rules `json:"rules,omitempty"`
	Reply *view.Reply `json:"reply,omitempty"`
	Story *view.Story `json:"story,omitempty"`
}

type archiveSalt struct {
	Seq  uint64 `json:"seq"`
	Salt string `json:"salt"`
}

// Write writes a game as one file that proves itself. While the game is not
// over it holds what the sides may not know of each other, so it is for the
// moderator's eyes; the salts and the secret of the dice are not in it.
func (w Writer) Write(id string) ([]byte, error) {
	if w.Key.Public().IsZero() {
		return nil, errors.New("there is no signing key here, and an archive is signed with it: say in the configuration where the daemon has it")
	}
	m, parts, err := w.contents(id, w.Key.Public().String())
	if err != nil {
		return nil, err
	}
	return Sealed(m, parts, w.Key)
}

// Signed is what an archive was signed with, so that it can be written again without the key.
type Signed struct {
	Game      string `json:"game"`
	Key       string `json:"key"` // the daemon's public key
	Signature string `json:"signature"`
}

// SignedOf is what an archive was signed with.
func SignedOf(raw []byte) (s Signed, err error) {
	parts, err := Unbundle(raw)
	if err != nil {
		return s, err
	}
	var m Manifest
	err = json.Unmarshal(parts[PartManifest], &m)
	return Signed{m.Game, m.DaemonKey, string(parts[PartSignature])}, err
}

// Rewrite writes an archive again as it was signed. Whoever asks compares the outcome: what the
// store has of the game may have changed since.
func (w Writer) Rewrite(s Signed) ([]byte, error) {
	m, parts, err := w.contents(s.Game, s.Key)
	if err != nil {
		return nil, err
	}
	text, err := packed(m, parts)
	if err != nil {
		return nil, err
	}
	parts[PartManifest], parts[PartSignature] = text, []byte(s.Signature)
	return bundle(parts)
}

// contents are the parts of a game's archive, not yet packed, and its manifest without them.
func (w Writer) contents(id, daemonKey string) (m Manifest, parts map[string][]byte, err error) {
	none := func(err error) (Manifest, map[string][]byte, error) { return Manifest{}, nil, err }
	g, c, err := w.RecordingOf(id)
	if err != nil {
		return none(err)
	}
	if len(c.Phases) == 0 {
		return none(fmt.Errorf("game %s has not begun: there is nothing to archive", id))
	}
	if err := w.CheckVersion(g); err != nil {
		return none(err) // its scenario files are not ours
	}
	pack, _, err := w.Scenarios().Open(g.Scenario)
	if err != nil {
		return none(err)
	}
	m = Manifest{Format: ArchiveFormat, Game: g.ID, System: g.System, RulesVersion: g.RulesVersion, Scenario: g.Scenario,
		Title: g.Title, Status: g.Status, Sides: g.Sides, Options: g.Options, Root: hex.EncodeToString(g.Root),
		DiceKey: match.Thrower(g, "").Key.PublicKey().String(), DaemonKey: daemonKey}
	if m.ScenarioHash, err = w.Scenarios().Hash(g.Scenario); err != nil {
		return none(err)
	}
	if m.Players, err = w.archivePlayers(g, c.Phases[0].Seq); err != nil {
		return none(err)
	}
	parts = map[string][]byte{}
	files, err := pack.Files()
	if err != nil {
		return none(err)
	}
	for name, text := range files {
		parts[PartScenario+name+PackedSuffix] = text
	}
	if parts[PartJournal], err = Lines(c.Phases); err != nil {
		return none(err)
	}
	if c.Open != nil {
		if parts[partOpen], err = Lines([]store.OpenPhase{*c.Open}); err != nil {
			return none(err)
		}
	}
	if n := match.LastMigration(c.Phases); n > 0 {
		p, err := w.DB.Phase(id, c.Phases[n].Number)
		if err != nil {
			return none(err)
		}
		parts[PartMigrated] = p.Snapshot
	}
	if parts[PartSheets], err = w.archiveSheets(g); err != nil {
		return none(err)
	}
	reports, err := w.archiveReports(g)
	if err != nil {
		return none(err)
	}
	if parts[PartReports], err = Lines(reports); err != nil {
		return none(err)
	}
	if g.Status == store.StatusFinished {
		if parts[PartSalts], err = Lines(archiveSalts(g, reports, c.Phases)); err != nil {
			return none(err)
		}
	}
	return m, parts, nil
}

// archiveSalts are the salts of all that a finished game had told by a hash only:
// the positions behind its reports, and the orders at its closings.
func archiveSalts(g store.Game, reports []archiveReport, phases []store.Phase) (salts []archiveSalt) {
	var steps []uint64
	for _, r := range reports {
		steps = append(steps, r.Seq)
	}
	for _, p := range phases {
		for _, b := range p.Beacon {
			steps = append(steps, b.Closed)
		}
	}
	slices.Sort(steps)
	for _, seq := range slices.Compact(steps) {
		salts = append(salts, archiveSalt{seq, hex.EncodeToString(proof.SaltOf(g, seq))})
	}
	return salts
}

// Sealed packs the parts, lists them, signs the list and joins all.
func Sealed(m Manifest, parts map[string][]byte, key seal.PrivateKey) ([]byte, error) {
	text, err := packed(m, parts)
	if err != nil {
		return nil, err
	}
	signature, err := seal.Sign(key, archiveNamespace, text)
	if err != nil {
		return nil, err
	}
	parts[PartManifest], parts[PartSignature] = text, []byte(signature)
	return bundle(parts)
}

// packed packs the parts and returns the text of the manifest, which lists them.
func packed(m Manifest, parts map[string][]byte) ([]byte, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedBetterCompression))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	for name, text := range parts {
		parts[name] = z.EncodeAll(text, nil)
	}
	m.Parts = nil
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		m.Parts = append(m.Parts, archivePart{name, store.Sum(parts[name])})
	}
	return json.MarshalIndent(m, "", " ")
}

// bundle writes the tar: the manifest, its signature, then the parts by name. It
// holds nothing but names and contents, so that the same parts are the same bytes.
func bundle(parts map[string][]byte) ([]byte, error) {
	names := slices.SortedFunc(maps.Keys(parts), func(a, b string) int {
		rank := func(s string) string {
			if s == PartManifest || s == PartSignature {
				return "\x00" + s
			}
			return s
		}
		return strings.Compare(rank(a), rank(b))
	})
	var b bytes.Buffer
	t := tar.NewWriter(&b)
	for _, name := range names {
		if err := t.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(parts[name])), Format: tar.FormatUSTAR}); err != nil {
			return nil, err
		}
		if _, err := t.Write(parts[name]); err != nil {
			return nil, err
		}
	}
	err := t.Close()
	return b.Bytes(), err
}

// errNoTar says that a file is no archive.
var errNoTar = errors.New("not an archive of a game")

// Unbundle is the inverse of bundle; only what bundle writes passes.
func Unbundle(raw []byte) (map[string][]byte, error) {
	parts := map[string][]byte{}
	r, last := tar.NewReader(bytes.NewReader(raw)), "the beginning"
	for {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%w: the frame behind %s is damaged: %w", errNoTar, last, err)
		}
		if _, twice := parts[h.Name]; twice {
			return nil, fmt.Errorf("%w: part %s is there twice", errNoTar, h.Name)
		}
		if parts[h.Name], err = io.ReadAll(r); err != nil {
			return nil, fmt.Errorf("part %s is cut short: %w", h.Name, err)
		}
		last = "part " + h.Name
	}
	again, err := bundle(parts)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNoTar, err)
	}
	if !bytes.Equal(again, raw) {
		at := 0
		for at < min(len(again), len(raw)) && again[at] == raw[at] {
			at++
		}
		return nil, fmt.Errorf("%w: its frame was altered at byte %d", errNoTar, at)
	}
	return parts, nil
}

// Lines is a JSON value per line.
func Lines[T any](list []T) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, v := range list {
		if err := enc.Encode(v); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

func FromLines[T any](text []byte) (list []T, err error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	for {
		var v T
		err := dec.Decode(&v)
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return list, err
		}
		list = append(list, v)
	}
}

func (w Writer) archiveSheets(g store.Game) ([]byte, error) {
	sheets, err := w.DB.AllSheets(g.ID)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(sheets, func(a, b store.Sheet) int { return int(a.Seq) - int(b.Seq) })
	var out []Sheet
	for _, s := range sheets {
		a := Sheet{Sheet: s}
		if s.Signature == "" && s.Source != "" {
			if a.Mail, a.Received, err = w.mailKept(s.Source); err != nil {
				return nil, err
			}
		}
		out = append(out, a)
	}
	return Lines(out)
}

// mailKept is an incoming mail and when it came; none if it is not kept any more.
func (w Writer) mailKept(sha string) (raw []byte, received time.Time, err error) {
	raw, err = w.DB.Spooled(sha)
	if errors.Is(err, store.ErrNotFound) {
		return nil, received, nil
	}
	if err != nil {
		return nil, received, err
	}
	h, _, err := w.DB.Handled(sha)
	return raw, h.Received.UTC(), err
}

func (w Writer) archiveReports(g store.Game) (out []archiveReport, err error) {
	mails, err := w.DB.Mails(g.ID)
	if err != nil {
		return nil, err
	}
	for _, m := range mails {
		if m.Kind != "report" || m.Commander > 0 {
			continue // the side's other commanders have the same
		}
		r := archiveReport{Side: m.Side, Seq: m.Seq, MessageID: m.MessageID, Mail: m.SHA256}
		raw, _, err := w.DB.KeptMail(m.SHA256)
		if err == nil {
			err = r.read(raw)
		}
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// read takes the signed text, its signature and what the umpire added to the view from a report's mail.
func (r *archiveReport) read(raw []byte) error {
	m, err := mailbox.Read(raw)
	if err != nil {
		return err
	}
	v, err := proof.View(m)
	if err != nil {
		return err
	}
	if v != nil {
		r.Rules, r.Reply, r.Story = v.Rules, v.Reply, v.Story
	}
	for _, p := range m.Texts {
		if p.Type == "text/plain" && r.Text == "" {
			r.Text = string(proof.Plain(p.AsSent))
		}
	}
	for _, a := range m.Attachments {
		if a.Name == proof.FileSignature {
			r.Signature = string(a.Data)
		}
	}
	return nil
}

// Writer writes archives of the games of a store, signed with the daemon's key.
type Writer struct {
	*match.Games
	Key seal.PrivateKey
}
