package dist

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fieldpost/adjudicator/view"
	"fieldpost/desk"
	"fieldpost/trial/browser"
	"fieldpost/umpire/match"
)

// What a player waits for, in both browsers, from the file on the disk. It is run on a machine
// that does nothing else:
//
//	FIELDPOST_FIGURES=1 go test -run Figures -v ./desk/dist
func TestFigures(t *testing.T) {
	if os.Getenv("FIELDPOST_FIGURES") == "" {
		t.Skip("FIELDPOST_FIGURES is not set")
	}
	for name, start := range map[string]func(*testing.T) *browser.Browser{"Chromium": browser.Chromium, "Firefox": browser.Firefox} {
		t.Run(name, func(t *testing.T) {
			b := start(t)
			b.Size(1360, 850)
			var opened []string
			for range 5 {
				opened = append(opened, opens(t, b, reportOf(t, "kharkov-1942", "SOVIET")))
			}
			t.Logf("Kharkov 1942, file opened to map and first verdict: %s ms", strings.Join(opened, ", "))
			var waited []float64
			all, err := match.Builtin.List()
			if err != nil {
				t.Fatal(err)
			}
			for _, scenario := range all {
				waited = append(waited, choices(t, b, scenario.ID)...)
			}
			t.Logf("choices of a unit, all scenarios: %s", told(waited))
			report, sheet := full(t)
			opens(t, b, report)
			b.Click(".sheet .bar button")
			b.Eval("performance.clearMeasures()")
			for n := range 20 {
				b.Eval(fmt.Sprintf("(() => { const a = document.querySelector('#text'); a.value = %q + '# %d\\n'; a.dispatchEvent(new Event('input', { bubbles: true })) })()", sheet, n))
				b.Until("the check", fmt.Sprintf("performance.getEntriesByName('check').length > %d && performance.getEntriesByName('draw').length > %d", n, n))
			}
			t.Logf("check of %d orders: %s; drawn anew: %s", strings.Count(sheet, "\n  "), told(durations(b, "check")), told(durations(b, "draw")))
			if b.IsChromium() {
				t.Logf("Kursk joined, 390 px, the processor six times slower: %s", frames(b))
			}
		})
	}
}

// reportOf is the opening of a scenario as a file.
func reportOf(t *testing.T, scenario, side string) *Report {
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
	return &Report{Name: view.File, File: text}
}

// opens has the browser open the desk with a report from the disk, and tells how long it took
// from there to the first verdict, in milliseconds.
func opens(t *testing.T, b *browser.Browser, report *Report) string {
	t.Helper()
	page, err := Whole(report)
	if err != nil {
		t.Skip(err)
	}
	file := filepath.Join(t.TempDir(), "desk.html")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	b.Open("file://" + file)
	b.Until("the sheet is judged", "!!document.documentElement.dataset.ready")
	return b.Eval("document.documentElement.dataset.ready")
}

func chosen(b *browser.Browser, unit string) {
	b.Click("#find")
	b.Eval("document.querySelector('#find').select()")
	b.Write(unit)
	b.Press("Enter")
	b.Until("the choices of "+unit, fmt.Sprintf("document.querySelector('#actor')?.textContent === %q && !!document.querySelector('.ways,.offers li,.not')", "Orders for "+unit))
}

// choices are how long the page waited for those of some twenty units of the side that is asked first,
// in milliseconds.
func choices(t *testing.T, b *browser.Browser, scenario string) []float64 {
	t.Helper()
	game, _, err := match.Builtin.Game(scenario)
	if err != nil {
		t.Fatal(err)
	}
	opens(t, b, reportOf(t, scenario, string(game.Sides()[0])))
	for _, unit := range strings.Split(b.Eval("[...document.querySelectorAll('#names option')].slice(0, 20).map(o => o.value).join('|')"), "|") {
		chosen(b, unit)
	}
	return durations(b, "choices")
}

// durations are how long the page waited for each answer of a kind, in milliseconds.
func durations(b *browser.Browser, name string) (all []float64) {
	for _, d := range strings.Fields(b.Eval(fmt.Sprintf("performance.getEntriesByName(%q).map(e => e.duration).join(' ')", name))) {
		ms, _ := strconv.ParseFloat(d, 64)
		all = append(all, ms)
	}
	return all
}

// told are the middle and the longest of them.
func told(all []float64) string {
	if len(all) == 0 {
		return "none"
	}
	slices.Sort(all)
	return fmt.Sprintf("%d times, median %.1f, p99 %.1f, at most %.1f ms", len(all), all[len(all)/2], all[(len(all)*99+99)/100-1], all[len(all)-1])
}

// full is a report of the largest map, and a sheet with 250 orders that stand.
func full(t *testing.T) (*Report, string) {
	t.Helper()
	report := reportOf(t, "kursk-joined", "SOVIET")
	var d desk.Desk
	opened, err := d.Open(report.File)
	if err != nil {
		t.Fatal(err)
	}
	var moves, standing []string
	for _, u := range opened.Units {
		can, err := d.Choices(opened.Blank, u.Name)
		if err == nil && len(can.Reach) > 0 && len(can.Reach[0].Ways) > 0 {
			moves = append(moves, "  "+can.Reach[0].Ways[0].Order)
		}
		standing = append(standing, "  "+u.Name+" HOLD")
	}
	orders := append(append([]string{"MOVE"}, moves...), append([]string{"STANDING"}, standing...)...)
	return report, opened.Blank + strings.Join(orders[:min(len(orders), 252)], "\n") + "\n"
}

// frames counts those that are painted while the map is dragged to and fro.
func frames(b *browser.Browser) string {
	b.Size(390, 844)
	b.Call("Emulation.setCPUThrottlingRate", map[string]any{"rate": 6}, nil)
	b.Eval("window.painted = 0; (function tick() { window.painted++; requestAnimationFrame(tick) })()")
	drag := func(kind string, x, y int) {
		b.Call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1}, nil)
	}
	drag("mousePressed", 200, 300)
	began := time.Now()
	before, _ := strconv.Atoi(b.Eval("window.painted"))
	for n := 0; time.Since(began) < 3*time.Second; n++ {
		drag("mouseMoved", 60+(n*7)%280, 200+(n*5)%200)
	}
	after, _ := strconv.Atoi(b.Eval("window.painted"))
	drag("mouseReleased", 200, 300)
	return fmt.Sprintf("%.0f frames a second while the map is dragged", float64(after-before)/time.Since(began).Seconds())
}
