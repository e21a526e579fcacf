package rulebook

import (
	"errors"
	"fmt"
	"io"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/systems"
	"fieldpost/adjudicator/table"
	"fieldpost/scenarios"
)

// Attack is what a player asks a combat table.
type Attack = adjudicator.Attack

// PrintOdds prints an attack read off the combat table of a system.
func PrintOdds(w io.Writer, system string, a Attack) error {
	s, _ := systems.Get(system)
	teller, ok := s.(adjudicator.OddsTeller)
	if !ok {
		return fmt.Errorf("no combat table of %q can be asked", system)
	}
	if a.Attack <= 0 || a.Defence < 0 {
		return errors.New("an attack needs strength points, and a defence has none or some")
	}
	text, err := teller.TellOdds(func(id string) (table.Source, error) { return scenarios.Open(id) }, a)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, text)
	return err
}
