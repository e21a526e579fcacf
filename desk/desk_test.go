package desk

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldpost/adjudicator/view"
	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/umpire/match"
)

// opening is the view.json of a side at the beginning of a scenario, as a report brings it.
func opening(t testing.TB, scenario, side string) []byte {
	t.Helper()
	v, err := match.Builtin.OpeningView(scenario, side)
	if err != nil {
		t.Fatal(err)
	}
	v.Game = "K7QX2MPA"
	v.Reply = &view.Reply{To: "umpire@example.org", Subject: "[K7QX2MPA] Kharkov 1942, turn 1: orders", Turn: 1, Serial: 3}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// mail is a report as a mail program saves it.
func mail(t testing.TB, text string, file []byte) []byte {
	t.Helper()
	packed, err := view.Packed(file)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	b.WriteString("From: umpire@example.org\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n")
	b.WriteString(text + "\r\n--x\r\nContent-Type: application/gzip; name=view.json.gz\r\nContent-Disposition: attachment; filename=view.json.gz\r\nContent-Transfer-Encoding: base64\r\n\r\n")
	for line := range bytes.Lines([]byte(lines(base64.StdEncoding.EncodeToString(packed)))) {
		b.Write(line)
	}
	b.WriteString("--x--\r\n")
	return b.Bytes()
}

func lines(text string) string {
	var b strings.Builder
	for len(text) > 76 {
		b.WriteString(text[:76] + "\r\n")
		text = text[76:]
	}
	return b.String() + text + "\r\n"
}

// open opens a file; the desk must take it.
func open(t testing.TB, file []byte) (*Desk, *Opened) {
	t.Helper()
	d := &Desk{}
	o, err := d.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	return d, o
}

// A turn of moves: from the report as it was saved to a mail with the code of the report, each
// line of it as the umpire would take it.
func TestATurnOfMovesFromReportToMail(t *testing.T) {
	d, o := open(t, mail(t, "Your sheet:\r\n\r\nCODE: ABCD-EFGH-1\r\n", opening(t, "kharkov-1942", "SOVIET")))
	if o.Unjudged != "" || o.Blank != "GAME: K7QX2MPA\nSIDE: SOVIET\nTURN: 1\nSERIAL: 3\nCODE: ABCD-EFGH-1\n" || len(o.Units) < 50 || len(o.Map.At) < 500 {
		t.Fatalf("opened: %q, %q, %d units, %d hexes", o.Unjudged, o.Blank, len(o.Units), len(o.Map.At))
	}
	sheet := o.Blank
	for _, unit := range []string{"13/XXII", "124 INF"} {
		can, err := d.Choices(sheet, unit)
		if err != nil {
			t.Fatal(err)
		}
		if len(can.Reach) == 0 || len(can.Reach[0].Ways) < 3 {
			t.Fatalf("%s goes nowhere: %+v", unit, can.Reach)
		}
		way := can.Reach[0].Ways[len(can.Reach[0].Ways)-1]
		if sheet, err = d.Edit(sheet, Change{Actor: unit, Section: way.Section, Order: way.Order}); err != nil {
			t.Fatal(err)
		}
	}
	done := true
	sheet, err := d.Edit(sheet, Change{Done: &done})
	if err != nil {
		t.Fatal(err)
	}
	checked, err := d.Check(sheet)
	if err != nil || checked.Refused > 0 || checked.Stand != 2 || !checked.Done {
		t.Fatalf("%+v, %v\n%s", checked, err, sheet)
	}
	if idle := checked.Idle(); len(idle) < 50 || slices.Contains(idle, "13/XXII") {
		t.Errorf("without an order are %v", idle)
	}
	signed, err := d.Sign(sheet, Signing{})
	if err != nil || signed.Text != sheet || signed.To != "umpire@example.org" {
		t.Fatalf("%+v, %v", signed, err)
	}
	for _, words := range []string{"To: umpire@example.org\r\n", "X-Unsent: 1\r\n", "CODE: ABCD-EFGH-1\r\n", "MOVE\r\n  13/XXII TO "} {
		if !strings.Contains(signed.Eml, words) {
			t.Errorf("the draft has no %q:\n%s", words, signed.Eml)
		}
	}
}

// The umpire's own reader finds the sheet in the draft that the desk makes, by code and signed.
func TestTheUmpireReadsTheDraft(t *testing.T) {
	d, o := open(t, mail(t, "CODE: ABCD-EFGH-1\r\n", opening(t, "kharkov-1942", "SOVIET")))
	key, err := seal.GenerateKey(strings.NewReader(strings.Repeat("seed", 20)))
	if err != nil {
		t.Fatal(err)
	}
	file, err := key.Marshal("test")
	if err != nil {
		t.Fatal(err)
	}
	sheet := o.Blank + "MOVE\n  13/XXII TO 2305 # a remark = with a sign\n  124 INF ENTRENCH\nDONE\n"
	for name, with := range map[string]Signing{"by code": {}, "signed": {Key: string(file)}} {
		signed, err := d.Sign(sheet, with)
		if err != nil {
			t.Fatal(err)
		}
		found, err := mailbox.Saved{File: []byte(signed.Eml), Now: time.Now()}.Sheet()
		if err != nil || found.Unsigned || orders.Canonical(found.Text) != orders.Canonical(sheet) {
			t.Errorf("%s: %+v, %v", name, found, err)
		}
	}
}

// What is offered for a unit the check accepts, in every line.
func TestWhatIsOfferedStands(t *testing.T) {
	d, o := open(t, opening(t, "kharkov-1942", "SOVIET"))
	tried := 0
	for i, u := range o.Units {
		if i%12 != 0 {
			continue
		}
		can, err := d.Choices(o.Blank, u.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range can.Reach {
			for j, way := range r.Ways {
				if j%10 != 0 {
					continue
				}
				sheet, err := d.Edit(o.Blank, Change{Actor: u.Name, Section: way.Section, Order: way.Order})
				if err != nil {
					t.Fatal(err)
				}
				checked, err := d.Check(sheet)
				if tried++; err != nil || checked.Refused > 0 || checked.Stand != 1 {
					t.Errorf("%s is offered and refused: %+v, %v", way.Order, checked, err)
				}
			}
		}
	}
	if tried < 20 {
		t.Errorf("only %d ways were tried", tried)
	}
}

// Every system's reports open, with a map and choices for whoever may act.
func TestReportsOfEverySystemOpen(t *testing.T) {
	for scenario, side := range map[string]string{"nysa-1945": "GERMAN", "star-and-gallop": "SOVIET", "gd-kursk": "GERMAN"} {
		d, o := open(t, opening(t, scenario, side))
		if o.Unjudged != "" || len(o.Units) == 0 {
			t.Errorf("%s: %q, %d units", scenario, o.Unjudged, len(o.Units))
		}
		checked, err := d.Check(o.Blank)
		if err != nil || len(checked.Idle()) == 0 {
			t.Errorf("%s: nobody may act: %+v, %v", scenario, checked, err)
			continue
		}
		for _, name := range checked.Idle()[:min(3, len(checked.Idle()))] {
			can, err := d.Choices(o.Blank, name)
			if err != nil || len(can.Reach)+len(can.Verbs) == 0 {
				t.Errorf("%s: %s has no choices: %v", scenario, name, err)
			}
		}
		if svg, err := d.Position(o.Blank, nil); err != nil || !strings.Contains(svg, "data-hex") {
			t.Errorf("%s: no map: %v", scenario, err)
		}
	}
}

// A sheet that was signed at the desk is the sheet that a key has signed.
func TestASheetIsSignedWithAKey(t *testing.T) {
	d, o := open(t, opening(t, "kharkov-1942", "SOVIET"))
	key, err := seal.GenerateKey(strings.NewReader(strings.Repeat("seed", 20)))
	if err != nil {
		t.Fatal(err)
	}
	file, err := key.Marshal("test")
	if err != nil {
		t.Fatal(err)
	}
	signed, err := d.Sign(o.Blank+"MOVE\n  13/XXII TO 2305\nDONE\n", Signing{Key: string(file)})
	if err != nil {
		t.Fatal(err)
	}
	found, err := seal.Open(signed.Text)
	if err != nil || len(found) != 1 || !strings.Contains(found[0].Text, "13/XXII TO 2305") || found[0].Key.ID() != key.Public().ID() {
		t.Errorf("%+v, %v", found, err)
	}
	if _, err := d.Sign(o.Blank, Signing{}); err == nil || !strings.Contains(err.Error(), "neither a key nor a CODE") {
		t.Errorf("without key and code: %v", err)
	}
	if _, err := d.Sign(o.Blank, Signing{Key: "-----BEGIN"}); err == nil {
		t.Error("half a key signs")
	}
}

// The umpire's subject and address cannot end their lines in the draft.
func TestADraftHasNoLinesOfOthers(t *testing.T) {
	text, err := draft(&Signed{Text: "DONE\n", To: "a@example.org\r\nBcc: b@example.org", Subject: "x\r\nBcc: c@example.org"})
	if err != nil || strings.Contains(text, "\nBcc:") {
		t.Errorf("%q, %v", text, err)
	}
}

// A change leaves every other line of the text as it was typed.
func TestEditsKeepTheRestOfTheText(t *testing.T) {
	d, o := open(t, opening(t, "kharkov-1942", "SOVIET"))
	yes, no := true, false
	head := o.Blank
	for _, c := range []struct {
		name, before string
		change       Change
		after        string
	}{
		{"first order", "", Change{Actor: "13/XXII", Section: "MOVE", Order: "13/XXII TO 2305"}, "MOVE\n  13/XXII TO 2305\n"},
		{"another takes its place", "move # ours\n  13/xxii to 2305 # there\n  124 INF TO 2406\n", Change{Actor: "13/XXII", Section: "MOVE", Order: "13/XXII ENTRENCH"}, "move # ours\n  124 INF TO 2406\n  13/XXII ENTRENCH\n"},
		{"of another section it does not", "MOVE\n  13/XXII TO 2305\nSTANDING\n  13/XXII RETREAT FULL\n", Change{Actor: "13/XXII", Section: "STANDING", Order: "13/XXII LOSSES WEAKEST FIRST"}, "MOVE\n  13/XXII TO 2305\nSTANDING\n  13/XXII LOSSES WEAKEST FIRST\n"},
		{"a section in its place", "MOVE\n  13/XXII TO 2305\n\nDONE\n", Change{Section: "AIR 1", Order: "SUPPORT 2505 4"}, "AIR 1\n  SUPPORT 2505 4\nMOVE\n  13/XXII TO 2305\n\nDONE\n"},
		{"a section behind", "MOVE\n  13/XXII TO 2305\nDONE\n", Change{Section: "ATTACK", Order: "2306 WITH 13/XXII"}, "MOVE\n  13/XXII TO 2305\nATTACK\n  2306 WITH 13/XXII\nDONE\n"},
		{"a name that begins alike", "MOVE\n  13/XXII/2 TO 2305\n", Change{Actor: "13/XXII", Section: "MOVE", Order: "13/XXII TO 2406"}, "MOVE\n  13/XXII/2 TO 2305\n  13/XXII TO 2406\n"},
		{"an order of several stays", "MOVE\n  13/XXII, 124 INF TO 2305\n", Change{Actor: "13/XXII", Section: "MOVE", Order: "13/XXII TO 2406"}, "MOVE\n  13/XXII, 124 INF TO 2305\n  13/XXII TO 2406\n"},
		{"one more in an attack", "ATTACK\n  2306 with 13/XXII; PURSUE FULL # all\n", Change{Section: "ATTACK", Order: "2306 WITH 124 INF"}, "ATTACK\n  2306 with 13/XXII, 124 INF; PURSUE FULL # all\n"},
		{"already in the attack", "ATTACK\n  2306 with 13/XXII, 124 INF\n", Change{Section: "ATTACK", Order: "2306 WITH 124 INF"}, "ATTACK\n  2306 with 13/XXII, 124 INF\n"},
		{"taken out with its section", "MOVE\n  13/XXII TO 2305\nATTACK\n  2306 WITH 13/XXII\n", Change{Take: 6}, "ATTACK\n  2306 WITH 13/XXII\n"},
		{"finished", "MOVE\n  13/XXII TO 2305\n", Change{Done: &yes}, "MOVE\n  13/XXII TO 2305\nDONE\n"},
		{"not finished", "MOVE\n  13/XXII TO 2305\ndone # yes\n", Change{Done: &no}, "MOVE\n  13/XXII TO 2305\n"},
	} {
		got, err := d.Edit(head+c.before, c.change)
		if err != nil || got != head+c.after {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, got, head+c.after)
		}
	}
}

// Each question has one answer in the sheet, the last that was chosen, and the judge takes it.
func TestQuestionsAreAnswered(t *testing.T) {
	v, err := view.Parse(opening(t, "kharkov-1942", "SOVIET"))
	if err != nil {
		t.Fatal(err)
	}
	v.Asked = []view.Question{
		{Label: "LOSS 2505", Kind: "loss", Options: []view.Option{{Answer: "124 INF", Means: "it loses a step"}, {Answer: "13/XXII", Means: "that one"}}, Proposal: "124 INF"},
		{Label: "PURSUIT 2505", Kind: "pursuit", Options: []view.Option{{Answer: "NONE", Means: "stay"}, {Answer: "FULL", Means: "go"}}},
	}
	file, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	d, o := open(t, file)
	if len(o.Asked) != 2 {
		t.Fatalf("asked are %+v", o.Asked)
	}
	text := o.Blank
	for _, c := range []Change{{Label: "LOSS 2505", Order: "124 INF"}, {Label: "PURSUIT 2505", Order: "FULL"}, {Label: "LOSS 2505", Order: "13/XXII"}} {
		if text, err = d.Edit(text, c); err != nil {
			t.Fatal(err)
		}
	}
	if want := o.Blank + "ANSWER\n  PURSUIT 2505: FULL\n  LOSS 2505: 13/XXII\n"; text != want {
		t.Errorf("the sheet is\n%s, not\n%s", text, want)
	}
	checked, err := d.Check(text)
	if err != nil || checked.Refused != 0 || checked.Stand != 2 {
		t.Errorf("%+v, %v", checked, err)
	}
}

// The map comes in two parts that lie on one another, and moved units stand where the sheet
// leaves them, each with an arrow.
func TestTheMapFollowsTheSheet(t *testing.T) {
	d, o := open(t, opening(t, "kharkov-1942", "SOVIET"))
	board, err := d.Board()
	if err != nil {
		t.Fatal(err)
	}
	before, err := d.Position(o.Blank, nil)
	if err != nil {
		t.Fatal(err)
	}
	after, err := d.Position(o.Blank+"MOVE\n  13/XXII TO 2305\n", nil)
	if err != nil {
		t.Fatal(err)
	}
	sizes := map[string]bool{}
	for name, text := range map[string]string{"board": board, "before": before, "after": after} {
		sizes[svgSize(t, name, text)] = true
	}
	if len(sizes) != 1 {
		t.Errorf("the parts are of sizes %v", sizes)
	}
	if strings.Contains(board, "data-unit") || !strings.Contains(before, `data-unit="sov-13-xxii"`) && !strings.Contains(before, "13/XXII") {
		t.Error("units are in the wrong part")
	}
	if before == after || strings.Count(after, "<path") <= strings.Count(before, "<path") {
		t.Error("a move draws no arrow")
	}
}

// svgSize reads a picture to its end and says how large it is.
func svgSize(t *testing.T, name, text string) (size string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		tok, err := d.Token()
		if err == io.EOF {
			return size
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		e, is := tok.(xml.StartElement)
		if !is {
			continue
		}
		if e.Name.Local == "script" || e.Name.Local == "foreignObject" {
			t.Errorf("%s holds %s", name, e.Name.Local)
		}
		for _, a := range e.Attr {
			if e.Name.Local == "svg" && a.Name.Local == "viewBox" {
				size = a.Value
			}
		}
	}
}

// Where the umpire judges by other rules the desk says so, and gives no verdict.
func TestOtherRulesAreNotJudged(t *testing.T) {
	var v view.View
	if err := json.Unmarshal(opening(t, "kharkov-1942", "SOVIET"), &v); err != nil {
		t.Fatal(err)
	}
	v.Rules = &view.Rules{Program: "x", Version: "1", Scenario: "other files"}
	text, err := json.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	d, o := open(t, text)
	if !strings.Contains(o.Unjudged, "the files of scenario") {
		t.Errorf("opened as %q", o.Unjudged)
	}
	if checked, err := d.Check(o.Blank); err == nil {
		t.Errorf("judged all the same: %+v", checked)
	}
	if svg, err := d.Position(o.Blank, nil); err != nil || !strings.Contains(svg, "data-unit") {
		t.Errorf("the map is not shown: %v", err)
	}
}

// Whatever is asked in whatever order, the answer is JSON with a value or an error.
func TestNothingIsThrown(t *testing.T) {
	d := &Desk{}
	for _, asked := range []string{"", "{", `{}`, `{"sheet":"MOVE","actor":"X","take":-5}`, `{"part":"board"}`, `{"take":99,"section":"MOVE"}`, `{"done":true}`} {
		for name := range calls {
			answer := d.Call(name, []byte(asked), []byte("no mail"))
			var told map[string]any
			if err := json.Unmarshal(answer, &told); err != nil || len(told) != 1 {
				t.Errorf("%s %s is answered %s", name, asked, answer)
			}
		}
	}
	d.Open(opening(t, "kharkov-1942", "SOVIET"))
	if answer := d.Call("choices", []byte(`{"actor":"NOBODY"}`), nil); !bytes.Contains(answer, []byte(`"error"`)) {
		t.Errorf("nobody is answered %s", answer)
	}
	if answer := d.Call("shutdown", []byte(`{}`), nil); !bytes.Contains(answer, []byte("knows no")) {
		t.Errorf("an unknown call is answered %s", answer)
	}
}

// Hostile files are answered, in time.
func FuzzOpen(f *testing.F) {
	small, _ := json.Marshal(map[string]any{"format": 1, "board": map[string]any{}})
	f.Add([]byte("{}"))
	f.Add(small)
	f.Add([]byte("From: a@b\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: application/json; name=view.json\r\n\r\n{}\r\n--x--\r\n"))
	f.Add(mail(f, "CODE: X", small))
	if archive, err := os.ReadFile("../umpire/testdata/formats/format1.tar"); err == nil {
		f.Add(archive)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		d, began := &Desk{}, time.Now()
		d.Call("open", []byte("{}"), file)
		d.Call("check", []byte(`{"sheet":"GAME: X\nMOVE\n 1 TO 2\n"}`), nil)
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}
