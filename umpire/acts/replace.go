package acts

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/seats"
)

// doReplace invites somebody to a seat that has a player: Value is their address and
// name. The player keeps the seat until the other one has joined with a key.
func (hd *Executor) doReplace(c *store.Change, pos store.Position, a Act) (string, error) {
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
	if err := hd.InviteTo(c, *c.Game, a.Side, post.Invited{Address: address, Name: strings.TrimSpace(name), Replaces: true}); err != nil {
		return "", err
	}
	return fmt.Sprintf("another player is invited to take over %s; until they have joined the seat stays as it is", a.Side), nil
}

// TakeOver adds to a Change that somebody takes the seat of another player. What
// was filed stands, and serials go on. All are told, the one who leaves too.
func (hd *Executor) TakeOver(c *store.Change, g store.Game, p store.Player) (store.Game, error) {
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
	byCodes := fresh.Method() == seal.Code
	if err := hd.Unused(g, fresh); err != nil && !byCodes { // all who play a side by codes have the same key
		return g, err
	}
	g.Players = slices.Clone(g.Players)
	if _, err := hd.serialsBack(c, g.ID, &g.Players[i], orders.MaxSerial-1); err != nil {
		return g, err
	}
	old := g.Players[i]
	// The nonce stays: the root of the dice was made of it when the game began.
	g.Players[i] = store.Player{Side: old.Side, Name: p.Name, Address: p.Address, Key: old.Key, Nonce: old.Nonce, Sealed: old.Sealed, NonceSignature: old.NonceSignature, Serial: old.Serial, Holder: old.Holder + 1, Commanders: old.Commanders, Own: old.Own}
	// Who comes begins anew: their numbers go on from the sheets that stand.
	if err := hd.ChangeKey(c, g, seats.KeyChange{Side: p.Side, What: "replaced: another player has the seat", Old: store.KeyID(old.Key)}, fresh, nil); err != nil {
		return g, err
	}
	// Who takes the seat is welcomed, and needs no notice of it.
	c.Mails = slices.DeleteFunc(c.Mails, func(m store.Mail) bool { return m.Side == p.Side && m.Commander == 0 })
	g = *c.Game
	if !old.Staffed() {
		seats.HadSeat(c, pos.Game, old)
		l := report.Message{Kind: report.Notice, Game: g.ID, Title: g.Title, Scenario: g.Scenario, Side: old.Side, Address: hd.Address,
			Reason: "Another player has taken your seat.", Advice: []string{"Your key no longer signs for it, and we will not write to you about this game any more. Thank you for playing."}}
		if seal.IsCode(old.Key) {
			l.Advice = []string{"The codes of your reports no longer count, and we will not write to you about this game any more. Thank you for playing."}
		}
		m, err := hd.Render(post.Draft{Game: g, Player: old, Kind: "farewell", Number: fmt.Sprint(g.Seq + 1), Subject: l.Subject(), Text: l.Text(), HTML: l.HTML()})
		if err != nil {
			return g, err
		}
		m.Game, m.Side = "", "" // there is no seat any more by which it would be looked up
		c.Mails = append(c.Mails, m)
	}
	m, err := hd.Handover(c, pos, g.Players[i])
	if err != nil {
		return g, err
	}
	c.Mails = append(c.Mails, m)
	return g, nil
}

// doSerial sets the numbers of a side's sheets back: to Value, or, without one, to the
// highest that leaves room for others. The side alone is told.
func (hd *Executor) doSerial(c *store.Change, _ store.Position, a Act) (string, error) {
	i := slices.IndexFunc(c.Game.Players, func(p store.Player) bool { return p.Side == a.Side })
	if i < 0 {
		return "", fmt.Errorf("%w: say which side, which has a player", match.ErrNoSide)
	}
	highest := orders.MaxSerial - 1
	if a.Value != "" {
		n, err := strconv.Atoi(a.Value)
		if err != nil || n < 0 || n > highest {
			return "", fmt.Errorf("%q is not the number of a sheet: write one from 0 to %d, or none", a.Value, highest)
		}
		highest = n
	}
	dropped, err := hd.serialsBack(c, c.Game.ID, &c.Game.Players[i], highest)
	if err != nil {
		return "", err
	}
	p := c.Game.Players[i]
	did := fmt.Sprintf("the sheets of %s are numbered from %d on again", p.Side, p.As(0).Serial+1)
	if dropped > 0 {
		did += fmt.Sprintf(", and %d filed with a higher number no longer count", dropped)
	}
	for _, who := range hd.Everybody(*c.Game) {
		if who.Side != p.Side {
			continue
		}
		if err := hd.Notify(c, who, "moderator", "The moderator: "+did); err != nil {
			return "", err
		}
	}
	return did, nil
}

// serialsBack sets the numbers of a seat back to those of its sheets that have no higher
// one than highest. Filings above it are taken back; it says how many.
func (hd *Executor) serialsBack(c *store.Change, game string, p *store.Player, highest int) (dropped int, err error) {
	filed, err := match.FilingRecords.All(hd.DB, game, p.Side)
	if err != nil {
		return 0, err
	}
	for key, f := range filed {
		if f.Serial > highest {
			match.FilingRecords.Drop(c, key)
			dropped++
		}
	}
	if err := hd.serialsUpTo(game, p, func(s store.Sheet) bool { return s.Serial <= highest }); err != nil {
		return 0, err
	}
	if dropped == 0 {
		return 0, nil
	}
	thoughts, err := hd.ThoughtsOf(game)
	if err != nil {
		return 0, err
	}
	if t, is := thoughts[adjudicator.Side(p.Side)]; is && t.Serial > highest {
		delete(thoughts, adjudicator.Side(p.Side))
		match.ThoughtRecords.Put(c, game, thoughts)
	}
	return dropped, nil
}

// serialsUpTo sets the numbers of a seat back to the highest of its sheets that count.
func (hd *Executor) serialsUpTo(game string, p *store.Player, counts func(store.Sheet) bool) error {
	sheets, err := hd.DB.AllSheets(game)
	if err != nil {
		return err
	}
	last := map[int]int{} // by part
	for _, s := range sheets {
		if s.Side == p.Side && counts(s) {
			last[s.Part] = max(last[s.Part], s.Serial)
		}
	}
	p.Serial, p.Own = min(p.Serial, last[0]), min(p.Own, max(last[0], last[1]))
	p.Commanders = slices.Clone(p.Commanders)
	for k := range p.Commanders {
		p.Commanders[k].Serial = min(p.Commanders[k].Serial, last[k+2])
	}
	return nil
}

// FileFiled is the file of a handover with the sheets that are filed.
const FileFiled = "filed.txt"

// Handover is one mail with everything that a side may know: the story from the
// first phase, the position with its map and view, and the sheets that are filed.
func (hd *Executor) Handover(c *store.Change, pos store.Position, player store.Player) (store.Mail, error) {
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
	r.Number = hd.ReportsSent(g, player.Side)
	v.Story.LeaveProofs()
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
	return hd.PostReport(d, r, m)
}

// fromTheStart are all events of a game's complete phases.
func (hd *Executor) fromTheStart(m match.Match) (all []match.ProvedEvent, err error) {
	defer match.CatchPanic(&err)
	journals, err := hd.DB.Journal(m.Game.ID)
	if err != nil {
		return nil, err
	}
	first := max(2, uint64(match.LastMigration(journals))+2)
	for _, p := range match.Line(journals) {
		if p.Number < first {
			continue
		}
		before, err := hd.DB.Phase(m.Game.ID, p.Number-1)
		if err != nil {
			return nil, err
		}
		journal, err := match.EntriesOf(p.Journal)
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
		all = append(all, match.ProvedEvents(p.Phase, out, p.Beacon)...)
	}
	return all, nil
}

// standing are the side's accepted sheets, oldest first: what is filed, with its
// standing orders.
func (hd *Executor) standing(game, side string) (string, error) {
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
