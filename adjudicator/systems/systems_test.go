package systems

import (
	"slices"
	"testing"

	"fieldpost/orders"
)

// The words that begin sections are known where the game of a sheet is not.
func TestSectionWords(t *testing.T) {
	for _, s := range All {
		for _, word := range s.Vocabulary().Sections {
			if !slices.Contains(orders.SectionWords, word) {
				t.Errorf("%s: %s", s.ID(), word)
			}
		}
	}
}
