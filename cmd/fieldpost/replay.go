package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"fieldpost/cmdline"
	"fieldpost/umpire"
	"fieldpost/umpire/archive"
	"fieldpost/umpire/match"
	"fieldpost/umpire/proof"
)

// reading runs f on the store as it is now, with this program's rules.
func reading(of *whose, f func(*umpire.Umpire) error) error {
	c, err := of.read()
	if err != nil {
		return err
	}
	u, done, err := umpire.OpenReading(c, slog.Default())
	if err != nil {
		return err
	}
	defer done()
	return f(u)
}

func replay(f *flag.FlagSet) cmdline.Action {
	of := clubFlags(f)
	dice := f.Bool("dice", false, "throw all dice again with the game's key")
	shadow := f.Bool("shadow", false, "repeat all games that are under way, with this program's rules")
	return func(_ context.Context, words []string) error {
		if len(words) > 1 || *shadow == (len(words) == 1) {
			return cmdline.Usagef("name a game or an archive, or say --shadow")
		}
		if !*shadow {
			if raw, err := os.ReadFile(words[0]); err == nil && archive.Is(raw) {
				if !verifyArchive(words[0], raw, proof.Trust{}) {
					return fmt.Errorf("%s is not in order", words[0])
				}
				return nil
			}
		}
		return reading(of, func(u *umpire.Umpire) error {
			if *shadow {
				all, err := u.Shadow()
				if err != nil {
					return err
				}
				return tell(all)
			}
			r, err := u.Replay(strings.ToUpper(words[0]), *dice)
			if err != nil {
				return err
			}
			return tell([]match.Replayed{r})
		})
	}
}

func tell(all []match.Replayed) error {
	bad := 0
	for _, r := range all {
		fmt.Printf("%-10s %-9s %4d phases, %5d random events", r.Game, r.Status, r.Phases, r.Rolls)
		if r.Proved > 0 {
			fmt.Printf(", %d thrown again", r.Proved)
		}
		if r.Earlier > 0 {
			fmt.Printf(", from its migration on (%d phases before it are of another version)", r.Earlier)
		}
		if len(r.Wrong) == 0 {
			fmt.Println(": the same")
			continue
		}
		bad++
		fmt.Printf(": DIFFERS\n  %s\n", strings.Join(r.Wrong, "\n  "))
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d games come out otherwise", bad, len(all))
	}
	if len(all) != 1 {
		fmt.Printf("%d games repeated, all the same\n", len(all))
	}
	return nil
}

func archiveCommand(f *flag.FlagSet) cmdline.Action {
	of := clubFlags(f)
	return func(_ context.Context, words []string) error {
		if len(words) < 1 || len(words) > 2 {
			return cmdline.Usagef("name the game, and the file if you like")
		}
		id := strings.ToUpper(words[0])
		file := id + ".tar"
		if len(words) == 2 {
			file = words[1]
		}
		return reading(of, func(u *umpire.Umpire) error { return writeArchive(u, id, file) })
	}
}

// writeArchive writes a game's archive to a file that is not there yet.
func writeArchive(u *umpire.Umpire, id, file string) error {
	raw, err := u.Archive(id)
	if err != nil {
		return err
	}
	out, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := out.Write(raw); err != nil {
		out.Close()
		return err
	}
	fmt.Printf("%s: %d bytes; check it with: fieldpost verify %s --invitation FILE.eml\n", file, len(raw), file)
	return out.Close()
}
