package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"fieldpost/cmdline"
	"fieldpost/umpire"
)

// ingest takes one message from a mail server's pipe. The server hears of trouble
// by the exit code 75 (EX_TEMPFAIL of sysexits.h), and then brings it again.
func ingest(f *flag.FlagSet) cmdline.Action {
	of := clubFlags(f)
	sender := f.String("sender", os.Getenv("SENDER"), "the envelope sender, \"<>\" for none; left out it is in $SENDER, as Postfix sets it, or in Return-Path")
	recipient := f.String("recipient", os.Getenv("ORIGINAL_RECIPIENT"), "the address that the message came to")
	return func(ctx context.Context, words []string) error {
		if len(words) > 0 {
			return cmdline.Usagef("no words are expected: the message comes on standard input")
		}
		message := bufio.NewReader(os.Stdin)
		switch _, err := message.Peek(1); {
		case errors.Is(err, io.EOF):
			return cmdline.Usagef("there is no message on standard input")
		case err != nil:
			return tryAgain{err}
		}
		c, err := of.read()
		if err != nil {
			return tryAgain{err}
		}
		d, err := umpire.OpenDesk(c, slog.New(slog.NewTextHandler(os.Stderr, nil)))
		if err != nil {
			return tryAgain{err}
		}
		defer d.Close()
		outcome, err := d.Ingest(ctx, io.MultiReader(bytes.NewReader(traced(*sender, *recipient)), message))
		if err != nil {
			return tryAgain{err}
		}
		fmt.Println(outcome)
		return nil
	}
}

// traced are the lines that final delivery adds (RFC 5321 section 4.4).
func traced(sender, recipient string) []byte {
	var b strings.Builder
	clean := func(s string) string { return strings.Trim(strings.NewReplacer("\r", "", "\n", "").Replace(s), "<> ") }
	if sender != "" {
		fmt.Fprintf(&b, "Return-Path: <%s>\r\n", strings.TrimPrefix(clean(sender), "MAILER-DAEMON"))
	}
	if recipient != "" {
		fmt.Fprintf(&b, "Delivered-To: %s\r\n", clean(recipient))
	}
	return []byte(b.String())
}

// tryAgain is trouble that may pass with time.
type tryAgain struct{ error }

// Unwrap is the error.
func (e tryAgain) Unwrap() error { return e.error }
