package umpire

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/store"
)

// What neither rules nor sheets decide stands in the journal as an entry of its
// own, the last one of the phase in which it came: a repeat finds it there.
const (
	// endLabel ends a game by consent: its answer is the winner, a colon and the verdict.
	endLabel = "end by consent"
	// restoreLabel sets a game back (or forth): its answer is the number of the
	// phase after which it goes on.
	restoreLabel = "restored by the moderator"
	// editLabel changes the position: its answer is the edit in the system's words.
	editLabel = "edited by the moderator"
)

// Editable is a Game whose positions a moderator can mend.
type Editable interface {
	// Edit carries out one edit and says in words what it did.
	Edit(position []byte, edit string) (after []byte, says string, err error)
}

// interventionPhase closes the phase that is open with such an entry.
func interventionPhase(pos store.Position, e adjudicator.Entry) (store.Phase, error) {
	phase := store.Phase{Phase: e.Label, Turn: pos.Latest.Turn}
	var journal []adjudicator.Entry
	if pos.Open != nil {
		phase.Phase, phase.Turn, phase.Stops, phase.Beacon = pos.Open.Phase, pos.Open.Turn, pos.Open.Stops, pos.Open.Beacon
		if err := json.Unmarshal(pos.Open.Journal, &journal); err != nil {
			return phase, err
		}
	}
	e.Kind = adjudicator.EntryAnswer
	text, err := json.Marshal(append(journal, e))
	phase.Journal = text
	return phase, err
}

// intervention is that entry of a journal, nil if it ends as the rules end it.
func intervention(journal []adjudicator.Entry) *adjudicator.Entry {
	if len(journal) == 0 {
		return nil
	}
	switch e := &journal[len(journal)-1]; e.Label {
	case endLabel, restoreLabel, editLabel, branchLabel:
		return e
	}
	return nil
}

// repeatIntervention repeats what such an entry did to the position before the phase.
func (c course) repeatIntervention(game adjudicator.Game, position []byte, journal []adjudicator.Entry) (after []byte, done bool, err error) {
	e := intervention(journal)
	if e == nil {
		return nil, false, nil
	}
	switch e.Label {
	case endLabel:
		winner, verdict, _ := strings.Cut(e.Answer, ": ")
		after, err = game.End(position, adjudicator.Side(winner), verdict)
	case branchLabel:
		after, err = unpacked(e.Answer)
	case editLabel:
		after, _, err = edited(game, position, e.Answer)
	default:
		n, bad := strconv.ParseUint(e.Answer, 10, 64)
		if after = c.kept[n]; bad != nil || after == nil {
			err = fmt.Errorf("it goes back to phase %q, which is not there", e.Answer)
		}
	}
	return after, true, err
}

// edited carries out an edit if the system knows how.
func edited(game adjudicator.Game, position []byte, text string) ([]byte, string, error) {
	g, ok := game.(Editable)
	if !ok {
		return nil, "", fmt.Errorf("positions of %s cannot be edited", game.Title())
	}
	return g.Edit(position, text)
}

// targets are the phases to which the game was set back, by number.
func (c course) targets() map[uint64][]byte {
	out := map[uint64][]byte{}
	for _, p := range c.phases {
		journal, err := entriesOf(p.Journal)
		if e := intervention(journal); err == nil && e != nil && e.Label == restoreLabel {
			if n, err := strconv.ParseUint(e.Answer, 10, 64); err == nil {
				out[n] = nil
			}
		}
	}
	return out
}

// keep remembers a position that the game is set back to later.
func (c course) keep(p store.Phase, position []byte) {
	if _, wanted := c.kept[p.Number]; wanted {
		c.kept[p.Number] = position
	}
}

// againMark divides a phase's label from how often the game had been set back
// before it was played: a phase that is played again has other dice.
const againMark = " again "

func phaseName(label string, rollbacks int) string {
	if rollbacks == 0 {
		return label
	}
	return label + againMark + strconv.Itoa(rollbacks)
}

// rulesLabel is the label that the rules gave the phase.
func rulesLabel(name string) string {
	label, _, _ := strings.Cut(name, againMark)
	return label
}
