package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"fieldpost/cmdline"
)

// completion prints a script by which a shell completes command lines.
func completion(_ *flag.FlagSet) cmdline.Action {
	return func(_ context.Context, words []string) error {
		if len(words) != 1 {
			return cmdline.Usagef("name the shell: bash, zsh or fish")
		}
		switch words[0] {
		case "bash":
			fmt.Fprint(os.Stdout, bashScript())
		case "zsh":
			fmt.Fprint(os.Stdout, "#compdef fieldpost\nautoload -U +X bashcompinit && bashcompinit\n"+bashScript())
		case "fish":
			fmt.Fprint(os.Stdout, fishScript())
		default:
			return cmdline.Usagef("no shell %q: bash, zsh or fish", words[0])
		}
		return nil
	}
}

// plain is a word of a command's synopsis that is written as it stands: "coverage",
// not GAME, FILE or [--all].
var plain = regexp.MustCompile(`^[a-z]+$`)

// verbs are the words that may follow a command.
func verbs(c command) (out []string) {
	first, _, _ := strings.Cut(c.args, " ")
	for _, v := range strings.Split(first, "|") {
		if plain.MatchString(v) {
			out = append(out, v)
		}
	}
	for _, v := range c.acts {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

func bashScript() string {
	var b strings.Builder
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	fmt.Fprintf(&b, `_fieldpost() {
  local word="${COMP_WORDS[COMP_CWORD]}" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "%s" -- "$word"))
    return
  fi
  case "${COMP_WORDS[1]}" in
`, strings.Join(names, " "))
	for _, c := range commands() {
		list := verbs(c)
		c.flags().VisitAll(func(g *flag.Flag) { list = append(list, "--"+g.Name) })
		fmt.Fprintf(&b, "    %s) words=\"%s\" ;;\n", c.name, strings.Join(list, " "))
	}
	b.WriteString(`  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  if [ ${#COMPREPLY[@]} -eq 0 ]; then COMPREPLY=($(compgen -f -- "$word")); fi
}
complete -o filenames -F _fieldpost fieldpost
`)
	return b.String()
}

func fishScript() string {
	var b strings.Builder
	quote := func(s string) string { return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'" }
	for _, c := range commands() {
		fmt.Fprintf(&b, "complete -c fieldpost -n __fish_use_subcommand -f -a %s -d %s\n", c.name, quote(c.brief))
		for _, v := range verbs(c) {
			fmt.Fprintf(&b, "complete -c fieldpost -n '__fish_seen_subcommand_from %s' -f -a %s\n", c.name, v)
		}
		c.flags().VisitAll(func(g *flag.Flag) {
			_, text := flag.UnquoteUsage(g)
			needs := " -r"
			if isSwitch(g) {
				needs = ""
			}
			fmt.Fprintf(&b, "complete -c fieldpost -n '__fish_seen_subcommand_from %s' -l %s%s -d %s\n", c.name, g.Name, needs, quote(text))
		})
	}
	return b.String()
}
