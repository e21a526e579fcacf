package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"fieldpost/mailbox"
	"fieldpost/store"
	"fieldpost/store/bolt"
	"fieldpost/store/postgres/server"
	"fieldpost/trial/browser"
	"fieldpost/trial/ramdisk"
	"fieldpost/umpire"
	"fieldpost/umpire/records"
)

// The daemon of these demos is this test binary.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "-daemon" {
		os.Exit(daemon(os.Args[2]))
	}
	os.Exit(ramdisk.Tests(func() int { return server.Tests(m.Run) }))
}

func daemon(config string) int {
	c, err := umpire.ReadConfig(config)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	u, err := umpire.OpenStore(c, slog.New(slog.NewTextHandler(os.Stderr, nil)), bolt.Options{At: doomed()})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer u.DB.Close()
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer cancel()
	if err := u.Run(ctx, c); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func play(t *testing.T, turns int, kill func(int) bool) Result {
	t.Helper()
	return playWith(t, Options{Turns: turns, Kill: kill})
}

// calmGames are the games of calm, by their length.
var calmGames = map[int]Result{}

// calm is a game in which nobody is killed. It is played once for all tests, which only
// look at it.
func calm(t *testing.T, turns int) Result {
	t.Helper()
	if r, ok := calmGames[turns]; ok {
		return r
	}
	dir, err := os.MkdirTemp("", "fieldpost-calm")
	if err != nil {
		t.Fatal(err)
	}
	r := playWith(t, Options{Turns: turns, Out: filepath.Join(dir, "out")})
	calmGames[turns] = r
	return r
}

func playWith(t *testing.T, o Options) Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	if o.Out == "" {
		o.Out = filepath.Join(t.TempDir(), "out")
	}
	o.Scenario, o.Seed, o.Progress, o.Daemon = "kharkov-1942", 7, io.Discard, []string{os.Args[0], "-daemon"}
	r, err := Run(ctx, o)
	if err != nil {
		log, _ := os.ReadFile(filepath.Join(o.Out, "state", "daemon.log"))
		t.Fatalf("%v\n%s", err, log)
	}
	return r
}

// journal is everything that decides a game, proofs included.
func journal(t *testing.T, r Result) string {
	t.Helper()
	c, err := umpire.ReadConfig(r.Config)
	if err != nil {
		t.Fatal(err)
	}
	u, err := umpire.Open(c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	db := u.DB
	defer db.Close()
	for _, err := range records.Check(db) {
		t.Errorf("the store is not in order: %v", err)
	}
	phases, err := db.Journal(r.Game)
	if err != nil {
		t.Fatal(err)
	}
	sheets, err := db.AllSheets(r.Game)
	if err != nil {
		t.Fatal(err)
	}
	for i := range sheets {
		sheets[i].Source, sheets[i].Seq = "", 0 // of the mail around the sheet, which has a date
	}
	text, err := json.Marshal(struct {
		Phases []store.Phase
		Sheets []store.Sheet
	}{phases, sheets})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// letters are the mails that players got, by Message-ID, without the lines that
// delivery adds. A repeat must be the same mail.
func letters(t *testing.T, r Result, apart ...string) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(filepath.Dir(filepath.Dir(r.Config)), "mail", "*.eml"))
	if err != nil || len(files) == 0 {
		t.Fatal("no mails", err)
	}
	out := map[string][]byte{}
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		m, err := mailbox.Read(raw)
		if err != nil {
			t.Fatal(err)
		}
		_, own, _ := bytes.Cut(raw, []byte("\r\nAuto-Submitted:"))
		for _, header := range apart {
			own = regexp.MustCompile(`\r\n`+header+`: [^\r]*`).ReplaceAll(own, nil)
		}
		if before, known := out[m.MessageID]; known && !bytes.Equal(before, own) {
			t.Errorf("%s was repeated with other bytes:\n%.3000s\nand before:\n%.3000s", m.MessageID, own, before)
		}
		out[m.MessageID] = own
	}
	return out
}

func reports(mails map[string][]byte) (n int) {
	for id := range mails {
		if strings.Contains(id, "report.") {
			n++
		}
	}
	return n
}

// turns is how many turns the tests play: few in a sample, and the whole game with
//
//	FIELDPOST_SOAK=1 go test -timeout 20m ./demo
func turns(sample int) int {
	if os.Getenv("FIELDPOST_SOAK") != "" {
		return 0
	}
	return sample
}

func TestOneSeedIsOneGame(t *testing.T) {
	a, b := calm(t, turns(1)), play(t, turns(1), nil)
	if ja, jb := journal(t, a), journal(t, b); ja != jb {
		t.Errorf("two runs with one seed have different journals (%d and %d bytes)", len(ja), len(jb))
	}
	if a.Dice == 0 {
		t.Error("no dice were proved: the test proves nothing")
	}
}

// The daemon is killed (SIGKILL) again and again, at the moments when a mail is
// on its way and its fate unknown to it.
func TestAKilledDaemonLosesAndDoublesNothing(t *testing.T) {
	calm := calm(t, turns(2))
	wild := play(t, turns(2), func(mails int) bool { return mails%3 != 0 })
	if wild.Restarts < 4 {
		t.Fatalf("the daemon was killed only %d times", wild.Restarts)
	}
	sameGame(t, calm, wild)
}

// sameGame demands that a game in which the daemon was killed went as one in which
// it was not, and that its players got the same mails, and mails that came again byte by byte the same
// but for headers apart.
func sameGame(t *testing.T, calm, wild Result, apart ...string) {
	t.Helper()
	if journal(t, calm) != journal(t, wild) {
		t.Error("the game went otherwise because the daemon was killed")
	}
	calmMails, wildMails := letters(t, calm), letters(t, wild, apart...)
	nc, nw := reports(calmMails), reports(wildMails)
	if len(calmMails) != len(wildMails) || nc != nw || nc == 0 {
		t.Errorf("%d mails (%d reports) without kills, %d (%d) with: something was lost or made up", len(calmMails), nc, len(wildMails), nw)
	}
	for id := range calmMails {
		if _, ok := wildMails[id]; strings.Contains(id, "report.") && !ok {
			t.Errorf("report %s never came", id)
		}
	}
	for id, raw := range wildMails {
		if _, ok := calmMails[id]; !ok && len(calmMails) != len(wildMails) {
			t.Logf("one of these is one too many: %s %q", id, regexp.MustCompile(`Subject: [^\r]*|In-Reply-To: [^\r]*`).FindAll(raw, 2))
		}
	}
	t.Logf("%d kills, %d mails delivered for %d different ones", wild.Restarts, wild.Mails, len(wildMails))
}

// Beside the mails stands the page in which the last report is opened; where there can be none
// the result says why.
func TestTheDeskStandsBesideTheMails(t *testing.T) {
	opened := ""
	r := playWith(t, Options{Turns: 1, Desk: func(name string, file []byte) (string, error) {
		opened = name
		m, err := mailbox.Read(file)
		if err != nil || len(m.Attachments) == 0 {
			t.Errorf("%s is not a report: %v", name, err)
		}
		return "the desk", nil
	}})
	page, err := os.ReadFile(r.Desk)
	if err != nil || string(page) != "the desk" || !strings.HasSuffix(opened, ".eml") {
		t.Errorf("%s, opened %q: %q, %v", r.Desk, opened, page, err)
	}
	index, err := os.ReadFile(filepath.Join(filepath.Dir(r.Desk), "index.html"))
	if err != nil || !strings.Contains(string(index), `<a href="desk.html">The last report at the order desk</a>`) {
		t.Errorf("the index leads to no desk, %v", err)
	}
}

var update = flag.Bool("update", false, "take the picture of the documents anew")

// The picture of a report that README shows is the product's own.
func TestThePictureOfAReport(t *testing.T) {
	if !*update {
		t.Skip("it is taken with -update")
	}
	r := calm(t, turns(2))
	b := browser.New(t)
	b.Size(700, 900)
	all, err := filepath.Glob(filepath.Join(filepath.Dir(r.Config), "..", "report", "003-*.html"))
	if err != nil || len(all) != 1 {
		t.Fatalf("%q, %v", all, err)
	}
	pages := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(filepath.Dir(all[0]), ".."))))
	defer pages.Close()
	b.Open(pages.URL + "/report/" + filepath.Base(all[0]))
	b.Until("the pictures", "[...document.images].every(i => i.complete)")
	if err := os.WriteFile("../docs/report.png", browser.Light(t, b.Picture()), 0o644); err != nil {
		t.Fatal(err)
	}
}
