package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"fieldpost"
	"fieldpost/rulebook"
	"fieldpost/umpire"
	"fieldpost/umpire/match"
)

// Every command has examples, and their words and flags are those it has.
func TestExamplesUseFlagsThatExist(t *testing.T) {
	for _, c := range commands() {
		if len(c.examples) == 0 {
			t.Errorf("fieldpost %s --help shows no example", c.name)
		}
		for _, e := range c.examples {
			if why := misused(e); why != "" {
				t.Errorf("%s: %s", e, why)
			}
		}
	}
}

// The test of examples can fail.
func TestMisuseIsSeen(t *testing.T) {
	for line, want := range map[string]string{
		"fieldpost staus": "no command", "fieldpost game new --scenari x": "no flag", "fieldpost status --watch": "", "fieldpost demo --out=x": "",
		"fieldpost rules oddds": "no word",
	} {
		if got := misused(line); (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// misused says what is wrong with a command line, "" for nothing.
func misused(line string) string {
	line, _, _ = strings.Cut(line, " #")
	words := strings.Fields(line)
	for _, c := range commands() {
		if c.name != words[1] {
			continue
		}
		f := c.flags()
		known := verbs(c)
		for i, w := range words[2:] {
			if w == ">" || w == "<" || w == "|" || w == "&&" {
				break
			}
			if i == 0 && len(known) > 0 && plain.MatchString(w) && !strings.Contains(" "+strings.Join(known, " ")+" ", " "+w+" ") && !strings.Contains(c.args, w) {
				return "no word " + w + " of " + c.name
			}
			name, found := strings.CutPrefix(w, "--")
			name, _, _ = strings.Cut(name, "=")
			if found && f.Lookup(name) == nil {
				return "no flag --" + name + " of " + c.name
			}
		}
		return ""
	}
	return "no command " + words[1]
}

var command1 = regexp.MustCompile(`(?m)(?:^ {4,}|\x60)(?:\$ )?(fieldpost [a-z]+[^\x60\n]*)`)

// The commands that the documents show are there, with their words and flags.
func TestCommandsOfTheDocuments(t *testing.T) {
	files, _ := filepath.Glob("../../docs/*.md")
	seen := 0
	for _, file := range append(files, "../../README.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range command1.FindAllSubmatch(text, -1) {
			for _, line := range strings.Split(strings.ReplaceAll(string(m[1]), "|fieldpost", "\nfieldpost"), "\n") {
				seen++
				if why := misused(line); why != "" {
					t.Errorf("%s: %s: %s", filepath.Base(file), line, why)
				}
			}
		}
	}
	if seen < 60 {
		t.Errorf("only %d commands were found", seen)
	}
}

// Asking a command for help carries nothing out.
func TestHelpOfEveryCommand(t *testing.T) {
	for _, c := range commands() {
		var b bytes.Buffer
		c.help(&b)
		for _, want := range []string{"usage: fieldpost " + c.name, "examples:\n  fieldpost " + c.name} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("the help of %s has no %q", c.name, want)
			}
		}
		c.flags().VisitAll(func(g *flag.Flag) {
			if g.Usage == "" || !strings.Contains(b.String(), "  --"+g.Name) {
				t.Errorf("the help of %s does not tell of --%s", c.name, g.Name)
			}
		})
	}
}

// A shell completes commands, words and flags.
func TestCompletionInBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash here")
	}
	for words, want := range map[string]string{"fieldpost sce": "scenario", "fieldpost game ext": "extend", "fieldpost rules --sys": "--system", "fieldpost store pr": "prune prepare"} {
		list := strings.Fields(words)
		script := bashScript() + "COMP_WORDS=(" + words + "); COMP_CWORD=" + string(rune('0'+len(list)-1)) + "; _fieldpost; echo ${COMPREPLY[@]}\n"
		out, err := exec.Command(bash, "-c", script).CombinedOutput()
		if err != nil || strings.TrimSpace(string(out)) != want {
			t.Errorf("%s: %q, %v; want %s", words, out, err, want)
		}
	}
}

// config.toml tells of every setting that there is.
func TestTheConfigurationIsDescribed(t *testing.T) {
	var walk func(x reflect.Type)
	walk = func(x reflect.Type) {
		for x.Kind() == reflect.Slice || x.Kind() == reflect.Pointer {
			x = x.Elem()
		}
		if x.Kind() != reflect.Struct {
			return
		}
		for i := range x.NumField() {
			f := x.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
			if !f.IsExported() || name == "-" {
				continue
			}
			if f.Anonymous {
				walk(f.Type)
				continue
			}
			if name == "" {
				t.Errorf("%s.%s has no name in the file", x.Name(), f.Name)
			}
			if !regexp.MustCompile(`(?m)^(# )?(\[*[a-z.]*\b` + name + `\]+|` + name + ` = )|\b` + name + `\b.* as above`).MatchString(fieldpost.Config) {
				t.Errorf("config.toml does not explain %q", name)
			}
			walk(f.Type)
		}
	}
	walk(reflect.TypeFor[umpire.Config]())
	if _, err := toml.Decode(fieldpost.Config, new(umpire.Config)); err != nil {
		t.Error(err)
	}
}

// The README's table of the rules says what fieldpost rules coverage says.
func TestTheReadmeKnowsWhereTheRulesStand(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	library := new(match.Library)
	infos, err := library.List()
	if err != nil {
		t.Fatal(err)
	}
	scenarios := map[string]int{}
	for _, in := range infos {
		scenarios[in.System]++
	}
	for system, name := range map[string]string{"wb95": "WB-95", "steppe": "Duel on the Steppe", "famous": "Famous Divisions: Grossdeutschland"} {
		b, err := rulebook.Load(system)
		if err != nil {
			t.Fatal(err)
		}
		count := map[rulebook.Status]int{}
		for _, c := range b.Clauses {
			count[c.Status]++
		}
		want := fmt.Sprintf(`\| %s \| %d \| %d \| %d \| %d \| (\d+) \|`, regexp.QuoteMeta(name), scenarios[system], len(b.Clauses), count[rulebook.Yes], count[rulebook.Cardboard])
		m := regexp.MustCompile(want).FindSubmatch(readme)
		if m == nil {
			t.Errorf("the README has no line like %s", want)
			continue
		}
		if n, _ := strconv.Atoi(string(m[1])); n > len(b.Cases) || len(b.Cases)-n > 50 {
			t.Errorf("%s: the README says at least %d numbered cases, there are %d", name, n, len(b.Cases))
		}
	}
}
