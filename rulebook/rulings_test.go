package rulebook

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/famous"
	"fieldpost/adjudicator/steppe"
	"fieldpost/adjudicator/systems"
	"fieldpost/adjudicator/table"
	"fieldpost/scenarios"
)

// printedRulings is the list of a system as players read it: a line an entry, unfolded.
func printedRulings(t *testing.T, system string) []string {
	t.Helper()
	b, err := Load(system)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := b.Rulings(&out); err != nil {
		t.Fatal(err)
	}
	var list []string
	open := false
	for line := range strings.Lines(out.String()) {
		point, begins := strings.CutPrefix(line, "  - ")
		switch {
		case begins:
			list, open = append(list, strings.TrimSpace(point)), true
		case open && strings.HasPrefix(line, "    "):
			list[len(list)-1] += " " + strings.TrimSpace(line)
		default:
			open = false
		}
	}
	return list
}

// inCode finds the rulings in the comments of a system's files without its parser.
func inCode(t *testing.T, system, book string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "adjudicator", system, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	begins := regexp.MustCompile(`// (reading|deviation) ` + regexp.QuoteMeta(book) + ` [\d./a-z]+: (.*)$`)
	var list []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || filepath.Base(file) == "doc.go" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		open := false
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			m := begins.FindStringSubmatch(line)
			rest, comment := strings.CutPrefix(line, "// ") // a ruling may begin behind code
			switch {
			case m != nil && m[1] == "deviation":
				list, open = append(list, "By mail: "+strings.ToUpper(m[2][:1])+m[2][1:]), true
			case m != nil:
				list, open = append(list, strings.ToUpper(m[2][:1])+m[2][1:]), true
			case !comment || strings.HasPrefix(rest, book+" "):
				open = false
			case open:
				list[len(list)-1] += " " + strings.TrimSpace(rest)
			}
		}
	}
	for i, text := range list {
		list[i] = sentence(strings.Join(strings.Fields(text), " "))
	}
	return list
}

// scenariosOf are those of a system.
func scenariosOf(system string) []scenarios.Info {
	return slices.DeleteFunc(scenarios.List(), func(i scenarios.Info) bool { return i.System != system })
}

// Every reading and deviation in the code is printed, and whatever is printed is one of
// them, an option, or said by the files of a scenario.
func TestRulingsAreThoseOfTheCode(t *testing.T) {
	for _, sys := range systems.All {
		b, err := Load(sys.ID())
		if err != nil {
			t.Fatal(err)
		}
		printed, said := printedRulings(t, sys.ID()), inCode(t, sys.ID(), b.Name)
		for _, text := range said {
			if !slices.Contains(printed, text) {
				t.Errorf("%s: not printed: %q", b.Name, text)
			}
		}
		options, err := b.Options()
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range options {
			said = append(said, o.Text)
		}
		for _, info := range scenariosOf(sys.ID()) {
			of, err := ReadingsOf(info.ID)
			if err != nil {
				t.Fatal(err)
			}
			if len(of) == 0 {
				t.Errorf("%s says nothing of how its lists are read", info.ID)
			}
			said = append(said, of...)
		}
		for i, text := range said {
			said[i] = strings.Join(strings.Fields(text), " ")
		}
		for _, text := range printed {
			if !slices.Contains(said, text) {
				t.Errorf("%s: printed, and nothing says so: %q", b.Name, text)
			}
		}
	}
}

// Every remark on a line of a set-up or of the reinforcements, moved hexes among them, and
// every reason for what the lint expects is printed; that of a moved hex together with its hex.
func TestMovedHexesAreRulings(t *testing.T) {
	moved := regexp.MustCompile(`print(?:ed|s) (?:\d{4})`)
	var places []string
	for _, sys := range systems.All {
		printed := printedRulings(t, sys.ID())
		for _, info := range scenariosOf(sys.ID()) {
			for _, n := range remarks(t, info.ID) {
				if !slices.ContainsFunc(printed, func(line string) bool { return strings.Contains(line, n.remark) }) {
					t.Errorf("%s: not printed: %s", info.ID, n.remark)
				}
				if !moved.MatchString(n.remark) {
					continue
				}
				places = append(places, n.place)
				if !slices.ContainsFunc(printed, func(line string) bool {
					return strings.Contains(line, n.remark) && strings.Contains(line, n.place)
				}) {
					t.Errorf("%s: moved to %s and not printed: %s", info.ID, n.place, n.remark)
				}
			}
		}
	}
	for _, want := range []string{"5532", "2900", "1118", "3239-4239"} {
		if !slices.Contains(places, want) {
			t.Errorf("%s is no moved hex; those are %v", want, places)
		}
	}
}

// remarkOf is a remark on a line of a list and the place that the line names.
type remarkOf struct{ place, remark string }

func remarks(t *testing.T, id string) []remarkOf {
	t.Helper()
	pack, err := scenarios.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	var out []remarkOf
	for name, column := range map[string]string{"setup.tsv": "note", "arrivals.tsv": "note", "expected.tsv": "reason"} {
		file, text, err := pack.Read(name)
		if err != nil {
			continue // nobody comes, or nothing stands out
		}
		sheet, err := table.ParseSheet(file, text, column)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range sheet.Rows {
			place := ""
			for _, where := range []string{"default", "hex", "entry", "zone"} {
				place += r.Text(where)
			}
			if note := r.Text(column); note != "-" && note != "" {
				out = append(out, remarkOf{place, note})
			}
		}
	}
	return out
}

// Where two readings have adherents the ruling names the option, or the switch of the
// system's file, that decides for the other; and what it names there is.
func TestRulingsNameTheirOptions(t *testing.T) {
	switches := map[string]reflect.Type{"famous": reflect.TypeFor[famous.Switches](), "steppe": reflect.TypeFor[steppe.Switches]()}
	for _, sys := range systems.All {
		b, err := Load(sys.ID())
		if err != nil {
			t.Fatal(err)
		}
		there := map[string]bool{}
		for _, info := range scenariosOf(sys.ID()) {
			pack, err := scenarios.Open(info.ID)
			if err != nil {
				t.Fatal(err)
			}
			game, err := sys.Load(pack)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range adjudicator.SettingsOf(game) {
				there["option "+s.Name] = false
			}
		}
		if of := switches[sys.ID()]; of != nil {
			for i := range of.NumField() {
				there["switch "+of.Field(i).Tag.Get("toml")] = false
			}
		}
		for _, r := range b.rulingsOfCode() {
			for _, name := range namedIn(r.Text) {
				if _, ok := there[name]; !ok {
					t.Errorf("%s %s names the %s, which there is not: %s", b.Name, r.Number, name, r.Text)
				}
				there[name] = true
			}
		}
		for name, named := range there {
			if !named {
				t.Errorf("%s: no ruling names the %s", b.Name, name)
			}
		}
	}
}
