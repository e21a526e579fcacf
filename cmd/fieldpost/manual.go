package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"fieldpost"
	"fieldpost/cmdline"
	"fieldpost/docs"
)

// manual prints the manual page: the commands with their flags and examples.
func manual(*flag.FlagSet) cmdline.Action {
	return func(_ context.Context, words []string) error {
		if len(words) > 0 {
			return cmdline.Usagef("no words are expected")
		}
		return writeManual(os.Stdout)
	}
}

// documents writes the documents as a site.
func documents(f *flag.FlagSet) cmdline.Action {
	out := f.String("out", "", "`FOLDER` that gets the pages; index.html is the first")
	return func(_ context.Context, words []string) error {
		if len(words) > 0 || *out == "" {
			return cmdline.Usagef("name the folder: --out FOLDER")
		}
		if err := docs.Write(*out, docs.Root{"README.md": fieldpost.Readme, "LICENSE": fieldpost.Licence, "NOTICE": fieldpost.Notice}); err != nil {
			return err
		}
		fmt.Println(filepath.Join(*out, "index.html"))
		return nil
	}
}

func writeManual(out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprint(w, `.TH FIELDPOST 1 "" "Fieldpost" "User Commands"
.SH NAME
fieldpost \- hex-and-counter wargames by e-mail, adjudicated by a machine
.SH SYNOPSIS
.B fieldpost
.I command
.RI [ words ]
.RI [ flags ]
.SH DESCRIPTION
Players post signed orders from any mail client. The daemon checks them, resolves the game by the
printed rules with dice that nobody can predict or choose and everybody can check, and posts back to
each player what their side may know, with a map.
.PP
Flags may stand before and after other words.
.SH COMMANDS
`)
	for _, c := range commands() {
		fmt.Fprintf(w, ".SS fieldpost %s %s\n%s.\n", roff(c.name), roff(c.args), roff(c.brief))
		c.flags().VisitAll(func(g *flag.Flag) {
			value, text := flagWords(g)
			fmt.Fprintf(w, ".TP\n.BR \\-\\-%s \" \" \\fI%s\\fR\n%s\n", roff(g.Name), roff(value), roff(text))
		})
		fmt.Fprint(w, ".PP\n.nf\n")
		for _, e := range c.examples {
			fmt.Fprintf(w, "    %s\n", roff(e))
		}
		fmt.Fprint(w, ".fi\n")
	}
	fmt.Fprint(w, `.SH "EXIT STATUS"
.TP
.B 0
it is done, or looked over and found well
.TP
.B 1
it failed, or what was looked over is not well; standard error says why
.TP
.B 2
the command line was not understood
.TP
.B 75
with ingest: not now, the mail server keeps the message and tries again
.SH FILES
.TP
.I config.toml
the daemon's configuration; fieldpost config describe prints one to fill in
`)
	return w.Flush()
}

// roff guards what the manual's language would read otherwise.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}
