package match

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/store"
	"fieldpost/umpire/tournament"
)

// What neither rules nor sheets decide stands in the journal as an entry of its
// own, the last one of the phase in which it came: a repeat finds it there.
const (
	// EndLabel ends a game by consent: its answer is the winner, a colon and the verdict.
	EndLabel = "end by consent"
	// RestoreLabel sets a game back (or forth): its answer is the number of the
	// phase after which it goes on.
	RestoreLabel = "restored by the moderator"
	// EditLabel changes the position: its answer is the edit in the system's words.
	EditLabel = "edited by the moderator"
)

// InterventionPhase closes the phase that is open with such an entry.
func InterventionPhase(pos store.Position, e adjudicator.Entry) (store.Phase, error) {
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

// Intervention is that entry of a journal, nil if it ends as the rules end it.
func Intervention(journal []adjudicator.Entry) *adjudicator.Entry {
	if len(journal) == 0 {
		return nil
	}
	switch e := &journal[len(journal)-1]; e.Label {
	case EndLabel, RestoreLabel, EditLabel, BranchLabel:
		return e
	}
	return nil
}

// Edited carries out edits, a line each or divided by semicolons, if the system knows how. All are
// made or none. A board that the rules do not know is made if that is insisted on, but not one that
// the program itself could not go on from.
func Edited(game adjudicator.Game, position []byte, text string) (after []byte, says string, err error) {
	g, ok := game.(adjudicator.Editable)
	if !ok {
		return nil, "", fmt.Errorf("positions of %s cannot be edited", game.Title())
	}
	after = position
	var all []string
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == ';' }) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		var did string
		if after, did, err = g.Edit(after, line); err != nil {
			return nil, "", err
		}
		all = append(all, did)
	}
	if len(all) == 0 {
		return g.Edit(position, "") // which says what can be written
	}
	if _, err := game.At(after); err != nil {
		return nil, "", fmt.Errorf("the program cannot go on from that position: %w", err)
	}
	for _, side := range game.Sides() {
		if _, err := game.View(after, side); err != nil {
			return nil, "", fmt.Errorf("the program cannot show that position: %w", err)
		}
	}
	return after, strings.Join(all, "\n"), nil
}

// againMark divides a phase's label from how often the game had been set back
// before it was played: a phase that is played again has other dice.
const againMark = " again "

func PhaseName(label string, rollbacks int) string {
	if rollbacks == 0 {
		return label
	}
	return label + againMark + strconv.Itoa(rollbacks)
}

// RulesLabel is the label that the rules gave the phase.
func RulesLabel(name string) string {
	label, _, _ := strings.Cut(name, againMark)
	return label
}

// BranchLabel is the entry of the phase with which a copied game begins: its answer
// is the game and phase that it was copied from, a colon and the position.
const BranchLabel = "copied by the moderator"

// Packed is a position as text.
func Packed(position []byte) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write(position) // to memory
	_ = z.Close()
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// maxPosition bounds what a packed position of a foreign archive may unpack to.
const maxPosition = 64 << 20

// unpacked is the inverse, of an answer with what stands before the position.
func unpacked(answer string) ([]byte, error) {
	_, text, _ := strings.Cut(answer, ": ")
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("the position that it was copied from: %w", err)
	}
	z, err := zlib.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("the position that it was copied from: %w", err)
	}
	return io.ReadAll(io.LimitReader(z, maxPosition))
}

// FrozenRecords are the incoming mails that froze games. Nothing of such a mail
// was applied; it gets its effect when the game goes on.
var FrozenRecords = store.OnePerGame[string]("frozen").Plain()

// TournamentRecords are the tournaments.
var TournamentRecords = store.OnePerName[tournament.Tournament]("tournament", "NAME")

// AboutKey is the key of an incoming mail of a game.
type AboutKey struct{ Game, SHA256 string }

// AboutRecords are the incoming mails that are about a game and changed nothing in it: a
// letter, a question, what was refused.
var AboutRecords = store.KindOf[store.Mark]("about", store.Shape[AboutKey]{
	Form:  "GAME/MAIL",
	Words: func(k AboutKey) []string { return []string{k.Game, k.SHA256} },
	Parse: func(words []string) (k AboutKey, ok bool) {
		if len(words) != 2 {
			return k, false
		}
		return AboutKey{words[0], words[1]}, true
	},
	Game: func(k AboutKey) string { return k.Game }}).Plain()

// DrawRecords are offers of a draw, which hold until their side files orders again.
var DrawRecords = store.OnePerSeat[string]("draw").Plain()
