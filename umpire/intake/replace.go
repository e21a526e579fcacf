package intake

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/seats"
)

// doReplace invites somebody to a seat that has a player: Value is their address and
// name. The player keeps the seat until the other one has joined with a key.
func (hd *Handler) doReplace(c *store.Change, pos store.Position, a Act) (string, error) {
	address, name, _ := strings.Cut(a.Value, " ")
	if !slices.ContainsFunc(c.Game.Players, func(p store.Player) bool { return p.Side == a.Side }) {
		return "", fmt.Errorf("%w: say which side, which has a player; an open seat takes player invite", match.ErrNoSide)
	}
	if pos.Latest == nil || pos.Game.Status == store.StatusFinished {
		return "", fmt.Errorf("%w: the game is %s", ErrNotNow, pos.Game.Status)
	}
	if _, err := mailbox.PlainAddress(address); err != nil {
		return "", fmt.Errorf("%w: %w", ErrAddress, err)
	}
	if err := hd.inviteTo(c, *c.Game, a.Side, post.Invited{Address: address, Name: strings.TrimSpace(name), Replaces: true}); err != nil {
		return "", err
	}
	return fmt.Sprintf("another player is invited to take over %s; until they have joined the seat stays as it is", a.Side), nil
}

// takeOver adds to a Change that somebody takes the seat of another player. What
// was filed stands, and serials go on. All are told, the one who leaves too.
func (hd *Handler) takeOver(c *store.Change, g store.Game, p store.Player) (store.Game, error) {
	pos, err := hd.DB.Load(g.ID)
	if err != nil {
		return g, err
	}
	i := slices.IndexFunc(g.Players, func(q store.Player) bool { return q.Side == p.Side })
	if i < 0 || pos.Latest == nil || g.Status == store.StatusFinished {
		return g, fmt.Errorf("%w: the game is %s", ErrNotNow, g.Status)
	}
	fresh, err := seal.ParseKey(p.Key)
	if err != nil {
		return g, err
	}
	if err := hd.unused(g, fresh); err != nil {
		return g, err
	}
	old := g.Players[i]
	g.Players = slices.Clone(g.Players)
	// The nonce stays: the root of the dice was made of it when the game began.
	g.Players[i] = store.Player{Side: old.Side, Name: p.Name, Address: p.Address, Key: old.Key, Nonce: old.Nonce, Sealed: old.Sealed, NonceSignature: old.NonceSignature, Serial: old.Serial, Commanders: old.Commanders, Own: old.Own}
	notes := c.Notes
	if err := hd.changeKey(c, g, seats.KeyChange{Side: p.Side, What: "replaced: another player has the seat", Old: store.KeyID(old.Key)}, fresh, nil); err != nil {
		return g, err
	}
	for name, text := range notes {
		c.Notes[name] = text
	}
	g = *c.Game
	if !old.Staffed() {
		if err := hadSeat(c, pos.Game, old); err != nil {
			return g, err
		}
		l := report.Message{Kind: report.Notice, Game: g.ID, Title: g.Title, Scenario: g.Scenario, Side: old.Side, Address: hd.Address,
			Reason: "Another player has taken your seat.", Advice: []string{"Your key signs for it no more, and no more mail of the game goes to you. Thank you for playing."}}
		m, err := hd.Render(post.Draft{Game: g, Player: old, Kind: "farewell", Number: fmt.Sprint(g.Seq + 1), Subject: l.Subject(), Text: l.Text(), HTML: l.HTML()})
		if err != nil {
			return g, err
		}
		m.Game, m.Side = "", "" // there is no seat any more by which it would be looked up
		c.Mails = append(c.Mails, m)
	}
	m, err := hd.handover(c, pos, g.Players[i])
	if err != nil {
		return g, err
	}
	c.Mails = append(c.Mails, m)
	return g, nil
}

// FileFiled is the file of a handover with the sheets that are filed.
const FileFiled = "filed.txt"

// handover is one mail with everything that a side may know: the story from the
// first phase, the position with its map and view, and the sheets that are filed.
func (hd *Handler) handover(c *store.Change, pos store.Position, player store.Player) (store.Mail, error) {
	g := *c.Game
	m, err := hd.Under(store.Position{Game: g, Latest: pos.Latest, Open: pos.Open})
	if err != nil {
		return store.Mail{}, err
	}
	p := match.Progress{Position: pos.Latest.Snapshot, Open: pos.Open}
	if p.At, err = m.At(); err != nil {
		return store.Mail{}, err
	}
	if p.Pending, err = m.Pending(); err != nil {
		return store.Mail{}, err
	}
	v, err := m.View(player.Side)
	if err != nil {
		return store.Mail{}, err
	}
	if p.Events, err = hd.fromTheStart(m); err != nil {
		return store.Mail{}, err
	}
	r := hd.NewReport(c, m, player, p, v)
	r.Number, r.Dice = hd.ReportsSent(g, player.Side), nil
	r.Notes = append(r.Notes, "This is the whole story of your side, from the first turn; the proofs of its dice went out with the reports of the time, and the archive of the game has them all.")
	if p.At.Side == "" || string(p.At.Side) == player.Side {
		r.Due = fmt.Sprintf("your sheet for turn %d", r.Turn)
	}
	if match.Timed(pos.Open) && slices.Contains(match.WaitingFor(p.Pending), player.Side) {
		r.By = hd.UntilInWords(player, g, pos.Open.Deadline)
	}
	d := post.Draft{Game: g, Player: player, Kind: "handover", Number: fmt.Sprint(c.Expect + 1)}
	filed, err := hd.standing(g.ID, player.Side)
	if err != nil {
		return store.Mail{}, err
	}
	if filed != "" {
		r.Notes = append(r.Notes, "The sheets that your side has filed, and their standing orders, are in "+FileFiled+".")
		d.Files = append(d.Files, mailbox.File{Name: FileFiled, Type: "text/plain", Data: []byte(filed)})
	}
	return hd.PostReport(d, r, m.System)
}

// fromTheStart are all events of a game's complete phases.
func (hd *Handler) fromTheStart(m match.Match) (all []match.ProvedEvent, err error) {
	defer match.CatchPanic(&err)
	journals, err := hd.DB.Journal(m.Game.ID)
	if err != nil {
		return nil, err
	}
	for n := max(2, uint64(match.LastMigration(journals))+2); n <= m.Game.Phases; n++ {
		before, err := hd.DB.Phase(m.Game.ID, n-1)
		if err != nil {
			return nil, err
		}
		journal, err := match.EntriesOf(journals[n-1].Journal)
		if err != nil {
			return nil, err
		}
		if match.Intervention(journal) != nil {
			continue // nobody's doing in the field: the moderator's, or the end
		}
		out, err := m.Rules.Play(before.Snapshot, journal, match.JournalOnly{}, match.JournalOnly{})
		if err != nil {
			return nil, err
		}
		all = append(all, match.ProvedEvents(journals[n-1].Phase, out, journals[n-1].Beacon)...)
	}
	return all, nil
}

// standing are the side's accepted sheets, oldest first: what is filed, with its
// standing orders.
func (hd *Handler) standing(game, side string) (string, error) {
	sheets, err := hd.DB.AllSheets(game)
	if err != nil {
		return "", err
	}
	sheets = slices.DeleteFunc(sheets, func(s store.Sheet) bool { return s.Side != side })
	slices.SortFunc(sheets, func(a, b store.Sheet) int { return a.Serial - b.Serial })
	var b strings.Builder
	for _, s := range sheets {
		fmt.Fprintf(&b, "%s\n", s.Canonical)
	}
	return b.String(), nil
}

// LeftSeatNotes keep the records of those who gave a seat into other hands.
func LeftSeatNotes(game string) string { return "left/" + game + "/" }

// LeftSeat is such a note.
type LeftSeat struct {
	Name    string `json:"name"`
	Address string `json:"address"`
	Side    string `json:"side"`
	Late    int    `json:"late"`
	Seq     uint64 `json:"seq"` // the Change in which they left
}

// hadSeat notes who leaves a seat with the next Change.
func hadSeat(c *store.Change, g store.Game, p store.Player) error {
	text, err := json.Marshal(LeftSeat{Name: p.Name, Address: p.Address, Side: p.Side, Late: p.LateTurns, Seq: g.Seq + 1})
	c.Notes[fmt.Sprintf("%s%08d", LeftSeatNotes(g.ID), g.Seq+1)] = text
	return err
}
