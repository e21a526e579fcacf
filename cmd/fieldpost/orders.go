package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fieldpost/umpire/judge"
)

func ordersCommand(_ context.Context, args []string) error {
	f := flags("orders")
	viewFile := f.String("view", "view.json", "the view.json that came with your report")
	var where shelfFlags
	where.add(f)
	words, err := parse(f, args)
	if err != nil || len(words) == 0 {
		return orUsage(err, "say check and a file, or template")
	}
	v, err := readView(*viewFile)
	if err != nil {
		return err
	}
	shelf, err := where.open()
	if err != nil {
		return err
	}
	switch {
	case words[0] == "check" && len(words) == 2:
		text, err := readFile(words[1])
		if err != nil {
			return err
		}
		answer, refused, err := judge.CheckOffline(shelf, v, string(text))
		if err != nil {
			return err
		}
		fmt.Print(answer)
		if refused == 1 {
			return errors.New("1 line would not stand")
		}
		if refused > 1 {
			return fmt.Errorf("%d lines would not stand", refused)
		}
		return nil
	case words[0] == "template" && len(words) == 1:
		text, err := judge.TemplateOffline(shelf, v)
		fmt.Print(text)
		return err
	}
	return usagef("%q is not understood", strings.Join(words, " "))
}
