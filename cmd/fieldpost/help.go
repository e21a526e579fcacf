package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"
)

// table is the commands, for what they call themselves: the list cannot name
// functions that read it.
var table []command

func init() { table = commands }

// examples are command lines to copy, by command. A test holds their flags against
// those that the commands have.
var examples = map[string][]string{
	"demo":    {"fieldpost demo", "fieldpost demo --scenario star-and-gallop --mode ASK", "fieldpost demo --scenario gd-lutchessa --turns 2 --out tour"},
	"serve":   {"fieldpost serve --config my.toml"},
	"doctor":  {"fieldpost doctor --config my.toml"},
	"ingest":  {"fieldpost ingest --config my.toml < message.eml"},
	"game":    {"fieldpost game options kharkov-1942", "fieldpost game new --scenario kharkov-1942 --staff GERMAN --option fog=blind", "fieldpost game list", "fieldpost game extend K7QX2MPA 2d"},
	"status":  {"fieldpost status", "fieldpost status --watch --every 10s", "fieldpost status --format json"},
	"web":     {"fieldpost web password"},
	"audit":   {"fieldpost audit", "fieldpost audit K7QX2MPA"},
	"ladder":  {"fieldpost ladder", "fieldpost ladder --results --format csv"},
	"player":  {"fieldpost player invite --game K7QX2MPA --side SOVIET --email ann@example.org", "fieldpost player add --game K7QX2MPA --side GERMAN --email bob@example.org --key bob.pub", "fieldpost player forget --email bob@example.org"},
	"store":   {"fieldpost store check", "fieldpost store prune --older 90"},
	"backup":  {"fieldpost backup friday.tar.zst"},
	"replay":  {"fieldpost replay K7QX2MPA --dice", "fieldpost replay --shadow"},
	"archive": {"fieldpost archive K7QX2MPA kharkov.tar"},
	"album":   {"fieldpost album K7QX2MPA --side SOVIET --out album"},
	"keygen":  {"fieldpost keygen --out fieldpost.key"},
	"enrol":   {"fieldpost enrol --game K7QX2MPA --side SOVIET --code ABCD-EFGH"},
	"orders":  {"fieldpost orders template --view view.json", "fieldpost orders check sheet.txt --view view.json"},
	"press":   {"fieldpost press letter.txt --to GERMAN"},
	"sign":    {"fieldpost sign sheet.txt", "fieldpost sign sheet.txt --press letter.txt --to ALL"},
	"verify":  {"fieldpost verify report.eml --invitation invitation.eml", "fieldpost verify K7QX2MPA.tar --invitation invitation.eml"},
	"map": {"fieldpost map --scenario kharkov-1942 --out kharkov.png", "fieldpost map --view view.json --layers +zoc,-arrows --hexes 1800-2806 --out front.svg",
		"fieldpost map --scenario gd-kursk --side GERMAN --layers +sight --out sight.png"},
	"scenario":   {"fieldpost scenario list", "fieldpost scenario lint --all", "fieldpost scenario units nysa-1945 --format tsv", "fieldpost scenario results --scenario prokhorovka --games 30"},
	"rules":      {"fieldpost rules coverage --system steppe", "fieldpost rules cases 5.3.7", "fieldpost rules odds --attack 17 --defend 8"},
	"config":     {"fieldpost config describe > my.toml", "fieldpost config check --config my.toml"},
	"completion": {"fieldpost completion bash > /etc/bash_completion.d/fieldpost", "fieldpost completion fish > ~/.config/fish/completions/fieldpost.fish"},
	"man":        {"fieldpost man > fieldpost.1"},
	"version":    {"fieldpost version"},
}

// help prints what a command is for, its flags and examples.
func help(w io.Writer, c command, f *flag.FlagSet) {
	fmt.Fprintf(w, "fieldpost %s: %s\n\nusage: fieldpost %s %s\n", c.name, c.brief, c.name, c.args)
	if c.name == "game" {
		fmt.Fprintln(w, "\nwhat a moderator may do to a game:"+verbHelp())
	}
	if f != nil {
		n := 0
		f.VisitAll(func(*flag.Flag) { n++ })
		if n > 0 {
			fmt.Fprintln(w, "\nflags, before or after other words:")
		}
		f.VisitAll(func(g *flag.Flag) {
			value, text := flag.UnquoteUsage(g)
			if isSwitch(g) {
				value = ""
			}
			if g.DefValue != "" && g.DefValue != "0" && g.DefValue != "false" {
				text += " (default " + g.DefValue + ")"
			}
			fmt.Fprintf(w, "  --%s\n        %s\n", strings.TrimSpace(g.Name+" "+value), text)
		})
	}
	fmt.Fprintln(w, "\nexamples:")
	for _, e := range examples[c.name] {
		fmt.Fprintln(w, "  "+e)
	}
}

// isSwitch tells whether a flag takes no value.
func isSwitch(g *flag.Flag) bool {
	b, ok := g.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// listing, while it is set, gets each command's flags instead of the command being
// carried out.
var listing func(*flag.FlagSet)

// flagsOf is the flags of a command.
func flagsOf(c command) (f *flag.FlagSet) {
	listing = func(of *flag.FlagSet) { f = of }
	defer func() { listing = nil }()
	_ = c.run(context.Background(), nil) // parse ends it with flag.ErrHelp
	return f
}
