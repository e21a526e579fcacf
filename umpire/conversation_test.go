package umpire

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/store"
	"fieldpost/store/bolt"
	"fieldpost/store/faulty"
	"fieldpost/store/memory"
	"fieldpost/store/postgres"
	"fieldpost/store/postgres/server"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/archive"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/proof"
	"fieldpost/umpire/records"
)

var update = flag.Bool("update", false, "write the mails that players get into the scripts")

// table is a game of two players with an umpire and no network: what the poller
// would bring is handed to Receive, what would be sent is read from the outbox.
type gameTable struct {
	t     testing.TB
	u     *Umpire
	game  string
	keys  map[string]seal.PrivateKey // by side, and of strangers
	mails int
	shown map[string]bool // outbox ids
	clock time.Time
	setup Setup
	ran   time.Duration // since the daemon began, by a clock that nobody sets

	made []string // ids of games made later

	firstCode string // the first code that a script has written

	damaged bool // the test damages the store
	moved   bool // players have left, or changed their addresses
}

// builtIn are the scenarios of all tables, each of which is loaded once.
var builtIn = new(match.Library)

func newTable(t testing.TB, given ...string) *gameTable {
	t.Helper()
	switch storeOf {
	case "":
		return tableOn(t, bolt.Options{}, given...)
	case "postgres":
		return tableOver(t, inPostgres(t), given...)
	case "memory":
		return tableOver(t, faulty.Over(memory.New(), faulty.Usual, seedOf(t.Name())), given...)
	}
	t.Fatalf("FIELDPOST_TEST_STORE=%s: memory, postgres or nothing is expected", storeOf)
	return nil
}

// storeOf is what the tables stand over: "memory" is a store in memory behind an unsteady
// connection, "postgres" a database, "" a file. FIELDPOST_TEST_STORE sets it for all tests; those
// that look at files are left out then.
var storeOf = os.Getenv("FIELDPOST_TEST_STORE")

// inPostgres is an empty store in the database of a server that all tests share.
func inPostgres(t testing.TB) store.Store {
	t.Helper()
	url := server.Store(t)
	if err := postgres.Prepare(url); err != nil {
		t.Fatal(err)
	}
	db, err := postgres.Open(url, postgres.Options{Node: "node"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// seedOf is the seed of a test's faults.
func seedOf(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64()
}

// file is the store as a file; without one the test is left out.
func (g *gameTable) file() store.File {
	file, is := g.u.DB.(store.File)
	if !is {
		g.t.Skip("the test looks at files")
	}
	return file
}

// commit changes the store behind the umpire's back.
func (g *gameTable) commit(c store.Change) {
	g.t.Helper()
	if err := store.Anew(g.u.DB, func(db store.Store) error { return db.Commit(c) }); err != nil {
		g.t.Fatal(err)
	}
}

// tableOn is a table over a store with the options.
func tableOn(t testing.TB, o bolt.Options, given ...string) *gameTable {
	t.Helper()
	if storeOf != "" {
		t.Skip("the test looks at files")
	}
	db, err := bolt.Open(filepath.Join(t.TempDir(), "fieldpost.db"), o)
	if err != nil {
		t.Fatal(err)
	}
	return tableOver(t, db, given...)
}

// tableOver is a table over a store, which is closed at its end.
func tableOver(t testing.TB, db store.Store, given ...string) *gameTable {
	t.Helper()
	options, err := match.ParseOptions(given)
	if err != nil {
		t.Fatal(err)
	}
	g := &gameTable{t: t, keys: map[string]seal.PrivateKey{}, shown: map[string]bool{}, clock: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}
	t.Cleanup(func() {
		for _, err := range records.Check(db) {
			if !g.damaged {
				t.Errorf("the store is not in order: %v", err)
			}
		}
		db.Close()
	})
	random := rand.NewChaCha8([32]byte{7})
	for _, name := range []string{"DAEMON", "SOVIET", "GERMAN", "STRANGER"} {
		if g.keys[name], err = seal.GenerateKey(random); err != nil {
			t.Fatal(err)
		}
	}
	spare := rand.NewChaCha8([32]byte{8}) // apart, so that the dice of the scripts stay as they are
	for _, name := range []string{"SOVIET2", "SOVIET3", "GERMAN2", "MODERATOR", "DEPUTY", "NEWCOMER", "AMERICAN"} {
		if g.keys[name], err = seal.GenerateKey(spare); err != nil {
			t.Fatal(err)
		}
	}
	g.setup = Setup{DB: db, Address: "umpire@example.org", Name: "Fieldpost", Instance: "test", Key: g.keys["DAEMON"],
		Now: func() time.Time { return g.clock }, Log: slog.New(slog.DiscardHandler), Draw: unillustrated, Library: builtIn}
	g.setup.Moderators = []acts.Moderator{{Name: "Anna", Address: "moderator@example.org", Key: g.keys["MODERATOR"].Public().String()},
		{Name: "Otto", Address: "deputy@example.org", Key: g.keys["DEPUTY"].Public().String(), Games: []string{"OTHERONE"}}}
	g.u = New(g.setup)
	staffs := strings.Fields(options["staff"])
	codes, invited := options["codes"], options["invited"]
	for _, name := range []string{"staff", "codes", "invited"} {
		delete(options, name)
	}
	scenario := cmp.Or(options["scenario"], "kharkov-1942")
	delete(options, "scenario")
	options["undo"] = cmp.Or(options["undo"], "0")
	made, err := g.u.NewGame(scenario, options, random, staffs...)
	if err != nil {
		t.Fatal(err)
	}
	g.game = made.ID
	if codes != "" {
		g.seatByCodes(codes)
	}
	if invited != "" {
		if err := g.u.Invite(acts.Seat{Game: g.game, Side: invited, Name: "Vera", Address: strings.ToLower(invited) + "@example.org"}); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// unillustrated reports have no pictures. Drawing is half of a report's work, so a table
// goes without unless its test looks at what is drawn.
func unillustrated(game, side string) bool { return false }

// illustrated has pictures drawn from now on.
func (g *gameTable) illustrated() { g.u.Draw = nil }

// proved writes the game's archive and checks it.
func (g *gameTable) proved() {
	g.t.Helper()
	raw, err := g.u.Archive(g.game)
	if err != nil {
		g.t.Fatal(err)
	}
	if a, err := archive.Verify(raw, g.trust()); err != nil || len(a.Unproven) > 0 {
		g.t.Errorf("the archive: %v, unproven %v", err, a.Unproven)
	}
}

func (g *gameTable) seat(side string) {
	g.t.Helper()
	err := g.u.AddPlayer(g.game, side, "Player of "+side, strings.ToLower(side)+"@example.org", g.keys[side].Public().String())
	if err != nil {
		g.t.Fatal(err)
	}
}

// seatByCodes seats a player who has no key.
func (g *gameTable) seatByCodes(side string) {
	g.t.Helper()
	if err := g.u.Seat(acts.Seat{Game: g.game, Side: side, Name: "Player of " + side, Address: strings.ToLower(side) + "@example.org", Key: acts.ByCodes}); err != nil {
		g.t.Fatal(err)
	}
}

// lastOf is the last mail of a kind to a side, as it was sent; nil if there is none.
func (g *gameTable) lastOf(kind, side string) (last *mailbox.Message) {
	g.t.Helper()
	mails, err := g.u.DB.Mails(g.game)
	if err != nil {
		g.t.Fatal(err)
	}
	for _, m := range mails {
		if m.Kind != kind || m.Side != side {
			continue
		}
		raw, err := g.u.DB.MailBytes(m.SHA256)
		if err == nil {
			last, err = mailbox.Read(raw)
		}
		if err != nil {
			g.t.Fatal(err)
		}
	}
	return last
}

// reply is a mail with what somebody's mail program makes of an answer to a mail of ours.
func (g *gameTable) reply(side, how, text string) []byte {
	kind := "report"
	if how == "letter" {
		kind = "press"
	}
	to := g.lastOf(kind, side)
	if to == nil {
		g.t.Fatalf("there is no %s to %s", kind, side)
	}
	was := to.Texts[0].AsSent
	switch how {
	case "report": // as Outlook does it
		text += "\n\n-----Original Message-----\nFrom: Fieldpost <umpire@example.org>\nSubject: " + to.Subject + "\n\n" + was
	case "quotation": // filled in below the section word MOVE, in the midst of the quotation
		was = strings.Replace(was, "\nMOVE\n", "\nMOVE\n"+text, 1)
		text = "Here are my orders.\n\nOn Fri, 20 Nov 2026, Fieldpost <umpire@example.org> wrote:\n> " + strings.ReplaceAll(strings.TrimSpace(was), "\n", "\n> ") + "\n"
	case "untouched":
		text = was[strings.LastIndex(was[:strings.Index(was, "# DONE")], "GAME:"):strings.Index(was, "# DONE")] + "# DONE\n"
	}
	return bytes.Replace(g.mail(side, text), []byte("Subject: orders"), []byte("In-Reply-To: <"+to.MessageID+">\r\nSubject: Re: "+to.Subject), 1)
}

// mail is a plain mail from somebody.
func (g *gameTable) mail(from, body string) []byte {
	g.mails++
	return fmt.Appendf(nil, "From: %s@example.org\r\nTo: umpire@example.org\r\nSubject: orders\r\nMessage-ID: <mail-%d@example.org>\r\nDate: Fri, 20 Nov 2026 12:00:00 +0000\r\n\r\n%s",
		strings.ToLower(from), g.mails, strings.ReplaceAll(body, "\n", "\r\n"))
}

func (g *gameTable) signed(by, sheet string) string {
	canonical := orders.Canonical(sheet)
	armored, err := seal.Sign(g.keys[by], seal.Namespace, []byte(canonical))
	if err != nil {
		g.t.Fatal(err)
	}
	return seal.Block(canonical, armored)
}

func (g *gameTable) receive(raw []byte) { g.receiveOf(raw, false) }

// receiveOf receives a mail of a look at the mailbox, which may have found others behind it.
func (g *gameTable) receiveOf(raw []byte, more bool) {
	g.t.Helper()
	r := mailbox.Raw{Key: mailbox.Key{Box: "INBOX", UIDValidity: 1, UID: uint32(g.mails)}, New: true, InternalDate: g.clock, Bytes: raw, Size: int64(len(raw)), Look: g.clock.Add(-time.Second), More: more}
	if err := g.u.Receive(context.Background(), r); err != nil {
		g.t.Fatal(err)
	}
}

// concessionCounts lets the time pass in which a side can take back that it gives up.
func (g *gameTable) concessionCounts() {
	g.clock = g.clock.Add(16 * time.Minute)
	g.u.Tick(g.clock)
}

// outbox are the mails for a side that nobody has looked at yet.
func (g *gameTable) outbox(side string) []*mailbox.Message {
	g.t.Helper()
	var mails []store.Mail
	for _, id := range g.ids() {
		more, err := g.u.DB.Mails(id)
		if err != nil {
			g.t.Fatal(err)
		}
		mails = append(mails, more...)
	}
	queue, err := g.u.DB.Queue(g.clock.Add(time.Hour), 0)
	if err != nil {
		g.t.Fatal(err)
	}
	for _, m := range queue {
		if m.Game == "" && m.Kind != "welcome" {
			mails = append(mails, m) // to a moderator, or to somebody who has left
		}
	}
	box := strings.ToLower(side) + "@example.org"
	var out []*mailbox.Message
	for _, m := range mails {
		if m.To != box && (m.Side != side || g.moved) || g.shown[m.ID] || g.notYet(m) {
			continue
		}
		g.shown[m.ID] = true
		raw, err := g.u.DB.MailBytes(m.SHA256)
		if err != nil {
			g.t.Fatal(err)
		}
		if m.To != box {
			g.t.Errorf("a mail for %s goes to %s", side, m.To)
		}
		if to, hold := g.u.Recipient(m); g.moved && (hold != nil || to != box) {
			g.t.Errorf("a mail to %s would go to %q, %v", box, to, hold)
		}
		msg, err := mailbox.Read(raw)
		if err != nil {
			g.t.Fatal(err)
		}
		out = append(out, msg)
	}
	return out
}

// notYet tells of a mail on the clock of a game, or of an answer that waits for another mail, that it
// has not left, or never will.
func (g *gameTable) notYet(m store.Mail) bool {
	mayWait := m.Kind == "moderator" || m.Kind == "ack"
	return mayWait && m.Next.After(g.clock) || m.State == store.MailReplaced
}

// ids are those of the game and of games that were made later, in order.
func (g *gameTable) ids() []string {
	games, err := g.u.DB.Games()
	if err != nil {
		g.t.Fatal(err)
	}
	for _, made := range games {
		if !slices.Contains(g.made, made.ID) && made.ID != g.game {
			g.made = append(g.made, made.ID)
		}
	}
	return append([]string{g.game}, g.made...)
}

// named writes $GAME, $NEW1, $NEW2 for the games' ids, or the other way round.
func (g *gameTable) named(text string, back bool) string {
	for n, id := range g.ids() {
		name := fmt.Sprintf("$NEW%d", n)
		if n == 0 {
			name = "$GAME"
		}
		if back {
			name, id = id, name
		}
		text = strings.ReplaceAll(strings.ReplaceAll(text, id, name), strings.ToLower(id), strings.ToLower(name))
	}
	return text
}

var hexDigits = regexp.MustCompile(`\b[0-9a-f]{16,}\b|(\b[0-9a-f]{4} ){3,}[0-9a-f]{4}\b`)

// codes are one-time codes, which are others in every run.
var codes = regexp.MustCompile(`\b([A-Z2-7]{5}-){4}[A-Z2-7]\b`)

// told is what a player reads, cut to what a script should show: answers whole,
// of reports and invitations the first lines.
func told(m *mailbox.Message) string {
	text := strings.Split(strings.TrimSpace(m.Texts[0].AsSent), "\n")
	if id := strings.TrimSpace(m.MessageID); strings.HasPrefix(id, "report.") || strings.HasPrefix(id, "handover.") || strings.HasPrefix(id, "invitation.") {
		text = append(text[:min(len(text), 14)], "...")
	}
	if strings.HasPrefix(m.MessageID, "question.") {
		text = append(text[:min(len(text), 26)], "...")
	}
	for i, l := range text {
		l = codes.ReplaceAllString(l, "(code)")
		text[i] = strings.TrimRight(hexDigits.ReplaceAllString(l, "(digits)"), " ")
	}
	return "Subject: " + m.Subject + "\n\n" + strings.Join(text, "\n") + "\n"
}

// remarks are those of a report.
func remarks(m *mailbox.Message) string {
	_, text, _ := strings.Cut(m.Texts[0].AsSent, "REMARKS\n")
	text, _, _ = strings.Cut(text, "\n\n")
	return hexDigits.ReplaceAllString(text, "(digits)") + "\n"
}

// story is what a report tells, whole.
func story(m *mailbox.Message) string {
	text := m.Texts[0].AsSent
	_, text, _ = strings.Cut(text, "WHAT HAPPENED\n")
	text, _, _ = strings.Cut(text, "\nYOUR ARMY")
	text, _, _ = strings.Cut(text, "\nREMARKS")
	return "Subject: " + m.Subject + "\n\n" + hexDigits.ReplaceAllString(strings.TrimRight(text, "\n"), "(digits)") + "\n"
}

func TestConversations(t *testing.T) {
	scripts, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, path := range scripts {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { converse(t, path) })
	}
}

// Some of the scripts over a store in memory that says of every sixth Change that it comes too
// late, or that nobody knows what became of it: players read the same. With
// FIELDPOST_TEST_STORE=memory all tests stand over it.
func TestConversationsOverAnUnsteadyStore(t *testing.T) {
	if storeOf != "" {
		t.Skip("all of them stand over another one")
	}
	storeOf = "memory"
	defer func() { storeOf = "" }()
	for _, script := range []string{"moderator", "first-hour-invited", "second-thought", "commanders-held"} {
		t.Run(script, func(t *testing.T) { converse(t, filepath.Join("testdata", script+".txtar")) })
	}
}

// converse plays a script. Its files are named "SIDE does": "SOVIET signs" and
// mails a sheet, "SOVIET writes" a mail without a signature, "SOVIET signs as
// GERMAN" puts SOVIET's address over GERMAN's signature, "GERMAN gets" holds what
// is in their mailbox since the last look, "GERMAN reads" the stories of the reports
// there and "GERMAN notes" their remarks. $GAME is the game's id, $NEW1 that of the next one that is made, and $SOVIET2 the public key of that name. "SOVIET
// signs as SOVIET SOVIET2" signs by both keys. "GERMAN enrols GERMAN2" is the
// moderator's doing. A first file "the game has" holds its options; staff=GERMAN gives
// that side to a staff officer, scenario=gd-kursk plays another battle than Kharkov 1942. "the archive proves itself" checks the game's archive.
// "moderator VERB SIDE" is an act of the moderator. "time passes 30h" moves the clock and ends with a look into an empty mailbox, "clock set 30h" sets
// it, and "daemon starts 30h" later begins another process. "again"
// repeats the last mail byte by byte. With a file "no pictures" reports have none. With
// codes=SOVIET that side plays by codes: $PHASE is the code that is good now, $FIRST the first
// that the script has used. With invited=SOVIET that side is invited, and $CODE is the code to
// join by; it is the last one that was mailed, also to confirm an address. "(more mail follows)"
// behind a mail says that the same look at the mailbox found others. "SOVIET replies above the report" leaves the report unquoted below, "SOVIET replies
// in the quotation" fills in the quoted sheet, "SOVIET replies to a letter" answers one,
// "SOVIET replies with the sheet untouched" sends ours back, "SOVIET writes in HTML" has no plain text.
func converse(t *testing.T, path string) {
	ar, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var options []string
	if len(ar.Files) > 0 && ar.Files[0].Name == "the game has" {
		options = strings.Split(strings.TrimSpace(string(ar.Files[0].Data)), "\n")
	}
	g := newTable(t, options...)
	if !slices.ContainsFunc(ar.Files, func(f txtar.File) bool { return f.Name == "no pictures" }) {
		g.illustrated()
	}
	for _, side := range []string{"SOVIET", "GERMAN"} {
		seated := slices.ContainsFunc([]string{"staff=", "codes=", "invited="}, func(by string) bool { return slices.Contains(options, by+side) })
		if !seated {
			g.seat(side)
		}
	}
	if slices.ContainsFunc(ar.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, "daemon starts") }) {
		g.watched()
	}
	var last []byte
	for i := range ar.Files {
		f := &ar.Files[i]
		step, follows := strings.CutSuffix(f.Name, "(more mail follows)")
		words := strings.Fields(strings.TrimSuffix(step, "(nothing happens)"))
		text := g.named(string(f.Data), true)
		for name, key := range g.keys {
			text = strings.ReplaceAll(text, "$"+name+"\n", key.Public().String()+"\n")
		}
		text = strings.ReplaceAll(text, "$CODE", g.lastCode())
		if strings.Contains(text, "$PHASE") {
			text = strings.ReplaceAll(text, "$PHASE", phaseCodeNow(t, g))
		}
		text = strings.ReplaceAll(text, "$FIRST", g.firstCode)
		g.firstCode = cmp.Or(g.firstCode, phaseCodeIn(text))
		before := g.journal()
		switch {
		case f.Name == "players move":
			g.moved = true
			continue
		case f.Name == "the game has", f.Name == "no pictures":
			continue
		case f.Name == "the archive proves itself":
			g.proved()
			continue
		case len(words) == 3 && words[1] == "enrols":
			if err := g.u.SetKey(g.game, words[0], g.keys[words[2]].Public().String()); err != nil {
				t.Errorf("%s: %s: %v", path, f.Name, err)
			}
			continue
		case len(words) == 2 && (words[1] == "gets" || words[1] == "reads" || words[1] == "notes"):
			var got strings.Builder
			for _, m := range g.outbox(words[0]) {
				switch report := strings.HasPrefix(m.MessageID, "report."); {
				case words[1] == "notes" && report:
					got.WriteString("Subject: " + m.Subject + "\n\n" + remarks(m) + "\n")
				case words[1] == "gets":
					got.WriteString(told(m) + "\n")
				case report:
					got.WriteString(story(m) + "\n")
				}
			}
			now := g.named(got.String(), false)
			if *update {
				f.Data = []byte(now)
			} else if strings.TrimSpace(now) != strings.TrimSpace(string(f.Data)) {
				t.Errorf("%s: %s\n--- got\n%s--- want\n%s", path, f.Name, now, f.Data)
			}
			continue
		case words[0] == "time", words[0] == "clock", words[0] == "daemon":
			passes, err := time.ParseDuration(words[2])
			if err != nil {
				t.Fatalf("%s: %s: %v", path, f.Name, err)
			}
			g.pass(words[0], passes)
			if strings.Contains(f.Name, "(nothing happens)") && g.journal() != before {
				t.Errorf("%s: %s: the game changed", path, f.Name)
			}
			continue
		case words[0] == "moderator":
			a := acts.Act{By: "test", Verb: words[1], Game: g.game, Value: strings.TrimSpace(text)}
			if len(words) > 2 {
				a.Side = words[2]
			}
			if _, err := g.u.Moderate(a); err != nil {
				t.Errorf("%s: %s: %v", path, f.Name, err)
			}
			continue
		case words[0] == "again":
		case words[1] == "writes" && strings.HasSuffix(f.Name, "in HTML"):
			page := "<html><body><div>" + strings.ReplaceAll(strings.TrimSpace(text), "\n", "</div><div>") + "</div></body></html>"
			last = bytes.Replace(g.mail(words[0], page), []byte("\r\n\r\n"), []byte("\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"), 1)
		case words[1] == "writes":
			last = g.mail(words[0], text)
		case words[1] == "replies":
			last = g.reply(words[0], words[len(words)-1], text)
		case words[1] == "signs":
			keys := words[:1]
			if len(words) > 3 {
				keys = words[3:]
			}
			body := "Dear umpire,\n\n"
			text, letter, _ := strings.Cut(text, "LETTER\n")
			if letter != "" {
				part, digest := orders.Press(letter)
				text, letter = strings.TrimSpace(text)+"\nPRESS-SHA256: "+digest+"\n", part
			}
			for _, key := range keys {
				body += g.signed(key, text)
			}
			body += letter
			last = g.mail(words[0], body)
		case words[1] == "spoils":
			last = bytes.Replace(g.mail(words[0], g.signed(words[0], text)), []byte("SERIAL"), []byte("SERIAI"), 1)
		default:
			t.Fatalf("%s: %q is no step of a script", path, f.Name)
		}
		if g.receiveOf(last, follows); strings.Contains(f.Name, "(nothing happens)") && g.journal() != before {
			t.Errorf("%s: %s: the game changed", path, f.Name)
		}
	}
	for _, id := range g.ids() {
		if game, err := g.u.DB.Game(id); err != nil || game.Phases == 0 {
			continue // it has not begun
		}
		if _, err := g.u.archived(id); err != nil {
			t.Errorf("%s: the archive of game %s does not verify: %v", path, id, err)
		}
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// pass lets time pass, sets the clock by as much, or begins another process when it has passed.
func (g *gameTable) pass(how string, d time.Duration) {
	g.t.Helper()
	g.clock = g.clock.Add(d)
	switch how {
	case "time":
		g.ran += d
	case "daemon":
		g.ran = 0
		g.u = New(g.setup)
		g.watched()
		if err := g.u.begun(); err != nil {
			g.t.Fatal(err)
		}
	}
	g.u.Tick(g.clock)
	if how == "time" {
		g.u.Service.Looked("INBOX", g.clock)
	}
}

// watched compares the clock with one that nobody can set.
func (g *gameTable) watched() { g.u.Steady = func() time.Duration { return g.ran } }

// phaseCodeIn is the code of a phase in a text, "" for none.
func phaseCodeIn(text string) string {
	if found := sheetCode.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}

// lastCode is the code of the last invitation that was sent.
func (g *gameTable) lastCode() string {
	var mails []store.Mail
	for _, id := range g.ids() {
		more, err := g.u.DB.Mails(id)
		if err != nil {
			g.t.Fatal(err)
		}
		mails = append(mails, more...)
	}
	queue, err := g.u.DB.Queue(g.clock.Add(time.Hour), 0)
	if err != nil {
		g.t.Fatal(err)
	}
	mails = append(mails, slices.DeleteFunc(queue, func(m store.Mail) bool { return m.Kind != "confirm" })...)
	slices.SortFunc(mails, func(a, b store.Mail) int { return cmp.Compare(a.Number, b.Number) })
	for _, m := range slices.Backward(mails) {
		if !slices.Contains([]string{"invitation", post.ToGuest, "confirm"}, m.Kind) {
			continue
		}
		raw, err := g.u.DB.MailBytes(m.SHA256)
		if err != nil {
			g.t.Fatal(err)
		}
		if found := codes.Find(raw); found != nil {
			return string(found)
		}
	}
	return ""
}

// archived makes the game's archive and checks it.
func (u *Umpire) archived(id string) (archive.Checked, error) {
	g, err := u.DB.Game(id)
	if err != nil {
		return archive.Checked{}, err
	}
	raw, err := u.Archive(id)
	if err != nil {
		return archive.Checked{}, err
	}
	a, err := archive.Verify(raw, proof.Trust{DiceKey: match.Thrower(g, "").Key.PublicKey().String(), DaemonKey: u.Key.Public().String()})
	for _, u := range a.Unproven {
		if strings.Contains(u, "not answered by a sheet") && !strings.Contains(u, "deadline") {
			err = errors.Join(err, errors.New(u))
		}
	}
	return a, err
}

// journal is everything that decides the game, as text.
func (g *gameTable) journal() string {
	phases, err := g.u.DB.Journal(g.game)
	if err != nil {
		g.t.Fatal(err)
	}
	var b strings.Builder
	for _, p := range phases {
		fmt.Fprintf(&b, "%s %s %s\n", p.Phase, p.Hash, p.Journal)
	}
	if game, err := g.u.DB.Game(g.game); err == nil {
		for _, p := range game.Players {
			fmt.Fprintf(&b, "%s %d %s\n", p.Side, p.Serial, p.Key)
		}
	}
	sheets, _ := g.u.DB.AllSheets(g.game)
	for _, s := range sheets {
		b.WriteString(s.Digest + "\n")
	}
	return b.String()
}
