package club

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldpost/mailbox"
	"fieldpost/report/chart"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/scene"
)

// Inside is what nobody but a moderator who asked for it may see of a game: what was sent in,
// what is filed, what went out. The newest of each comes first.
type Inside struct {
	Phases []match.PlayedPhase
	Sheets []store.Sheet
	In     []store.Handled
	Out    []Outgoing
}

// Outgoing is a mail of a game and what became of it.
type Outgoing struct {
	ID, Kind, Side, To string
	State              store.MailState
	At                 time.Time // of the last change of its state, zero before the first
	Next               time.Time // when it is tried, of one that waits
	Reply              string    // of the last server
}

// Inside looks into a game.
func (o *Observer) Inside(id string) (in Inside, err error) {
	if in.Phases, err = o.PlayedPhases(id); err != nil {
		return in, err
	}
	slices.Reverse(in.Phases)
	if in.Sheets, err = o.DB.AllSheets(id); err != nil {
		return in, err
	}
	slices.SortStableFunc(in.Sheets, func(a, b store.Sheet) int { return int(b.Seq) - int(a.Seq) })
	steps, err := o.DB.Steps(id)
	if err != nil {
		return in, err
	}
	about, err := match.AboutRecords.All(o.DB, id)
	if err := o.Readable(err); err != nil {
		return in, err
	}
	var came []string
	for _, s := range steps {
		came = append(came, s.Handled)
	}
	for key := range about {
		came = append(came, key.SHA256)
	}
	for _, sha := range came {
		if sha == "" {
			continue
		}
		h, known, err := o.DB.Handled(sha)
		if err != nil {
			return in, err
		}
		if known {
			in.In = append(in.In, h)
		}
	}
	slices.SortFunc(in.In, func(a, b store.Handled) int {
		return cmp.Or(b.Received.Compare(a.Received), cmp.Compare(b.Seq, a.Seq), cmp.Compare(a.SHA256, b.SHA256))
	})
	mails, err := o.DB.Mails(id)
	if err != nil {
		return in, err
	}
	for _, m := range slices.Backward(mails) {
		in.Out = append(in.Out, Outgoing{ID: m.ID, Kind: m.Kind, Side: m.Side, To: m.To, State: m.State, At: m.Changed, Next: m.Next, Reply: m.Reply})
	}
	return in, nil
}

// InsideMap draws the position of a game as a side knows it, with "" both sides open.
func (o *Observer) InsideMap(id, side string) ([]byte, error) {
	sc, err := scene.At(&o.Games, id, side, 0)
	if err != nil {
		return nil, err
	}
	pic, err := scene.Drawn(o.Share, "", "", sc.View, chart.Options{Scale: chart.FitScale(sc.View.Board, scene.MapWidth), Marks: sc.Marks, Note: sc.Note})
	return pic.Data, err
}

// EditedMap draws the position of a game with both sides open, as an edit would make it.
func (o *Observer) EditedMap(id, edit string) ([]byte, error) {
	m, err := o.Load(id)
	if err != nil {
		return nil, err
	}
	if m.Latest == nil {
		return nil, fmt.Errorf("game %s: %w", id, scene.ErrNoTurn)
	}
	after, _, err := match.Edited(m.Rules, m.Latest.Snapshot, edit)
	if err != nil {
		return nil, err
	}
	v, err := match.SeenBy(m.Rules, after, "")
	if err != nil {
		return nil, err
	}
	v.Game = id
	pic, err := scene.Drawn(o.Share, "", "", v, chart.Options{Scale: chart.FitScale(v.Board, scene.MapWidth), Note: "as the edit would make it; both sides lie open"})
	return pic.Data, err
}

// Letter is a mail to read: its head lines and its text.
type Letter struct {
	Subject, From, To, Text string
	Side                    string // of a mail that came: whose address wrote it, "" for nobody's of the game
	Files                   []string
	Raw                     []byte
}

// OutgoingLetter is a mail of a game that went out.
func (o *Observer) OutgoingLetter(game, id string) (Letter, error) {
	m, err := o.DB.Mail(id)
	if err != nil {
		return Letter{}, err
	}
	if m.Game != game {
		return Letter{}, fmt.Errorf("mail %s of game %s: %w", id, game, ErrNoGame)
	}
	raw, err := o.DB.MailBytes(m.SHA256)
	if err != nil {
		return Letter{}, err
	}
	l, err := readLetter(raw)
	l.To = m.To
	return l, err
}

// IncomingLetter is a mail that came for a game, by the SHA-256 of its bytes in hexadecimal digits.
func (o *Observer) IncomingLetter(game, sha string) (Letter, error) {
	h, known, err := o.DB.Handled(sha)
	if err != nil {
		return Letter{}, err
	}
	_, about, err := match.AboutRecords.Get(o.DB, match.AboutKey{Game: game, SHA256: sha})
	if err != nil {
		return Letter{}, err
	}
	if !known || h.Game != game && !about {
		return Letter{}, fmt.Errorf("mail %.12s of game %s: %w", sha, game, ErrNoGame)
	}
	raw, err := o.DB.Spooled(sha)
	if err != nil {
		return Letter{}, fmt.Errorf("its bytes are not kept any more: %w", err)
	}
	g, err := o.DB.Game(game)
	if err != nil {
		return Letter{}, err
	}
	l, err := readLetter(raw)
	for _, p := range g.Players {
		if p.Address != "" && strings.EqualFold(p.Address, l.From) {
			l.Side = p.Side
		}
	}
	return l, err
}

func readLetter(raw []byte) (Letter, error) {
	m, err := mailbox.Read(raw)
	if err != nil {
		return Letter{Text: err.Error(), Raw: raw}, nil
	}
	l := Letter{Subject: m.Subject, From: m.From, Raw: raw}
	for _, t := range m.Texts {
		l.Text += t.AsSent + "\n"
	}
	for _, f := range m.Attachments {
		l.Files = append(l.Files, f.Name)
	}
	return l, nil
}
