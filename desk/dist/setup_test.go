package dist

import (
	"encoding/json"
	"fmt"
	"strconv"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/trial/browser"
	"fieldpost/umpire/judge"
	"fieldpost/umpire/match"
)

// settingUp is the report before a game in which the places of units are chosen.
func settingUp(t *testing.T, scenario, side string) (*view.View, *Report) {
	t.Helper()
	game, system, err := match.Builtin.Load(scenario)
	if err != nil {
		t.Fatal(err)
	}
	options := map[string]string{"set-up": "choose"}
	if game, err = game.(adjudicator.Optional).With(options); err != nil {
		t.Fatal(err)
	}
	position, err := game.Opening()
	if err != nil {
		t.Fatal(err)
	}
	v, err := game.View(position, adjudicator.Side(side))
	if err != nil {
		t.Fatal(err)
	}
	hash, err := match.Builtin.Hash(scenario)
	if err != nil {
		t.Fatal(err)
	}
	v.Game, v.Reply = "K7QX2MPA", &view.Reply{To: "umpire@example.org", Turn: v.Turn, Serial: 1}
	v.Rules = &view.Rules{Version: strconv.Itoa(system.Version()), Scenario: hash, Options: options}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return v, &Report{Name: view.File, File: text}
}

// The set-up is walked through unit by unit, with the button and the key: each that is placed on the map
// or in the list is left out from then on, the one that is passed over comes again at the end.
func TestTheSetUpInABrowser(t *testing.T) {
	for _, screen := range screens {
		t.Run(screen.name, func(t *testing.T) {
			v, report := settingUp(t, "kharkov-1942", "SOVIET")
			url := served(t, report)
			b := browser.New(t)
			b.Size(screen.width, screen.height)
			b.Open(url)
			b.Until("the units to place", "document.querySelector('#place')?.textContent === 'Next of 12 to place'")
			b.Click("#place")
			chosen := "document.querySelector('#actor')?.textContent"
			b.Until("the first unit with its places", chosen+"?.startsWith('Orders for') && document.querySelectorAll('[data-target]').length > 0")
			first := b.Eval(chosen)
			if b.Eval("!!document.querySelector('#next')") == "true" {
				t.Error("units are called idle before anybody may move")
			}
			picture(t, b, "set-up-"+screen.name)
			axed(t, b, "set-up-"+screen.name)
			b.Size(screen.width, screen.height)

			// The first one is passed over, with the key. The others are placed where each may first.
			b.Eval("document.activeElement.blur()")
			b.Press("n")
			b.Until("the second unit", chosen+fmt.Sprintf(" !== %q && document.querySelectorAll('.offers button').length > 0", first))
			for left := 11; left > 0; left-- {
				unit := b.Eval(chosen)
				b.Eval("[...document.querySelectorAll('[aria-label=Chosen] details')].forEach(d => d.open = true)")
				press(b, ".offers button", "SETUP ")
				b.Until(fmt.Sprintf("%d to place", left), fmt.Sprintf("document.querySelector('#place')?.textContent === 'Next of %d to place'", left))
				b.Click("#place")
				b.Until("the next unit", chosen+fmt.Sprintf(" !== %q && document.querySelectorAll('.offers button').length > 0", unit))
			}
			if again := b.Eval(chosen); again != first {
				t.Errorf("after the last comes %s, not %s, which was passed over", again, first)
			}
			press(b, ".offers button", "SETUP ")
			b.Until("all placed", "document.querySelector('#placed')?.textContent === 'All 12 placed' && !document.querySelector('#place')")
			b.Click("#done")
			b.Until("DONE", "document.querySelector('#done').checked")
			b.Click("#send")
			b.Click("#make")
			b.Until("the mail or what it lacks", "!!document.querySelector('#block') || !!document.querySelector('dialog .why')")
			sheet := b.Eval("document.querySelector('#text')?.value ?? [...document.querySelectorAll('.lines .ok code')].map(c => c.textContent).join('\\n')")
			bench, err := judge.For(&match.Builtin, v)
			if err != nil {
				t.Fatal(err)
			}
			_, refused := bench.Check(judge.Given{Text: "GAME: K7QX2MPA\nSIDE: SOVIET\nTURN: 0\nSERIAL: 1\nSETUP\n" + sheet + "\nDONE\n", Typed: true})
			if refused != 0 {
				t.Errorf("the umpire refuses %d lines of\n%s", refused, sheet)
			}
		})
	}
}

// A unit is placed by a click on the map where nobody stands.
func TestAUnitIsPlacedOnTheMap(t *testing.T) {
	_, report := settingUp(t, "gd-kursk", "GERMAN")
	b := browser.New(t)
	b.Size(1360, 850)
	b.Open(served(t, report))
	b.Until("the units to place", "/to place/.test(document.querySelector('#place')?.textContent)")
	b.Click("#place")
	free := "[...document.querySelectorAll('[data-target]')].map(p => p.dataset.target).filter(h => !document.querySelector(`.over [data-hex=\"${h}\"]`))"
	b.Until("its places", free+".length > 0")
	hex := b.Eval(free + "[0]")
	unit := b.Eval("document.querySelector('#actor').textContent.replace('Orders for ', '')")
	b.Click("#find")
	b.Eval("document.querySelector('#find').select()")
	b.Write(unit)
	b.Press("Enter")
	b.ClickThere("[data-target='" + hex + "']")
	b.Until("the place on the sheet", fmt.Sprintf("[...document.querySelectorAll('.lines .ok code')].some(c => c.textContent.toUpperCase() === %q.toUpperCase())", unit+" "+hex))
	b.Until("one fewer", "/Next of 38 to place/.test(document.querySelector('#place')?.textContent)")
	picture(t, b, "set-up-famous")
}
