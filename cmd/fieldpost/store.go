package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"fieldpost/cmdline"
	"fieldpost/store"
	backups "fieldpost/store/backup"
	"fieldpost/store/bolt"
	"fieldpost/store/postgres"
	"fieldpost/umpire"
)

func storeCommand(f *flag.FlagSet) cmdline.Action {
	of := clubFlags(f)
	days := f.Int("older", 365, "with prune: how many days old the mails are")
	identity := f.String("identity", "", "with move: the `FILE` of the key, as age-keygen writes it, by which dice keys in a database are sealed")
	return func(_ context.Context, words []string) error {
		if len(words) == 2 && words[0] == "check" {
			return checkBackups(words[1])
		}
		if len(words) == 3 && words[0] == "move" {
			return moveStore(words[1], words[2], *identity)
		}
		if len(words) != 1 || *days < 0 {
			return cmdline.Usagef("say check, stats, compact, thin, prune, prepare, or move FROM TO")
		}
		switch words[0] {
		case "prepare":
			return prepareStore(of)
		case "check":
			return atDesk(of, checkStore)
		case "stats":
			return atDesk(of, storeStats)
		case "compact":
			return atDesk(of, func(d *umpire.Desk) error {
				c, err := d.Compact()
				if err == nil {
					fmt.Printf("%d bytes became %d\n", c.Before, c.After)
				}
				return err
			})
		case "thin":
			return atDesk(of, func(d *umpire.Desk) error {
				t, err := d.Thin()
				if err == nil {
					fmt.Printf("%d mails packed, %d bytes less; %d pictures left out that can be drawn again, %d kept that are drawn otherwise now\n", t.Mails, t.Bytes, t.Pictures, t.Differ)
				}
				return err
			})
		}
		if words[0] == "prune" {
			return atDesk(of, func(d *umpire.Desk) error {
				p, err := d.Prune(*days)
				if err == nil {
					fmt.Printf("%d sent and %d received mails removed, %d bytes; nothing of a game that goes on\n", p.Sent, p.Received, p.Bytes)
				}
				return err
			})
		}
		return cmdline.Usagef("%q is not understood: store check, store stats, store compact, store thin, store prune, store prepare, store move FROM TO", words[0])
	}
}

// prepareStore makes the tables of the database of a configuration.
func prepareStore(of *whose) error {
	c, err := of.read()
	if err != nil {
		return err
	}
	if c.Store == "" {
		return fmt.Errorf("%s has no store = \"postgres://...\": games are kept in %s, which needs no preparing", of.config, c.Database())
	}
	if err := postgres.Prepare(c.Store); err != nil {
		return err
	}
	fmt.Printf("%s has the tables of this program\n", c.Place())
	return nil
}

// moveStore fills an empty store with what is in another one. Either is a data folder or the
// address of a database; identity is the file of the key by which secrets in a database are sealed,
// or "".
func moveStore(from, to, identity string) error {
	key := ""
	if identity != "" {
		text, err := os.ReadFile(identity)
		if err != nil {
			return err
		}
		key = string(text)
	}
	debug.SetGCPercent(400) // what goes through is short-lived
	source, err := movable(from, key)
	if err != nil {
		return err
	}
	defer source.Close()
	n, err := moved(source, to, key)
	if err != nil {
		return err
	}
	fmt.Printf("%d records moved and compared, none differs. What is in the old place is as it was: remove it when you are content.\n", n)
	if postgres.Is(to) {
		fmt.Println("In the configuration say store = \"" + (&umpire.Config{Store: to}).Place() + "\".")
	} else {
		fmt.Printf("In the configuration say data = %q, and no store.\n", to)
	}
	return nil
}

// movable opens the store at a place, to be read; the identity is for a database.
func movable(at, identity string) (store.Movable, error) {
	if postgres.Is(at) {
		return postgres.Open(at, postgres.Options{Node: "move", Identity: identity})
	}
	return bolt.Open(filepath.Join(at, bolt.Database), bolt.Options{ReadOnly: true, MustExist: true})
}

// moved moves what is in a store to a place, and tells how many records there are.
func moved(source store.Movable, to, identity string) (rows int, err error) {
	if !postgres.Is(to) {
		return bolt.MoveInto(to, source)
	}
	if err := postgres.Prepare(to); err != nil {
		return 0, err
	}
	target, err := postgres.Open(to, postgres.Options{Node: "move", Identity: identity})
	if err != nil {
		return 0, err
	}
	defer target.Close()
	return store.Move(source, target)
}

// checkBackups looks at a folder of backups.
func checkBackups(folder string) error {
	found, err := backups.Check(folder)
	if err != nil {
		return err
	}
	for _, w := range found.Wrong {
		fmt.Println(w)
	}
	if len(found.Wrong) > 0 {
		return fmt.Errorf("%d things are wrong", len(found.Wrong))
	}
	fmt.Printf("%d backups from %s to %s are as they were written\n", found.Backups, found.First.Format(time.RFC3339), found.Last.Format(time.RFC3339))
	return nil
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
	fmt.Printf("database  %s: %d bytes", s.Path, s.File)
	if len(s.Buckets) > 0 {
		fmt.Printf(", %d in use, %d free", s.InUse(), s.Free)
	}
	fmt.Println()
	fmt.Printf("files     %d bytes of sent and waiting mails (%d of them without pictures), %d of received ones\n", s.Kept, s.Thin, s.Spooled)
	fmt.Printf("games     %s; %d phases\n", counts(s.Games), s.Phases)
	fmt.Printf("mails     %s\n", counts(s.Mails))
	if len(s.Buckets) == 0 { // a database has tools of its own for its tables
		return nil
	}
	fmt.Printf("\n%-10s %9s %12s %12s\n", "bucket", "entries", "bytes", "pages")
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
	of := clubFlags(f)
	recipient := f.String("recipient", "", "encrypt it to this key of age (age1..., as age-keygen prints it)")
	folder := f.String("to", "", "add it to this `FOLDER` of backups: only what the one before has not is written")
	return func(_ context.Context, words []string) error {
		if (len(words) == 1) == (*folder != "") {
			return cmdline.Usagef("name the file to write, or a folder of backups with --to")
		}
		wanted := umpire.Backup{Folder: ofClub(*folder, of), Recipient: *recipient}
		how := "--from " + *folder
		if *folder == "" {
			wanted.File, how = words[0], words[0]
		}
		if *recipient != "" {
			how += " --identity KEYFILE"
		}
		return atDesk(of, func(d *umpire.Desk) error {
			out, err := d.Backup(wanted)
			if err != nil {
				return err
			}
			fmt.Printf("%s: %s. To restore: fieldpost restore %s; the signing key is not in it.\n", cmp.Or(wanted.Folder, wanted.File), saved(out), strings.TrimSpace(how+" "+of.words()))
			return nil
		})
	}
}

// ofClub is the folder of backups of a club: of several each has its own, below the one that is named.
func ofClub(folder string, of *whose) string {
	if folder == "" {
		return ""
	}
	return filepath.Join(folder, of.club)
}

// saved says what a backup came to.
func saved(out backups.Written) string {
	if out.Files == 0 {
		return fmt.Sprintf("%d bytes", out.NewBytes)
	}
	return fmt.Sprintf("%d bytes written for %d files of %d bytes, %d of them new or changed", out.NewBytes, out.Files, out.Bytes, out.NewFiles)
}

// restore unpacks a backup into the data folder of a configuration.
func restore(f *flag.FlagSet) cmdline.Action {
	of := clubFlags(f)
	identity := f.String("identity", "", "of an encrypted backup: the file of its key, as age-keygen wrote it")
	from := f.String("from", "", "the last backup of this `FOLDER` of them")
	until := f.String("until", "", "with --from the last one up to this `TIME`, such as 2026-11-26T18:00:00Z")
	return func(_ context.Context, words []string) error {
		if (len(words) == 1) == (*from != "") {
			return cmdline.Usagef("name the backup, or a folder of them with --from")
		}
		moment := time.Now()
		if *until != "" {
			var err error
			if moment, err = time.Parse(time.RFC3339, *until); err != nil {
				return cmdline.Usagef("--until is a moment such as 2026-11-26T18:00:00Z or 2026-11-26T18:00:00+02:00, not %q", *until)
			}
		}
		c, err := of.read()
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
		if *from == "" {
			err = bolt.Restore(words[0], folder, key)
		} else if moment, err = bolt.RestoreFrom(ofClub(*from, of), moment, folder, key); err == nil {
			fmt.Printf("It is the backup of %s.\n", moment.Format(time.RFC3339))
		}
		switch {
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
