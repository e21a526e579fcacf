package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"fieldpost/adjudicator/guidance"
	"fieldpost/adjudicator/view"
	"fieldpost/cmdline"
	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/umpire/judge"
)

func ordersCommand(f *flag.FlagSet) cmdline.Action {
	viewFile := f.String("view", "view.json", "the view.json that came with your report, or the report as it was saved")
	filed := f.String("filed", "", "with check: the `FILE` of the sheet that this one replaces")
	key := f.String("key", "", "with check: a `FILE` with your public key, for OpenPGP and S/MIME")
	var guide guideFlags
	guide.add(f)
	var where cmdline.Folders
	where.Add(f)
	return func(_ context.Context, words []string) error {
		if len(words) == 0 {
			return cmdline.Usagef("say check and a file, guide, or template")
		}
		v, err := readView(*viewFile)
		if err != nil {
			return err
		}
		library, err := where.Open()
		if err != nil {
			return err
		}
		bench, err := judge.For(library, v)
		if err != nil {
			return err
		}
		switch {
		case words[0] == "check" && len(words) == 2:
			return checkOrders(bench, words[1], *filed, *key)
		case words[0] == "template" && len(words) == 1:
			sheet, err := guidance.Fill(bench.Template(), bench.Game, bench.View, bench.System.Template())
			if err != nil {
				return err
			}
			fmt.Print(sheet)
			return nil
		case words[0] == "guide" && len(words) == 1:
			return guideOrders(bench, guide)
		}
		return cmdline.Usagef("%q is not understood", strings.Join(words, " "))
	}
}

// checkOrders prints what the check of a sheet answers.
func checkOrders(bench *judge.Bench, file, filed, key string) error {
	sheet, err := sheetIn(file, key, bench.View)
	if err != nil {
		return err
	}
	given := judge.Given{Text: sheet.Text, Typed: sheet.Typed}
	if filed != "" {
		before, err := sheetIn(filed, key, bench.View)
		if err != nil {
			return err
		}
		given.Filed = before.Text
	}
	ack, refused := bench.Check(given)
	if sheet.Unsigned {
		ack.Next = append(ack.Next, "The mail has neither a signature nor a code: nothing in it would be filed.")
	}
	fmt.Print(ack.Text())
	switch refused {
	case 0:
		return nil
	case 1:
		return errors.New("1 line would be refused")
	}
	return fmt.Errorf("%d lines would be refused", refused)
}

// sheetIn reads the sheet in a file: bare, signed, or in a mail as it was saved.
func sheetIn(path, key string, v *view.View) (mailbox.Found, error) {
	file, err := readFile(path)
	if err != nil {
		return mailbox.Found{}, err
	}
	saved := mailbox.Saved{File: file, Now: time.Now(), Game: v.Game, Side: v.Side}
	if beside, err := os.ReadFile(path + ".sig"); err == nil {
		saved.Signature = beside
	}
	if key != "" {
		text, err := readFile(key)
		if err != nil {
			return mailbox.Found{}, err
		}
		public, err := seal.ParseKey(string(text))
		if err != nil {
			return mailbox.Found{}, fmt.Errorf("%s: %w", key, err)
		}
		saved.Keys = append(saved.Keys, public)
	}
	found, err := saved.Sheet()
	if err != nil {
		return found, errors.Join(fmt.Errorf("%s: %w", path, err), adviceOn(err))
	}
	return found, nil
}

// adviceOn is what to do about a file without a sheet, nil where there is nothing to say.
func adviceOn(err error) error {
	if errors.Is(err, mailbox.ErrUnknown) {
		return errors.New("name your public key with --key FILE")
	}
	if advice := mailbox.Advice(err); advice != "" {
		return errors.New(advice)
	}
	return nil
}
