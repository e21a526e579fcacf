package rulebook

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/systems"
	"fieldpost/adjudicator/table"
	"fieldpost/scenarios"
)

// Ruling is an answer of ours to a question that the book leaves open.
type Ruling struct {
	Number string // the clause; "" of what a scenario's files say
	Text   string
}

// Rulings prints how the book is read where it is silent, what is changed for play by
// mail and which options there are, by clause; then what is read into the lists of each
// scenario: questions that players ask.
func (b *Book) Rulings(w io.Writer) error {
	options, err := b.Options()
	if err != nil {
		return err
	}
	list := append(b.rulingsOfCode(), options...)
	slices.SortStableFunc(list, func(x, y Ruling) int { return compareNumbers(x.Number, y.Number) })
	var p strings.Builder
	p.WriteString(fold(fmt.Sprintf("%s: how we read the rules, what play by mail changes, and what the players may agree on otherwise.", b.Name), 90, ""))
	for _, reason := range reasons {
		p.WriteString(fold(reason, 90, ""))
	}
	last := ""
	for _, r := range list {
		if n := chapterOf(r.Number); n != chapterOf(last) {
			fmt.Fprintf(&p, "\n%d %s\n", n, strings.ToUpper(b.Chapters[n]))
		}
		if r.Number != last {
			last = r.Number
			p.WriteString("\n" + fold(fmt.Sprintf("%s: %s", r.Number, b.title(r.Number)), 90, "    "))
		}
		p.WriteString(fold("  - "+r.Text, 90, "    "))
	}
	p.WriteString("\nTHE LISTS OF THE SCENARIOS\n")
	for _, info := range b.scenarios() {
		of, err := ReadingsOf(info.ID)
		if err != nil {
			return err
		}
		if len(of) > 0 {
			fmt.Fprintf(&p, "\n%s: %s\n", info.ID, info.Title)
		}
		for _, text := range of {
			p.WriteString(fold("  - "+text, 90, "    "))
		}
	}
	_, err = io.WriteString(w, p.String())
	return err
}

// reasons are those that most rulings share; another one stands in the ruling itself.
var reasons = []string{
	"A reading without another reason answers a question that the book leaves open.",
	"What begins with By mail is changed because no player can be asked in the midst of everything without days of waiting.",
	"Options are agreed on before a game begins. Switches stand in the file system.toml of the rules, which the owner of a printed game may lay their own over.",
}

// rulingsOfCode are the readings and deviations that stand where the code carries them out.
func (b *Book) rulingsOfCode() []Ruling {
	var out []Ruling
	for _, c := range b.Citations {
		if c.Kind == "clause" {
			continue
		}
		text := sentence(c.Text)
		if c.Kind == "deviation" {
			text = "By mail: " + text
		}
		if r := (Ruling{c.Number, text}); !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	return out
}

// Options are what the players of a game may agree on otherwise, over all scenarios, at
// the clauses that they are readings of.
func (b *Book) Options() ([]Ruling, error) {
	var out []Ruling
	for _, info := range b.scenarios() {
		pack, err := scenarios.Open(info.ID)
		if err != nil {
			return nil, err
		}
		sys, _ := systems.Get(info.System)
		game, err := sys.Load(pack)
		if err != nil {
			return nil, err
		}
		for _, s := range adjudicator.SettingsOf(game) {
			number := cmp.Or(strings.TrimPrefix(string(s.Clause), b.Name+" "), b.namedAt("option "+s.Name))
			r := Ruling{number, sentence(fmt.Sprintf("Option %s: %s", s.Name, s.Means))}
			if !slices.Contains(out, r) {
				out = append(out, r)
			}
		}
	}
	return out, nil
}

// namedAt is the clause of the ruling that names an option or a switch; the first clause if
// none does.
func (b *Book) namedAt(words string) string {
	for _, r := range b.rulingsOfCode() {
		if slices.Contains(namedIn(r.Text), words) {
			return r.Number
		}
	}
	return b.Clauses[0].Number
}

var namedOption = regexp.MustCompile(`\b(?:option|switch) ([a-z]+(?:[-_][a-z]+)*)`)

// namedIn lists what options and switches a ruling names: "option weak-odds".
func namedIn(text string) []string { return namedOption.FindAllString(text, -1) }

// scenarios lists those of the book's system.
func (b *Book) scenarios() []scenarios.Info {
	return slices.DeleteFunc(scenarios.List(), func(i scenarios.Info) bool { return i.System != b.system })
}

// ReadingsOf is what we read into the lists of a scenario: the section Readings of its
// README, and the notes in the files of its set-up and reinforcements, moved hexes among
// them.
func ReadingsOf(id string) ([]string, error) {
	pack, err := scenarios.Open(id)
	if err != nil {
		return nil, err
	}
	_, text, err := pack.Read("README.md")
	if err != nil {
		return nil, err
	}
	out := section(string(text), "## Readings")
	for _, file := range noted {
		notes, err := file.notes(pack)
		if err != nil {
			return nil, err
		}
		out = append(out, notes...)
	}
	return out, nil
}

// section is the points of a list below a heading.
func section(text, heading string) []string {
	var out []string
	in, open := false, false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch point, begins := strings.CutPrefix(line, "- "); {
		case strings.HasPrefix(line, "## "):
			in = strings.HasPrefix(line, heading)
		case !in:
		case begins:
			out, open = append(out, point), true
		case line == "":
			open = false
		case open:
			out[len(out)-1] += " " + strings.TrimSpace(line)
		default:
			out, open = append(out, line), true
		}
	}
	return out
}

// noteFile is a list of a scenario with remarks behind its lines.
type noteFile struct {
	name, what  string // the file, and what it lists
	unit, place string // the columns of who and where
	remark      string // the column of the remark
	other       string // another name of the column of the place
	optional    bool
}

var noted = []noteFile{
	{name: "setup.tsv", what: "Set-up", unit: "counter", place: "default", other: "hex", remark: "note"},
	{name: "arrivals.tsv", what: "Reinforcements", unit: "counter", place: "entry", other: "zone", remark: "note", optional: true},
	{name: "expected.tsv", what: "Set-up", unit: "at", remark: "reason", optional: true},
}

// notes says each remark of the file once, behind the units that it is about.
func (f noteFile) notes(pack *scenarios.Pack) ([]string, error) {
	if _, _, err := pack.Read(f.name); err != nil && f.optional {
		return nil, nil
	}
	sheet, err := table.ReadSheet(pack, f.name, f.unit, f.remark)
	if err != nil {
		return nil, err
	}
	names, err := counterNames(pack)
	if err != nil {
		return nil, err
	}
	var remarks []string
	about := map[string][]string{}
	for _, r := range sheet.Rows {
		remark := r.Text(f.remark)
		if remark == "" || remark == "-" {
			continue
		}
		if clause := r.Text("clause"); clause != "" {
			remark += " (" + clause + ")"
		}
		if about[remark] == nil {
			remarks = append(remarks, remark)
		}
		unit := r.Text(f.unit)
		unit = cmp.Or(names[unit], unit)
		if place := cmp.Or(r.Text(f.place), r.Text(f.other)); place != "" && place != "-" {
			unit += " at " + place
		}
		about[remark] = append(about[remark], unit)
	}
	var out []string
	for _, remark := range remarks {
		out = append(out, sentence(fmt.Sprintf("%s, %s: %s", f.what, few(about[remark], manyUnits), remark)))
	}
	return out, nil
}

// manyUnits are as many as a line names one by one.
const manyUnits = 12

// counterNames are the names that players know the counters by.
func counterNames(pack *scenarios.Pack) (map[string]string, error) {
	sheet, err := table.ReadSheet(pack, "counters.tsv", "id", "name")
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, r := range sheet.Rows {
		out[r.Text("id")] = r.Text("name")
	}
	return out, nil
}

// sentence begins with a capital and ends in a full stop.
func sentence(text string) string {
	text = strings.ToUpper(text[:1]) + text[1:]
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}
