package demo

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fieldpost/mailbox"
	"fieldpost/umpire/archive"
	"fieldpost/umpire/proof"
)

// archived looks for the archive of the whole game, which both sides get when it
// is over, checks it and keeps it beside the index.
func (s *show) archived(rcpt string, raw []byte) error {
	m, err := mailbox.Read(raw)
	if err != nil {
		return err
	}
	for _, a := range m.Attachments {
		if !strings.HasSuffix(a.Name, ".tar") {
			continue
		}
		s.disclosed[rcpt] = true
		if s.archive != nil {
			if !bytes.Equal(s.archive, a.Data) {
				return fmt.Errorf("the sides got different archives")
			}
			continue
		}
		found, err := archive.Verify(a.Data, proof.Trust{DiceKey: s.diceKey, DaemonKey: s.daemon.String()})
		if err != nil || len(found.Unproven) > 0 {
			return fmt.Errorf("the archive of the game: %w; unproven: %q", err, found.Unproven)
		}
		s.archive, s.result.Archive = a.Data, filepath.Join(s.Out, "game.tar")
		if err := os.WriteFile(s.result.Archive, a.Data, 0o644); err != nil {
			return err
		}
		fmt.Fprintf(s.Progress, "the archive: %d phases derived anew, %d random events proved, %d sheets, %d reports and %d commitments checked\n",
			found.Phases, found.Rolls, found.Sheets, found.Reports, found.Commitments)
	}
	return nil
}

// finish ends the show when every side has all that is to come.
func (s *show) finish() {
	all := len(s.ended) == len(s.clerks) && (s.result.Verdict == "" || len(s.disclosed) == len(s.clerks))
	if all && !s.over() {
		close(s.done)
	}
}
