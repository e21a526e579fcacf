package post

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/calendar"
	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/report/chart"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/proof"
	"fieldpost/umpire/scene"
	"fieldpost/umpire/seats"
)

// Reports adds to the Change of a game a report for every player: everything that
// happened since the last stop, as their side may know it.
func (o *Office) Reports(c *store.Change, m match.Match, p match.Progress) error {
	var out []store.Mail
	for _, player := range o.Everybody(*c.Game) {
		if player.Staffed() {
			continue
		}
		mail, err := o.report(c, m, player, p)
		if err != nil {
			return fmt.Errorf("report for %s: %w", player.Side, err)
		}
		out = append(out, mail)
	}
	c.Mails = append(c.Mails, out...)
	return nil
}

func (o *Office) report(c *store.Change, m match.Match, player store.Player, p match.Progress) (store.Mail, error) {
	g, seq, side := *c.Game, c.Expect+1, adjudicator.Side(player.Side)
	v, err := m.Rules.View(p.Position, side)
	if err != nil {
		return store.Mail{}, err
	}
	r := o.NewReport(c, m, player, p, v)
	r.Number = o.count(g, player.Side, c.Notes)
	r.Notes = append(r.Notes, p.Notes...)
	if len(p.Late) > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("The deadline passed without orders of %s.", strings.Join(p.Late, " and ")))
	}
	if len(v.Due) > 0 {
		what := strings.Join(v.Due, ", ")
		if g.Options[match.OptionTempo] == match.TempoPhase {
			what = p.At.Name
		}
		r.Due = fmt.Sprintf("your sheet for turn %d: %s", r.Turn, what)
		if match.Timed(p.Open) {
			r.By = o.UntilInWords(player, g, p.Open.Deadline)
			r.Notes = append(r.Notes, o.without(g))
			r.Notes = append(r.Notes, o.diceFrom(g, p.Open)...)
		}
	}
	d := Draft{Game: g, Player: player, Kind: "report", Number: strconv.FormatUint(seq, 10)}
	if d.before, err = o.viewBefore(m, side, p); err != nil {
		return store.Mail{}, err
	}
	if p.At.Over {
		if err := o.lookBack(&d, r, m.Rules, p); err != nil {
			return store.Mail{}, err
		}
	}
	return o.PostReport(d, r, m.System)
}

// viewBefore is what a side knew before what its report tells, nil if the game only
// begins.
func (o *Office) viewBefore(m match.Match, side adjudicator.Side, p match.Progress) (*view.View, error) {
	pos, err := o.DB.Load(m.Game.ID)
	if errors.Is(err, store.ErrNotFound) || err == nil && (pos.Latest == nil || len(p.Events) == 0) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	v, err := m.Rules.View(pos.Latest.Snapshot, side)
	if err == nil {
		v.Game = m.Game.ID
	}
	return v, err
}

// Question is a report in the midst of a phase to a side that wants to decide
// something itself: the story so far, the position as it is now, the questions.
// The next report tells the whole again.
func (o *Office) Question(c *store.Change, m match.Match, player store.Player, p match.Progress) (store.Mail, error) {
	g, side := *c.Game, adjudicator.Side(player.Side)
	v, err := m.Rules.View(p.Midst, side)
	if err != nil {
		return store.Mail{}, err
	}
	v.Asked, v.Due = match.Asked(p.Pending, side), nil
	p.Events = append(slices.Clone(p.Events), p.Partly...)
	r := o.NewReport(c, m, player, p, v)
	r.Number = o.ReportsSent(g, player.Side)
	r.Due = answersTo(v.Asked)
	if p.Open.Deadline.IsZero() {
		r.Notes = append(r.Notes, "The game waits for your answer.")
	} else {
		r.By = o.UntilInWords(player, g, p.Open.Deadline)
		r.Notes = append(r.Notes, "Without an answer by then the choice that is marked holds.")
		r.Notes = append(r.Notes, o.diceFrom(g, p.Open)...)
	}
	return o.PostReport(Draft{Game: g, Player: player, Kind: "question", Number: strconv.FormatUint(c.Expect+1, 10)}, r, m.System)
}

// answersTo names the questions in a line: "answer to RETREAT 2306".
func answersTo(asked []view.Question) string {
	s := "answer to " + strings.ToUpper(asked[0].Label)
	if n := len(asked); n > 1 {
		s = fmt.Sprintf("%d answers, the first to %s", n, strings.ToUpper(asked[0].Label))
	}
	return s
}

// NewReport is what every kind of report says of the events, beside a View of the position.
func (o *Office) NewReport(c *store.Change, m match.Match, player store.Player, p match.Progress, v *view.View) *report.Report {
	g := *c.Game
	v.Game = g.ID
	events, dice := match.StoryFor(player.Side, p.Events)
	r := &report.Report{View: v, Wording: m.Rules.Wording(), Events: events, Dice: dice,
		Roster: Roster(g), GameKey: match.Thrower(g, "").Key.PublicKey().String(), Root: hex.EncodeToString(g.Root),
		Commitment: commitment(g, c.Expect+1, p.Position), Serial: player.Serial + 1, Turn: m.NextTurn(p.At, player.Side)}
	r.Notes = append(r.Notes, o.CommandLines(player)...)
	r.Method, r.Code = MethodOf(player), CodeOf(g, player, p.At.Label)
	if r.Code != "" {
		r.Notes = append(r.Notes, "You play by codes. Until the next report, put this line into the head of your sheet, unsigned: CODE: "+r.Code)
	}
	return r
}

// PostReport renders a report with its map, view and signature.
func (o *Office) PostReport(d Draft, r *report.Report, sys adjudicator.System) (store.Mail, error) {
	v, g := r.View, d.Game
	r.Sections, r.Footer, d.footed = sys.Template(), o.Footer(g.ID), true
	id := o.MessageID(d)
	before, err := o.DB.Mails(g.ID)
	complete := err == nil
	if err := o.Readable(err); err != nil {
		return store.Mail{}, err
	}
	for _, m := range before {
		if ReportTo(m, d.Player.Side, d.Player.Commander) {
			d.after = m.MessageID
		}
	}
	// Reports are counted: with one of the mails damaged the numbers would be wrong.
	if note := MissedReports(before, d.Player.Side, d.Player.Commander); note != "" && complete {
		r.Notes = append(r.Notes, note)
	}
	viewFile, err := json.Marshal(v)
	if err != nil {
		return store.Mail{}, err
	}
	r.ViewHash = store.Sum(viewFile)
	if _, err := r.Items(); err != nil {
		o.Log.Error("an event has no words", "game", g.ID, "error", err)
	}
	if len(v.Due) > 0 || len(v.Asked) > 0 {
		mine := seats.LedBy(v, d.Player)
		sheet := []byte(report.Filled(&mine, r.Turn, r.Serial, sys.Template()))
		if len(v.Due) == 0 {
			sheet = []byte(report.AnswerSheet(v, r.Turn, r.Serial))
		}
		sheet = []byte(report.WithCode(string(sheet), r.Code))
		d.Files = append(d.Files, mailbox.File{Name: proof.FileSheet, Type: "application/octet-stream", Data: sheet})
	}
	d.Files = append(d.Files, mailbox.File{Name: proof.FileView, Type: "application/json", Data: viewFile})
	for _, f := range d.Files {
		r.Files = append(r.Files, report.File{Name: f.Name, SHA256: store.Sum(f.Data)})
	}
	if o.Draw == nil || o.Draw(g.ID, d.Player.Side) {
		if err := d.illustrate(id, r, r.Marks()); err != nil {
			return store.Mail{}, err
		}
	}
	d.HTML, _ = r.HTML() // complete even with an event that has no words; logged above
	d.HTML = o.footedHTML(g.ID, d.HTML)
	r.Files = append(r.Files, report.File{Name: proof.FileHTML, SHA256: store.Sum(proof.Plain(d.HTML))})
	d.Text, _ = r.Text()
	signature, err := seal.Sign(o.Key, proof.SignatureNamespace, proof.Plain(d.Text))
	if err != nil {
		return store.Mail{}, err
	}
	d.Subject = r.Subject()
	d.Files = append(d.Files, mailbox.File{Name: proof.FileSignature, Type: "application/octet-stream", Data: []byte(signature)})
	return o.Render(d)
}

// illustrate puts the pictures into a report that is complete but for them, as
// many and as large as its mail has room for.
func (d *Draft) illustrate(id string, r *report.Report, ms []chart.Mark) error {
	room := scene.MailLimit
	for _, f := range d.Files {
		room -= scene.Travels(len(f.Data))
	}
	bare, _ := r.Text()
	page, _ := r.HTML()
	room -= len(bare)*21/20 + len(page)*11/10 + 8000 // quoted-printable, and what names the pictures
	all, err := scene.Pictures(r.View, d.before, ms, room)
	if err != nil {
		return err
	}
	for _, pic := range all {
		r.Pictures = append(r.Pictures, report.Picture{CID: mailbox.ContentID(id, pic.Name), Title: pic.Title})
		r.Files = append(r.Files, report.File{Name: pic.Name, SHA256: store.Sum(pic.Data)})
		d.Images = append(d.Images, mailbox.File{Name: pic.Name, Type: "image/png", Data: pic.Data})
	}
	return nil
}

// ReportsSent is how many reports a side has had.
func (o *Office) ReportsSent(g store.Game, side string) int {
	last, _ := o.DB.Note("reports/" + g.ID + "/" + side)
	n, _ := strconv.Atoi(string(last))
	return n
}

// ZoneOf is the time zone that a player reads deadlines in: their own, or the game's.
func ZoneOf(p store.Player, g store.Game) *time.Location {
	for _, name := range []string{p.Zone, g.Options[match.OptionZone]} {
		if zone, err := calendar.ParseZone(name); name != "" && err == nil {
			return zone
		}
	}
	return time.UTC
}

// count numbers a side's reports.
func (o *Office) count(g store.Game, side string, notes map[string][]byte) int {
	n := o.ReportsSent(g, side) + 1
	notes["reports/"+g.ID+"/"+side] = []byte(strconv.Itoa(n))
	return n
}

// commitment binds the server to the whole position without giving anything
// away: SHA-256 of a salt and the position. Salts and positions are shown when
// the game is over.
func commitment(g store.Game, seq uint64, position []byte) string {
	return proof.Committed(proof.SaltOf(g, seq), position)
}
