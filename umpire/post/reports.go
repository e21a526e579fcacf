package post

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/proof"
	"fieldpost/umpire/scene"
	"fieldpost/umpire/seats"
	"fieldpost/umpire/share"
)

// Reports adds to the Change of a game a report for every player: everything that
// happened since the last stop, as their side may know it.
func (o *Office) Reports(c *store.Change, m match.Match, p match.Progress) error {
	if err := o.TellClockNow(c); err != nil {
		return err
	}
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
	r.Number = o.count(c, player.Side)
	r.Notes = append(r.Notes, p.Notes...)
	switch {
	case len(p.Late) > 0 && p.Early:
		r.Notes = append(r.Notes, "The moderator did not wait for the orders of "+strings.Join(p.Late, " and ")+".")
	case len(p.Late) > 0:
		r.Notes = append(r.Notes, strings.Join(p.Late, " and ")+" did not finish by the deadline.")
	}
	if m.Open != nil && o.clockWith(c).HasGivenUp(side, m.Open.Turn) {
		r.Notes = append(r.Notes, "Two questions were not answered in time, so you were asked nothing more this turn. The rest of it was played as you had filed it.")
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
	if p.At.Over {
		if err := o.lookBack(c, &d, r, m.Rules); err != nil {
			return store.Mail{}, err
		}
	}
	return o.postInPlace(c, d, r, m)
}

// Question is a report in the midst of a phase to a side that wants to decide
// something itself: the story so far, the position as it is now, the questions.
// What an earlier question of the same turn has told is left out; the next report tells the whole.
func (o *Office) Question(c *store.Change, m match.Match, player store.Player, p match.Progress) (store.Mail, error) {
	g, side := *c.Game, adjudicator.Side(player.Side)
	v, err := m.Rules.View(p.Midst, side)
	if err != nil {
		return store.Mail{}, err
	}
	if v.Begun, err = m.Rules.View(p.Position, side); err != nil {
		return store.Mail{}, err
	}
	v.Begun.Board = nil
	v.Asked, v.Due = match.Asked(p.Pending, side), nil
	if p.Events, err = o.news(c, player.Side, p.Events); err != nil {
		return store.Mail{}, err
	}
	p.Events = append(slices.Clone(p.Events), p.Partly...)
	r := o.NewReport(c, m, player, p, v)
	r.Number = o.ReportsSent(g, player.Side)
	r.Due = report.InWords(v.Asked)
	if p.Open.Deadline.IsZero() {
		r.Notes = append(r.Notes, "The game waits for your answer.")
	} else {
		r.By = o.UntilInWords(player, g, p.Open.Deadline)
		r.Notes = append(r.Notes, withoutAnswer(v.Asked))
		r.Notes = append(r.Notes, o.diceFrom(g, p.Open)...)
	}
	return o.postInPlace(c, Draft{Game: g, Player: player, Kind: "question", Number: strconv.FormatUint(c.Expect+1, 10)}, r, m)
}

// withoutAnswer says what happens to questions that have no answer in time.
func withoutAnswer(asked []view.Question) string {
	if len(asked[0].Options) == 0 {
		return "Without an answer by then, what you filed for it is played."
	}
	return "Without an answer by then, the marked choice holds."
}

// clockWith is what a game remembers of deadlines, after a Change.
func (o *Office) clockWith(c *store.Change) (clk match.Clock) {
	clk, _, _ = match.ClockRecords.After(o.DB, c, c.Game.ID)
	return clk
}

// news are the events that a side has not been told with an earlier question, of those of all
// phases since the last report. The phase that stops for a question is told whole when it is over.
func (o *Office) news(c *store.Change, side string, all []match.ProvedEvent) ([]match.ProvedEvent, error) {
	seat := store.Seat{Game: c.Game.ID, Side: side}
	heard, _, err := match.HeardRecords.Get(o.DB, seat)
	match.HeardRecords.Put(c, seat, len(all))
	return all[min(heard, len(all)):], err
}

// NewReport is what every kind of report says of the events, beside a View of the position.
func (o *Office) NewReport(c *store.Change, m match.Match, player store.Player, p match.Progress, v *view.View) *report.Report {
	g := *c.Game
	v.Game = g.ID
	v.Story = &view.Story{Key: match.Thrower(g, "").Key.PublicKey().String(), Root: hex.EncodeToString(g.Root),
		Phases: match.StoryFor(player.Side, p.Events)}
	r := &report.Report{View: v, Wording: m.Rules.Wording(), Roster: Roster(g),
		Commitment: commitment(g, c.Expect+1, p.Position), Serial: player.Serial + 1, Turn: m.NextTurn(p.At, player.Side)}
	if p.Back != nil {
		r.Back = &report.SetBack{To: p.Back.To.Title(), Forward: p.Back.Forward(), Why: Sentence(p.Back.Why), Undone: p.Back.UndoneWords(), Sheets: Sentence(p.Back.SheetsOf(player.Side))}
	}
	if teller, ok := m.Rules.(adjudicator.Storyteller); ok {
		r.Brief = teller.Brief
		_, r.Charts = m.Rules.(adjudicator.Charter)
	}
	r.Answered = o.answered(c, player)
	v.Rules, v.Reply = rulesOf(g, m), o.replyTo(m, p, v, r)
	r.Notes = append(r.Notes, o.CommandLines(player)...)
	r.Method, r.Code = o.WayOf(g, player, r.Turn, r.Turn-1), CodeOf(g, player, p.At.Label)
	if r.Code != "" {
		r.Notes = append(r.Notes, "You play by codes. Until the next report, put this line into the head of your sheet, unsigned: CODE: "+r.Code)
	}
	return r
}

// rulesOf are the rules of a match for its views.
func rulesOf(g store.Game, m match.Match) *view.Rules {
	rules := &view.Rules{Program: Program(), Version: g.RulesVersion, Scenario: g.ScenarioHash}
	for _, s := range adjudicator.SettingsOf(m.Rules) {
		value, set := g.Options[s.Name]
		if !set {
			continue
		}
		if rules.Options == nil {
			rules.Options = map[string]string{}
		}
		rules.Options[s.Name] = value
	}
	return rules
}

// Program names this program, with its version where it was built with one.
func Program() string {
	if info, ok := debug.ReadBuildInfo(); ok && !slices.Contains([]string{"", "(devel)"}, info.Main.Version) {
		return "fieldpost " + info.Main.Version
	}
	return "fieldpost"
}

// replyTo is how a report is answered. The deadline of a phase that waits for others is not
// the side's to know.
func (o *Office) replyTo(m match.Match, p match.Progress, v *view.View, r *report.Report) *view.Reply {
	may := m.MayAsk()
	reply := &view.Reply{To: o.Address, Subject: fmt.Sprintf("[%s] orders for turn %d", v.Game, r.Turn), Turn: r.Turn, Serial: r.Serial,
		Modes: adjudicator.Modes(may), Asks: may, SecondLook: match.HasSecondThoughts(m.Game)}
	reply.InPlay = reply.SecondLook && p.Open != nil && m.PlaysTurnOf(p.At, p.Pending, v.Side)
	if due := len(v.Due)+len(v.Asked) > 0; due && match.Timed(p.Open) {
		reply.Until = p.Open.Deadline.UTC().Format(time.RFC3339)
		reply.Round = o.roundFor(m.Game, p.Open)
	}
	return reply
}

// PostReport renders a report with its map, view and signature.
func (o *Office) PostReport(d Draft, r *report.Report, m match.Match) (store.Mail, error) {
	v, g := r.View, d.Game
	r.Sections, r.Footer, d.footed = m.System.Template(), o.Footer(g.ID), true
	id := o.MessageID(d)
	before, err := o.DB.Mails(g.ID)
	complete := err == nil
	if err := o.Readable(err); err != nil {
		return store.Mail{}, err
	}
	for _, sent := range before {
		if ReportTo(sent, d.Player.Side, d.Player.Commander) {
			d.after = sent.MessageID
		}
	}
	// Reports are counted: with one of the mails damaged the numbers would be wrong.
	if note := MissedReports(before, d.Player.Side, d.Player.Commander); note != "" && complete {
		r.Notes = append(r.Notes, note)
	}
	v.Reply.Report = r.Number
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
		sheet := []byte(m.SheetToFillIn(&mine, r.Turn, r.Serial))
		if len(v.Due) == 0 {
			sheet = []byte(report.AnswerSheet(v, r.Turn, r.Serial))
		}
		sheet = []byte(report.WithCode(string(sheet), r.Code))
		d.Files = append(d.Files, mailbox.File{Name: proof.FileSheet, Type: "application/octet-stream", Data: sheet})
	}
	for _, f := range d.Files {
		r.Files = append(r.Files, report.File{Name: f.Name, SHA256: store.Sum(f.Data)})
	}
	r.Files = append(r.Files, report.File{Name: proof.FileView, SHA256: r.ViewHash})
	packed, err := view.Packed(viewFile)
	if err != nil {
		return store.Mail{}, err
	}
	d.Files = append(d.Files, mailbox.File{Name: view.PackedFile, Type: "application/gzip", Data: packed})
	if o.Drawn(g.ID, d.Player.Side) {
		if err := d.illustrate(o.Share, id, r); err != nil {
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
func (d *Draft) illustrate(in *share.Share, id string, r *report.Report) error {
	room := scene.MailLimit
	for _, f := range d.Files {
		room -= scene.Travels(len(f.Data))
	}
	bare, _ := r.Text()
	page, _ := r.HTML()
	room -= len(bare)*21/20 + len(page)*11/10 + 8000 // quoted-printable, and what names the pictures
	from := recipe{r.Marks(), scene.Choice(d.Player.Pictures), room}
	all, err := scene.Pictures(in, r.View, from.Marks, from.Choice, from.Room)
	if err != nil {
		return err
	}
	if len(all) > 0 {
		if d.recipe, err = json.Marshal(from); err != nil {
			return err
		}
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
	n, _, _ := ReportRecords.Get(o.DB, store.Seat{Game: g.ID, Side: side})
	return n
}

// ReportRecords are how many reports a side has had.
var ReportRecords = store.OnePerSeat[int]("reports").Plain()

// count numbers a side's reports.
func (o *Office) count(c *store.Change, side string) int {
	n := o.ReportsSent(*c.Game, side) + 1
	ReportRecords.Put(c, store.Seat{Game: c.Game.ID, Side: side}, n)
	return n
}

// commitment binds the server to the whole position without giving anything
// away: SHA-256 of a salt and the position. Salts and positions are shown when
// the game is over.
func commitment(g store.Game, seq uint64, position []byte) string {
	return proof.Committed(proof.SaltOf(g, seq), position)
}
