package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"fieldpost/adjudicator/view"
)

// readPage reads an HTML part: its text, and what is wrong with its tags. An element
// that is closed out of turn, or not at all, is a fault.
func readPage(page string) (text string, faults []string) {
	var b strings.Builder
	var open []string
	z := html.NewTokenizer(strings.NewReader(page))
	for {
		kind := z.Next()
		token := z.Token()
		switch kind {
		case html.ErrorToken:
			for _, name := range open {
				faults = append(faults, name+" is not closed")
			}
			return b.String(), faults
		case html.TextToken:
			b.WriteString(token.Data)
		case html.StartTagToken:
			b.WriteString(" ")
			if !slices.Contains([]string{"meta", "br", "img"}, token.Data) {
				open = append(open, token.Data)
			}
		case html.EndTagToken:
			b.WriteString(" ")
			if n := len(open); n == 0 || open[n-1] != token.Data {
				faults = append(faults, fmt.Sprintf("%s is closed within %v", token.Data, open))
				continue
			}
			open = open[:len(open)-1]
		}
	}
}

// wellFormed is the text of an HTML part, whose tags must be in order.
func wellFormed(t *testing.T, page string) string {
	t.Helper()
	text, faults := readPage(page)
	if len(faults) > 0 {
		t.Errorf("the page is broken: %v", faults)
	}
	return text
}

var aWord = regexp.MustCompile(`[\pL\pN]+(?:[-/.:'][\pL\pN]+)*`)

// wordsOf are the words of a text in small letters.
func wordsOf(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range aWord.FindAllString(strings.ToLower(text), -1) {
		out[w] = true
	}
	return out
}

// missing are the words of one text that another lacks, but for those that it may lack.
func missing(from, in map[string]bool, but string) []string {
	may := wordsOf(but)
	var out []string
	for w := range from {
		if !in[w] && !may[w] {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return out
}

// sameContent compares the words of the text part with those of the page. Each may have
// the words of its own that are named.
func sameContent(t *testing.T, text, page, onlyText, onlyPage string) {
	t.Helper()
	inText, inPage := wordsOf(text), wordsOf(page)
	if lost := missing(inText, inPage, onlyText); len(lost) > 0 {
		t.Errorf("the page lacks %q", lost)
	}
	if lost := missing(inPage, inText, onlyPage); len(lost) > 0 {
		t.Errorf("the text lacks %q", lost)
	}
}

func TestTablesOfHTML(t *testing.T) {
	m := &markup{}
	m.table([]string{"a<b", "c"}, [][]cell{{{"1 & 2", ""}, {"<x>", "color:red;"}}, {{"only", ""}}})
	text := wellFormed(t, m.String())
	if got := strings.Join(strings.Fields(text), " "); got != "a<b c 1 & 2 <x> only" {
		t.Errorf("%q", got)
	}
	for _, want := range []string{`<th align="left">a&lt;b</th>`, "<td>1 &amp; 2</td>", `<td style="color:red;">&lt;x&gt;</td>`} {
		if !strings.Contains(m.String(), want) {
			t.Errorf("%s lacks %s", m, want)
		}
	}
	m = &markup{}
	if m.table(nil, nil); strings.Contains(m.String(), "<tr") {
		t.Errorf("an empty table has a row: %s", m)
	}
}

func TestPicturesOfHTML(t *testing.T) {
	m := &markup{}
	m.pictures([]Picture{{CID: `a"b`, Title: `The <map>`}, {CID: "c", Title: "d"}})
	want := `<img src="cid:a&#34;b" alt="The &lt;map&gt;" style="display:block;max-width:100%;height:auto;border:0;">`
	if !strings.Contains(m.String(), want) || strings.Count(m.String(), "<img") != 2 {
		t.Errorf("%s", m)
	}
}

// Whatever a player or a scenario writes stays text on the page.
func TestHTMLEscapesEveryText(t *testing.T) {
	const evil = `<script>"&'</script>`
	r := fullReport(t)
	v := r.View
	v.Title, v.Date, v.Phase, v.Side, v.Game = evil, evil, evil, evil, evil
	v.Score[0].Note, v.Facts[0].Text, v.Assets[0].Kind, v.Chits.Groups[0].Name = evil, evil, evil, evil
	v.Objectives[0].Name, v.Air.Phases[0].Date = evil, evil
	v.Units[0].Name, v.Units[0].Formation, v.Units[0].Note, v.Units[1].Name = evil, evil, evil, evil
	v.Arrivals[0].Name, v.Arrivals[0].Note, v.Arrivals[0].Due, v.Lost[0].Name, v.Allies[0].Name = evil, evil, evil, evil, evil
	v.Enemy[0].Fort, v.Enemy[1].Seen, v.Enemy[1].Units[0].Type = evil, evil, evil
	v.Asked[0].Label, v.Asked[0].Why, v.Asked[0].Options[0].Answer, v.Asked[0].Options[0].Means = evil, evil, evil, evil
	r.Due, r.By, r.Notes[0], r.Roster[0].Key, v.Story.Phases[0].Rolls[0].Label, r.Pictures[0].Title = evil, evil, evil, evil, evil, evil
	told := v.Story.Events()
	told[0].Facts = told[0].Facts.With("hex", evil)
	v.Story.Phases[0].Events[0].Phase, r.History[0].Date, r.History[1].Taken = evil, evil, []string{evil}
	page, err := r.HTML()
	if err != nil {
		t.Fatal(err)
	}
	text := wellFormed(t, page)
	if strings.Contains(page, "<script") {
		t.Error("a text became a tag")
	}
	if n := strings.Count(strings.ToLower(text), evil); n < 25 {
		t.Errorf("the text occurs %d times on the page", n)
	}
}

func TestHTMLOfMailsEscapesEveryText(t *testing.T) {
	const evil = `<b>"&'`
	line := Line{Number: 1, Order: evil, Understood: evil, Warning: evil, Refused: true, At: evil, Clause: evil, Reason: evil, Instead: evil}
	for name, page := range map[string]string{
		"note":    (&Note{Game: evil, Title: evil, About: evil, Says: []string{evil}, Block: evil, Maps: []Picture{{evil, evil}}}).HTML(),
		"ack":     (&Ack{Game: evil, Title: evil, Date: evil, Map: evil, By: evil, Digest: evil, Key: evil, Lines: []Line{line}, Next: []string{evil}}).HTML(),
		"refusal": (&Ack{Game: evil, Refused: evil, Instead: evil}).HTML(),
		"letter": (&Message{Kind: Notice, Game: evil, Title: evil, Side: evil, DiceKey: evil, Reason: evil, Advice: []string{evil}, Notes: []string{evil},
			Roster: []Player{{evil, evil}}}).HTML(),
		"invitation": (&Message{Kind: Invitation, Game: evil, Title: evil, Scenario: evil, Side: evil, Address: evil, Code: evil, By: evil}).HTML(),
	} {
		if text := wellFormed(t, page); !strings.Contains(text, evil) {
			t.Errorf("%s: the text is lost", name)
		}
		if strings.Contains(page, "<b>") {
			t.Errorf("%s: a text became a tag", name)
		}
	}
}

// Text and background keep the reader's colours: ours must be told apart on white and on black.
func TestColoursOfMailsShowOnLightAndDark(t *testing.T) {
	colour := regexp.MustCompile(`(?:^|;)color:#([0-9a-f]{6})`)
	for name, style := range map[string]string{"phase": phaseStyle, "quiet": quietStyle, "bad": badStyle, "good": goodStyle, "look": lookStyle} {
		m := colour.FindStringSubmatch(style)
		if m == nil {
			t.Errorf("%s has no colour: %s", name, style)
			continue
		}
		var r, g, b int
		if _, err := fmt.Sscanf(m[1], "%02x%02x%02x", &r, &g, &b); err != nil {
			t.Fatal(err)
		}
		// Between a fifth and four fifths of the way from black to white.
		if light := (299*r + 587*g + 114*b) / 1000; light < 51 || light > 204 {
			t.Errorf("%s has a brightness of %d", name, light)
		}
	}
	for _, style := range []string{bodyStyle, titleStyle, headStyle, cellStyle, monoStyle, dueStyle} {
		if strings.Contains(style, "background") || colour.MatchString(style) {
			t.Errorf("%s sets a colour", style)
		}
	}
}

func TestTextAndPageOfAReportTellTheSame(t *testing.T) {
	r := fullReport(t)
	text, err := r.Text()
	if err != nil {
		t.Fatal(err)
	}
	page, _ := r.HTML()
	body := wellFormed(t, page)
	top, below, _ := strings.Cut(text, fold)
	before, after, _ := strings.Cut(top, "SKETCHES")
	_, answer, _ := strings.Cut(after, "HOW TO ANSWER")
	seals := below[strings.Index(below, "SEALS"):strings.Index(below, "FILES")]
	seals += "\ndice of this report 2 events"
	sameContent(t, before+answer+seals, body,
		"moves outposts isolated",
		"3-5 4-5 how view.json whole knows hexes later text part check proofs hashes verify this-mail.eml stand")
}

func TestTextAndPageOfAnAcknowledgementTellTheSame(t *testing.T) {
	for name, a := range everyAck() {
		text := a.Text()
		a.Map = "cid"
		t.Run(name, func(t *testing.T) {
			sameContent(t, text, wellFormed(t, a.HTML()), "", a.Subject()+" "+a.Title+" Where these moves would lead")
		})
	}
}

func TestTextAndPageOfALetterTellTheSame(t *testing.T) {
	for name, l := range everyMessage() {
		t.Run(name, func(t *testing.T) {
			sameContent(t, l.Text(), wellFormed(t, l.HTML()), "", l.Subject()+" "+l.Title)
		})
	}
}

func TestTextAndPageOfANoteTellTheSame(t *testing.T) {
	n := &Note{Game: "K7QX2MPA", Title: "Kharkov 1942", About: "your orders", Says: []string{"This is filed.", "It stands until Friday."},
		Block: "MOVE\n  513/294 TO 0301\n\n"}
	sameContent(t, n.Text(), wellFormed(t, n.HTML()), "", n.Subject()+" "+n.Title)
	if got, want := n.Text(), "This is filed.\n\nIt stands until Friday.\n\nMOVE\n  513/294 TO 0301\n"; got != want {
		t.Errorf("%q", got)
	}
	if n.Subject() != "[K7QX2MPA] your orders" {
		t.Error(n.Subject())
	}
	if n.Game = ""; n.Subject() != "your orders" {
		t.Error(n.Subject())
	}
	if strings.Contains(n.HTML(), "<img") {
		t.Error("a note without a map shows a picture")
	}
	if n.Maps = []Picture{{"map.7", "The map"}}; !strings.Contains(n.HTML(), `<img src="cid:map.7" alt="The map"`) {
		t.Error("the map of a note is not shown")
	}
	if (&Note{About: "nothing"}).Text() != "" || strings.Contains((&Note{About: "nothing"}).HTML(), "<pre") {
		t.Error("a note without words says something")
	}
}

// fullReport is a report in which every section has something to say.
func fullReport(t *testing.T) *Report {
	t.Helper()
	r := turnReport(t)
	v := r.View
	v.Assets = []view.Asset{{Kind: "ammunition units", Count: 3, Hex: 204}, {Kind: "surprise", Count: 1, Left: 2}}
	v.Facts = []view.Fact{{Name: "weather", Text: "rain"}, {Name: "ground", Text: "mud"}}
	v.Chits = &view.Chits{Groups: []view.ChitGroup{{Name: "GERMAN", Side: "GERMAN", Draws: 3, Left: 1, Own: []string{"HQ XVII", "OKH"}},
		{Name: "SOUTH", Side: "SOVIET", Draws: 1, Left: 0}, {Name: "NORTH", Side: "SOVIET"}},
		Played: []view.Chit{{Name: "28A", Side: "SOVIET"}, {Name: "HQ XVII", Side: "GERMAN"}}}
	v.Allies = []view.Unit{{Name: "Cosseria", Type: "INF", Formation: "Italian corps", Attack: 2, Defence: 3, Moves: 5, Hex: 203},
		{Name: "Ravenna", Type: "INF", Attack: 2, Defence: 2, Moves: 5, Hex: 204}}
	v.Units[0].Note, v.Units[4].Supply = "the last of its corps", "isolated"
	v.Asked = []view.Question{
		{Label: "pursuit 0301", Clause: "WB-95 5.3", Why: "you wished to be asked", Proposal: "NO", Source: "the default",
			Options: []view.Option{{Answer: "NO", Means: "stay where you are"}, {Answer: "0301 AND 0302", Means: "follow with all units"}}},
		{Label: "retreat", Proposal: "513/294 0302\n514/294 0303"},
		{Label: "reserve"},
	}
	r.Notes = append(r.Notes, "Partisans are not played yet.")
	r.History = []Moment{
		{Turn: 1, Date: "12 May", Score: []view.Score{{Side: "SOVIET"}, {Side: "GERMAN", Points: 5}}, Steps: []int{40, 30}, Lost: []int{0, 0}},
		{Turn: 2, Date: "13 May", Score: []view.Score{{Side: "SOVIET", Points: 1}, {Side: "GERMAN", Points: 6}}, Steps: []int{36, 29}, Lost: []int{1, 4},
			Taken: []string{"Lipcy 0101 to Soviet", "Izjum 0201 to nobody"}},
		{Turn: 3, Date: "14 May", Score: []view.Score{{Side: "SOVIET", Points: 3}, {Side: "GERMAN", Points: 10}}, Steps: []int{30, 28}, Lost: []int{3, 5}},
	}
	r.Staff = []StaffPlans{{"GERMAN", []StaffPlan{{1, Weighed{"careful", 120}, []Weighed{{"main effort at 0101", 40}, {"as the cadet", -35}}}, {2, Weighed{"hold", -5}, nil}}}}
	return r
}

func TestFullReportGolden(t *testing.T) {
	r := fullReport(t)
	text, err := r.Text()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "full.txt", text)
	page, err := r.HTML()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "full.html", page)
}
