package main

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

// help prints what a command is for, its flags and examples.
func (c command) help(w io.Writer) {
	fmt.Fprintf(w, "fieldpost %s: %s\n\nusage: fieldpost %s %s\n", c.name, c.brief, c.name, c.args)
	if c.more != "" {
		fmt.Fprintln(w, "\n"+c.more)
	}
	first := true
	c.flags().VisitAll(func(g *flag.Flag) {
		if first {
			fmt.Fprintln(w, "\nflags, before or after other words:")
			first = false
		}
		value, text := flagWords(g)
		if g.DefValue != "" && g.DefValue != "0" && g.DefValue != "false" {
			text += " (default " + g.DefValue + ")"
		}
		fmt.Fprintf(w, "  --%s\n        %s\n", strings.TrimSpace(g.Name+" "+value), text)
	})
	fmt.Fprintln(w, "\nexamples:")
	for _, e := range c.examples {
		fmt.Fprintln(w, "  "+e)
	}
}

// flags are the command's flags as they stand before a command line is read.
func (c command) flags() *flag.FlagSet {
	f := flag.NewFlagSet("fieldpost "+c.name, flag.ContinueOnError)
	c.setUp(f)
	return f
}

// flagWords are the name of a flag's value, "" for a switch, and what the flag is for.
func flagWords(g *flag.Flag) (value, text string) {
	value, text = flag.UnquoteUsage(g)
	if isSwitch(g) {
		value = ""
	}
	return value, text
}

// isSwitch tells whether a flag takes no value.
func isSwitch(g *flag.Flag) bool {
	b, ok := g.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}
