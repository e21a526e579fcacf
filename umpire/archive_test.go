package umpire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/staff"
	"fieldpost/store"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/archive"
	"fieldpost/umpire/match"
	"fieldpost/umpire/proof"
	"fieldpost/umpire/seats"
)

// soak tells that the full figures are wanted:
//
//	FIELDPOST_SOAK=1 go test -timeout 30m ./umpire
var soak = os.Getenv("FIELDPOST_SOAK") != ""

// playOut plays turns of a game (all of them with 0) with a staff officer on
// each side, who sees nothing but their reports.
func playOut(t testing.TB, turns int) *gameTable {
	t.Helper()
	g := newTable(t)
	g.illustrated()
	g.seat("SOVIET")
	g.seat("GERMAN")
	game, _, err := g.u.Scenario("kharkov-1942")
	if err != nil {
		t.Fatal(err)
	}
	officer, serial := staff.Officer{Game: game}, 0
	for moved := true; moved; {
		moved = false
		for _, side := range []string{"SOVIET", "GERMAN"} {
			for _, m := range g.outbox(side) {
				v := viewOf(t, m)
				if v == nil || len(v.Due) == 0 || turns > 0 && v.Turn > turns {
					continue
				}
				serial++
				sheet, err := officer.Sheet(v, serial)
				if err != nil {
					t.Fatal(err)
				}
				g.receive(g.mail(side, g.signed(side, sheet)))
				moved = true
			}
		}
	}
	return g
}

func viewOf(t testing.TB, m *mailbox.Message) *view.View {
	t.Helper()
	v, err := proof.View(m)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// trustOf are the keys as an invitation tells them.
func (g *gameTable) trust() proof.Trust {
	all, err := g.u.Summaries(g.game)
	if err != nil {
		g.t.Fatal(err)
	}
	return proof.Trust{DiceKey: all[0].DiceKey, DaemonKey: g.u.Key.Public().String()}
}

func sampleTurns() int {
	if soak {
		return 0
	}
	return 2
}

// partNamed is how an error tells where the fault is.
var partNamed = regexp.MustCompile(`part [a-z0-9./-]+|frame`)

func TestAnArchiveProvesItself(t *testing.T) {
	g := playOut(t, sampleTurns())
	raw, err := g.u.Archive(g.game)
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	a, err := archive.Verify(raw, g.trust())
	took := time.Since(begin)
	if err != nil || len(a.Unproven) > 0 {
		t.Fatalf("%v; unproven %q", err, a.Unproven)
	}
	if a.Phases < 20 || a.Rolls < 20 || a.Sheets < 3 || a.Reports < 6 || a.Answers < 3 {
		t.Errorf("it proves too little: %+v", a)
	}
	t.Logf("%d bytes, verified in %v: %+v", len(raw), took, a)
	if soak && (took > 5*time.Second || a.Commitments != a.Reports || a.Status != string(store.StatusFinished)) {
		t.Errorf("a whole game: %v, %+v", took, a)
	}
	if again, err := g.u.Archive(g.game); err != nil || !bytes.Equal(again, raw) {
		t.Errorf("a second archive differs, %v", err)
	}
	if a, err := archive.Verify(raw, proof.Trust{}); err != nil || len(a.Unproven) != 2 {
		t.Errorf("without keys: %v, %q", err, a.Unproven)
	}
	secrets(t, g, raw)

	random := rand.New(rand.NewPCG(1, 2))
	bytesAltered := 200
	if soak {
		bytesAltered = 1000
	}
	for range bytesAltered {
		bad := bytes.Clone(raw)
		at := random.IntN(len(bad))
		bad[at] ^= byte(1 + random.IntN(255))
		if _, err := archive.Verify(bad, g.trust()); err == nil {
			t.Fatalf("byte %d of %d altered, and nobody noticed", at, len(raw))
		} else if !partNamed.MatchString(err.Error()) {
			t.Errorf("byte %d: the error names no part: %v", at, err)
		}
	}
	t.Logf("%d random bytes altered one at a time, each noticed and its part named", bytesAltered)
	for _, n := range []int{0, 100, 512, len(raw) / 2, len(raw) - 1, len(raw) - 512} {
		if _, err := archive.Verify(raw[:n], g.trust()); err == nil {
			t.Errorf("cut to %d bytes it passes", n)
		}
	}
	if _, err := archive.Verify(append(slices.Clone(raw), make([]byte, 512)...), g.trust()); err == nil {
		t.Error("with something behind it, it passes")
	}
	operators(t, g, raw)
	stories(t, g, raw)
}

// secrets looks for what must not be in an archive.
func secrets(t *testing.T, g *gameTable, raw []byte) {
	t.Helper()
	parts, err := archive.Unbundle(raw)
	if err != nil {
		t.Fatal(err)
	}
	game, err := g.u.DB.Game(g.game)
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range opened(t, parts) {
		for what, secret := range map[string][]byte{"the dice key": game.DiceKey, "an address": []byte("soviet@example.org")} {
			if bytes.Contains(b, secret) && len(secret) > 0 {
				t.Errorf("%s holds %s", name, what)
			}
		}
	}
	if _, has := parts[archive.PartSalts]; has != (game.Status == store.StatusFinished) {
		t.Errorf("the game is %s; are the salts in the archive? %v", game.Status, has)
	}
}

func opened(t testing.TB, parts map[string][]byte) map[string][]byte {
	t.Helper()
	z, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	out := map[string][]byte{}
	for name, b := range parts {
		if strings.HasSuffix(name, archive.PackedSuffix) {
			if b, err = z.DecodeAll(b, nil); err != nil {
				t.Fatal(err)
			}
		}
		out[name] = b
	}
	return out
}

// operators alters one thing of each kind as only the holder of the daemon's key
// can: the list of parts is made and signed anew.
func operators(t *testing.T, g *gameTable, raw []byte) {
	t.Helper()
	other := string(store.StatusFinished)
	if bytes.Contains(raw, []byte(archive.PartSalts)) {
		other = string(store.StatusRunning)
	}
	for _, c := range []struct{ name, part, old, new string }{
		{"a die", archive.PartJournal, `"dice":\[(\d),`, `"dice":[9,`},
		{"a proof", archive.PartJournal, `"proof":"(.)`, `"proof":"//`},
		{"an answer", archive.PartJournal, `"answer":"[^"]{4,}"`, `"answer":"NONE"`},
		{"where an answer came from", archive.PartJournal, `"source":"sheet 1"`, `"source":"sheet 9"`},
		{"a hash", archive.PartJournal, `"hash":"...`, `"hash":"000`},
		{"the name of a phase", archive.PartJournal, `"phase":"turn 1 phase 4"`, `"phase":"turn 1 phase 5"`},
		{"an order", archive.PartSheets, `\\n[^"]{2,40}?\\nDONE!?`, `\nDONE!`},
		{"a signature", archive.PartSheets, `U1NIU0lH(.{90})..`, `U1NIU0lH${1}AA`},
		{"who filed a sheet", archive.PartSheets, `"side":"SOVIET"`, `"side":"GERMAN"`},
		{"a serial", archive.PartSheets, `"serial":1,`, `"serial":7,`},
		{"a report", archive.PartReports, `Kharkov`, `Charkow`},
		{"a report's signature", archive.PartReports, `U1NIU0lH(.{90})..`, `U1NIU0lH${1}AA`},
		{"a table", archive.PartScenario + "wb95/combat.tsv" + archive.PackedSuffix, `\t1`, `	2`},
		{"the dice key", archive.PartManifest, `(ecvrf-ed25519:..)..`, `${1}00`},
		{"the root", archive.PartManifest, `"root": "..`, `"root": "00`},
		{"a player's key", archive.PartManifest, `(ssh-ed25519 .{40})..`, `${1}AA`},
		{"the status", archive.PartManifest, `"status": "[a-z]+"`, `"status": "` + other + `"`},
		{"a salt", archive.PartSalts, `"salt":"..`, `"salt":"zz`},
	} {
		forged, altered := g.forged(raw, c.part, c.old, c.new)
		if !altered && c.part == archive.PartSalts {
			continue // the game is not over
		} else if !altered {
			t.Errorf("%s: %s holds no %s", c.name, c.part, c.old)
			continue
		}
		if _, err := archive.Verify(forged, g.trust()); err == nil {
			t.Errorf("%s altered, and nobody noticed", c.name)
		} else if !partNamed.MatchString(err.Error()) {
			t.Errorf("%s: the error names no part: %v", c.name, err)
		}
	}
}

// forged is an archive with one match of a pattern replaced, listed and signed anew.
func (g *gameTable) forged(raw []byte, part, old, new string) (bad []byte, altered bool) {
	g.t.Helper()
	parts, err := archive.Unbundle(raw)
	if err != nil {
		g.t.Fatal(err)
	}
	texts, re := opened(g.t, parts), regexp.MustCompile(old)
	loc := re.FindSubmatchIndex(texts[part])
	if loc == nil {
		return nil, false
	}
	was := texts[part]
	is := re.Expand(bytes.Clone(was[:loc[0]]), []byte(new), was, loc)
	texts[part] = append(is, was[loc[1]:]...)
	var m archive.Manifest
	if err := json.Unmarshal(texts[archive.PartManifest], &m); err != nil {
		g.t.Fatal(err)
	}
	delete(texts, archive.PartManifest)
	delete(texts, archive.PartSignature)
	bad, err = archive.Sealed(m, texts, g.u.Key)
	if err != nil {
		g.t.Fatal(err)
	}
	return bad, true
}

// A daemon that lies about dice tells them in a report's story and signs all of it anew: the
// view, its sum in the report, the report, the archive.
func stories(t *testing.T, g *gameTable, raw []byte) {
	t.Helper()
	for name, alter := range map[string]func(*view.Chapter) bool{
		"other dice":        func(c *view.Chapter) bool { c.Rolls[0].Dice[0] = 7 - c.Rolls[0].Dice[0]; return true },
		"an event left out": func(c *view.Chapter) bool { c.Events = c.Events[1:]; return true },
		"nothing altered":   func(*view.Chapter) bool { return false },
	} {
		lie := false
		told := g.retold(raw, func(c *view.Chapter) { lie = alter(c) })
		_, err := archive.Verify(told, g.trust())
		if lie && (err == nil || !strings.Contains(err.Error(), "as it was played")) {
			t.Errorf("%s: %v", name, err)
		}
		if !lie && err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// retold is an archive in which the story of a report with dice is altered, and everything signed anew.
func (g *gameTable) retold(raw []byte, alter func(*view.Chapter)) []byte {
	g.t.Helper()
	parts, err := archive.Unbundle(raw)
	if err != nil {
		g.t.Fatal(err)
	}
	texts := opened(g.t, parts)
	lines := bytes.Split(texts[archive.PartReports], []byte("\n"))
	done := false
	for i := 0; i < len(lines) && !done; i++ {
		lines[i], done = g.retoldReport(lines[i], alter)
	}
	if !done {
		g.t.Fatal("no report tells of dice")
	}
	texts[archive.PartReports] = bytes.Join(lines, []byte("\n"))
	var m archive.Manifest
	if err := json.Unmarshal(texts[archive.PartManifest], &m); err != nil {
		g.t.Fatal(err)
	}
	delete(texts, archive.PartManifest)
	delete(texts, archive.PartSignature)
	told, err := archive.Sealed(m, texts, g.u.Key)
	if err != nil {
		g.t.Fatal(err)
	}
	return told
}

// retoldReport alters the first phase with dice in the story of a report; others stay as they are.
func (g *gameTable) retoldReport(line []byte, alter func(*view.Chapter)) (told []byte, done bool) {
	g.t.Helper()
	var r map[string]any
	if json.Unmarshal(line, &r) != nil {
		return line, false
	}
	mails, err := g.u.DB.Mails(g.game)
	if err != nil {
		g.t.Fatal(err)
	}
	for _, m := range mails {
		if m.Kind != "report" || m.Side != r["side"] {
			continue
		}
		v := g.viewOf(m)
		was := sumOfView(g.t, v)
		text := fmt.Sprint(r["text"])
		chapter := slices.IndexFunc(v.Story.Phases, func(c view.Chapter) bool { return len(c.Rolls) > 0 })
		if chapter < 0 || !strings.Contains(text, was) {
			continue
		}
		alter(&v.Story.Phases[chapter])
		text = strings.Replace(text, was, sumOfView(g.t, v), 1)
		signature, err := seal.Sign(g.u.Key, proof.SignatureNamespace, []byte(text))
		if err != nil {
			g.t.Fatal(err)
		}
		r["text"], r["signature"], r["story"] = text, signature, v.Story
		if told, err = json.Marshal(r); err != nil {
			g.t.Fatal(err)
		}
		return told, true
	}
	return line, false
}

// viewOf is the view that a mail brings.
func (g *gameTable) viewOf(m store.Mail) *view.View {
	g.t.Helper()
	raw, err := g.u.DB.MailBytes(m.SHA256)
	if err != nil {
		g.t.Fatal(err)
	}
	mail, err := mailbox.Read(raw)
	if err != nil {
		g.t.Fatal(err)
	}
	v, err := proof.View(mail)
	if err != nil || v == nil || v.Story == nil {
		g.t.Fatalf("%s brings no story: %v", m.ID, err)
	}
	return v
}

func sumOfView(t testing.TB, v *view.View) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return store.Sum(text)
}

// A whole game of 17 turns from its archive, keys of the invitation and all.
func BenchmarkVerifyArchive(b *testing.B) {
	g := playOut(b, 0)
	raw, err := g.u.Archive(g.game)
	if err != nil {
		b.Fatal(err)
	}
	trust := g.trust()
	for b.Loop() {
		a, err := archive.Verify(raw, trust)
		if err != nil || a.Status != string(store.StatusFinished) || len(a.Unproven) > 0 {
			b.Fatalf("%+v, %v", a, err)
		}
	}
	b.ReportMetric(float64(len(raw)), "bytes/archive")
}

func TestAGameRepeats(t *testing.T) {
	g := playOut(t, 1)
	for _, prove := range []bool{false, true} {
		r, err := g.u.Replay(g.game, prove)
		if err != nil || len(r.Wrong) > 0 || r.Phases < 10 || r.Rolls == 0 || prove && r.Proved != r.Rolls {
			t.Errorf("%+v, %v", r, err)
		}
	}
	all, err := g.u.Shadow()
	if err != nil || len(all) != 1 || len(all[0].Wrong) > 0 {
		t.Errorf("shadow: %+v, %v", all, err)
	}
	stored, c, err := g.u.RecordingOf(g.game)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range c.Phases { // a die that changes nothing is found by its proof alone
		journal, _ := match.EntriesOf(p.Journal)
		for i := range journal {
			if journal[i].Kind == adjudicator.EntryRoll {
				journal[i].Dice[0] = journal[i].Dice[0]%6 + 1
				if _, _, wrong := match.Rolled(stored, p, journal[i:i+1], true); len(wrong) != 1 {
					t.Errorf("%s, %s: another die was not noticed", p.Phase, journal[i].Label)
				}
			}
		}
	}
	game, _, _ := g.u.Scenario("kharkov-1942")
	none := func(int, store.Phase, []adjudicator.Entry, []byte) error { return nil }
	for name, spoil := range map[string]func(*match.Recording){
		"a hash":                 func(c *match.Recording) { c.Phases[5].Hash = strings.Repeat("0", 64) },
		"a journal cut short":    func(c *match.Recording) { cutShort(c) },
		"what is asked":          func(c *match.Recording) { c.Open.Pending = json.RawMessage(`[{"label":"something else"}]`) },
		"the phase that waits":   func(c *match.Recording) { c.Open.Phase = "turn 9 phase 9" },
		"the opening":            func(c *match.Recording) { c.Phases[0].Hash = strings.Repeat("0", 64) },
		"a label of the journal": func(c *match.Recording) { replaceOnce(t, c, `"label":"(.)`, `"label":"x$1`) },
	} {
		bad := match.Recording{Rules: game, Phases: slices.Clone(c.Phases)}
		open := *c.Open
		bad.Open = &open
		spoil(&bad)
		if _, err := bad.Repeat(none); err == nil {
			t.Errorf("%s altered, and the repeat did not notice", name)
		}
	}
}

// cutShort takes away the last entry of the first journal that has some.
func cutShort(c *match.Recording) {
	for i := range c.Phases {
		if list, _ := match.EntriesOf(c.Phases[i].Journal); len(list) > 1 {
			c.Phases[i].Journal, _ = json.Marshal(list[:len(list)-1])
			return
		}
	}
}

func replaceOnce(t *testing.T, c *match.Recording, old, new string) {
	t.Helper()
	re := regexp.MustCompile(old)
	for i := range c.Phases {
		if p := &c.Phases[i]; re.Match(p.Journal) {
			loc := re.FindSubmatchIndex(p.Journal)
			is := re.Expand(bytes.Clone(p.Journal[:loc[0]]), []byte(new), p.Journal, loc)
			p.Journal = append(is, p.Journal[loc[1]:]...)
			return
		}
	}
	t.Fatalf("no journal holds %s", old)
}

// Players whose keys change in a running game, by their own statements and by the
// moderator, and one who had another key before the game began.
func TestAnArchiveOfChangedKeys(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	if err := g.u.SetKey(g.game, "SOVIET", g.keys["SOVIET3"].Public().String()); err != nil {
		t.Fatal(err)
	}
	if err := g.u.SetKey(g.game, "SOVIET", sshVoice(30).public); err != nil {
		t.Fatal(err)
	}
	anna, bruno := sshVoice(30), pgpVoice(31, 1)
	for _, bad := range []string{"abcd", "no digits", strings.Repeat("ab", 33)} {
		if err := g.u.Seat(acts.Seat{Game: g.game, Side: "GERMAN", Address: "german@example.org", Key: bruno.public, Sealed: bad}); !errors.Is(err, seats.ErrSealed) {
			t.Errorf("seal %q: %v", bad, err)
		}
	}
	nonce := strings.Repeat("5a", 16)
	if err := g.u.Seat(acts.Seat{Game: g.game, Side: "GERMAN", Address: "german@example.org", Key: bruno.public, Sealed: store.Sum(unhex(t, nonce))}); err != nil {
		t.Fatal(err)
	}
	g.post("GERMAN", bruno.body(seats.NonceStatement(g.game, "GERMAN", nonce)))
	if m, _ := g.last("SOVIET"); !strings.Contains(strings.Join(strings.Fields(m.Texts[0].AsSent), ""), "nonce"+nonce) {
		t.Errorf("Soviet does not hear of the other's nonce:\n%s", m.Texts[0].AsSent)
	}
	filed := func(side string, v voice, serial int) {
		t.Helper()
		g.outbox(side)
		g.post(side, v.body(g.sheet(side, 1, serial)))
		if m, _ := g.last(side); !strings.Contains(m.Subject, "filed") {
			t.Fatalf("%s: %s", v.name, m.Subject)
		}
	}
	rotate := func(side string, old, fresh voice) {
		t.Helper()
		text := "GAME: " + g.game + "\nSIDE: " + side + "\nROTATE: " + keyID(t, fresh) + "\n"
		g.post(side, "Content-Type: multipart/mixed; boundary=both\r\n\r\n--both\r\n"+old.body(text)+"\r\n--both\r\n"+fresh.body(text)+
			"\r\n--both\r\nContent-Type: text/plain; name=key.asc\r\n\r\n"+crlf(fresh.public)+"\r\n--both--\r\n")
	}
	filed("SOVIET", anna, 1)
	filed("GERMAN", bruno, 1)
	anna2, bruno2 := sshVoice(32), smimeVoice(33)
	rotate("SOVIET", anna, anna2)
	filed("SOVIET", anna2, 2)
	rotate("GERMAN", bruno, bruno2)
	filed("GERMAN", bruno2, 2)
	if err := g.u.SetKey(g.game, "GERMAN", sshVoice(34).public); err != nil {
		t.Fatal(err)
	}
	filed("GERMAN", sshVoice(34), 3)
	g.post("SOVIET", anna2.body("GAME: "+g.game+"\nSIDE: SOVIET\nREVOKE\n"))
	raw, err := g.u.Archive(g.game)
	if err != nil {
		t.Fatal(err)
	}
	a, err := archive.Verify(raw, g.trust())
	if err != nil || a.Sheets != 5 {
		t.Fatalf("%+v, %v", a, err)
	}
	if all := strings.Join(a.Unproven, "\n"); len(a.Unproven) != 2 || !strings.Contains(all, "moderator") || !strings.Contains(all, nonce) {
		t.Errorf("unproven are %q", a.Unproven)
	}
	for what, forge := range map[string]func(*archive.Manifest){
		"the key came later":       func(m *archive.Manifest) { m.Players[0].Later[0].Seq += 5 },
		"another key":              func(m *archive.Manifest) { m.Players[0].Later[0].Key = keyID(t, sshVoice(40)) },
		"another statement":        func(m *archive.Manifest) { m.Players[0].Later[0].Statement += "X" },
		"the new key's signature":  func(m *archive.Manifest) { m.Players[0].Later[0].Signatures = m.Players[0].Later[0].Signatures[:1] },
		"a mail of somebody else":  func(m *archive.Manifest) { m.Players[1].Later[0].Mail = g.mail("GERMAN", "Hello") },
		"a revocation left out":    func(m *archive.Manifest) { m.Players[0].Later[1].Key = keyID(t, anna) },
		"the key at the beginning": func(m *archive.Manifest) { m.Players[0].Key = keyID(t, anna2) },
		"another nonce":            func(m *archive.Manifest) { m.Players[1].Nonce = strings.Repeat("5b", 16) },
		"no nonce":                 func(m *archive.Manifest) { m.Players[1].Nonce = "" },
		"no change at all":         func(m *archive.Manifest) { m.Players[0].Later = nil },
	} {
		parts, err := archive.Unbundle(raw)
		if err != nil {
			t.Fatal(err)
		}
		texts := opened(t, parts)
		var m archive.Manifest
		if err := json.Unmarshal(texts[archive.PartManifest], &m); err != nil {
			t.Fatal(err)
		}
		forge(&m)
		delete(texts, archive.PartManifest)
		delete(texts, archive.PartSignature)
		forged, err := archive.Sealed(m, texts, g.u.Key)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Verify(forged, g.trust()); err == nil || !partNamed.MatchString(err.Error()) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func keyID(t *testing.T, v voice) string {
	t.Helper()
	key, err := seal.ParseKey(v.public)
	if err != nil {
		t.Fatal(err)
	}
	return key.ID()
}
