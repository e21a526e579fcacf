package club

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/demo/world"
	"fieldpost/orders/seal"
	"fieldpost/staff"
	"fieldpost/store"
	"fieldpost/store/bolt"
	"fieldpost/trial/browser"
	"fieldpost/umpire"
	"fieldpost/umpire/match"
	"fieldpost/umpire/records"
	"fieldpost/web"
)

// moderatorsPassword opens the page of the club below.
const moderatorsPassword = "a password for the club"

// pageWeek is a club whose moderator has nothing but the page in a browser of a telephone's width. Its
// players write mails; its machine can be lost.
type pageWeek struct {
	*world.World
	t      *testing.T
	folder string
	now    time.Time
	hash   string
	random *rand.ChaCha8
	at     *httptest.Server
	b      *browser.Browser
	scenes *match.Library
	mails  int
	since  [][]byte // mails that came after the last backup: the mailbox has them still
}

func newPageWeek(t *testing.T) *pageWeek {
	t.Helper()
	hash, err := web.Hash(moderatorsPassword)
	if err != nil {
		t.Fatal(err)
	}
	w := &pageWeek{t: t, b: browser.New(t), folder: filepath.Join(t.TempDir(), "data"), hash: hash, scenes: new(match.Library),
		now: time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC), random: rand.NewChaCha8([32]byte{27})}
	w.start()
	t.Cleanup(func() { w.stop() })
	return w
}

// start is what a daemon does: open what is kept, and serve the page.
func (w *pageWeek) start() {
	w.t.Helper()
	if err := os.MkdirAll(w.folder, 0o700); err != nil {
		w.t.Fatal(err)
	}
	var err error
	w.World, err = world.Open(w.folder, world.Options{Address: desk, Instance: "club", Random: w.random, Library: w.scenes, Now: func() time.Time { return w.now }, Draw: func(string, string) bool { return false }})
	if err != nil {
		w.t.Fatal(err)
	}
	if err := w.Umpire.ThawAll(); err != nil {
		w.t.Fatal(err)
	}
	if err := w.Umpire.SetAlarms(); err != nil {
		w.t.Fatal(err)
	}
	s, err := web.New(w.Umpire, umpire.WebConfig{Listen: "127.0.0.1:0", Password: w.hash}, slog.New(slog.DiscardHandler))
	if err != nil {
		w.t.Fatal(err)
	}
	w.at = httptest.NewServer(s.Handler())
	w.b.Size(390, 844)
	w.logIn()
}

func (w *pageWeek) logIn() {
	w.t.Helper()
	w.b.Open(w.at.URL + "/login")
	w.b.Click("#name")
	w.b.Write("Anna")
	w.b.Click("#password")
	w.b.Write(moderatorsPassword)
	w.b.Press("Enter")
	w.b.Sees("Log Anna out")
}

func (w *pageWeek) stop() {
	w.at.CloseClientConnections()
	w.at.Close()
	if err := w.Close(); err != nil {
		w.t.Error(err)
	}
}

// on is the next morning, and what the clock brings until then.
func (w *pageWeek) on() {
	w.t.Helper()
	for morning := w.now.Add(24 * time.Hour); w.now.Before(morning); {
		next := w.Umpire.Tick(w.now)
		if next.IsZero() || next.After(morning) || !next.After(w.now) {
			next = morning
		}
		w.now = next
	}
	w.Umpire.Tick(w.now)
	w.logIn() // yesterday's login has run out
}

// opens makes a game of a scenario in the form of new games, and gives its id.
func (w *pageWeek) opens(scenario string) string {
	w.t.Helper()
	w.b.Open(w.at.URL + "/new?scenario=" + scenario)
	w.b.Click("#o-deadline")
	w.b.Write("2d")
	w.b.Click("form[action='/new'] button")
	w.b.Sees("deadline = 2d")
	path := w.b.Eval("location.pathname")
	return path[strings.LastIndex(path, "/")+1:]
}

// does carries an act out on a game's page: the side if it is about one, and what is written.
func (w *pageWeek) does(game, verb, side, value string) {
	w.t.Helper()
	w.fills(game, verb, side, value)
	w.b.Click(fmt.Sprintf("form[action$='/%s'] button:not([name])", verb))
	w.b.Until(verb, fmt.Sprintf("document.readyState==='complete' && location.pathname.endsWith('/%s')", verb))
	if fault := w.b.Eval("document.querySelector('.fault')?.innerText ?? ''"); fault != "" {
		w.t.Fatalf("%s of game %s: %s", verb, game, fault)
	}
}

func (w *pageWeek) fills(game, verb, side, value string) {
	w.t.Helper()
	w.b.Open(w.at.URL + "/games/" + game)
	w.b.Eval(fmt.Sprintf("document.querySelector('form[action$=\"/%s\"]').closest('details')?.setAttribute('open', '')", verb))
	if side != "" {
		w.b.Eval(fmt.Sprintf("document.querySelector('#side-%s').value = %q", verb, side))
	}
	if value == "" {
		return
	}
	w.b.Click("#" + verb)
	w.b.Eval(fmt.Sprintf("document.querySelector('#%s').select()", verb))
	w.b.Write(value)
}

// asks tries an act that can be tried, and gives what it would do.
func (w *pageWeek) asks(game, verb, value string) string {
	w.t.Helper()
	w.fills(game, verb, "", value)
	w.b.Click(fmt.Sprintf("form[action$='/%s'] button[name=dry]", verb))
	w.b.Sees("Nothing was done")
	return w.b.Eval("document.body.innerText")
}

// guest is somebody invited, who becomes a player.
type guest struct {
	world.Player
	name string
}

// invites asks somebody by the page to take a side.
func (w *pageWeek) invites(game, verb, side, name string) *guest {
	w.t.Helper()
	key, err := seal.GenerateKey(w.random)
	if err != nil {
		w.t.Fatal(err)
	}
	p := &guest{world.Player{Game: game, Side: side, Address: strings.ToLower(name) + "@club.test", Key: key}, name}
	w.does(game, verb, side, p.Address+" "+name)
	return p
}

// writes hands a player's mail to the daemon.
func (w *pageWeek) writes(p *guest, subject, text string) {
	w.t.Helper()
	w.mails++
	raw := world.Mail{From: p.Address, To: desk, Subject: subject, ID: fmt.Sprintf("page.%d@club.test", w.mails)}.Plain(text)
	w.since = append(w.since, raw)
	if err := w.Receive(context.Background(), raw); err != nil {
		w.t.Fatal(err)
	}
}

var joinCode = regexp.MustCompile(`JOIN: (\S+)`)

// joins answers the last invitation that came to a guest.
func (w *pageWeek) joins(p *guest) {
	w.t.Helper()
	code := joinCode.FindSubmatch(w.last(p, "invitation"))
	if code == nil {
		w.t.Fatalf("no code has come to %s", p.name)
	}
	w.writes(p, "I join", p.Sign(fmt.Sprintf("GAME: %s\nSIDE: %s\nJOIN: %s\n", p.Game, p.Side, code[1])))
	if !w.sits(p) {
		w.t.Fatalf("%s has not joined: %s", p.name, w.last(p, ""))
	}
}

func (w *pageWeek) sits(p *guest) bool {
	w.t.Helper()
	for _, q := range w.game(p.Game).Players {
		if q.Side == p.Side && q.Address == p.Address {
			return true
		}
	}
	return false
}

func (w *pageWeek) game(id string) store.Game {
	w.t.Helper()
	g, err := w.Umpire.DB.Game(id)
	if err != nil {
		w.t.Fatal(err)
	}
	return g
}

// last is the newest mail of a kind to somebody; of any kind for "".
func (w *pageWeek) last(p *guest, kind string) []byte {
	w.t.Helper()
	mails, err := w.Umpire.DB.Mails(p.Game)
	if err != nil {
		w.t.Fatal(err)
	}
	for i := len(mails) - 1; i >= 0; i-- {
		if m := mails[i]; m.To == p.Address && (kind == "" || m.Kind == kind) {
			raw, err := w.Umpire.DB.MailBytes(m.SHA256)
			if err != nil {
				w.t.Fatal(err)
			}
			return raw
		}
	}
	return nil
}

// plays files what a staff officer orders for the player's last report.
func (w *pageWeek) plays(p *guest) {
	w.t.Helper()
	v, err := w.LastView(p.Game, p.Side)
	if err != nil {
		w.t.Fatal(err)
	}
	game, _, err := w.scenes.Game(w.game(p.Game).Scenario)
	if err != nil {
		w.t.Fatal(err)
	}
	serial := 1
	for _, q := range w.game(p.Game).Players {
		if q.Side == p.Side {
			serial = q.Serial + 1 + w.mails // a sheet that was filed before the game was set back is not taken twice
		}
	}
	sheet, err := staff.Officer{Game: game}.Sheet(v, serial)
	if err != nil {
		w.t.Fatal(err)
	}
	w.writes(p, "my orders", p.Sign(sheet))
	for _, q := range w.game(p.Game).Players {
		if q.Side == p.Side && q.Serial != serial {
			w.t.Fatalf("the sheet of %s was not taken: %s", p.name, w.last(p, ""))
		}
	}
}

// waitedFor are the sides whose orders a game waits for, and for which turn.
func (w *pageWeek) waitedFor(game string) (sides []string, turn int) {
	w.t.Helper()
	open, err := w.Umpire.DB.Waiting(game)
	if err != nil || open == nil {
		return nil, 0
	}
	var pending []adjudicator.Decision
	if err := json.Unmarshal(open.Pending, &pending); err != nil {
		w.t.Fatal(err)
	}
	for _, d := range pending {
		sides = append(sides, string(d.Side))
	}
	return sides, open.Turn
}

// play has those players of a game write who are waited for, until the next turn comes.
func (w *pageWeek) play(game string, players map[string]*guest) {
	w.t.Helper()
	sides, turn := w.waitedFor(game)
	for _, side := range sides {
		if _, now := w.waitedFor(game); now == turn {
			w.plays(players[side])
		}
	}
}

// backUp is what the daemon does by itself at night.
func (w *pageWeek) backUp() (file string) {
	w.t.Helper()
	file = filepath.Join(w.t.TempDir(), "backup.tar.zst")
	if _, err := w.Umpire.DB.(store.File).Backup(file); err != nil {
		w.t.Fatal(err)
	}
	w.since = nil
	return file
}

// isLost takes the machine with all that it kept. On an empty one the backup is restored, and what
// has come since is fetched from the mailbox again.
func (w *pageWeek) isLost(backup string) {
	w.t.Helper()
	w.stop()
	if err := os.RemoveAll(w.folder); err != nil {
		w.t.Fatal(err)
	}
	if err := bolt.Restore(backup, w.folder, nil); err != nil {
		w.t.Fatal(err)
	}
	w.start()
	for _, raw := range w.since {
		if err := w.Receive(context.Background(), raw); err != nil {
			w.t.Fatal(err)
		}
	}
}

// state is what a game's page says of it.
func (w *pageWeek) state(game string) string {
	w.t.Helper()
	w.b.Open(w.at.URL + "/games/" + game)
	return w.b.Eval("document.querySelector('[data-part=state]').innerText")
}

// A club of three games of three systems is moderated for a week from the page alone, on a telephone's
// width: games are made, players invited, a letter answered, two games set back, a player replaced who
// says nothing, and in the midst of it the machine is lost and restored:
//
//	FIELDPOST_PAGE_WEEK=1 go test -run FromThePage ./trial/club
func TestAWeekOfAClubFromThePageAlone(t *testing.T) {
	if os.Getenv("FIELDPOST_PAGE_WEEK") == "" {
		t.Skip("set FIELDPOST_PAGE_WEEK: it takes ten seconds of a browser; each act has a test of its own beside the page")
	}
	w := newPageWeek(t)
	games := map[string]map[string]*guest{}
	var ids []string
	for _, scenario := range []string{"kharkov-1942", "backhand-blow", "gd-lutchessa"} {
		id := w.opens(scenario)
		ids, games[id] = append(ids, id), map[string]*guest{}
		for n, side := range w.game(id).Sides {
			games[id][side] = w.invites(id, "invite", side, fmt.Sprintf("Player%s%d", id, n))
		}
	}
	w.on() // Tuesday: they have joined, and the first orders come
	for _, id := range ids {
		for _, side := range w.game(id).Sides {
			w.joins(games[id][side])
		}
		if g := w.game(id); g.Status != store.StatusRunning {
			t.Fatalf("game %s has not begun: %s", id, g.Status)
		}
	}
	tank, chits, silent := ids[0], ids[1], ids[2]
	w.play(tank, games[tank])
	w.play(chits, games[chits])
	first, _ := w.waitedFor(silent)
	quiet := games[silent][first[0]]

	w.on() // Wednesday: somebody has filed the wrong sheet, and says so
	wrong := games[tank][w.game(tank).Sides[0]]
	w.writes(wrong, "Re: ["+tank+"] my orders", "I have sent the sheet of another game. Can we play this turn again?\n")
	w.b.Open(w.at.URL + "/games/" + tank + "/inside")
	w.b.Click("form.narrow button")
	w.b.Sees("Mail that came")
	w.b.Click("a[href*='/inside/in/']")
	w.b.Sees("Can we play this turn again?")
	w.b.Click("#answer")
	w.b.Write("We can: the game goes back to before your orders.")
	w.b.Click("form[action$='/message'] button")
	w.b.Until("the answer sent", "location.pathname.endsWith('/message') && !document.querySelector('.fault')")
	before := "before " + wrong.Side + " turn 1"
	if would := w.asks(tank, "rollback", before); !strings.Contains(would, "mails would go out") {
		t.Fatalf("going back would do:\n%s", would)
	}
	w.does(tank, "rollback", "", before+": the sheet was meant for another game")
	w.play(tank, games[tank])

	w.on() // Thursday: one player has let two days pass
	w.on() // Friday
	backup := w.backUp()
	if state := w.state(silent); !strings.Contains(state, quiet.Side) {
		t.Fatalf("the page does not say that %s is waited for:\n%s", quiet.Side, state)
	}
	w.does(silent, "message", "", "Somebody else takes over from "+quiet.name+".")
	quick := w.invites(silent, "replace", quiet.Side, "Newcomer")
	w.joins(quick)
	games[silent][quiet.Side] = quick
	w.play(silent, games[silent])
	w.play(tank, games[tank])

	was := map[string]string{}
	for _, id := range ids {
		was[id] = w.state(id)
	}
	w.isLost(backup)
	// What the moderator did on the page since the backup is in no mailbox: they do it again.
	if w.sits(quick) {
		t.Fatal("a replacement of after the backup is there")
	}
	w.does(silent, "replace", quick.Side, quick.Address+" "+quick.name)
	w.joins(quick)
	w.play(silent, games[silent])
	for _, id := range ids {
		if now := w.state(id); now != was[id] {
			t.Errorf("game %s stands after the restore\n%s\nand stood before it\n%s", id, now, was[id])
		}
	}

	w.on()                   // Saturday: the second game is set back, by its list of phases
	before = "before turn 5" // the first of this scenario
	w.asks(chits, "rollback", before)
	w.does(chits, "rollback", "", before+": both sides want to try again")
	for range 2 { // Sunday and Monday
		for _, id := range ids {
			w.play(id, games[id])
		}
		w.on()
	}
	for _, id := range ids {
		if state := w.state(id); strings.Contains(state, "stopped") || w.game(id).Status != store.StatusRunning {
			t.Errorf("game %s at the end of the week:\n%s", id, state)
		}
	}
	w.b.Open(w.at.URL + "/audit")
	w.b.Sees("The log is whole")
	for _, fault := range records.Check(w.Umpire.DB) {
		t.Error(fault)
	}
}
