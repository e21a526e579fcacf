package archive

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/proof"
)

// lists tells whether the report's mail has just this view.
func (r archiveReport) lists(v *view.View) (bool, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return false, err
	}
	sum := store.Sum(text)
	return slices.ContainsFunc(report.ParseFiles(r.Text), func(f report.File) bool { return f.Name == proof.FileView && f.SHA256 == sum }), nil
}

// report checks a report against the position that it told.
func (v *verifier) report(game adjudicator.Game, r archiveReport, position []byte) {
	name := fmt.Sprintf("%s, report %d to %s", PartReports, r.Seq, r.Side)
	if r.Text == "" {
		v.unproven("report %d to %s: its mail is not kept any more", r.Seq, r.Side)
		return
	}
	key, err := seal.Verify([]byte(r.Text), r.Signature, proof.SignatureNamespace)
	if err == nil && !isKeyOf(key, v.m.DaemonKey) {
		err = errors.New("it is not signed by the daemon")
	}
	if err != nil {
		v.fault(name, "%w", err)
		return
	}
	if round := r.announced(); round > 0 {
		v.announced[r.Seq] = round
	}
	if r.Seq < v.migrated {
		if err := v.reportDice(r); err != nil {
			v.fault(name, "%w", err)
		}
		return
	}
	seen, err := game.View(position, adjudicator.Side(r.Side))
	if err != nil {
		v.fault(name, "%w", err)
		return
	}
	seen.Game, seen.Rules, seen.Reply, seen.Story = v.m.Game, r.Rules, r.Reply, r.Story
	listed, err := r.lists(seen)
	if err == nil && !listed {
		listed, err = r.lists(seen.Before())
	}
	if err != nil || !listed {
		v.fault(name, "it does not tell what %s could see then", r.Side)
		return
	}
	if err := v.story(r); err != nil {
		v.fault(name, "%w", err)
		return
	}
	v.found.Reports++
	salt, disclosed := v.salts[r.Seq]
	if !disclosed {
		if v.m.Status == store.StatusFinished {
			v.fault(PartSalts, "the salt of report %d is missing", r.Seq)
		}
		return
	}
	b, err := hex.DecodeString(salt)
	if err != nil || !strings.Contains(strings.Join(strings.Fields(r.Text), ""), proof.Committed(b, position)) {
		v.fault(name, "its commitment is not to the position of that moment")
		return
	}
	v.found.Commitments++
}

// announced is the round of the beacon that a report names for the dice of the orders that it
// asks for; 0 for none.
func (r archiveReport) announced() (round uint64) {
	if r.Story != nil && r.Reply != nil {
		return r.Reply.Round
	}
	if m := AnnouncedRound.FindStringSubmatch(strings.Join(strings.Fields(r.Text), " ")); m != nil {
		round, _ = strconv.ParseUint(m[1], 10, 64)
	}
	return round
}

// story checks that a report tells what its side may know of the phases as they were played
// again, with the dice of the journal.
func (v *verifier) story(r archiveReport) error {
	if r.Story == nil {
		return v.reportDice(r)
	}
	for _, c := range r.Story.Phases {
		told, err := json.Marshal(c)
		if err != nil {
			return err
		}
		as := func(events []match.ProvedEvent) bool {
			known := match.StoryFor(r.Side, events)
			text, err := json.Marshal(known)
			return err == nil && bytes.Equal(text, slices.Concat([]byte("["), told, []byte("]")))
		}
		if !slices.ContainsFunc(v.happened[c.Phase], as) {
			return fmt.Errorf("it does not tell %s as it was played", c.Phase)
		}
	}
	return nil
}

// tellsOf tells whether dice that a report proves are those of a journal's entry.
func tellsOf(p report.Proof, e adjudicator.Entry) bool {
	switch {
	case p.Label != e.Label, p.Sides != e.Sides:
		return false
	case !slices.Equal(p.Dice, e.Dice):
		return false
	}
	return bytes.Equal(p.Proof, e.Proof)
}

// rolled tells whether the journal knows the phase of some dice, and them. A phase in whose midst
// the position was edited stands there twice: as far as it came, and as it was played then.
func (v *verifier) rolled(p report.Proof) (known, told bool, err error) {
	for _, x := range v.phases {
		if x.Phase != p.Phase {
			continue
		}
		journal, err := match.EntriesOf(x.Journal)
		if err != nil {
			return false, false, err
		}
		known = true
		told = told || slices.ContainsFunc(journal, func(e adjudicator.Entry) bool { return tellsOf(p, e) })
	}
	return known, told, nil
}

// reportDice checks that a report tells dice of the journal.
func (v *verifier) reportDice(r archiveReport) error {
	proved := report.Proofs(r.Story)
	if r.Story == nil {
		var err error
		if proved, _, _, err = report.ParseDice(r.Text); err != nil {
			return err
		}
	}
	for _, p := range proved {
		known, told, err := v.rolled(p)
		switch {
		case err != nil:
			return err
		case !known:
			return fmt.Errorf("it tells of %s, which the journal does not have", p.Phase)
		case !told:
			return fmt.Errorf("it tells %v for %s, %s; the journal does not", p.Dice, p.Phase, p.Label)
		}
	}
	return nil
}
