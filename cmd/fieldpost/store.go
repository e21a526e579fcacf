package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fieldpost/cmdline"
	"fieldpost/store/bolt"
	"fieldpost/umpire"
)

func storeCommand(f *flag.FlagSet) cmdline.Action {
	config := f.String("config", "config.toml", "the daemon's configuration")
	days := f.Int("older", 365, "with prune: how many days old the mails are")
	return func(_ context.Context, words []string) error {
		if len(words) != 1 || *days < 0 {
			return cmdline.Usagef("say check, stats, compact, thin or prune")
		}
		switch words[0] {
		case "check":
			return atDesk(*config, checkStore)
		case "stats":
			return atDesk(*config, storeStats)
		case "compact":
			return atDesk(*config, func(d *umpire.Desk) error {
				c, err := d.Compact()
				if err == nil {
					fmt.Printf("%d bytes became %d\n", c.Before, c.After)
				}
				return err
			})
		case "thin":
			return atDesk(*config, func(d *umpire.Desk) error {
				t, err := d.Thin()
				if err == nil {
					fmt.Printf("%d mails packed, %d bytes less; %d pictures left out that can be drawn again, %d kept that are drawn otherwise now\n", t.Mails, t.Bytes, t.Pictures, t.Differ)
				}
				return err
			})
		}
		if words[0] == "prune" {
			return atDesk(*config, func(d *umpire.Desk) error {
				p, err := d.Prune(*days)
				if err == nil {
					fmt.Printf("%d sent and %d received mails removed, %d bytes; nothing of a game that goes on\n", p.Sent, p.Received, p.Bytes)
				}
				return err
			})
		}
		return cmdline.Usagef("%q is not understood: store check, store stats, store compact, store thin, store prune", words[0])
	}
}

func checkStore(d *umpire.Desk) error {
	wrong, err := d.CheckStore()
	if err != nil {
		return err
	}
	for _, w := range wrong {
		fmt.Println(w)
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%d things are wrong", len(wrong))
	}
	fmt.Println("the store is sound")
	return nil
}

func storeStats(d *umpire.Desk) error {
	s, err := d.Stats()
	if err != nil {
		return err
	}
	fmt.Printf("database  %s: %d bytes, %d in use, %d free\n", s.Path, s.File, s.InUse(), s.Free)
	fmt.Printf("files     %d bytes of sent and waiting mails (%d of them without pictures), %d of received ones\n", s.Kept, s.Thin, s.Spooled)
	fmt.Printf("games     %s; %d phases\n", counts(s.Games), s.Phases)
	fmt.Printf("mails     %s\n\n%-10s %9s %12s %12s\n", counts(s.Mails), "bucket", "entries", "bytes", "pages")
	for _, b := range s.Buckets {
		fmt.Printf("%-10s %9d %12d %12d\n", b.Name, b.Entries, b.Bytes, b.Pages)
	}
	return nil
}

func counts[K ~string](m map[K]int) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, fmt.Sprintf("%d %s", m[k], k))
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, ", ")
}

func backup(f *flag.FlagSet) cmdline.Action {
	config := f.String("config", "config.toml", "the daemon's configuration")
	recipient := f.String("recipient", "", "encrypt it to this key of age (age1..., as age-keygen prints it)")
	return func(_ context.Context, words []string) error {
		if len(words) != 1 {
			return cmdline.Usagef("name the file to write")
		}
		return atDesk(*config, func(d *umpire.Desk) error {
			size, err := d.Backup(umpire.Backup{File: words[0], Recipient: *recipient})
			switch {
			case err != nil:
			case *recipient != "":
				fmt.Printf("%s: %d bytes. To restore: fieldpost restore %[1]s --identity KEYFILE; the signing key is not in it.\n", words[0], size)
			default:
				fmt.Printf("%s: %d bytes. To restore: fieldpost restore %[1]s; the signing key is not in it.\n", words[0], size)
			}
			return err
		})
	}
}

// restore unpacks a backup into the data folder of a configuration.
func restore(f *flag.FlagSet) cmdline.Action {
	config := f.String("config", "config.toml", "the daemon's configuration")
	identity := f.String("identity", "", "of an encrypted backup: the file of its key, as age-keygen wrote it")
	return func(_ context.Context, words []string) error {
		if len(words) != 1 {
			return cmdline.Usagef("name the backup")
		}
		c, err := umpire.ReadConfig(*config)
		if err != nil {
			return err
		}
		var key []byte
		if *identity != "" {
			if key, err = os.ReadFile(*identity); err != nil {
				return err
			}
		}
		folder := filepath.Dir(c.Database())
		switch err := bolt.Restore(words[0], folder, key); {
		case errors.Is(err, fs.ErrExist):
			return fmt.Errorf("%w: nothing is put over what is there; stop the daemon and move the folder away first", err)
		case err != nil:
			return err
		}
		fmt.Printf("%s is restored, and all of it is sound.\n", folder)
		if _, err := os.Stat(c.KeyFile()); err != nil {
			fmt.Printf("The signing key is missing: put your copy of it at %s before the daemon starts. Without it a new one is made, and\nno mail of the daemon is signed by the key that players know.\n", c.KeyFile())
		}
		fmt.Println("Start the daemon: what has come since the backup and still lies in the mailbox is fetched and handled again, with the same dice.")
		return nil
	}
}
