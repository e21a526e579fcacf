package archive

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/dice/vrf"
	"fieldpost/store"
	"fieldpost/umpire/match"
)

// game goes through the game from its opening: files each sheet when it came,
// runs the phases on what the sheets say and the proofs give, and compares.
func (v *verifier) game(m match.Match) {
	c := match.Recording{Rules: m.Rules, Phases: v.phases, Open: v.open, Migrated: v.parts[PartMigrated]}
	if n := match.LastMigration(v.phases); n > 0 {
		v.migrated = v.phases[n].Seq
		v.proveEarlier(n)
	}
	var filed []match.Filing
	var position []byte // before the phases of the Change that is looked at
	next, told := 0, 0
	file := func(upTo uint64, in waited) {
		for ; next < len(v.sheets) && v.sheets[next].Seq <= upTo; next++ {
			in.position = position
			if f, ok := v.sheet(m, v.sheets[next], in); ok {
				filed = append(filed, f)
			}
		}
	}
	tell := func(before uint64) {
		for ; told < len(v.reports) && v.reports[told].Seq < before; told++ {
			v.report(m.Rules, v.reports[told], position)
		}
	}
	c.Told = func(p store.Phase, events []match.ProvedEvent) {
		v.happened[p.Phase] = append(v.happened[p.Phase], events)
	}
	c.Inputs = func(p store.Phase, journal []adjudicator.Entry) ([]adjudicator.Entry, adjudicator.Dice, adjudicator.Answerer) {
		tell(p.Seq)
		file(p.Seq, waited{phase: p.Phase, journal: journal, stops: p.Stops})
		if e := match.Intervention(journal); e != nil {
			switch e.Label {
			case match.BranchLabel:
				where, _, _ := strings.Cut(e.Answer, ":")
				v.unproven("the game begins with the position of %s: the archive of that game proves it", where)
			case match.RestoreLabel:
				filed = slices.DeleteFunc(filed, func(f match.Filing) bool { return f.Seq > v.seqOf(e.Answer) })
			}
		}
		return nil, provedDice{v, p, journal}, &fromSheets{v: v, filed: filed, Settings: m.Settings(), p: p, journal: journal}
	}
	n, err := c.Repeat(func(n int, p store.Phase, journal []adjudicator.Entry, after []byte) error {
		position = after
		if p.Number != uint64(n)+1 {
			return fmt.Errorf("phase %d has number %d", n+1, p.Number)
		}
		v.found.Phases++
		return nil
	})
	if err != nil {
		v.fault(PartJournal, "phase %d: %w", n+1, err)
		return
	}
	tell(^uint64(0))
	v.closings()
	file(^uint64(0), v.waiting(m.OpenPhase()))
	at, err := m.Rules.At(position)
	if err == nil && at.Over != (v.m.Status == store.StatusFinished) {
		err = fmt.Errorf("the game is %s, the last position says over: %v", v.m.Status, at.Over)
	}
	if err != nil {
		v.fault(PartManifest, "%w", err)
	}
	if v.m.Status == store.StatusFinished && v.found.Commitments != len(v.reports) {
		v.unproven("%d of %d commitments could be checked", v.found.Commitments, len(v.reports))
	}
}

// waited is a phase that sheets came to, and the position that it began with.
type waited struct {
	position []byte
	phase    string
	journal  []adjudicator.Entry
	stops    []store.Stop
}

// waiting is the phase that waits as the archive is made.
func (v *verifier) waiting(phase string) waited {
	w := waited{phase: phase}
	if v.open != nil {
		w.journal, _ = match.EntriesOf(v.open.Journal) // its repeat has told what is amiss with it
		w.stops = v.open.Stops
	}
	return w
}

// come is how far the journal had come when a Change was made.
func (w waited) come(seq uint64) []adjudicator.Entry {
	n := 0
	for _, s := range w.stops {
		if s.Seq < seq {
			n = s.Entries
		}
	}
	return w.journal[:min(n, len(w.journal))]
}

// seen is what the side of a sheet knew when it came.
func (w waited) seen(rules adjudicator.Game, s Sheet) (*view.View, error) {
	side := adjudicator.Side(s.Side)
	v, err := rules.View(w.position, side)
	journal := w.come(s.Seq)
	if err != nil || len(journal) == 0 {
		return v, err
	}
	if midst, err := match.Midst(rules, w.position, journal, side); err == nil && midst.Acting != nil {
		v.Midst = midst
	}
	return v, nil
}

// seqOf is the Change that brought a phase.
func (v *verifier) seqOf(number string) uint64 {
	for _, p := range v.phases {
		if strconv.FormatUint(p.Number, 10) == number {
			return p.Seq
		}
	}
	return 0
}

// provedDice throws what the proofs of a phase's journal give.
type provedDice struct {
	v       *verifier
	phase   store.Phase
	journal []adjudicator.Entry
}

func (d provedDice) Throw(label string, count, sides int) ([]int, []byte, error) {
	for i, e := range d.journal {
		if e.Kind != adjudicator.EntryRoll || e.Label != label {
			continue
		}
		root, err := d.v.rootAt(d.phase, i)
		if err != nil {
			return nil, nil, fmt.Errorf("dice %q: %w", label, err)
		}
		throw := vrf.Throw{Game: d.v.m.Game, Phase: d.phase.Phase, Label: label, Root: root, Count: count, Sides: sides}
		dice, err := vrf.Check(d.v.key, throw, e.Proof)
		if err != nil {
			return nil, nil, fmt.Errorf("dice %q: %w", label, err)
		}
		if !slices.Equal(dice, e.Dice) {
			return nil, nil, fmt.Errorf("dice %q: the journal says %v, the proof gives %v", label, e.Dice, dice)
		}
		d.v.found.Rolls++
		return dice, e.Proof, nil
	}
	return nil, nil, fmt.Errorf("dice %q: %w", label, match.ErrMissing)
}

// fromSheets answers as the sheets do. What no sheet answers (a deadline passed)
// is taken from the journal.
//
// A phase that waited for answers was run in several passes: each entry of its
// journal comes from the sheets that were there in the pass that wrote it.
type fromSheets struct {
	v *verifier
	match.Settings
	filed   []match.Filing
	p       store.Phase
	journal []adjudicator.Entry

	then   match.Filings // what counted in the pass that ended with Change at
	at     uint64
	inPass bool
}

func (f *fromSheets) Answer(d adjudicator.Decision) (answer, source string, known bool) {
	i := slices.IndexFunc(f.journal, func(e adjudicator.Entry) bool {
		return e.Kind == adjudicator.EntryAnswer && e.Label == d.Label && e.Side == d.Side
	})
	if v := f.v; v.migrated > 0 && i >= 0 { // the sheets from before it cannot be read as they were
		return f.journal[i].Answer, f.journal[i].Source, true
	}
	if answer, source, known = f.pass(i).Answer(d); known {
		f.v.found.Answers++
		return answer, source, known
	}
	if i < 0 {
		return "", "", false
	}
	e := f.journal[i]
	f.v.unproven("%q of %s was not answered by a sheet but by: %s", d.Label, d.Side, e.Source)
	return e.Answer, e.Source, true
}

// pass is the sheets that counted when the entry was written.
func (f *fromSheets) pass(entry int) match.Filings {
	at := f.p.Seq
	for _, s := range f.p.Stops {
		if entry >= 0 && entry < s.Entries {
			at = s.Seq
			break
		}
	}
	if !f.inPass || at != f.at {
		before := slices.DeleteFunc(slices.Clone(f.filed), func(s match.Filing) bool { return s.Seq > at })
		f.then, f.at, f.inPass = match.Collect(before, f.p.Turn, f.p.Phase, f.Settings), at, true
	}
	return f.then
}
