package dist

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"fieldpost/staff"
	"fieldpost/trial/browser"
	"fieldpost/umpire/judge"
	"fieldpost/umpire/match"
)

// The guided first turn by clicks, wide and on a telephone: without a report and a server that
// plays, from the first step to the report of what the staff did.
func TestThePracticeTurnInABrowser(t *testing.T) {
	for _, screen := range screens {
		t.Run(screen.name, func(t *testing.T) {
			url := served(t, nil)
			b := browser.New(t)
			b.Size(screen.width, screen.height)
			b.Open(url)
			b.Until("the lesson", "!!document.querySelector('#lesson')")
			picture(t, b, "practice-welcome-"+screen.name)
			b.Click("#lesson")
			b.Until("the sheet is judged", "!!document.documentElement.dataset.ready")
			b.Listen()
			picture(t, b, "practice-1-"+screen.name)
			b.Click("#lesson-next")
			step := 2
			at := func(n int) {
				t.Helper()
				b.Until(fmt.Sprintf("step %d", n), fmt.Sprintf("document.querySelector('.lesson h2').textContent.startsWith('%d of')", n))
				if n != step {
					picture(t, b, fmt.Sprintf("practice-%d-%s", n, screen.name))
				}
				step = n
			}
			at(2)
			unit(b, "124 INF")
			at(3)
			b.ClickThere("[data-way='2406']")
			at(4)
			for n, name := range []string{"81 INF", "133/XXII"} {
				unit(b, name)
				press(b, ".ways button", "2406")
				at(5 + n)
			}
			for n, name := range []string{"300 INF", "124 INF", "81 INF", "133/XXII"} {
				unit(b, name)
				press(b, ".offers button", "ATTACK 2505 WITH "+name)
				at(7 + n)
			}
			b.Click("#done")
			at(11)
			b.Click("#play")
			b.Until("the report", "document.querySelector('.lesson h2')?.textContent.startsWith('12 of') && !!document.querySelector('.story')")
			picture(t, b, "practice-12-"+screen.name)
			if head := b.Eval("document.querySelector('h1').textContent"); !strings.Contains(head, "turn 2 of 17") {
				t.Errorf("the turn after it is %s", head)
			}
			replayed(t, b)
			picture(t, b, "practice-story-"+screen.name)
			if b.Eval("document.documentElement.scrollWidth <= innerWidth") != "true" {
				t.Error("the page scrolls sideways")
			}
			if asked := b.Requests(); len(asked) > 0 {
				t.Errorf("the page asks for %v", asked)
			}
			// The game is kept: whoever leaves it, or opens the page anew, goes on with it.
			b.Click("#leave")
			b.Until("the scenarios", "!!document.querySelector('#resume')")
			b.Open(url)
			b.Until("the game that is kept", "!!document.querySelector('#resume')")
			b.Click("#resume")
			b.Until("its report", "document.querySelector('h1').textContent.includes('turn 2 of 17') && !!document.querySelector('.story')")
		})
	}
}

// The staff officer is chosen by name, with the keyboard as well; the game is played against that
// one, who proposes sheets too, also when it is gone on with another day.
func TestTheStaffOfficerIsChosenInABrowser(t *testing.T) {
	url := served(t, nil)
	b := browser.New(t)
	b.Size(1360, 850)
	b.Open(url)
	b.Until("the scenarios", "document.querySelectorAll('#scenario option').length > 10")
	for _, strength := range staff.Strengths {
		if said := b.Eval(fmt.Sprintf("document.querySelector('.officers [value=%s]')?.closest('label').innerText", strength)); !strings.Contains(said, "Thinks") && !strings.Contains(said, "Answers at once") {
			t.Errorf("of the %s the page says %q", strength, said)
		}
	}
	if n := b.Eval("document.querySelectorAll('.officers input').length"); n != fmt.Sprint(len(staff.Strengths)) {
		t.Errorf("there are %s staff officers", n)
	}
	b.TabTo(".officers input")
	b.Press("ArrowDown")
	b.Until("the officer", "document.querySelector('.officers :checked').value === 'officer'")
	b.Eval("document.querySelector('#scenario').value = 'star-and-gallop'; document.querySelector('#scenario').dispatchEvent(new Event('change', {bubbles: true}))")
	b.Until("its sides", "document.querySelectorAll('[data-side]').length === 2")
	picture(t, b, "practice-officers")
	b.Click("[data-side=SOVIET]")
	against := "document.querySelector('.practised')?.textContent.startsWith('Practice against an officer')"
	b.Until("the game against an officer", against+" && !!document.documentElement.dataset.ready")
	b.Click("#propose")
	b.Until("the officer's proposal", "document.querySelectorAll('.lines .ok').length > 3 && document.querySelector('#propose').textContent === 'Proposal'")
	b.Open(url)
	b.Until("the game that is kept", "!!document.querySelector('#resume')")
	b.Click("#resume")
	b.Until("the same staff officer", against)
}

// unit chooses a unit by its name.
func unit(b *browser.Browser, name string) {
	b.Click("#find")
	b.Eval("document.querySelector('#find').select()")
	b.Write(name)
	b.Press("Enter")
	b.Until("the choices of "+name, fmt.Sprintf("document.querySelector('#actor')?.textContent === %q && !!document.querySelector('.ways, .offers li')", "Orders for "+name))
	b.Eval("[...document.querySelectorAll('.ways')].forEach(d => d.open = true)")
}

// press clicks the button that begins with the words.
func press(b *browser.Browser, from, begins string) {
	found := fmt.Sprintf("[...document.querySelectorAll('%s')].find(b => b.textContent.startsWith(%q))", from, begins)
	b.Until(begins, "!!"+found)
	b.Eval(fmt.Sprintf("document.querySelector('#pressed')?.removeAttribute('id'); %s.id = 'pressed'", found))
	b.Click("#pressed")
}

// replayed goes through the story, forward and back: each fight is on the map when it is told.
func replayed(t *testing.T, b *browser.Browser) {
	t.Helper()
	b.Click("#story-on")
	b.Until("the first item", "document.querySelector('.story h2').textContent.includes('1 of')")
	fight := "[...document.querySelectorAll('.story li button')].findIndex(b => b.textContent.includes('2505: Soviets attacked'))"
	if b.Eval(fight) == "-1" {
		t.Fatal("the story has no attack on 2505")
	}
	b.Eval("document.querySelector('.story details').open = true; [...document.querySelectorAll('.story li button')][" + fight + "].id = 'fight'")
	b.Eval("window.marched = 0; new MutationObserver(all => window.marched += all.flatMap(m => [...m.addedNodes]).filter(n => n.querySelector?.('.marching') || n.matches?.('.marching')).length).observe(document.querySelector('.marks'), { childList: true, subtree: true })")
	b.Click("#fight")
	b.Until("a counter on its way", "window.marched > 0")
	b.Until("that it has come there", "!document.querySelector('.marching')")
	b.Until("the fight on the map", "!!document.querySelector('.marks .burst') && document.querySelector('.story .item').textContent.includes('2505')")
	was := b.Eval("document.querySelector('.story h2').textContent")
	b.Click("#story-on")
	b.Until("the next", "document.querySelector('.story h2').textContent !== "+fmt.Sprintf("%q", was))
	b.Click("#story-back")
	b.Until("the fight again", "document.querySelector('.story h2').textContent === "+fmt.Sprintf("%q", was)+" && !!document.querySelector('.marks .burst')")
	if !b.IsChromium() {
		return
	}
	// Who wants no motion sees the arrows alone.
	b.Call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-reduced-motion", "value": "reduce"}}}, nil)
	b.Until("that nothing is on its way", "!document.querySelector('.marching')")
	b.Eval("window.marched = 0")
	b.Click("#story-on")
	b.Click("#story-back")
	b.Until("the fight without motion", "!!document.querySelector('.marks .burst')")
	if n := b.Eval("window.marched"); n != "0" {
		t.Errorf("%s counters move for somebody who wants no motion", n)
	}
}

// The sheet at the end of the tutorial is what its steps order, and the umpire takes all of it.
func TestTheSheetOfTheTutorial(t *testing.T) {
	page, err := os.ReadFile("../../docs/FIRST-TURN.md")
	if err != nil {
		t.Fatal(err)
	}
	_, sheet, found := strings.Cut(string(page), "    GAME: ")
	sheet, _, ended := strings.Cut(sheet, "    DONE\n")
	if !found || !ended {
		t.Fatal("the tutorial has no sheet")
	}
	sheet = "GAME: " + strings.ReplaceAll(sheet, "\n    ", "\n") + "DONE\n"
	v, _ := kharkov(t)
	bench, err := judge.For(&match.Builtin, v)
	if err != nil {
		t.Fatal(err)
	}
	ack, refused := bench.Check(judge.Given{Text: sheet, Typed: true})
	orders := 0
	for _, l := range ack.Lines {
		if l.Understood != "" {
			orders++
		}
	}
	if refused != 0 || orders < 4 {
		t.Errorf("%d lines are refused and %d understood of\n%s", refused, orders, sheet)
	}
	for _, order := range []string{"124 INF TO 2406", "81 INF TO 2406", "133/XXII TO 2406", "2505 WITH 300 INF, 124 INF, 81 INF, 133/XXII"} {
		if n := strings.Count(string(page), "      "+order+"\n"); n != 2 {
			t.Errorf("the tutorial writes %s %d times, where it is given and in the sheet", order, n)
		}
	}
}
