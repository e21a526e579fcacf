package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"

	"fieldpost/web"
)

// webCommand makes the hash of a password for the web page.
func webCommand(_ context.Context, args []string) error {
	words, err := parse(flags("web"), args)
	if err != nil || len(words) != 1 || words[0] != "password" {
		return orUsage(err, "say web password")
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
