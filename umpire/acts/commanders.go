package acts

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/mailbox"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/seats"
)

// ErrNoCommander says that a side has nobody of that address.
var ErrNoCommander = errors.New("no commander or deputy of the side has the address")

// SharedSeat is the seat of the side that an act is about, with its commanders to be
// changed.
func SharedSeat(c *store.Change, side string) (*store.Player, error) {
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

// given checks names of formations and units that are to be somebody's, and writes
// them as the side's own view does. Words of the order sheet, such as AIR, give them
// the orders of that section that name no unit.
func (hd *Executor) given(g store.Game, side, text string) ([]string, error) {
	game, sys, err := hd.RulesOf(g)
	if err != nil {
		return nil, err
	}
	position, err := game.Opening()
	if err != nil {
		return nil, err
	}
	if pos, err := hd.DB.Load(g.ID); err == nil && pos.Latest != nil {
		position = pos.Latest.Snapshot
	}
	v, err := game.View(position, adjudicator.Side(side))
	if err != nil {
		return nil, err
	}
	known := map[string]string{}
	var formations []string
	for _, list := range [][]view.Unit{v.Lost, v.Arrivals, v.Units} {
		for _, unit := range list {
			for _, n := range []string{unit.ID, unit.Name, unit.Parent, unit.Formation} {
				known[strings.ToUpper(n)] = n
			}
			if f := unit.Formation; f != "" && !slices.Contains(formations, f) {
				formations = append(formations, f)
			}
		}
	}
	for _, s := range sys.Vocabulary().Sections {
		known[s] = s
	}
	var out []string
	for _, name := range strings.Split(text, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		n, ok := known[strings.ToUpper(name)]
		if !ok {
			slices.Sort(formations)
			return nil, fmt.Errorf("%s has no formation or unit %q; its formations are %s", side, name, strings.Join(formations, ", "))
		}
		out = append(out, n)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no formation is named: write 6 Army, XXI ARM")
	}
	return out, nil
}

// doCommander invites somebody to lead formations. Those stay where they are until the
// new commander has joined with a key.
func (hd *Executor) doCommander(c *store.Change, _ store.Position, a Act) (string, error) {
	p, err := SharedSeat(c, a.Side)
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
	if err := hd.InviteTo(c, *c.Game, a.Side, in); err != nil {
		return "", err
	}
	did := fmt.Sprintf("somebody is invited to lead %s of %s", strings.Join(formations, ", "), a.Side)
	return did, hd.TellSide(c, a.Side, "The moderator: "+did+". Until they have joined, everything stays as it is")
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

// TellSide adds a notice to all persons of a side.
func (hd *Executor) TellSide(c *store.Change, side, why string, advice ...string) error {
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
func (hd *Executor) doAssign(c *store.Change, _ store.Position, a Act) (string, error) {
	p, err := SharedSeat(c, a.Side)
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
	return did, hd.TellSide(c, a.Side, "The moderator: "+did, append(hd.CommandLines(*p), "What is filed is judged by this when the side's next sheet comes.")...)
}

// doDeputy invites somebody to stand in for a player.
func (hd *Executor) doDeputy(c *store.Change, _ store.Position, a Act) (string, error) {
	p, err := SharedSeat(c, a.Side)
	if err != nil {
		return "", err
	}
	did, err := hd.InviteDeputy(c, *c.Game, *p, Deputation{Text: a.Value})
	if err != nil {
		return "", err
	}
	return did, hd.TellSide(c, a.Side, "The moderator: "+did)
}

// Deputation is the wish for a deputy: "ADDRESS [NAME] [FROM 2026-12-20 TO 2027-01-03]",
// whole days by the player's clock. ByPlayer tells that the player themselves wants one.
type Deputation struct {
	Text     string
	ByPlayer bool
}

// InviteDeputy invites the deputy who is wished for. Their invitation has the code by which
// they join; until then nothing else goes to them.
func (hd *Executor) InviteDeputy(c *store.Change, g store.Game, p store.Player, wish Deputation) (string, error) {
	as := &store.Commander{Deputy: true}
	words := strings.Fields(wish.Text)
	when := "while the player is away"
	if n := len(words) - 4; n > 0 && strings.EqualFold(words[n], "FROM") && strings.EqualFold(words[n+2], "TO") {
		zone := post.ZoneOf(p, g)
		from, err1 := time.ParseInLocation(time.DateOnly, words[n+1], zone)
		to, err2 := time.ParseInLocation(time.DateOnly, words[n+3], zone)
		if errors.Join(err1, err2) != nil || to.Before(from) {
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
	in := post.Invited{Address: address, Name: name, As: as}
	if wish.ByPlayer {
		if !plainName(name) {
			return "", fmt.Errorf("%q is not a name of a person: up to %d letters", name, longestName)
		}
		in.By = store.Seat{Game: g.ID, Side: p.Side}
	}
	if err := hd.InviteTo(c, g, p.Side, in); err != nil {
		return "", err
	}
	return fmt.Sprintf("a deputy is invited for %s, to send sheets %s", p.Side, when), nil
}

// longestName bounds the name of somebody whom a player invites: it stands in a mail to an
// address that may be a stranger's.
const longestName = 40

// plainName tells whether a text can be the name of a person, and nothing that a mail
// program makes a link of.
func plainName(name string) bool {
	inName := func(r rune) bool {
		return unicode.In(r, unicode.Letter, unicode.Mark) || strings.ContainsRune(" -'’", r)
	}
	for _, word := range strings.Fields(name) {
		if strings.ContainsFunc(strings.TrimSuffix(word, "."), func(r rune) bool { return !inName(r) }) {
			return false
		}
	}
	return utf8.RuneCountInString(name) <= longestName
}

// doRelieve removes a commander or a deputy. Their formations are the
// commander-in-chief's again.
func (hd *Executor) doRelieve(c *store.Change, _ store.Position, a Act) (string, error) {
	p, err := SharedSeat(c, a.Side)
	if err != nil {
		return "", err
	}
	commander := seats.WrittenFrom(*p, strings.TrimSpace(a.Value))
	if commander == 0 {
		return "", ErrNoCommander
	}
	did := fmt.Sprintf("%s no longer commands on the side of %s", seats.CommandName(*p, commander), a.Side)
	if err := hd.Farewell(c, *p, commander); err != nil {
		return "", err
	}
	p.Commanders[commander-1] = seats.Relieved(p.Commanders[commander-1])
	return did, hd.TellSide(c, a.Side, "The moderator: "+did, hd.CommandLines(*p)...)
}

// Farewell tells somebody that their key no longer signs for a seat.
func (hd *Executor) Farewell(c *store.Change, p store.Player, commander int) error {
	g := *c.Game
	l := report.Message{Kind: report.Notice, Game: g.ID, Title: g.Title, Scenario: g.Scenario, Side: p.Side, Address: hd.Address,
		Reason: "Your part in the game has ended.", Advice: []string{"Your key no longer signs for this side, and we will not write to you about this game any more. Thank you for playing."}}
	m, err := hd.Render(post.Draft{Game: g, Player: p.As(commander), Kind: "farewell", Number: fmt.Sprint(c.Expect + 1), Subject: l.Subject(), Text: l.Text(), HTML: l.HTML()})
	if err == nil {
		m.Game, m.Side, m.Commander = "", "", 0 // there is no seat any more by which it would be looked up
		c.Mails = append(c.Mails, m)
	}
	return err
}

// Manned is who plays a side, for moderators: addresses are nobody else's business.
type Manned struct {
	Side, Who string
	// Command says who leads what where a side has several commanders or a deputy.
	Command []string
}

// Manned are the sides of a game in their order; errors as of the store.
func (hd *Executor) Manned(id string) (all []Manned, err error) {
	g, err := hd.DB.Game(id)
	if err != nil {
		return nil, err
	}
	for _, side := range g.Sides {
		m := Manned{Side: side, Who: "nobody yet"}
		for _, p := range g.Players {
			switch {
			case p.Side != side:
			case p.Staffed():
				m.Who = "a staff officer of the program"
			default:
				m.Who, m.Command = strings.TrimSpace(p.Name+" "+p.Address), hd.CommandLines(p)
				for i, c := range p.Commanders {
					if !c.Left {
						m.Command = append(m.Command, fmt.Sprintf("Write to %s at %s.", seats.CommandName(p, i+1), c.Address))
					}
				}
			}
		}
		all = append(all, m)
	}
	return all, nil
}
