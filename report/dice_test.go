package report

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fieldpost/adjudicator/view"
)

// someDice are dice of a game with a beacon: events of several phases, labels of all kinds.
func someDice(r *rand.Rand) []Proof {
	labels := []string{"combat 0301", "fire (1)Wsp 0402", "a: b", "weather", "10 (d6)", "drand", "Łódź"}
	var out []Proof
	phase, round := 0, uint64(1000)
	var value []byte
	for range r.IntN(8) {
		p := Proof{Roll: view.Roll{Label: labels[r.IntN(len(labels))], Sides: []int{6, 10, 100}[r.IntN(3)], Proof: bytes.Repeat([]byte{byte(r.IntN(256))}, 1+r.IntN(90))}}
		for range 1 + r.IntN(4) {
			p.Dice = append(p.Dice, 1+r.IntN(p.Sides))
		}
		if r.IntN(3) == 0 {
			phase++
		}
		if value == nil || r.IntN(3) == 0 {
			round++
			value = bytes.Repeat([]byte{byte(round), 0x5a}, 24)
		}
		p.Phase, p.Round, p.Value = fmt.Sprintf("turn 3 phase %d", phase), round, value
		out = append(out, p)
	}
	return out
}

func numbers(dice []int) string {
	var out []string
	for _, d := range dice {
		out = append(out, strconv.Itoa(d))
	}
	return strings.Join(out, " ")
}

// asBefore is the text of a report with its proofs as they stood in it before its View had a
// story.
func asBefore(text string, head Head, dice []Proof) string {
	var b strings.Builder
	digits := func(d []byte) {
		for text := hex.EncodeToString(d); len(text) > 0; text = text[min(72, len(text)):] {
			fmt.Fprintf(&b, "    %s\n", text[:min(72, len(text))])
		}
	}
	fmt.Fprintf(&b, "%s   %d events; check with: fieldpost verify this-mail.eml\n  game %s\n", diceTitle, len(dice), head.Game)
	if kind, rest, ok := strings.Cut(head.Key, ":"); ok {
		fmt.Fprintf(&b, "  key %s:\n    %s\n", kind, rest)
	} else {
		fmt.Fprintf(&b, "  key %s\n", head.Key)
	}
	fmt.Fprintf(&b, "  root %s\n", head.Root)
	phase, round := "", uint64(0)
	for i, d := range dice {
		if i == 0 || d.Phase != phase {
			phase, round = d.Phase, 0
			fmt.Fprintf(&b, " phase %s\n", phase)
		}
		if d.Round != round {
			round = d.Round
			fmt.Fprintf(&b, "  drand %d\n", round)
			digits(d.Value)
		}
		fmt.Fprintf(&b, "  %s: %s (d%d), proof\n", d.Label, numbers(d.Dice), d.Sides)
		digits(d.Proof)
	}
	before, after, _ := strings.Cut(text, diceTitle)
	_, after, _ = strings.Cut(after, "\n\n")
	return before + b.String() + "\n" + after
}

// What a report of earlier times proves is read back from it, whatever the dice are.
func TestProofsAreReadBack(t *testing.T) {
	random := rand.New(rand.NewPCG(1942, 5))
	text := textOf(t, &Report{View: withEvents(&view.View{Game: "K7QX2MPA", Title: "X"})})
	for i := range 200 {
		head, dice := Head{"K7QX2MPA", "ecvrf-ed25519:" + strings.Repeat("6a", 32), "9a0b"}, someDice(random)
		if i%2 == 0 {
			head.Key = "6f1c22"
		}
		text := asBefore(text, head, dice)
		proved, _, got, err := ParseDice(text)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if !reflect.DeepEqual(proved, dice) {
			t.Fatalf("%+v\nbecame\n%+v", dice, proved)
		}
		if got != head {
			t.Fatalf("head %+v", got)
		}
	}
}

func TestDiceWithoutABeaconHaveNoValue(t *testing.T) {
	const text = diceTitle + "\n phase one\n  drand 7\n    beef\n  a: 1 (d6), proof 01\n phase two\n  b: 2 (d6), proof 02\n"
	proved, _, _, err := ParseDice(text)
	want := []Proof{{"one", view.Roll{Label: "a", Dice: []int{1}, Sides: 6, Proof: view.Digits{1}, Round: 7, Value: view.Digits{0xbe, 0xef}}},
		{"two", view.Roll{Label: "b", Dice: []int{2}, Sides: 6, Proof: view.Digits{2}}}}
	if err != nil || !reflect.DeepEqual(proved, want) {
		t.Errorf("%v %+v", err, proved)
	}
}

// What mail programs do to a section does not change it; what somebody else does is found.
func TestDamagedDice(t *testing.T) {
	for name, c := range map[string]struct{ text, fault string }{
		"a stray line":      {"  a: 1 (d6), proof 01\n  hello there\n", `line 3: "hello there" is not a line of the section of dice`},
		"half a byte":       {"  a: 1 (d6), proof 012\n", "proof of a"},
		"half a value":      {"  drand 7\n    bee\n  a: 1 (d6), proof 01\n", "value of round 7"},
		"no number of dice": {"  a: (d6), proof 01\n", "is not a line"},
		"an empty phase":    {" phase\n", "is not a line"},
		"an empty game":     {"  game\n", "is not a line"},
		"a round too long":  {"  drand 12345678901234567890\n", "is not a line"},
	} {
		if _, _, _, err := ParseDice(diceTitle + "\n" + c.text + "\nSEALS\n"); err == nil || !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, text := range map[string]string{
		"blanks between digits": "  a: 1 (d6), proof\n   01 02\n  0 3\n",
		"a soft blank":          "  a: 1 (d6), proof\u00a0\n   01 02 03\n",
		"capitals":              "  a: 1 (d6), proof\n   010203\n",
		"the next title":        "  a: 1 (d6), proof 010203\nSEALS\n hello\n",
		"a title with text":     "  a: 1 (d6), proof 010203\nFILES   the others\n hello\n",
	} {
		proved, _, _, err := ParseDice("before\n" + diceTitle + "   1 event\n" + text)
		if err != nil || len(proved) != 1 || !bytes.Equal(proved[0].Proof, []byte{1, 2, 3}) {
			t.Errorf("%s: %v %+v", name, err, proved)
		}
	}
}

func TestSectionsOfTwoReports(t *testing.T) {
	text := diceTitle + "\n game A\n key 01\n a: 1 (d6), proof 01\n\nSEALS\n" + diceTitle + "\n root 02\n b: 2 (d6), proof 02\n"
	proved, _, head, err := ParseDice(text)
	if err != nil || len(proved) != 2 || proved[1].Label != "b" || (head != Head{Game: "A", Key: "01", Root: "02"}) {
		t.Errorf("%v %+v %+v", err, proved, head)
	}
}

func TestDiceOfTheStory(t *testing.T) {
	for text, want := range map[string][]Told{
		"dice 4 1 (combat 0301) = 5":                {{"combat 0301", []int{4, 1}}},
		"dice 4\n  1 (combat\n  0301)":              {{"combat 0301", []int{4, 1}}},
		"dice 4 (a (1) b) and dice 5 (c)":           {{"a (1) b", []int{4}}, {"c", []int{5}}},
		"dice 4 (never closed":                      nil,
		"dice (none)":                               nil,
		"misdice 4 (x)":                             nil,
		"dice four (x), dice 2 ( y )":               {{"y", []int{2}}},
		"dice 4 (open (dice 5 (inside)":             {{"inside", []int{5}}},
		"Dice 4 (x)":                                nil,
		"dice 10 100 (two figures) dice 7 (three).": {{"two figures", []int{10, 100}}, {"three", []int{7}}},
	} {
		if got := tellings(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

func TestDiceOfAPage(t *testing.T) {
	page := `<!DOCTYPE html><html><head><title>dice 1 (title)</title></head><style>dice 2 (style)</style><body><table><tr><td>dice 3</td><td>(a &amp; b)</td></tr></table>
<p>dice <b>4</b> 5 (c<br>d)</p><table><tr><td>5</td><td>3 Pz: dice 1</td></tr><tr><td>6</td><td>52 (German Army)</td></tr></table><script>dice 6 (script)</script></body></html>`
	proved, told, head, err := ParseDice(page)
	want := []Told{{"a & b", []int{3}}, {"c d", []int{4, 5}}}
	if err != nil || proved != nil || head != (Head{}) || !reflect.DeepEqual(told, want) {
		t.Errorf("%v %+v %+v %+v", err, proved, head, told)
	}
	for text, want := range map[string]bool{"<TABLE border=0>": true, "<HTML>": true, "a <b> c": false, strings.Repeat(" ", 2000) + "<html>": false, "": false} {
		if isHTML(text) != want {
			t.Errorf("%q is taken for a page: %v", strings.TrimSpace(text), !want)
		}
	}
}

// No text makes ParseDice lose an event or a reading, and what it has read it reads
// again from a report made of it.
func FuzzParseDiceAgain(f *testing.F) {
	f.Add("DICE OF THIS REPORT\n game G\n key k:\n 6a\n root 0b\n phase p\n drand 7\n beef\n a: 4 1 (d6), proof\n 02a9\n b: 3 (d6), proof 01\n")
	f.Add("> DICE OF THIS REPORT\n> a: 1 (d6), proof 0\n\nDICE OF THIS REPORT\r\n drand 99\r\n b: 2 (d10), proof\r\n ff ff\r\n")
	f.Add("dice 4 1 (x) dice 3 (y")
	f.Fuzz(func(t *testing.T, s string) {
		proved, told, head, err := ParseDice(s)
		for _, d := range told {
			if len(d.Dice) == 0 {
				t.Errorf("%q is told without dice", d.Label)
			}
		}
		if err != nil || len(proved) == 0 {
			return
		}
		plain := func(text string) bool {
			return strings.TrimSpace(text) == text && !strings.ContainsAny(text, "\r\u00a0>") && strings.Join(strings.Fields(text), " ") == text
		}
		for _, p := range proved {
			if !plain(p.Phase) || !plain(p.Label) || len(p.Proof) == 0 || p.Phase == "" || p.Round > 0 && len(p.Value) == 0 {
				return
			}
		}
		if !plain(head.Game) || !plain(head.Key) || !plain(head.Root) || strings.Contains(head.Key, ":") || head.Game == "" {
			return
		}
		again, _, _, err := ParseDice(asBefore("", head, proved))
		if err != nil || len(again) != len(proved) {
			t.Fatalf("%v: %+v became %+v", err, proved, again)
		}
		for i := range again {
			if again[i].Label != proved[i].Label || !slices.Equal(again[i].Dice, proved[i].Dice) || !bytes.Equal(again[i].Proof, proved[i].Proof) {
				t.Errorf("%+v became %+v", proved[i], again[i])
			}
		}
	})
}

func TestFilesOfAReport(t *testing.T) {
	sum := strings.Repeat("0a", 32)
	for name, c := range map[string]struct {
		text string
		want []File
	}{
		"ends with the next line": {"FILES   x\n  " + sum + "  a\n\n  " + sum + "  b\n", []File{{"a", sum}}},
		"a short sum":             {"FILES   x\n  " + sum[1:] + "  a\n", nil},
		"a name with a blank":     {"FILES   x\n  " + sum + "  a b\n", nil},
		"capitals":                {"FILES   x\n  " + strings.ToUpper(sum) + "  a\n", nil},
		"two sections":            {"FILES   x\n" + sum + "  a\nSEALS\nFILES   y\n" + sum + "  b\n", []File{{"a", sum}, {"b", sum}}},
	} {
		if got := ParseFiles(c.text); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
