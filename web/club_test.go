package web

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	ics "github.com/arran4/golang-ical"
)

// Who plays and how well is for moderators, until the configuration says that it is for everybody.
func TestTheLadderIsForModeratorsUnlessItIsPublic(t *testing.T) {
	h := newHall(t)
	paths := []string{"/ladder", "/ladder.csv", "/ladder.json", "/results.csv", "/results.json"}
	for _, path := range paths {
		if code, text, _ := h.do("GET", path, nil); code != http.StatusSeeOther || strings.Contains(text, "Somebody") {
			t.Errorf("%s shows a stranger: %d %s", path, code, text)
		}
	}
	h.login()
	for _, path := range paths {
		if code, text, _ := h.do("GET", path, nil); code != http.StatusOK || !strings.Contains(text, "Somebody") || strings.Contains(text, "player@example.org") {
			t.Errorf("%s shows a moderator: %d %s", path, code, text)
		}
	}
	h.cookie, h.s.config.PublicLadder = "", true
	h.at.Config.Handler = h.s.Handler()
	for _, path := range paths {
		if code, text, _ := h.do("GET", path, nil); code != http.StatusOK || !strings.Contains(text, "Somebody") {
			t.Errorf("%s shows everybody: %d %s", path, code, text)
		}
	}
	_, text, _ := h.do("GET", "/results.csv", nil)
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) != 2 || rows[1][0] != h.over || rows[1][2] != "2026-11-20" || rows[1][3] != "SOVIET" {
		t.Errorf("results as CSV: %v, %v", rows, err)
	}
	_, text, _ = h.do("GET", "/ladder.json", nil)
	var ladder []struct {
		Name   string
		Points int
		Rating struct{ Value float64 }
	}
	if err := json.Unmarshal([]byte(text), &ladder); err != nil || len(ladder) != 1 || ladder[0].Rating.Value != 1500 {
		t.Errorf("the ladder as JSON: %s, %v", text, err)
	}
}

// The calendar has the deadline of each game that has one, of one game if it is asked for.
func TestDeadlinesAsACalendar(t *testing.T) {
	h := newHall(t)
	for query, want := range map[string]int{"": 1, "?game=" + strings.ToLower(h.running): 1, "?game=" + h.over: 0} {
		_, text, head := h.do("GET", "/deadlines.ics"+query, nil)
		c, err := ics.ParseCalendar(strings.NewReader(text))
		if err != nil || len(c.Events()) != want || !strings.HasPrefix(head.Get("Content-Type"), "text/calendar") {
			t.Fatalf("%q: %v, %s", query, err, text)
		}
		if want == 0 {
			continue
		}
		e := c.Events()[0]
		at, err := e.GetStartAt()
		if err != nil || !at.Equal(h.clock.AddDate(0, 0, 3)) {
			t.Errorf("the deadline: %v, %v", at, err)
		}
		if said := e.GetProperty(ics.ComponentPropertySummary).Value; !strings.Contains(said, "deadline of turn 1") || !strings.Contains(said, "SOVIET") {
			t.Errorf("the calendar says %q", said)
		}
	}
}

// The feed tells of every game that has begun, the newest first, with links that can be followed.
func TestTheFeed(t *testing.T) {
	h := newHall(t)
	_, text, _ := h.do("GET", "/feed.atom", nil)
	var feed struct {
		XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
		Entries []struct {
			ID      string `xml:"id"`
			Title   string `xml:"title"`
			Updated string `xml:"updated"`
			Link    struct {
				Href string `xml:"href,attr"`
			} `xml:"link"`
		} `xml:"entry"`
	}
	if err := xml.Unmarshal([]byte(text), &feed); err != nil || len(feed.Entries) != 2 {
		t.Fatalf("%v: %s", err, text)
	}
	told := map[string]string{}
	for _, e := range feed.Entries {
		path := strings.TrimPrefix(e.Link.Href, h.at.URL)
		if code, _, _ := h.do("GET", path, nil); code != http.StatusOK {
			t.Errorf("%s leads to %d", e.Link.Href, code)
		}
		told[e.ID] = e.Title
	}
	if !strings.Contains(told["urn:fieldpost:"+h.over+":end"], "it is over") || !strings.Contains(told["urn:fieldpost:"+h.running+":1"], "turn 1") {
		t.Errorf("the feed tells %v", told)
	}
}

// The turns of a game are for everybody once it is over, and not before.
func TestAGameThatIsOverIsLookedThrough(t *testing.T) {
	h := newHall(t)
	_, text, _ := h.do("GET", "/games/"+h.over, nil)
	if !strings.Contains(text, `href="/games/`+h.over+`/turns/1"`) {
		t.Error("the page of a game that is over does not lead to its turns")
	}
	for path, want := range map[string]int{
		"/games/" + h.over + "/turns/1":            http.StatusOK,
		"/games/" + h.over + "/turns/1/map.png":    http.StatusOK,
		"/games/" + h.over + "/turns/2":            http.StatusNotFound,
		"/games/" + h.over + "/turns/x":            http.StatusNotFound,
		"/games/" + h.running + "/turns/1":         http.StatusNotFound,
		"/games/" + h.running + "/turns/1/map.png": http.StatusNotFound,
	} {
		if code, _, _ := h.do("GET", path, nil); code != want {
			t.Errorf("%s answers %d, want %d", path, code, want)
		}
	}
}

// The gallery shows each game that has begun with a small map.
func TestTheGallery(t *testing.T) {
	h := newHall(t)
	_, text, _ := h.do("GET", "/gallery?page=99", nil)
	for _, game := range []string{h.running, h.over} {
		if !strings.Contains(text, "/games/"+game+"/map.png?small=yes") {
			t.Errorf("game %s is not in the gallery", game)
		}
	}
	_, small, _ := h.do("GET", "/games/"+h.running+"/map.png?small=yes", nil)
	_, large, _ := h.do("GET", "/games/"+h.running+"/map.png", nil)
	if len(small) == 0 || len(small)*3 > len(large) {
		t.Errorf("a small map has %d bytes, a large one %d", len(small), len(large))
	}
}

// A club that gives the program away lists its files; nothing else of the folder can be had, and
// a club that does not has no such page.
func TestDownloads(t *testing.T) {
	h := newHall(t)
	if code, text, _ := h.do("GET", "/downloads", nil); code != 404 || strings.Contains(text, "/downloads") {
		t.Errorf("without files: %d", code)
	}
	h.s.config.Downloads = t.TempDir()
	for name, text := range map[string]string{"fieldpost-1.2.0-desk.html": "the desk", "notes of ours": "secret"} {
		if err := os.WriteFile(filepath.Join(h.s.config.Downloads, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	list := strings.Repeat("ab", 32) + "  fieldpost-1.2.0-desk.html\n" + strings.Repeat("cd", 32) + "  ../config.toml\n"
	if err := os.WriteFile(filepath.Join(h.s.config.Downloads, "SHA256SUMS"), []byte(list), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, text, _ := h.do("GET", "/downloads", nil); code != 200 || !strings.Contains(text, `href="/downloads/fieldpost-1.2.0-desk.html"`) || strings.Contains(text, "config.toml") {
		t.Errorf("the list: %d\n%s", code, text)
	}
	for name, want := range map[string]int{"fieldpost-1.2.0-desk.html": 200, "SHA256SUMS": 200, "SHA256SUMS.sig": 404, "notes%20of%20ours": 404, "..%2fconfig.toml": 404} {
		if code, _, _ := h.do("GET", "/downloads/"+name, nil); code != want {
			t.Errorf("%s: %d, expected %d", name, code, want)
		}
	}
}
