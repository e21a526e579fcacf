package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"strings"

	"fieldpost/cmdline"
	"fieldpost/umpire"
	"fieldpost/web"
)

// webCommand makes the hash of a password for the web page.
// It lets passwords be tried again, too.
func webCommand(f *flag.FlagSet) cmdline.Action {
	of := clubFlags(f)
	return func(_ context.Context, words []string) error {
		if len(words) == 1 && words[0] == "unlock" {
			return atDesk(of, (*umpire.Desk).UnlockPage)
		}
		if len(words) != 1 || words[0] != "password" {
			return cmdline.Usagef("say web password, or web unlock")
		}
		fmt.Fprint(os.Stderr, "The password of the web page's moderators, 10 characters or more, then Enter (it is shown as you type): ")
		line, err := bufio.NewReader(os.Stdin).ReadString('\n')
		if err != nil && line == "" {
			return fmt.Errorf("no password came: %w", err)
		}
		hash, err := web.Hash(strings.TrimRight(line, "\r\n"))
		if err == nil {
			fmt.Printf("password = %q\n", hash)
		}
		return err
	}
}
