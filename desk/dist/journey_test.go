package dist

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fieldpost/adjudicator/view"
	"fieldpost/orders/seal"
	"fieldpost/trial/browser"
	"fieldpost/umpire/judge"
	"fieldpost/umpire/match"
)

// kharkov is the opening of Kharkov 1942 as the Soviet player's report brings it.
func kharkov(t *testing.T) (*view.View, *Report) { return mailed(t, "kharkov-1942", "SOVIET") }

// mailed is the opening of a scenario as a player's report brings it, with a code.
func mailed(t *testing.T, scenario, side string) (*view.View, *Report) {
	t.Helper()
	v, err := match.Builtin.OpeningView(scenario, side)
	if err != nil {
		t.Fatal(err)
	}
	v.Game, v.Reply = "K7QX2MPA", &view.Reply{To: "umpire@example.org", Subject: "[K7QX2MPA] turn 1", Turn: 1, Serial: 1}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	mail := "From: umpire@example.org\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\nCODE: ABCD-EFGH\r\n" +
		"--x\r\nContent-Type: application/json\r\nContent-Disposition: attachment; filename=view.json\r\n\r\n" + string(text) + "\r\n--x--\r\n"
	return v, &Report{Name: "report.eml", File: []byte(mail)}
}

// screens are those that journeys are made on: name, width and height in pixels.
var screens = []struct {
	name          string
	width, height int
}{{"desktop", 1360, 850}, {"telephone", 390, 844}}

// served shows the desk with a report, or skips the test where the engine was not built.
func served(t *testing.T, r *Report) (url string) {
	t.Helper()
	desk, err := NewServer(r)
	if errors.Is(err, ErrNoEngine) {
		t.Skip("the desk's engine is not built: go generate ./desk")
	}
	if err != nil {
		t.Fatal(err)
	}
	at := httptest.NewServer(desk)
	t.Cleanup(at.Close)
	return at.URL + desk.Path()
}

// A turn of moves in a browser, with the mouse and on a telephone's width: from the report to
// the text of the mail, which the umpire's judge takes line by line as the desk said.
func TestATurnOfMovesInABrowser(t *testing.T) {
	for _, screen := range screens {
		t.Run(screen.name, func(t *testing.T) {
			v, report := kharkov(t)
			url := served(t, report)
			b := browser.New(t)
			b.Size(screen.width, screen.height)
			b.Open(url)
			b.Until("the sheet is judged", "!!document.documentElement.dataset.ready")
			for _, move := range [][2]string{{"13/XXII", "2305"}, {"36/XXII", "2205"}} {
				b.Click("#find")
				b.Eval("document.querySelector('#find').select()")
				b.Write(move[0])
				b.Press("Enter")
				b.Until("the choices of "+move[0], fmt.Sprintf("document.querySelector('#actor')?.textContent.includes(%q) && !!document.querySelector('.ways')", move[0]))
				if b.Eval("document.querySelector('.ways').open") != "true" {
					b.Click(".ways summary")
				}
				b.Until("a way", "document.querySelectorAll('.ways button').length > 2")
				b.Eval(fmt.Sprintf("document.querySelector('#way')?.removeAttribute('id'); [...document.querySelectorAll('.ways button')].find(w => w.textContent.startsWith(%q))?.setAttribute('id', 'way')", move[1]))
				b.Click("#way")
				b.Until("the order", fmt.Sprintf("[...document.querySelectorAll('.lines .ok code')].some(c => c.textContent === '%s TO %s')", move[0], move[1]))
			}
			// An order by a click on the map, though the units are drawn anew while the button is held;
			// and it is taken back.
			b.Eval("document.querySelector('.map').addEventListener('mousedown', () => { const drawn = document.querySelector('.over'); drawn.replaceChildren(drawn.firstChild.cloneNode(true)) }, {capture: true, once: true})")
			b.ClickThere("[data-way='2304']")
			b.Until("the order from the map", "[...document.querySelectorAll('.lines .ok code')].some(c => c.textContent === '36/XXII TO 2304')")
			b.Click("#undo")
			b.Until("the order before it", "[...document.querySelectorAll('.lines .ok code')].some(c => c.textContent === '36/XXII TO 2205')")
			b.Click("#undo")
			b.Until("one order", "document.querySelector('#count').textContent.startsWith('1 OK · 0 XX')")
			b.Click("#done")
			b.Until("DONE", "document.querySelector('#done').checked")
			if wide := b.Eval("document.documentElement.scrollWidth <= innerWidth"); wide != "true" {
				t.Error("the page scrolls sideways")
			}
			said := b.Eval("document.querySelector('.lines').innerText")
			b.Click("#send")
			b.Click("#make")
			b.Until("the mail", "!!document.querySelector('#block')")
			text := b.Eval("document.querySelector('#block').value")
			bench, err := judge.For(&match.Builtin, v)
			if err != nil {
				t.Fatal(err)
			}
			ack, refused := bench.Check(judge.Given{Text: text, Typed: true})
			if refused != 0 || !strings.Contains(text, "CODE: ABCD-EFGH\nMOVE\n  13/XXII TO 2305\nDONE\n") {
				t.Errorf("the umpire refuses %d lines of\n%s", refused, text)
			}
			for _, l := range ack.Lines {
				if l.Number > 0 && !strings.Contains(said, l.Understood) {
					t.Errorf("the umpire says %q, the desk %q", l.Understood, said)
				}
			}
			if loaded := b.Eval("performance.getEntriesByType('resource').filter(r => !r.name.startsWith('blob:')).map(r => r.name).join(' ')"); loaded != "" {
				t.Errorf("the page loads %s", loaded)
			}
		})
	}
}

// A turn by the keyboard alone.
func TestATurnByTheKeyboard(t *testing.T) {
	_, report := kharkov(t)
	url := served(t, report)
	b := browser.New(t)
	b.Open(url)
	b.Until("the sheet is judged", "!!document.documentElement.dataset.ready")
	b.TabTo(".map")
	at := b.Eval("document.querySelector('.world').style.transform")
	b.Press("ArrowRight")
	b.Until("the map moves", fmt.Sprintf("document.querySelector('.world').style.transform !== %q", at))
	b.TabTo("#find")
	b.Write("13/XXII")
	b.Press("Enter")
	b.Until("the choices", "!!document.querySelector('.ways')")
	b.TabTo(".ways summary")
	b.Press("Enter")
	b.TabTo(".ways button")
	way := b.Eval("document.activeElement.querySelector('b').textContent")
	b.Press("Enter")
	b.Until("the order", fmt.Sprintf("[...document.querySelectorAll('.lines .ok code')].some(c => c.textContent === '13/XXII TO %s')", way))
	b.TabTo("#send")
	b.Press("Enter")
	b.Until("the dialog, which says that the sheet is not finished", "document.querySelector('dialog[open]')?.innerText.includes('It has no DONE')")
	b.TabTo("#make")
	b.Press("Enter")
	b.Until("the mail", fmt.Sprintf("document.querySelector('#block')?.value.includes('13/XXII TO %s')", way))
}

// A key signs in the page as at home, and the page reaches no network, even if it wanted to.
func TestAKeySignsInABrowser(t *testing.T) {
	_, report := kharkov(t)
	url := served(t, report)
	b := browser.New(t)
	key, err := seal.GenerateKey(strings.NewReader(strings.Repeat("seed", 20)))
	if err != nil {
		t.Fatal(err)
	}
	text, err := key.Marshal("test")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "fieldpost.key")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	b.Open(url)
	b.Until("the sheet is judged", "!!document.documentElement.dataset.ready")
	b.Click("#send")
	b.Eval("document.querySelectorAll('dialog .manners button')[1].click()")
	b.Until("the field of the key", "!!document.querySelector('#key')")
	b.Choose("#key", file)
	b.Until("the key", "document.querySelector('dialog').innerText.includes('fieldpost.key')")
	b.Click("#make")
	b.Until("the block", "!!document.querySelector('#block')")
	found, err := seal.Open(b.Eval("document.querySelector('#block').value"))
	if err != nil || len(found) != 1 || found[0].Key.ID() != key.Public().ID() {
		t.Errorf("what is signed: %+v, %v", found, err)
	}
	b.Eval("fetch(location.href).then(() => document.body.dataset.net = 'open', () => document.body.dataset.net = 'shut')")
	b.Until("the network is shut", "document.body.dataset.net === 'shut'")
}

// Whoever does not know the path sees nothing, and the page's policy lets it load nothing.
func TestTheDeskIsServedToItsReaderAlone(t *testing.T) {
	desk := &Server{path: "/secret/", page: "the report"}
	for path, want := range map[string]int{"/secret/": 200, "/": 404, "/secret": 404, "/secret/x": 404} {
		w := httptest.NewRecorder()
		desk.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != want || (w.Code != 200 && strings.Contains(w.Body.String(), "the report")) {
			t.Errorf("%s is answered %d", path, w.Code)
		}
		policy := w.Header().Get("Content-Security-Policy")
		if want == 200 && !(strings.Contains(policy, "default-src 'none'") && strings.Contains(policy, "connect-src 'none'") && strings.Contains(policy, "frame-ancestors 'none'")) {
			t.Errorf("its policy is %q", policy)
		}
	}
	w := httptest.NewRecorder()
	desk.ServeHTTP(w, httptest.NewRequest("POST", "/secret/", nil))
	if w.Code != 405 {
		t.Errorf("POST is answered %d", w.Code)
	}
}

// A binary without the engine says what to run.
func TestWithoutItsEngineTheDeskSaysWhatToRun(t *testing.T) {
	if !strings.Contains(ErrNoEngine.Error(), "go generate ./desk") {
		t.Error(ErrNoEngine)
	}
	page, err := Whole(&Report{Name: `"><x>`, File: []byte("{}")})
	if errors.Is(err, ErrNoEngine) {
		return
	}
	if err != nil || strings.Contains(page, Slot) || !strings.Contains(page, `data-name="&#34;&gt;&lt;x&gt;">e30=</script>`) {
		t.Errorf("the whole page: %v", err)
	}
}

// From an invitation to the mail that joins, without a program: pasted, with a key made in the
// page, which then signs as at home; and by codes.
func TestJoiningInABrowser(t *testing.T) {
	for _, screen := range screens {
		t.Run(screen.name, func(t *testing.T) {
			url := served(t, nil)
			text, err := os.ReadFile("../../report/testdata/invitation.txt")
			if err != nil {
				t.Fatal(err)
			}
			b := browser.New(t)
			b.Size(screen.width, screen.height)
			b.Open(url)
			b.Click("#to-join")
			b.Click("#invitation")
			b.Write(string(text))
			b.Until("the seat", "document.querySelector('#code').value === 'ABCD-EFGH' && document.querySelector('#to').value === 'umpire@example.org'")
			b.Click("#join")
			b.Until("the mail of who plays by codes", "document.querySelector('#block')?.value === 'GAME: K7QX2MPA\\nSIDE: GERMAN\\nJOIN: ABCD-EFGH\\nKEY: CODES\\n'")
			b.Click("#by-new")
			b.Click("#pass")
			b.Write("long enough")
			b.Click("#again")
			b.Write("long enouch")
			b.Click("#join")
			b.Sees("The two passphrases are not the same.")
			b.Eval("document.querySelector('#again').select()")
			b.Write("long enough")
			b.Click("#join")
			b.Until("the key", "!!document.querySelector('#save-key')")
			if b.Eval("!!document.querySelector('#block')") != "false" {
				t.Error("the mail is shown before the key is saved")
			}
			b.Eval("URL.createObjectURL = (was => blob => (blob.text().then(t => document.body.dataset.file = t), was.call(URL, blob)))(URL.createObjectURL)")
			b.Click("#save-key")
			b.Until("the mail", "!!document.querySelector('#block') && !!document.body.dataset.file")
			key, err := seal.ParsePrivateKey([]byte(b.Eval("document.body.dataset.file")), "long enough")
			if err != nil {
				t.Fatal(err)
			}
			found, err := seal.Open(b.Eval("document.querySelector('#block').value"))
			if err != nil || len(found) != 1 || found[0].Key.ID() != key.Public().ID() || found[0].Text != "GAME: K7QX2MPA\nSIDE: GERMAN\nJOIN: ABCD-EFGH\n" {
				t.Errorf("what is signed: %+v, %v", found, err)
			}
			if b.Eval("[document.documentElement, document.querySelector('.join')].every(e => e.scrollWidth <= e.clientWidth)") != "true" {
				t.Error("the page scrolls sideways")
			}
			picture(t, b, "join-"+screen.name)
		})
	}
}

// picture keeps what the browser shows in the folder FIELDPOST_PICTURES, to be looked at.
func picture(t *testing.T, b *browser.Browser, name string) {
	t.Helper()
	folder := os.Getenv("FIELDPOST_PICTURES")
	of := inDocuments[name]
	if folder == "" && (!*update || of == "") {
		return
	}
	shot := b.Picture()
	if folder != "" {
		if err := os.WriteFile(filepath.Join(folder, name+".png"), shot, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if *update && of != "" {
		if err := os.WriteFile(filepath.Join("../../docs", of), browser.Light(t, shot), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

var update = flag.Bool("update", false, "take the pictures of the documents anew")

// inDocuments are the pictures that the documents show, by what they are taken as.
var inDocuments = map[string]string{
	"practice-welcome-telephone": "first-turn-welcome.png",
	"practice-4-telephone":       "first-turn-telephone.png",
	"practice-3-desktop":         "first-turn-reach.png",
	"practice-10-desktop":        "first-turn-sheet.png",
	"practice-story-desktop":     "first-turn-story.png",
}

// The desk of a club's page: it fetches its engine, opens a report from the disk, and the
// questions in it are answered by a click.
func TestTheDeskOfAClubInABrowser(t *testing.T) {
	if _, err := Sum(); errors.Is(err, ErrNoEngine) {
		t.Skip("the desk's engine is not built: go generate ./desk")
	}
	club := http.NewServeMux()
	club.HandleFunc("GET /desk", func(w http.ResponseWriter, r *http.Request) {
		if err := ServePage(w, r, "/desk/"); err != nil {
			t.Error(err)
		}
	})
	club.HandleFunc("GET /desk/{file}", func(w http.ResponseWriter, r *http.Request) {
		if err := ServeFile(w, r, r.PathValue("file")); err != nil {
			t.Errorf("the page asks for %s: %v", r.URL, err)
		}
	})
	at := httptest.NewServer(club)
	t.Cleanup(at.Close)
	v, _ := kharkov(t)
	v.Asked = []view.Question{{Label: "PURSUIT 2505", Kind: "pursuit", Proposal: "NONE", Options: []view.Option{
		{Answer: "NONE", Means: "they stay where they are"}, {Answer: "FULL", Means: "all that may pursue do"}}}}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), view.File)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	b := browser.New(t)
	b.Size(1360, 850)
	b.Open(at.URL + "/desk")
	b.Until("the page", "!!document.querySelector('#report-file')")
	picture(t, b, "welcome")
	b.Choose("#report-file", file)
	b.Until("the sheet is judged", "!!document.documentElement.dataset.ready")
	for _, answer := range []string{"NONE", "FULL"} {
		b.Eval(fmt.Sprintf("document.querySelector('#answer')?.removeAttribute('id'); [...document.querySelectorAll('.asked button')].find(b => b.textContent.startsWith(%q)).id = 'answer'", answer))
		b.Click("#answer")
		b.Until("the answer "+answer, fmt.Sprintf("document.querySelector('#answer').ariaPressed === 'true' && document.querySelector('.lines').innerText.includes('PURSUIT 2505: %s')", answer))
	}
	if count := b.Eval("document.querySelector('#count').textContent"); !strings.HasPrefix(count, "1 OK · 0 XX") {
		t.Errorf("the sheet has %s", count)
	}
	picture(t, b, "asked")
	if loaded := b.Eval("performance.getEntriesByType('resource').filter(r => !r.name.startsWith('blob:')).map(r => new URL(r.name).pathname.replace(/[0-9a-f]{32}/, 'SUM')).join(' ')"); loaded != "/desk/engine.SUM.wasm" {
		t.Errorf("the page loads %s", loaded)
	}
}

// A programme of a chit: the chit, a unit in its range, a hex; and the order stands in the
// section of the chit.
func TestAProgrammeOfAChitInABrowser(t *testing.T) {
	v, err := match.Builtin.OpeningView("backhand-blow", "SOVIET")
	if err != nil {
		t.Fatal(err)
	}
	v.Game, v.Reply = "K7QX2MPA", &view.Reply{To: "umpire@example.org", Subject: "[K7QX2MPA] turn 1", Turn: 1, Serial: 1}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	url := served(t, &Report{Name: view.File, File: text})
	b := browser.New(t)
	b.Size(1360, 850)
	b.Open(url)
	b.Until("the sheet is judged", "!!document.documentElement.dataset.ready")
	mark := func(from, begins, id string) string {
		return fmt.Sprintf("document.querySelector('#%s')?.removeAttribute('id'); [...document.querySelectorAll('%s')].find(b => b.textContent.startsWith(%q))?.setAttribute('id', '%s')", id, from, begins, id)
	}
	b.Eval(mark(".plot button", "1GA", "chit"))
	b.Click("#chit")
	b.Until("the units in range", "document.querySelectorAll('[data-lit]').length > 1 && document.querySelectorAll('.plot .manners')[1].children.length === 6")
	unit := b.Eval("document.querySelectorAll('.plot .manners')[1].children[0].textContent")
	b.Eval("document.querySelectorAll('.plot .manners')[1].children[0].id = 'unit'")
	b.Click("#unit")
	b.Until("its ways under the chit", "[...document.querySelectorAll('[aria-label=Chosen] button[aria-pressed=true]')].some(b => b.textContent.startsWith('CHIT 1GA')) && !!document.querySelector('.ways')")
	if b.Eval("document.querySelector('.ways').open") != "true" {
		b.Click(".ways summary")
	}
	b.Click(".ways button")
	b.Until("the order in the programme", fmt.Sprintf("[...document.querySelectorAll('.programme code')].some(c => c.textContent.includes(%q))", unit))
	b.Until("the verdict", "document.querySelector('#count').textContent.startsWith('2 OK · 0 XX')") // the programme's line and its order
	picture(t, b, "plot")
	b.Size(390, 844)
	if b.Eval("document.documentElement.scrollWidth <= innerWidth") != "true" {
		t.Error("the page scrolls sideways")
	}
	picture(t, b, "plot-telephone")
}

// A programme of a chit by the keyboard alone, in both games that have them, from the chit to
// the mail, of which the umpire takes every line.
func TestAProgrammeByTheKeyboard(t *testing.T) {
	for _, game := range []struct{ scenario, side, chit string }{{"backhand-blow", "SOVIET", "1GA"}, {"gd-kursk", "GERMAN", "2Pz"}} {
		t.Run(game.scenario, func(t *testing.T) {
			v, report := mailed(t, game.scenario, game.side)
			url := served(t, report)
			b := browser.New(t)
			b.Size(1360, 850)
			b.Open(url)
			b.Until("the sheet is judged", "!!document.documentElement.dataset.ready")
			called := func(id, from, begins string) {
				b.Eval(fmt.Sprintf("[...document.querySelectorAll('%s')].find(b => b.textContent.toUpperCase().startsWith(%q))?.setAttribute('id', '%s')", from, strings.ToUpper(begins), id))
			}
			called("chit", ".plot button", game.chit)
			b.TabTo("#chit")
			b.Press("Enter")
			b.Until("the units in range", "document.querySelectorAll('.plot .range button').length > 0")
			unit := b.Eval("document.querySelector('.plot .range button').textContent")
			b.TabTo(".plot .range button")
			b.Press("Enter")
			b.Until("its ways under the chit", "!!document.querySelector('.ways')")
			if b.Eval("document.querySelector('.ways').open") != "true" {
				b.TabTo(".ways summary")
				b.Press("Enter")
			}
			b.TabTo(".ways button")
			b.Press("Enter")
			b.Until("the order in the programme", fmt.Sprintf("[...document.querySelectorAll('.programme code')].some(c => c.textContent.toUpperCase().includes(%q))", strings.ToUpper(unit)))
			b.TabTo("#done")
			b.Press(" ")
			b.Until("DONE", "document.querySelector('#done').checked")
			b.TabTo("#send")
			b.Press("Enter")
			b.Until("the dialog", "!!document.querySelector('dialog[open]')")
			b.TabTo("#make")
			b.Press("Enter")
			b.Until("the mail", "!!document.querySelector('#block')")
			sheet := b.Eval("document.querySelector('#block').value")
			bench, err := judge.For(&match.Builtin, v)
			if err != nil {
				t.Fatal(err)
			}
			_, refused := bench.Check(judge.Given{Text: sheet, Typed: true})
			if refused != 0 || !strings.Contains(strings.ToUpper(sheet), "CHIT "+strings.ToUpper(game.chit)) || !strings.Contains(sheet, "\nDONE\n") {
				t.Errorf("the umpire refuses %d lines of\n%s", refused, sheet)
			}
		})
	}
}
