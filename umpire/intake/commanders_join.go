package intake

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/rule"
	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/seats"
)

// ErrNoCommander says that a side has nobody of that address.
var ErrNoCommander = errors.New("no commander or deputy of the side has the address")

// sharedSeat is the seat of the side that an act is about, with its commanders to be
// changed.
func sharedSeat(c *store.Change, side string) (*store.Player, error) {
	i := slices.IndexFunc(c.Game.Players, func(p store.Player) bool { return p.Side == side })
	switch {
	case i < 0:
		return nil, fmt.Errorf("%w: say of which side, which has a player", match.ErrNoSide)
	case c.Game.Players[i].Staffed():
		return nil, fmt.Errorf("%w: a staff officer of the program plays %s", ErrNotNow, side)
	case c.Game.Status == store.StatusFinished:
		return nil, fmt.Errorf("%w: the game is over", ErrNotNow)
	}
	p := &c.Game.Players[i]
	p.Commanders = slices.Clone(p.Commanders)
	return p, nil
}

// somebody reads "ADDRESS [NAME]".
func somebody(text string) (address, name string, err error) {
	address, name, _ = strings.Cut(strings.TrimSpace(text), " ")
	if _, err := mailbox.PlainAddress(address); err != nil {
		return "", "", fmt.Errorf("%w: %w", ErrAddress, err)
	}
	return address, strings.TrimSpace(name), nil
}

// doCommander invites somebody to lead formations. Those stay where they are until the
// new commander has joined with a key.
func (hd *Handler) doCommander(c *store.Change, _ store.Position, a Act) (string, error) {
	p, err := sharedSeat(c, a.Side)
	if err != nil {
		return "", err
	}
	who, what, ok := strings.Cut(a.Value, ":")
	if !ok {
		return "", errors.New("write ADDRESS NAME: FORMATIONS, such as ivan@example.org Ivan: 6 Army, XXI ARM")
	}
	address, name, err := somebody(who)
	if err != nil {
		return "", err
	}
	if seats.WrittenFrom(*p, address) > 0 {
		return "", errors.New("they have a command on this side already: assign gives them other formations")
	}
	formations, err := hd.given(*c.Game, a.Side, what)
	if err != nil {
		return "", err
	}
	if err := notAnothers(*p, 0, formations); err != nil {
		return "", err
	}
	in := post.Invited{Address: address, Name: name, As: &store.Commander{Name: name, Address: address, Leads: formations}}
	if err := hd.inviteTo(c, *c.Game, a.Side, in); err != nil {
		return "", err
	}
	did := fmt.Sprintf("somebody is invited to lead %s of %s", strings.Join(formations, ", "), a.Side)
	return did, hd.tellSide(c, a.Side, "The moderator: "+did+". Until they have joined all stays as it is")
}

// notAnothers checks that formations are not given to two.
func notAnothers(p store.Player, commander int, formations []string) error {
	for _, f := range formations {
		if by := seats.Leads(p, []string{f}); by > 0 && by != commander {
			return fmt.Errorf("%s is under %s: assign them others first", f, seats.CommandName(p, by))
		}
	}
	return nil
}

// tellSide adds a notice to all persons of a side.
func (hd *Handler) tellSide(c *store.Change, side, why string, advice ...string) error {
	for _, p := range hd.Everybody(*c.Game) {
		if p.Side == side {
			if err := hd.Notify(c, p, "moderator", why, advice...); err != nil {
				return err
			}
		}
	}
	return nil
}

// doAssign gives a commander other formations in place of those held until now.
func (hd *Handler) doAssign(c *store.Change, _ store.Position, a Act) (string, error) {
	p, err := sharedSeat(c, a.Side)
	if err != nil {
		return "", err
	}
	who, what, _ := strings.Cut(a.Value, ":")
	commander := seats.WrittenFrom(*p, strings.TrimSpace(who))
	if commander == 0 || p.Commanders[commander-1].Deputy {
		return "", fmt.Errorf("%w: write ADDRESS: FORMATIONS", ErrNoCommander)
	}
	formations, err := hd.given(*c.Game, a.Side, what)
	if err != nil {
		return "", err
	}
	if err := notAnothers(*p, commander, formations); err != nil {
		return "", err
	}
	p.Commanders[commander-1].Leads = formations
	did := fmt.Sprintf("%s of %s leads %s from now on", seats.CommandName(*p, commander), a.Side, strings.Join(formations, ", "))
	return did, hd.tellSide(c, a.Side, "The moderator: "+did, append(hd.CommandLines(*p), "What is filed is judged by it when the next sheet of the side comes.")...)
}

// doDeputy invites somebody to stand in for a player.
func (hd *Handler) doDeputy(c *store.Change, _ store.Position, a Act) (string, error) {
	p, err := sharedSeat(c, a.Side)
	if err != nil {
		return "", err
	}
	did, err := hd.inviteDeputy(c, *c.Game, *p, a.Value)
	if err != nil {
		return "", err
	}
	return did, hd.tellSide(c, a.Side, "The moderator: "+did)
}

// inviteDeputy reads "ADDRESS [NAME] [FROM 2026-12-20 TO 2027-01-03]", whole days by
// the player's clock, and invites the deputy.
func (hd *Handler) inviteDeputy(c *store.Change, g store.Game, p store.Player, text string) (string, error) {
	as := &store.Commander{Deputy: true}
	words := strings.Fields(text)
	when := "while the player is away"
	if n := len(words) - 4; n > 0 && strings.EqualFold(words[n], "FROM") && strings.EqualFold(words[n+2], "TO") {
		zone := post.ZoneOf(p, g)
		from, err1 := time.ParseInLocation(time.DateOnly, words[n+1], zone)
		to, err2 := time.ParseInLocation(time.DateOnly, words[n+3], zone)
		if err1 != nil || err2 != nil || to.Before(from) {
			return "", fmt.Errorf("we cannot read %q as dates: write FROM 2026-12-20 TO 2027-01-03", strings.Join(words[n:], " "))
		}
		as.Stands = store.Span{From: from.UTC(), To: to.AddDate(0, 0, 1).UTC()}
		when = "from " + words[n+1] + " to the end of " + words[n+3]
		words = words[:n]
	}
	address, name, err := somebody(strings.Join(words, " "))
	if err != nil {
		return "", err
	}
	if strings.EqualFold(address, p.Address) || seats.WrittenFrom(p, address) > 0 {
		return "", errors.New("the address has a place on this side already")
	}
	as.Address, as.Name = address, name
	if err := hd.inviteTo(c, g, p.Side, post.Invited{Address: address, Name: name, As: as}); err != nil {
		return "", err
	}
	return fmt.Sprintf("a deputy is invited for %s, to send sheets %s", p.Side, when), nil
}

// appoint carries out a line DEPUTY of a player's sheet: an address, perhaps with
// days, or NO. Its invitation goes into the Change with the sheet.
func (l *incoming) appoint(p *store.Player, g store.Game, h orders.Header) (string, *rule.Violation) {
	p.Commanders = slices.Clone(p.Commanders)
	if strings.EqualFold(h.Value, "NO") {
		c := store.Change{Game: &g, Expect: g.Seq}
		for i, d := range p.Commanders {
			if !d.Deputy || d.Left {
				continue
			}
			if err := l.h.farewell(&c, *p, i+1); err != nil {
				l.h.Log.Error("a deputy cannot be told that their part has ended", "game", g.ID, "error", err)
			}
			p.Commanders[i] = seats.Relieved(d)
			l.invited = c
		}
		if len(l.invited.Mails) == 0 {
			return "", &rule.Violation{Why: "you have no deputy"}
		}
		return "nobody stands in for you any more", nil
	}
	c := store.Change{}
	did, err := l.h.inviteDeputy(&c, g, *p, inSmall(h.Typed))
	if err != nil {
		return "", &rule.Violation{Why: err.Error(), Instead: "Write DEPUTY: anna@example.org FROM 2026-12-20 TO 2027-01-03, or DEPUTY: anna@example.org for whenever you are AWAY, or DEPUTY: NO."}
	}
	l.invited = c
	return did, nil
}

// doRelieve takes a commander's or a deputy's place away. Their formations are the
// commander-in-chief's again.
func (hd *Handler) doRelieve(c *store.Change, _ store.Position, a Act) (string, error) {
	p, err := sharedSeat(c, a.Side)
	if err != nil {
		return "", err
	}
	commander := seats.WrittenFrom(*p, strings.TrimSpace(a.Value))
	if commander == 0 {
		return "", ErrNoCommander
	}
	did := fmt.Sprintf("%s commands on the side of %s no more", seats.CommandName(*p, commander), a.Side)
	if err := hd.farewell(c, *p, commander); err != nil {
		return "", err
	}
	p.Commanders[commander-1] = seats.Relieved(p.Commanders[commander-1])
	return did, hd.tellSide(c, a.Side, "The moderator: "+did, hd.CommandLines(*p)...)
}

// farewell tells somebody that their key no longer signs for a seat.
func (hd *Handler) farewell(c *store.Change, p store.Player, commander int) error {
	g := *c.Game
	l := report.Message{Kind: report.Notice, Game: g.ID, Title: g.Title, Scenario: g.Scenario, Side: p.Side, Address: hd.Address,
		Reason: "Your part in the game has ended.", Advice: []string{"Your key no longer signs for this side, and we will write to you no longer about this game. Thank you for playing."}}
	m, err := hd.Render(post.Draft{Game: g, Player: p.As(commander), Kind: "farewell", Number: fmt.Sprint(c.Expect + 1), Subject: l.Subject(), Text: l.Text(), HTML: l.HTML()})
	if err == nil {
		m.Game, m.Side, m.Commander = "", "", 0 // there is no seat any more by which it would be looked up
		c.Mails = append(c.Mails, m)
	}
	return err
}

// joinAs seats a commander or a deputy whose join code has come with a key.
func (l *incoming) joinAs(note string, in post.Invited, key seal.Key) (store.Change, error) {
	u, g := l.h, l.game
	refuse := func(why string) (store.Change, error) {
		return l.refuse(because(notJoined, refusal(why, "")))
	}
	i := slices.IndexFunc(g.Players, func(p store.Player) bool { return p.Side == l.player.Side })
	if i < 0 || g.Status == store.StatusFinished {
		return refuse("the side has no player, or the game is over")
	}
	if err := u.unused(g, key); err != nil {
		return refuse(err.Error())
	}
	g.Players = slices.Clone(g.Players)
	p := &g.Players[i]
	as := *in.As
	as.Key = key.String()
	if !p.Shared() && !as.Deputy {
		p.Own = p.Serial
	}
	p.Commanders = append(slices.Clone(p.Commanders), as)
	commander := len(p.Commanders)
	c := l.outcome(fmt.Sprintf("a commander joins %s in game %s", p.Side, g.ID))
	c.Game, c.Expect, c.Notes = &g, g.Seq, map[string][]byte{note: nil}
	did := post.Sentence(seats.CommandName(*p, commander) + " joins the command of " + p.Side)
	joined := "you have joined the command of " + p.Side
	if as.Deputy {
		did = post.Sentence(fmt.Sprintf("%s of %s has joined with a key of their own", seats.CommandName(*p, commander), p.Side))
		joined = "you are the deputy of the player of " + p.Side
	}
	for _, q := range u.Persons(*p) {
		if q.Commander == commander {
			continue
		}
		if err := u.Notify(&c, q, "command", did, append(u.CommandLines(*p), "They sign with "+seal.Signer(key)+".")...); err != nil {
			return refuse("a fault of ours; the moderator will see it in the log")
		}
	}
	l.game = g
	says := append([]string{"You sign with " + seal.Signer(key) + ". Compare it with what your program shows."}, u.CommandLines(*p)...)
	c.Mails = append(l.letterTo(p.As(commander), joined, says...), c.Mails...)
	if pos, err := u.DB.Load(g.ID); err == nil && pos.Latest != nil && (!as.Deputy || u.StandsIn(*p, as)) {
		m, err := u.handover(&c, pos, p.As(commander))
		if err != nil {
			u.Log.Error("a commander cannot be told the story", "game", g.ID, "error", err)
			return c, nil
		}
		c.Mails = append(c.Mails, m)
	}
	return c, nil
}

// mayNot refuses a sheet whose head says what is not for its writer to say.
func (l *incoming) mayNot(head *orders.Sheet) error {
	p := l.player
	if p.Commander == 0 {
		return nil
	}
	c := p.Commanders[p.Commander-1]
	if c.Deputy && !l.h.StandsIn(p, c) {
		when := "while the player has said that they are AWAY"
		if !c.Stands.To.IsZero() {
			when = fmt.Sprintf("from %s to %s", c.Stands.From.Format("2 Jan 2006 15:04"), c.Stands.To.Format("2 Jan 2006 15:04 MST"))
		}
		return refusal("you stand in for the player of "+p.Side+" "+when+", and not now", "Nothing of the sheet is filed.")
	}
	if match.GivesUp(head) {
		return refusal("only the player of the seat gives the game up or offers a draw", "Write to them.")
	}
	return nil
}

// commandersHeadLines carries out the lines of a commander's head that are about
// themselves; those about the side's time are its player's.
func (l *incoming) commandersHeadLines(p *store.Player) (lines []adjudicator.Line) {
	p.Commanders = slices.Clone(p.Commanders)
	c := &p.Commanders[l.player.Commander-1]
	for _, h := range l.sheet.AsTyped(l.typed) {
		line := adjudicator.Line{Pos: h.Pos, Text: h.Name + ": " + h.Value}
		as := store.Player{Address: c.Address, Zone: c.Zone}
		switch h.Name {
		case "ZONE":
			line.Understood, line.Refused = SetZone(&as, h)
		case "ADDRESS":
			line.Understood, line.Refused = setAddress(&as, h)
		case "AWAY", "EXTEND", "DEPUTY":
			line.Refused = &rule.Violation{Why: h.Name + " is for the player of the side to say", Instead: "Write to them."}
		case "MODE":
			if seats.Deputy(l.player) || !l.player.Shared() {
				continue
			}
			line.Refused = &rule.Violation{Why: "only the commander-in-chief can set MODE", Instead: "Write to them."}
		default:
			continue
		}
		c.Address, c.Zone = as.Address, as.Zone
		lines = append(lines, line)
	}
	return lines
}

// deputyFiled tells the player what the deputy has filed in their place.
func (l *incoming) deputyFiled(turn, serial int) []store.Mail {
	if !seats.Deputy(l.player) {
		return nil
	}
	i := slices.IndexFunc(l.game.Players, func(p store.Player) bool { return p.Side == l.player.Side })
	seat := l.game.Players[i]
	n := report.Note{Game: l.game.ID, Title: l.game.Title, About: fmt.Sprintf("%s has filed sheet %d in your place", seats.CommandName(seat, l.player.Commander), serial),
		Says: []string{fmt.Sprintf("It is for turn %d. A sheet of yours with a higher SERIAL takes its place, and DEPUTY: NO in a sheet's head ends their standing in.", turn)}}
	return l.toCommander(seat, 0, post.Draft{Kind: "deputy", Subject: n.Subject(), Text: n.Text(), HTML: n.HTML()})
}
