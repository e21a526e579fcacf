package acts

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/calendar"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/seats"
)

// Acts that begin games: one of a scenario, one for players who were found, one that
// is copied from a phase of another.

// doCreate makes a game: Value is the scenario and options, "name=value" each, also
// staff=SIDE. Signing has put them into capitals.
func (hd *Executor) doCreate(c *store.Change, _ store.Position, a Act) (string, error) {
	words := strings.Fields(a.Value)
	if len(words) == 0 {
		return "", errors.New("write the scenario and the options: kharkov-1942 deadline=3d 20:00 zone=Europe/Berlin sign-up=open")
	}
	options, err := gameOptions(words[1:])
	if err != nil {
		return "", err
	}
	staffs := match.Listed(options["staff"])
	delete(options, "staff")
	g, err := hd.NewRecord(strings.ToLower(words[0]), options, rand.Reader, staffs...)
	if err != nil {
		return "", err
	}
	c.Game, c.Expect = &g, 0
	return fmt.Sprintf("game %s of %s waits for players: MODERATE: INVITE with GAME: %s, or ANNOUNCE", g.ID, g.Title, g.ID), nil
}

// gameOptions reads the options of a new game, written as name=value in any letters.
func gameOptions(words []string) (map[string]string, error) {
	var given []string
	for _, w := range words {
		if n := len(given); n > 0 && !strings.Contains(w, "=") {
			given[n-1] += " " + w // 3d 20:00
			continue
		}
		given = append(given, w)
	}
	options, err := match.ParseOptions(given)
	if err != nil {
		return nil, err
	}
	for name, value := range options {
		switch name {
		case match.OptionZone:
			options[name] = calendar.ZoneName(value)
		case match.OptionReserved, "staff":
			options[name] = strings.ToUpper(value)
		default:
			options[name] = strings.ToLower(value)
		}
	}
	return options, nil
}

// doInvite invites somebody to a seat that is free.
func (hd *Executor) doInvite(c *store.Change, _ store.Position, a Act) (string, error) {
	address, name, err := somebody(a.Value)
	if err != nil {
		return "", err
	}
	if err := Free(*c.Game, a.Side); err != nil {
		return "", err
	}
	if err := hd.InviteTo(c, *c.Game, a.Side, post.Invited{Address: address, Name: name}); err != nil {
		return "", err
	}
	return fmt.Sprintf("a player is invited for %s", a.Side), nil
}

// doAnnounce opens a game for whoever asks for a seat by mail.
func (hd *Executor) doAnnounce(c *store.Change, pos store.Position, _ Act) (string, error) {
	if pos.Game.Status != store.StatusOpen {
		return "", fmt.Errorf("%w: the game is %s", ErrNotNow, pos.Game.Status)
	}
	c.Game.Options = maps.Clone(c.Game.Options)
	if c.Game.Options == nil {
		c.Game.Options = map[string]string{}
	}
	c.Game.Options[match.OptionSignUp] = match.SignUpOpen
	did := "the game is open for sign-up: anybody who asks for a free side by mail is invited"
	if !hd.SignUp {
		did += "; open_sign_up is off in the configuration, so strangers are not told of it"
	}
	return did, nil
}

// doStart begins a game that has not all its players: staff officers take the seats
// that are free.
func (hd *Executor) doStart(c *store.Change, pos store.Position, _ Act) (string, error) {
	if pos.Game.Status != store.StatusOpen {
		return "", fmt.Errorf("%w: the game is %s", ErrNotNow, pos.Game.Status)
	}
	var vacant []string
	for _, side := range c.Game.Sides {
		if Free(*c.Game, side) == nil {
			vacant = append(vacant, side)
			post.InvitationRecords.Drop(c, post.ToSeat(c.Game.ID, side))
		}
	}
	g, err := hd.SeatStaff(*c.Game, vacant, rand.Reader)
	if err != nil {
		return "", err
	}
	if byDefault := g.Options[match.OptionUndo] == match.UndoBetweenPeople; byDefault && len(vacant) == len(g.Sides)-1 {
		g.Options = maps.Clone(g.Options)
		g.Options[match.OptionUndo] = match.UndoAgainstStaff // nobody waits for a second thought
	}
	*c.Game = g
	return fmt.Sprintf("the game begins, with a staff officer of the program for %s", strings.Join(vacant, " and ")), hd.Begin(c)
}

// doBranch copies the game as it was after a phase (Value; else as it is) as a new
// one, with the same players, keys and options. It has other dice, and no sheets.
func (hd *Executor) doBranch(c *store.Change, pos store.Position, a Act) (string, error) {
	old := pos.Game
	n := old.Phases
	if a.Value != "" {
		var err error
		if n, err = strconv.ParseUint(a.Value, 10, 64); err != nil {
			n = 0
		}
	}
	if pos.Latest == nil || n < 1 || n > old.Phases {
		return "", fmt.Errorf("%q is not a phase of the game: write a number from 1 to %d", a.Value, old.Phases)
	}
	if err := hd.CheckVersion(old); err != nil {
		return "", err
	}
	phases, err := hd.DB.Journal(old.ID)
	if err != nil {
		return "", err
	}
	if first := match.LastMigration(phases); n < uint64(first+1) {
		return "", fmt.Errorf("%w: the game came to the rules of this program in phase %d, and cannot be copied from before it", ErrNotNow, first+1)
	}
	from, err := hd.DB.Phase(old.ID, n)
	if err != nil {
		return "", err
	}
	g, err := hd.NewRecord(old.Scenario, old.Options, rand.Reader)
	if err != nil {
		return "", err
	}
	g.Players = seatsAnew(old.Players)
	if err := hd.beginFrom(c, &g, old, from); err != nil {
		return "", err
	}
	return fmt.Sprintf("game %s begins where %s was after phase %d (%s, turn %d), with the same players and other dice", g.ID, old.ID, n, from.Phase, from.Turn), nil
}

// seatsAnew are the seats of a game for another one.
func seatsAnew(players []store.Player) []store.Player {
	players = slices.Clone(players)
	for i := range players {
		p := &players[i]
		p.Serial, p.Own, p.Drawn, p.LateTurns = 0, 0, 0, 0
		p.Commanders = slices.Clone(p.Commanders)
		for k := range p.Commanders {
			p.Commanders[k].Serial = 0
		}
	}
	return players
}

// beginFrom begins a game at a position of another one.
func (hd *Executor) beginFrom(c *store.Change, g *store.Game, old store.Game, from store.Phase) error {
	root := seats.RootOf(g.Players)
	g.Root, g.Status = root[:], store.StatusRunning
	m, err := hd.Under(store.Position{Game: *g})
	if err != nil {
		return err
	}
	opening, err := m.Rules.Opening()
	if err != nil {
		return err
	}
	e := adjudicator.Entry{Kind: adjudicator.EntryAnswer, Label: match.BranchLabel, Answer: fmt.Sprintf("%s after phase %d: %s", old.ID, from.Number, match.Packed(from.Snapshot)), Source: "the moderator"}
	journal, err := json.Marshal([]adjudicator.Entry{e})
	if err != nil {
		return err
	}
	c.Game, c.Expect = g, 0
	copied := store.Phase{Phase: match.BranchLabel, Turn: from.Turn, Journal: journal, Snapshot: from.Snapshot}
	p, err := m.Since(copied).Play(hd.SheetsOf(m, match.Given{Late: match.Lateness{Held: match.Held(*g)}}))
	if err != nil {
		return err
	}
	c.Phases = append([]store.Phase{{Phase: "set-up", Journal: []byte("[]"), Snapshot: opening}, copied}, p.Phases...)
	c.Open = p.Open
	if err := hd.SetDeadline(*g, p); err != nil {
		return err
	}
	for _, q := range hd.Everybody(*g) {
		m, err := hd.Invitation(*g, q) // the keys of the new game
		if err != nil {
			return err
		}
		c.Mails = append(c.Mails, m)
	}
	p.Notes = []string{fmt.Sprintf("The moderator: this game begins where game %s was after phase %d (%s, turn %d). Sheets and standing orders of that game do not count here: file them again, with GAME: %s.", old.ID, from.Number, from.Phase, from.Turn, g.ID)}
	if p.At.Over {
		hd.Finish(c)
	}
	return hd.Reports(c, m, p)
}
