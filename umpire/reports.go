package umpire

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

// reports adds to the Change of a game a report for every player: everything that
// happened since the last stop, as their side may know it.
func (u *Umpire) reports(c *store.Change, game adjudicator.Game, sys adjudicator.System, p match.Progress) error {
	var out []store.Mail
	for _, player := range u.Everybody(*c.Game) {
		if player.Staffed() {
			continue
		}
		m, err := u.report(c, game, sys, player, p)
		if err != nil {
			return fmt.Errorf("report for %s: %w", player.Side, err)
		}
		out = append(out, m)
	}
	c.Mails = append(c.Mails, out...)
	return nil
}

func (u *Umpire) report(c *store.Change, game adjudicator.Game, sys adjudicator.System, player store.Player, p match.Progress) (store.Mail, error) {
	g, seq, side := *c.Game, c.Expect+1, adjudicator.Side(player.Side)
	v, err := game.View(p.Position, side)
	if err != nil {
		return store.Mail{}, err
	}
	r := u.newReport(c, game, player, p, v)
	r.Number = u.count(g, player.Side, c.Notes)
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
		if p.Open != nil && !p.Open.Deadline.IsZero() {
			r.By = u.until(player, g, p.Open.Deadline)
			r.Notes = append(r.Notes, u.without(g))
			r.Notes = append(r.Notes, u.diceFrom(g, p.Open)...)
		}
	}
	d := draft{game: g, player: player, kind: "report", number: strconv.FormatUint(seq, 10)}
	if d.before, err = u.viewBefore(game, g, side, p); err != nil {
		return store.Mail{}, err
	}
	if p.At.Over {
		if err := u.lookBack(&d, r, game, p); err != nil {
			return store.Mail{}, err
		}
	}
	return u.postReport(d, r, sys)
}

// viewBefore is what a side knew before what its report tells, nil if the game only
// begins.
func (u *Umpire) viewBefore(game adjudicator.Game, g store.Game, side adjudicator.Side, p match.Progress) (*view.View, error) {
	pos, err := u.DB.Load(g.ID)
	if errors.Is(err, store.ErrNotFound) || err == nil && (pos.Latest == nil || len(p.Events) == 0) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	v, err := game.View(pos.Latest.Snapshot, side)
	if err == nil {
		v.Game = g.ID
	}
	return v, err
}

// question is a report in the midst of a phase to a side that wants to decide
// something itself: the story so far, the position as it is now, the questions.
// The next report tells the whole again.
func (u *Umpire) question(c *store.Change, game adjudicator.Game, sys adjudicator.System, player store.Player, p match.Progress) (store.Mail, error) {
	g, side := *c.Game, adjudicator.Side(player.Side)
	v, err := game.View(p.Midst, side)
	if err != nil {
		return store.Mail{}, err
	}
	v.Asked, v.Due = match.Asked(p.Pending, side), nil
	p.Events = append(slices.Clone(p.Events), p.Partly...)
	r := u.newReport(c, game, player, p, v)
	r.Number = u.counted(g, player.Side)
	r.Due = answersTo(v.Asked)
	if p.Open.Deadline.IsZero() {
		r.Notes = append(r.Notes, "The game waits for your answer.")
	} else {
		r.By = u.until(player, g, p.Open.Deadline)
		r.Notes = append(r.Notes, "Without an answer by then the choice that is marked holds.")
		r.Notes = append(r.Notes, u.diceFrom(g, p.Open)...)
	}
	return u.postReport(draft{game: g, player: player, kind: "question", number: strconv.FormatUint(c.Expect+1, 10)}, r, sys)
}

// answersTo names the questions in a line: "answer to RETREAT 2306".
func answersTo(asked []view.Question) string {
	s := "answer to " + strings.ToUpper(asked[0].Label)
	if n := len(asked); n > 1 {
		s = fmt.Sprintf("%d answers, the first to %s", n, strings.ToUpper(asked[0].Label))
	}
	return s
}

// newReport is what every kind of report says of the events, beside a View of the position.
func (u *Umpire) newReport(c *store.Change, game adjudicator.Game, player store.Player, p match.Progress, v *view.View) *report.Report {
	g := *c.Game
	v.Game = g.ID
	events, dice := match.StoryFor(player.Side, p.Events)
	r := &report.Report{View: v, Wording: game.Wording(), Events: events, Dice: dice,
		Roster: roster(g), GameKey: match.Thrower(g, "").Key.PublicKey().String(), Root: hex.EncodeToString(g.Root),
		Commitment: commitment(g, c.Expect+1, p.Position), Serial: player.Serial + 1, Turn: nextTurn(game, p.At, adjudicator.Side(player.Side))}
	r.Notes = append(r.Notes, u.commandLines(player)...)
	if remark := codeRemark(g, player, p.At.Label); remark != "" {
		r.Notes = append(r.Notes, remark)
	}
	return r
}

// postReport renders a report with its map, view and signature.
func (u *Umpire) postReport(d draft, r *report.Report, sys adjudicator.System) (store.Mail, error) {
	v, g := r.View, d.game
	r.Sections = sys.Template()
	id := u.messageID(d)
	before, err := u.DB.Mails(g.ID)
	complete := err == nil
	if err := u.readable(err); err != nil {
		return store.Mail{}, err
	}
	for _, m := range before {
		if m.Kind == "report" && m.Side == d.player.Side && m.Hand == d.player.Hand {
			d.after = m.MessageID
		}
	}
	// Reports are counted: with one of the mails damaged the numbers would be wrong.
	if note := gap(before, d.player.Side, d.player.Hand); note != "" && complete {
		r.Notes = append(r.Notes, note)
	}
	viewFile, err := json.Marshal(v)
	if err != nil {
		return store.Mail{}, err
	}
	r.ViewHash = store.Sum(viewFile)
	if _, err := r.Items(); err != nil {
		u.Log.Error("an event has no words", "game", g.ID, "error", err)
	}
	if len(v.Due) > 0 || len(v.Asked) > 0 {
		mine := seats.LedBy(v, d.player)
		sheet := []byte(report.Filled(&mine, r.Turn, r.Serial, sys.Template()))
		if len(v.Due) == 0 {
			sheet = []byte(report.AnswerSheet(v, r.Turn, r.Serial))
		}
		d.files = append(d.files, mailbox.File{Name: proof.FileSheet, Type: "application/octet-stream", Data: sheet})
	}
	d.files = append(d.files, mailbox.File{Name: proof.FileView, Type: "application/json", Data: viewFile})
	for _, f := range d.files {
		r.Files = append(r.Files, report.File{Name: f.Name, SHA256: store.Sum(f.Data)})
	}
	if u.Draw == nil || u.Draw(g.ID, d.player.Side) {
		if err := d.illustrate(id, r, r.Marks()); err != nil {
			return store.Mail{}, err
		}
	}
	d.html, _ = r.HTML() // complete even with an event that has no words; logged above
	r.Files = append(r.Files, report.File{Name: proof.FileHTML, SHA256: store.Sum(proof.Plain(d.html))})
	d.text, _ = r.Text()
	signature, err := seal.Sign(u.Key, proof.SignatureNamespace, proof.Plain(d.text))
	if err != nil {
		return store.Mail{}, err
	}
	d.subject = r.Subject()
	d.files = append(d.files, mailbox.File{Name: proof.FileSignature, Type: "application/octet-stream", Data: []byte(signature)})
	return u.post(d)
}

// illustrate puts the pictures into a report that is complete but for them, as
// many and as large as its mail has room for.
func (d *draft) illustrate(id string, r *report.Report, ms []chart.Mark) error {
	room := scene.MailLimit
	for _, f := range d.files {
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
		d.images = append(d.images, mailbox.File{Name: pic.Name, Type: "image/png", Data: pic.Data})
	}
	return nil
}

// counted is how many reports a side has had.
func (u *Umpire) counted(g store.Game, side string) int {
	last, _ := u.DB.Note("reports/" + g.ID + "/" + side)
	n, _ := strconv.Atoi(string(last))
	return n
}

// zoneOf is the time zone that a player reads deadlines in: their own, or the game's.
func zoneOf(p store.Player, g store.Game) *time.Location {
	for _, name := range []string{p.Zone, g.Options[match.OptionZone]} {
		if zone, err := calendar.ParseZone(name); name != "" && err == nil {
			return zone
		}
	}
	return time.UTC
}

// count numbers a side's reports.
func (u *Umpire) count(g store.Game, side string, notes map[string][]byte) int {
	n := u.counted(g, side) + 1
	notes["reports/"+g.ID+"/"+side] = []byte(strconv.Itoa(n))
	return n
}

// commitment binds the server to the whole position without giving anything
// away: SHA-256 of a salt and the position. Salts and positions are shown when
// the game is over.
func commitment(g store.Game, seq uint64, position []byte) string {
	return proof.Committed(proof.SaltOf(g, seq), position)
}
