package engine

import (
	"bytes"
	"fmt"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/playtest"
	"fieldpost/trial/systems"
)

// auditor is a game whose positions can be looked over for what must hold after every
// phase, whatever the players have ordered.
type auditor interface {
	// Auditor begins with the opening position. The function it returns is called
	// after each phase, with the position and the events, and says in words what
	// does not hold; nothing said is well.
	Auditor(opening []byte) (func(position []byte, events []view.Event) []string, error)
}

// Audited is a match of which every phase is checked: what the system says must hold,
// and that the journal repeats to the same position, events included.
func Audited(m playtest.Match) (playtest.Match, error) {
	look := func([]byte, []view.Event) []string { return nil }
	if a, ok := systems.Inside(m.Game).(auditor); ok {
		opening, err := m.Game.Opening()
		if err != nil {
			return m, err
		}
		if look, err = a.Auditor(opening); err != nil {
			return m, err
		}
	}
	m.Each = func(before []byte, out adjudicator.Outcome) error {
		faults := look(out.Position, out.Events)
		again, err := m.Game.Play(before, out.Journal, nil, nil)
		switch {
		case err != nil:
			faults = append(faults, "the journal does not repeat: "+err.Error())
		case !bytes.Equal(again.Position, out.Position) || len(again.Events) != len(out.Events):
			faults = append(faults, "the journal repeats to another position")
		}
		if len(faults) == 0 {
			return nil
		}
		at, err := m.Game.At(before)
		if err != nil {
			return err
		}
		return fmt.Errorf("%s, %s: %q", at.Label, at.Name, faults)
	}
	return m, nil
}
