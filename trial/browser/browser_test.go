package browser

import (
	"errors"
	"testing"
)

// scripted is a driver whose page gives way to another one when it is first asked.
type scripted struct {
	driver
	asked int
}

func (s *scripted) eval(string) (string, error) {
	if s.asked++; s.asked == 1 {
		return "", errors.New("Runtime.evaluate: Inspected target navigated or closed")
	}
	return "true", nil
}

// Who waits for something goes on waiting when the page gives way to the one that has it.
func TestUntilSurvivesAnotherPage(t *testing.T) {
	s := &scripted{}
	(&Browser{t: t, driver: s}).Until("the page after it", "true")
	if s.asked != 2 {
		t.Errorf("asked %d times", s.asked)
	}
}
