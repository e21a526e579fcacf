package secrets

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"fieldpost/playtest"
	"fieldpost/store"
	"fieldpost/trial"
	"fieldpost/trial/ramdisk"
)

// search looks through all mails to players.
func (r *room) search() (Result, error) {
	res := Result{Marks: len(r.marks), Turn: r.turn, Verdict: r.verdict}
	own, fought, err := r.known()
	if err != nil {
		return res, err
	}
	game, err := r.Umpire.DB.Game(r.id)
	if err != nil {
		return res, err
	}
	r.Umpire.Tick(r.clock) // what is disclosed at the end is mailed by the clock
	mails, err := r.Umpire.DB.Mails(r.id)
	if err != nil {
		return res, err
	}
	dated(mails)
	for _, m := range mails {
		if r.verdict != "" && m.Seq >= game.Seq {
			res.After++
			continue
		}
		raw, err := r.Umpire.DB.MailBytes(m.SHA256)
		if err != nil {
			return res, err
		}
		if r.tamper != nil {
			raw = r.tamper(m.Side, raw)
		}
		found, parts, err := Search(raw, r.marks)
		if err != nil {
			return res, fmt.Errorf("mail %s: %w", m.ID, err)
		}
		res.Mails, res.Parts = res.Mails+1, res.Parts+parts
		ours := false
		for _, f := range found {
			switch {
			case own.has(m.Side, f.Mark.Text, m.Seq):
				ours = true
			case fought.has(m.Side, f.Mark.Text, m.Seq):
				res.Lawful++
			default:
				res.Leaks = append(res.Leaks, fmt.Sprintf("%s (%s) tells %s %s: %s: %q", m.ID, m.Kind, m.Side, f.Mark, f.Where, f.Text))
			}
		}
		if m.Kind == "report" && !ours {
			return res, fmt.Errorf("mail %s: a report without a unit of its own side: the search is blind", m.ID)
		}
	}
	slices.Sort(res.Leaks)
	return res, nil
}

// dated puts mails into the order in which they were written, and gives those that
// belong to no Change (a map or a template that somebody asked for) the Change that
// the game had come to.
func dated(mails []store.Mail) {
	slices.SortFunc(mails, func(a, b store.Mail) int { return cmp.Compare(a.Number, b.Number) })
	now := uint64(0)
	for i := range mails {
		now = max(now, mails[i].Seq)
		mails[i].Seq = now
	}
}

// Run plays games over the scenarios in turn and writes what came of them.
func Run(ctx context.Context, t *trial.Trial) error {
	began := time.Now()
	var (
		lock sync.Mutex
		sum  Result
		over int
	)
	played := map[string]int{}
	err := playtest.Parallel(ctx, t.Games, func(ctx context.Context, i int) error {
		g := Game{Scenario: t.Scenarios[i%len(t.Scenarios)], Number: t.Seed + i, Turns: t.Turns, Options: t.Options}
		r, err := g.inFolder(ctx)
		if err == nil && len(r.Leaks) > 0 {
			err = fmt.Errorf("%d secrets told:\n%s", len(r.Leaks), strings.Join(r.Leaks[:min(len(r.Leaks), 40)], "\n"))
		}
		if err != nil {
			return fmt.Errorf("%s, --seed %d: %w", g.Scenario, g.Number, err)
		}
		lock.Lock()
		defer lock.Unlock()
		played[g.Scenario]++
		sum.Mails, sum.Parts, sum.After = sum.Mails+r.Mails, sum.Parts+r.Parts, sum.After+r.After
		sum.Marks, sum.Lawful = sum.Marks+r.Marks, sum.Lawful+r.Lawful
		if r.Verdict != "" {
			over++
		}
		fmt.Fprintf(t.Progress, "%s %d: %d mails, turn %d %s\n", g.Scenario, g.Number, r.Mails, r.Turn, r.Verdict)
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(t.Out, "%d games by mail, %d to the verdict; %d names and ids planted; %d mails of %d parts searched, headers, files and pictures' texts included: "+
		"0 that their readers may not know; %d times one from a fight of theirs; %d mails from the end on, which tell all, not searched (%v)\n",
		t.Games, over, sum.Marks, sum.Mails, sum.Parts, sum.Lawful, sum.After, time.Since(began).Round(time.Second))
	for _, id := range t.Scenarios {
		fmt.Fprintf(t.Out, "  %-14s %d\n", id, played[id])
	}
	return nil
}

func (g Game) inFolder(ctx context.Context) (Result, error) {
	folder, err := ramdisk.Folder("secrets")
	if err != nil {
		return Result{}, err
	}
	defer os.RemoveAll(folder)
	return g.Play(ctx, folder)
}
