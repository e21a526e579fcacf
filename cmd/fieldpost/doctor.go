package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"fieldpost/cmdline"
	"fieldpost/mailbox"
)

// doctor tries the mail account of a configuration.
func doctor(f *flag.FlagSet) cmdline.Action {
	of := clubFlags(f)
	wait := f.Duration("wait", 2*time.Minute, "the longest wait for the mail to ourselves")
	return func(ctx context.Context, words []string) error {
		if len(words) > 0 {
			return cmdline.Usagef("no words are expected")
		}
		c, err := of.read()
		if err != nil {
			return err
		}
		fmt.Printf("   ok  %s can be read\n", of.config)
		d := mailbox.Checkup{Config: c.Mail, Out: os.Stdout, Wait: *wait,
			Bounces: mailbox.Bounces{Address: c.Mail.Address, Key: []byte("doctor")}}
		switch n := d.Run(ctx); n {
		case 0:
			fmt.Println("Mail works.")
			return nil
		case 1:
			return fmt.Errorf("one thing is wrong")
		default:
			return fmt.Errorf("%d things are wrong", n)
		}
	}
}
