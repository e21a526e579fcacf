package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"

	"fieldpost/adjudicator/view"
	"fieldpost/cmdline"
	"fieldpost/umpire/judge"
	"fieldpost/umpire/match"
)

func ordersCommand(f *flag.FlagSet) cmdline.Action {
	viewFile := f.String("view", "view.json", "the view.json that came with your report")
	var where cmdline.Folders
	where.Add(f)
	return func(_ context.Context, words []string) error {
		if len(words) == 0 {
			return cmdline.Usagef("say check and a file, or template")
		}
		v, err := readView(*viewFile)
		if err != nil {
			return err
		}
		library, err := where.Open()
		if err != nil {
			return err
		}
		switch {
		case words[0] == "check" && len(words) == 2:
			return checkOrders(library, v, words[1])
		case words[0] == "template" && len(words) == 1:
			text, err := judge.TemplateOffline(library, v)
			fmt.Print(text)
			return err
		}
		return cmdline.Usagef("%q is not understood", strings.Join(words, " "))
	}
}

// checkOrders prints what the check of a sheet answers.
func checkOrders(library *match.Library, v *view.View, file string) error {
	text, err := readFile(file)
	if err != nil {
		return err
	}
	answer, refused, err := judge.CheckOffline(library, v, string(text))
	if err != nil {
		return err
	}
	fmt.Print(answer)
	switch refused {
	case 0:
		return nil
	case 1:
		return errors.New("1 line would not stand")
	}
	return fmt.Errorf("%d lines would not stand", refused)
}
