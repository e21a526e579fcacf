package rollbacks

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/view"
	"fieldpost/mailbox"
	"fieldpost/store"
	"fieldpost/umpire/archive"
	"fieldpost/umpire/match"
	"fieldpost/umpire/proof"
	"fieldpost/umpire/records"
	"fieldpost/umpire/scene"
)

// enter takes the phases that are new into the book; the first of them set the game to the end
// of another one, unless that is 0. Then it looks at all that tells of the game.
func (r *round) enter(setTo uint64) error {
	phases, err := r.Umpire.DB.Journal(r.id)
	if err != nil {
		return err
	}
	for n := r.known + 1; n <= uint64(len(phases)); n++ {
		if setTo > 0 && n == r.known+1 {
			r.counts[n] = r.counts[setTo]
			continue
		}
		r.counts[n] = append(slices.Clone(r.counts[n-1]), n)
	}
	r.known = uint64(len(phases))
	return r.look(phases)
}

// look compares what the product says of the game with the book.
func (r *round) look(phases []store.Phase) error {
	r.deeds.Looks++
	line := r.counts[r.known]
	var got []uint64
	for _, p := range match.Line(phases) {
		got = append(got, p.Number)
	}
	if !slices.Equal(got, line) {
		return fmt.Errorf("of %d phases %v count, the product says %v", r.known, line, got)
	}
	if err := r.lookAtPhases(line); err != nil {
		return err
	}
	if err := r.lookAtTurns(phases, line); err != nil {
		return err
	}
	return r.lookAtReports()
}

// lookAtPhases compares the list that the moderator is shown.
func (r *round) lookAtPhases(line []uint64) error {
	all, err := r.Umpire.PlayedPhases(r.id)
	if err != nil {
		return err
	}
	for _, p := range all {
		counts := slices.Contains(line, p.Number)
		if !p.Open && p.SetTo == 0 && counts == p.Undone {
			return fmt.Errorf("phase %d, %s: it counts %v, the list says undone %v", p.Number, p.Title(), counts, p.Undone)
		}
	}
	return nil
}

// lastOf is the last phase of each turn among those that count, by turn.
func lastOf(phases []store.Phase, line []uint64) map[int]uint64 {
	last := map[int]uint64{}
	for _, n := range line {
		if p := phases[n-1]; p.Turn > 0 {
			last[p.Turn] = n
		}
	}
	return last
}

// lookAtTurns compares what is shown of the end of some turn, as one side knew it, and that
// what was undone is shown of none.
func (r *round) lookAtTurns(phases []store.Phase, line []uint64) error {
	last := lastOf(phases, line)
	side := r.seats[r.random.IntN(len(r.seats))].Side
	for turn := 1; turn <= 20; turn++ {
		n, was := last[turn]
		if was && r.random.IntN(3) > 0 {
			continue
		}
		sc, err := scene.At(&r.Umpire.Games, r.id, side, turn)
		if !was {
			if err == nil {
				return fmt.Errorf("turn %d is shown, and no phase that counts is of it", turn)
			}
			break
		}
		if err != nil {
			return fmt.Errorf("the end of turn %d: %w", turn, err)
		}
		whole, err := r.Umpire.DB.Phase(r.id, n)
		if err != nil {
			return err
		}
		want, err := match.SeenBy(r.rules, whole.Snapshot, side)
		if err != nil {
			return err
		}
		want.Game = r.id
		if !sameView(sc.View, want) {
			return fmt.Errorf("the end of turn %d for %s is not that of phase %d, the last that counts of it", turn, side, n)
		}
	}
	return nil
}

func sameView(a, b *view.View) bool {
	one, err := json.Marshal(a)
	two, bad := json.Marshal(b)
	return err == nil && bad == nil && string(one) == string(two)
}

// lookAtReports compares the last report of each player with the position, and has those of a
// game that was set back say so in the subject.
func (r *round) lookAtReports() error {
	g, err := r.Umpire.DB.Game(r.id)
	if err != nil || r.moved == "" || !match.Underway(g) {
		return err
	}
	for _, s := range r.seats {
		raw, err := r.LastReport(r.id, s.Side)
		if err != nil {
			return err
		}
		m, err := mailbox.Read(raw)
		if err != nil {
			return err
		}
		if !strings.Contains(m.Subject, "] "+r.moved) || !strings.Contains(m.Texts[0].Text, "The trial wants it.") {
			return fmt.Errorf("the report to %s after the game was set is %q", s.Side, m.Subject)
		}
	}
	r.moved = ""
	return nil
}

// finish compares what tells of the whole game, when it is left.
func (r *round) finish(album bool) error {
	if err := r.lookAtAlbum(album); err != nil {
		return err
	}
	replayed, err := r.Umpire.Replay(r.id, true)
	if err != nil || len(replayed.Wrong) > 0 {
		return fmt.Errorf("the repetition: %v %v", replayed.Wrong, err)
	}
	if err := r.lookAtLadder(); err != nil {
		return err
	}
	raw, err := r.Umpire.Archive(r.id)
	if err != nil {
		return err
	}
	if _, err := archive.Verify(raw, proof.Trust{}); err != nil {
		return fmt.Errorf("the archive: %w", err)
	}
	if faults := records.Check(r.Umpire.DB); len(faults) > 0 {
		return fmt.Errorf("the store: %v", faults[0])
	}
	return nil
}

// lookAtAlbum compares the pages of the album, which are the turns that count, each once.
func (r *round) lookAtAlbum(drawn bool) error {
	if !drawn {
		return nil
	}
	phases, err := r.Umpire.DB.Journal(r.id)
	if err != nil {
		return err
	}
	album, err := r.Umpire.Album(r.id, "")
	if err != nil {
		return err
	}
	last := lastOf(phases, r.counts[r.known])
	turns := make([]int, 0, len(last))
	for turn := range last {
		turns = append(turns, turn)
	}
	slices.Sort(turns)
	var want, got []string
	for _, turn := range turns {
		want = append(want, fmt.Sprint("turn ", turn))
	}
	for _, p := range album.Pages {
		got = append(got, p.Title)
	}
	if !slices.Equal(want, got) {
		return fmt.Errorf("the album shows %v, %v count", got, want)
	}
	return nil
}

// lookAtLadder ends the game and looks at who has won it: once, with no turn more than were
// played, and nobody late.
func (r *round) lookAtLadder() error {
	g, err := r.Umpire.DB.Game(r.id)
	if err != nil {
		return err
	}
	winner := g.Sides[0]
	if match.Underway(g) {
		if err := r.end(winner); err != nil {
			return err
		}
	}
	c, err := r.Umpire.Club()
	if err != nil {
		return err
	}
	games := 0
	for _, result := range c.Results {
		if result.Game != r.id {
			continue
		}
		games++
		for _, seat := range result.Seats {
			if seat.Late > 0 {
				return fmt.Errorf("the ladder says that %s was late %d times in a game without deadlines", seat.Side, seat.Late)
			}
		}
	}
	if games != 1 {
		return fmt.Errorf("the ladder has the game %d times", games)
	}
	return nil
}
