// Package past opens the archive of a game: it plays the game again from its journal, and has
// what each side knew at the end of every turn, with all that happened. Of what the archive says
// of itself it checks that the parts and positions are those that its manifest and journal name;
// "fieldpost verify" checks the rest.
package past

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing/fstest"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/systems"
	"fieldpost/adjudicator/view"
	"fieldpost/scenarios"
)

// The parts of an archive that are read; umpire/archive writes them.
const (
	partManifest = "manifest.json"
	partJournal  = "journal.jsonl.zst"
	partScenario = "scenario/"
)

// Is tells whether a file is an archive.
func Is(file []byte) bool {
	const block = 512
	return len(file) > block && bytes.HasPrefix(file, []byte(partManifest+"\x00"))
}

// Manifest is what an archive says of its game.
type Manifest struct {
	Format       int               `json:"format"`
	Game         string            `json:"game"`
	System       string            `json:"system"`
	RulesVersion string            `json:"rules"`
	Scenario     string            `json:"scenario"`
	ScenarioHash string            `json:"scenario_hash"`
	Title        string            `json:"title"`
	Status       string            `json:"status"`
	Sides        []string          `json:"sides"`
	Options      map[string]string `json:"options,omitempty"`
	DiceKey      string            `json:"dice_key"`
	Root         string            `json:"root"`
	Parts        []struct {
		Name   string `json:"name"`
		SHA256 string `json:"sha256"`
	} `json:"parts"`
}

// phase is a line of the journal.
type phase struct {
	Phase   string              `json:"phase"`
	Turn    int                 `json:"turn"`
	Journal []adjudicator.Entry `json:"journal"`
	Beacon  []struct {
		From      int    `json:"from"`
		Round     uint64 `json:"round"`
		Signature []byte `json:"signature"`
	} `json:"beacon"`
	Hash string `json:"hash"`
}

// played is a phase that was played again.
type played struct {
	position []byte // after it
	events   []view.Event
}

// Game is a game from its archive. It is played again as far as it is looked at. It is not safe
// for concurrent use.
type Game struct {
	Manifest
	rules  adjudicator.Game
	phases []phase // the set-up first
	played []played
}

// format is the version of archives that is read.
const format = 1

// maxPart bounds a part once it is unpacked.
const maxPart = 256 << 20

// Open reads an archive. Nothing is played yet.
func Open(file []byte) (*Game, error) {
	parts, err := read(file)
	if err != nil {
		return nil, fmt.Errorf("the archive is damaged: %w", err)
	}
	g := &Game{}
	if err := json.Unmarshal(parts[partManifest], &g.Manifest); err != nil {
		return nil, fmt.Errorf("%s: %w", partManifest, err)
	}
	if g.Format != format {
		return nil, fmt.Errorf("the archive is of format %d, and this desk reads %d", g.Format, format)
	}
	if err := g.whole(parts); err != nil {
		return nil, err
	}
	if g.rules, err = rulesOf(g.Manifest, parts); err != nil {
		return nil, err
	}
	text, err := unpacked(parts[partJournal])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", partJournal, err)
	}
	for lines := json.NewDecoder(bytes.NewReader(text)); ; {
		var p phase
		switch err := lines.Decode(&p); {
		case errors.Is(err, io.EOF) && len(g.phases) > 0:
			return g, nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", partJournal, err)
		}
		g.phases = append(g.phases, p)
	}
}

// read is the parts of a tar by their names.
func read(file []byte) (map[string][]byte, error) {
	parts := map[string][]byte{}
	for files := tar.NewReader(bytes.NewReader(file)); ; {
		head, err := files.Next()
		if errors.Is(err, io.EOF) {
			return parts, nil
		}
		if err != nil {
			return nil, err
		}
		if parts[head.Name], err = io.ReadAll(files); err != nil {
			return nil, err
		}
	}
}

// whole compares the parts with the manifest.
func (g *Game) whole(parts map[string][]byte) error {
	named := false
	for _, p := range g.Parts {
		sum := sha256.Sum256(parts[p.Name])
		if hex.EncodeToString(sum[:]) != p.SHA256 {
			return fmt.Errorf("the archive is damaged: %s is not the one that its manifest names", p.Name)
		}
		named = named || p.Name == partJournal
	}
	if !named {
		return errors.New("the archive has no journal")
	}
	return nil
}

// rulesOf are the rules that the game was played under, with the scenario's files of the archive.
func rulesOf(m Manifest, parts map[string][]byte) (adjudicator.Game, error) {
	system, ok := systems.Get(m.System)
	if !ok {
		return nil, fmt.Errorf("the rules system %q is not known here", m.System)
	}
	files := fstest.MapFS{}
	for name, part := range parts {
		file, is := strings.CutPrefix(name, partScenario)
		if !is {
			continue
		}
		text, err := unpacked(part)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		files[strings.TrimSuffix(file, ".zst")] = &fstest.MapFile{Data: text}
	}
	pack, err := scenarios.OpenFS(files, m.Scenario)
	if err != nil {
		return nil, err
	}
	if hash, err := pack.Hash(); err != nil || hash != m.ScenarioHash {
		return nil, errors.Join(errors.New("the scenario in the archive is not that of the game"), err)
	}
	game, err := system.Load(pack)
	if err != nil {
		return nil, err
	}
	if game, err = adjudicator.Under(game, m.Options); err != nil {
		return nil, err
	}
	played, ok := adjudicator.UnderVersion(system, game, m.RulesVersion)
	if !ok {
		return nil, fmt.Errorf("the game follows version %s of the rules, and this desk (%d) does not play it: use the desk of that time", m.RulesVersion, system.Version())
	}
	return played, nil
}

// Rules are those that the game is played by.
func (g *Game) Rules() adjudicator.Game { return g.rules }

// Turns are those that the journal has, in order; 0 is the set-up.
func (g *Game) Turns() (turns []int) {
	for _, p := range g.phases {
		if !slices.Contains(turns, p.Turn) {
			turns = append(turns, p.Turn)
		}
	}
	return turns
}

// journalOnly has neither dice nor answers: a phase runs on its journal alone.
type journalOnly struct{}

func (journalOnly) Throw(label string, _, _ int) ([]int, []byte, error) {
	return nil, nil, fmt.Errorf("the journal has no dice for %q", label)
}

func (journalOnly) Answer(adjudicator.Decision) (string, string, bool) { return "", "", false }

// upTo plays the phases again up to one, and compares each position with the journal.
func (g *Game) upTo(n int) error {
	for i := len(g.played); i <= n; i++ {
		p, now := g.phases[i], played{}
		if i == 0 {
			opening, err := g.rules.Opening()
			if err != nil {
				return err
			}
			now.position = opening
		} else {
			var err error
			if now, err = g.again(p, g.played[i-1].position); err != nil {
				return fmt.Errorf("%s: %w", p.Phase, err)
			}
		}
		if sum := sha256.Sum256(now.position); hex.EncodeToString(sum[:]) != p.Hash {
			return fmt.Errorf("%s comes out otherwise than the journal says", p.Phase)
		}
		g.played = append(g.played, now)
	}
	return nil
}

// The entries that end a phase otherwise than the rules do, as umpire/match writes them.
const (
	byConsent = "end by consent"
	setBack   = "restored by the moderator"
	edited    = "edited by the moderator"
)

// again plays a phase again, or does again what ended it otherwise.
func (g *Game) again(p phase, before []byte) (now played, err error) {
	if n := len(p.Journal); n > 0 {
		switch e := p.Journal[n-1]; e.Label {
		case byConsent:
			winner, verdict, _ := strings.Cut(e.Answer, ": ")
			now.position, err = g.rules.End(before, adjudicator.Side(winner), verdict)
			return now, err
		case setBack:
			to, err := strconv.Atoi(e.Answer)
			if err != nil || to < 1 || to > len(g.played) {
				return now, fmt.Errorf("it goes back to phase %q, which is not there", e.Answer)
			}
			now.position = g.played[to-1].position
			return now, nil
		case edited:
			now.position, err = g.edit(before, e.Answer)
			return now, err
		}
	}
	out, err := g.rules.Play(before, p.Journal, journalOnly{}, journalOnly{})
	switch {
	case err != nil:
		return now, fmt.Errorf("it cannot be played again here: %w", err)
	case len(out.Pending) > 0:
		return now, errors.New("its journal is not complete")
	}
	return played{out.Position, out.Events}, nil
}

// edit does again what a moderator changed.
func (g *Game) edit(position []byte, text string) ([]byte, error) {
	rules, ok := g.rules.(adjudicator.Editable)
	if !ok {
		return nil, errors.New("its positions cannot be edited")
	}
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == ';' }) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		var err error
		if position, _, err = rules.Edit(position, line); err != nil {
			return nil, err
		}
	}
	return position, nil
}

// View is what a side knew at the end of a turn, with all that it knew of what happened in it;
// turn -1 is the end of the game, with all that happened.
func (g *Game) View(side string, turn int) (*view.View, error) {
	if !slices.Contains(g.Sides, side) {
		return nil, fmt.Errorf("the game has no side %q: its sides are %s", side, strings.Join(g.Sides, ", "))
	}
	last := -1
	for i, p := range g.phases {
		if turn < 0 || p.Turn == turn {
			last = i
		}
	}
	if last < 0 {
		return nil, fmt.Errorf("the game has no turn %d", turn)
	}
	if err := g.upTo(last); err != nil {
		return nil, err
	}
	v, err := g.rules.View(g.played[last].position, adjudicator.Side(side))
	if err != nil {
		return nil, err
	}
	v.Game, v.Due, v.Story = g.Game, nil, &view.Story{Key: g.DiceKey, Root: g.Root}
	for i, p := range g.phases[:last+1] {
		if turn >= 0 && p.Turn != turn {
			continue
		}
		if c := chapter(side, p, g.played[i].events); len(c.Events) > 0 {
			v.Story.Phases = append(v.Story.Phases, c)
		}
	}
	return v, nil
}

// chapter is what a side knew of a phase, with the dice of it and their proofs.
func chapter(side string, p phase, events []view.Event) view.Chapter {
	c := view.StoryOf(side, p.Phase, events).Phases[0]
	told := map[string]bool{}
	for _, e := range c.Events {
		for _, label := range e.Rolls {
			told[label] = true
		}
	}
	for i, e := range p.Journal {
		if e.Kind != adjudicator.EntryRoll || !told[e.Label] {
			continue
		}
		r := view.Roll{Label: e.Label, Dice: e.Dice, Sides: e.Sides, Proof: e.Proof}
		for _, b := range p.Beacon {
			if b.From <= i {
				r.Round, r.Value = b.Round, b.Signature
			}
		}
		c.Rolls = append(c.Rolls, r)
	}
	return c
}
