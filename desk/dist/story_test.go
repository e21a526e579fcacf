package dist

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"fieldpost/adjudicator/view"
	"fieldpost/desk/practice"
	"fieldpost/dice/vrf"
	"fieldpost/trial/browser"
	"fieldpost/umpire/match"
)

// proved is the report of a turn of Kharkov 1942 in which all dice are those of a key.
func proved(t *testing.T) (*view.View, *Report) {
	t.Helper()
	g, err := practice.Begin(&match.Builtin, practice.Choice{Scenario: "kharkov-1942", Side: "SOVIET", Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	for stops := 0; stops < 2; {
		state, _, err := g.Next()
		if err != nil {
			t.Fatal(err)
		}
		if state == practice.Playing {
			continue
		}
		if stops++; stops == 2 {
			break
		}
		sheet, err := g.Proposal()
		if err != nil {
			t.Fatal(err)
		}
		if err := g.File(sheet); err != nil {
			t.Fatal(err)
		}
	}
	v, err := g.View()
	if err != nil {
		t.Fatal(err)
	}
	key, root := vrf.NewKey([32]byte{7}), []byte("the root of the dice of the game")
	v.Game, v.Story.Key, v.Story.Root = "K7QX2MPA", key.PublicKey().String(), hex.EncodeToString(root)
	for _, c := range v.Story.Phases {
		for i, r := range c.Rolls {
			if c.Rolls[i].Dice, c.Rolls[i].Proof, err = (vrf.Thrower{Key: key, Game: v.Game, Phase: c.Phase, Root: root}).Throw(r.Label, len(r.Dice), r.Sides); err != nil {
				t.Fatal(err)
			}
		}
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return v, &Report{Name: view.File, File: text}
}

// A report's story is replayed on the map, and its dice are proved in the page; another key
// proves none of them. Nothing is asked of a network, and axe-core finds no fault.
func TestTheStoryAndItsDiceInABrowser(t *testing.T) {
	v, report := proved(t)
	rolls := 0
	for _, c := range v.Story.Phases {
		rolls += len(c.Rolls)
	}
	url := served(t, report)
	b := browser.New(t)
	b.Size(1360, 850)
	b.Open(url)
	b.Until("the sheet is judged", "!!document.documentElement.dataset.ready")
	b.Listen()
	replayed(t, b)
	b.Click("#dice")
	b.Until("the proofs", fmt.Sprintf("document.querySelector('#proved')?.textContent.includes('%d of %d are good')", rolls, rolls))
	axed(t, b, "dice")
	b.Click("#dice-key")
	b.Write(vrf.NewKey([32]byte{8}).PublicKey().String())
	b.Press("Enter")
	b.Until("another key", fmt.Sprintf("document.querySelector('#proved')?.textContent.startsWith('%d are not good')", rolls))
	if asked := b.Requests(); len(asked) > 0 {
		t.Errorf("the page asks for %v", asked)
	}
	if said := b.Eval("document.querySelector('dialog').innerText"); !strings.Contains(said, "combat 2505") {
		t.Errorf("the dice are %s", said)
	}
}

// The archive of a finished game is opened from the disk: turn by turn, both sides, its dice
// proved.
func TestAFinishedGameInABrowser(t *testing.T) {
	url := served(t, nil)
	b := browser.New(t)
	b.Size(1360, 850)
	b.Open(url)
	b.Until("the page", "!!document.querySelector('#report-file')")
	b.Listen()
	file, err := filepath.Abs("../../umpire/testdata/formats/format1.tar")
	if err != nil {
		t.Fatal(err)
	}
	b.Choose("#report-file", file)
	b.Until("the first turn", "document.querySelector('#past-turn')?.value === '1' && !!document.querySelector('.story')")
	axed(t, b, "past")
	b.Click("[data-seen=GERMAN]")
	b.Until("the other side", "document.querySelector('h1').textContent.includes('GERMAN')")
	b.Click("#past-back")
	b.Until("the set-up", "document.querySelector('#past-turn')?.value === '0'")
	b.Eval("document.querySelector('#past-turn').value = '-1'; document.querySelector('#past-turn').dispatchEvent(new Event('change', {bubbles: true}))")
	b.Until("the whole game", "!!document.querySelector('.verdict') && document.querySelector('h1').textContent.includes('GERMAN')")
	b.Click("#story-on")
	b.Click("#dice")
	b.Until("its proofs", "/^Proofs checked: (\\d+) of \\1 are good\\. $/.test(document.querySelector('#proved')?.textContent)")
	picture(t, b, "past-dice")
	if asked := b.Requests(); len(asked) > 0 {
		t.Errorf("the page asks for %v", asked)
	}
}
