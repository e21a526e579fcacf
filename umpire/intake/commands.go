package intake

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/report"
	"fieldpost/report/chart"
	"fieldpost/store"
	"fieldpost/umpire/judge"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/proof"
	"fieldpost/umpire/scene"
	"fieldpost/umpire/seats"
	"fieldpost/umpire/turns"
)

// Requests are the plain commands that a player may send in a mail without a
// signature: they change nothing, and the answer goes to the enrolled address.
var requests = []struct{ word, means string }{
	{"HELP", "this list"},
	{"STATUS", "where the game stands and what it waits for"},
	{"ORDERS?", "the sheets of yours that are filed and not yet carried out"},
	{"TEMPLATE", "an empty sheet for your next turn"},
	{"MAP", "the map as your side knows it now; MAP +zoc adds zones of control, MAP +sight what you look at,"},
	{"", "MAP units,front leaves out the rest, MAP -names one layer, MAP all has every one"},
	{"KEYS", "our keys: the dice key, the one that signs reports, the OpenPGP one"},
	{"REPORT n", "your report number n again, byte by byte (RESEND n is the same)"},
}

// request reads a command from the first line of the mail, or from its subject
// if the mail has no text; nil if there is none.
func (l *incoming) request() []string {
	words := l.firstLine()
	if len(words) == 0 || len(words) > 2 {
		return nil
	}
	known := slices.ContainsFunc(requests, func(r struct{ word, means string }) bool {
		return r.word != "" && strings.Fields(r.word)[0] == words[0]
	})
	if !known && words[0] != "RESEND" {
		return nil
	}
	return words
}

// firstLine are the words of the mail's first line, or of its subject if it has no
// text, in capitals; none of a line that is quoted.
func (l *incoming) firstLine() []string {
	line := ""
	for _, p := range l.msg.Texts {
		for text := range strings.Lines(p.Text) {
			if text = strings.TrimSpace(text); text != "" && line == "" {
				line = text
			}
		}
	}
	if line == "" {
		line = replies.ReplaceAllString(l.msg.Subject, "")
	}
	if strings.HasPrefix(line, ">") {
		return nil
	}
	return strings.Fields(strings.ToUpper(strings.TrimRight(line, ".!")))
}

var (
	replies = regexp.MustCompile(`(?i)^\s*((re|aw|fwd?|sv)\s*:\s*|\[[A-Z0-9]+\]\s*)+`)
	tag     = regexp.MustCompile(`\[([A-Z2-7]{8})\]`)
)

// obey answers a command.
func (l *incoming) obey(words []string) []store.Mail {
	l.chooseGame()
	n := report.Note{Game: l.game.ID, Title: l.game.Title}
	var image []byte
	switch words[0] {
	case "HELP":
		n.About, n.Block = "help", helpText()
		n.Says = []string{"These words, on the first line of a mail from your enrolled address, are answered to that address. They need no signature, because they change nothing.",
			"A sheet of orders is signed; CHECK on a line of its own in its head has it judged and not filed, WITHDRAW takes back what you filed for the turn, CONCEDE gives the game up, DRAW? offers a draw. PRESS: and a side or ALL sends a letter that comes with it (fieldpost sign --press LETTER)."}
	case "STATUS":
		n.About, n.Block = "where the game stands", l.status()
	case "ORDERS?":
		n.About, n.Block = "what is filed", l.onFile()
	case "TEMPLATE":
		n.About, n.Block = "a sheet to fill in", l.template()
	case "MAP":
		n.About = "the map"
		n.Says, image = l.currentMap(strings.Join(words[1:], ""))
	case "KEYS":
		return l.keys()
	default:
		n.About, n.Says = "resent", []string{l.resend(words)}
	}
	d := post.Draft{Kind: "note", Number: l.sha[:16], Subject: n.Subject()}
	if image != nil {
		d.Game, d.Player = l.game, l.player
		n.Map = mailbox.ContentID(l.h.MessageID(d), proof.FileMap)
		d.Images = []mailbox.File{{Name: proof.FileMap, Type: "image/png", Data: image}}
	}
	d.Text, d.HTML = n.Text(), n.HTML()
	return l.mail(d)
}

// keys sends the keys that everything from here is checked with.
func (l *incoming) keys() []store.Mail {
	n := report.Note{Game: l.game.ID, Title: l.game.Title, About: "our keys",
		Says:  []string{"Every roll of the game is proved with the first key, every report is signed with the second; fieldpost verify checks them. Who has encrypted mail (ENCRYPT) gives their mail program the third, " + proof.FileKey + ": it signs that mail."},
		Block: fmt.Sprintf("dice key         %v\nour signing key  %v\n", match.Thrower(l.game, "").Key.PublicKey(), l.h.Key.Public())}
	files, err := l.h.EnvelopeKey()
	if err != nil {
		l.h.Log.Error("the OpenPGP key cannot be shown", "error", err)
	}
	return l.mail(post.Draft{Kind: "note", Number: l.sha[:16], Subject: n.Subject(), Text: n.Text(), HTML: n.HTML(), Files: files})
}

// chooseGame picks, among the games of the player's address, the one whose id
// stands in the subject.
func (l *incoming) chooseGame() {
	m := tag.FindStringSubmatch(strings.ToUpper(l.msg.Subject))
	if m == nil {
		return
	}
	g, err := l.h.DB.Game(m[1])
	if err != nil {
		return
	}
	for _, p := range g.Players {
		if n := seats.WrittenFrom(p, l.msg.From); n > 0 || seats.HasAddress(p, l.msg.From) {
			l.game, l.player = g, p.As(n)
		}
	}
}

func helpText() string {
	var b strings.Builder
	for _, r := range requests {
		fmt.Fprintf(&b, "%-10s %s\n", r.word, r.means)
	}
	return b.String()
}

// now loads the game and its place in the sequence of play.
func (l *incoming) now() (m match.Match, at adjudicator.Phase, err error) {
	m, err = l.h.Load(l.game.ID)
	if err != nil || m.Latest == nil {
		return m, at, err
	}
	at, err = m.At()
	return m, at, err
}

func (l *incoming) status() string {
	m, at, err := l.now()
	switch {
	case err != nil:
		l.h.Log.Error("a status cannot be told", "game", l.game.ID, "error", err)
		return "The game cannot be read; its moderator will see why in the log."
	case m.Latest == nil:
		return "The game has not begun: not every side has a player."
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Turn         %d, %s: %s\nYou play     %s\n", at.Turn, at.Date, at.Name, l.player.Side)
	if m.Game.Status != store.StatusRunning {
		fmt.Fprintf(&b, "The game is  %s\n", m.Game.Status)
	}
	turn := m.NextTurn(at, l.player.Side)
	fmt.Fprintf(&b, "Your orders  %s\n", l.filedSoFar(m, turn))
	pending, err := m.Pending()
	if err == nil && match.Timed(m.Open) && slices.Contains(match.WaitingFor(pending), l.player.Side) {
		fmt.Fprintf(&b, "Deadline     %s\n", l.h.UntilInWords(l.player, m.Game, m.Open.Deadline))
	}
	if waits := l.waitsFor(m, pending); err == nil && waits != "" {
		fmt.Fprintf(&b, "Waiting for  %s\n", waits)
	}
	fmt.Fprintf(&b, "Next sheet   TURN: %d, SERIAL: %d\n", turn, l.player.Serial+1)
	return b.String()
}

// filedSoFar says what is filed of a side's orders for a turn, and how far they are.
func (l *incoming) filedSoFar(m match.Match, turn int) string {
	filed, err := l.h.Filed(m.Game.ID, nil)
	if err != nil {
		return "they cannot be read now, and are not lost"
	}
	side := adjudicator.Side(l.player.Side)
	k := match.LastWithOrders(filed, side, turn)
	if k < 0 {
		return fmt.Sprintf("none are filed for turn %d", turn)
	}
	sheet := fmt.Sprintf("sheet %d for turn %d", filed[k].Serial, turn)
	thoughts, err := l.h.ThoughtsOf(m.Game.ID)
	one, thinking := thoughts[side]
	done := slices.ContainsFunc(filed[k:], func(f match.Filing) bool { return f.Side == side && f.Turn == turn && f.Done })
	switch thinking = thinking && err == nil && one.Turn == turn; {
	case thinking && one.Held:
		return sheet + " is held: send DONE to have it played as it is, or a new sheet"
	case thinking:
		return fmt.Sprintf("%s is finished, and will be played at %s", sheet, clockTime(one.Until, l.h.Now(), post.ZoneOf(l.player, m.Game)))
	case done:
		return sheet + " is finished"
	}
	return sheet + " is filed and not finished: send DONE"
}

// waitsFor says for whom the game waits, as far as the player may know: not who of the
// others is asked a question.
func (l *incoming) waitsFor(m match.Match, pending []adjudicator.Decision) string {
	if len(pending) == 0 || match.OrdersClosed(m.Open) {
		return ""
	}
	if len(match.Questions(pending, adjudicator.Side(l.player.Side))) > 0 {
		return "your answer"
	}
	turnsOf := slices.DeleteFunc(slices.Clone(pending), func(d adjudicator.Decision) bool { return !d.Turn })
	sides, err := l.h.Unfinished(m.Position, turnsOf)
	if err != nil {
		return ""
	}
	for i, side := range sides {
		if side == l.player.Side {
			sides[i] = "you"
		}
	}
	if len(sides) == 0 {
		return "the phase that is being played"
	}
	return strings.Join(sides, " and ")
}

func (l *incoming) onFile() string {
	m, at, err := l.now()
	if err == nil && m.Latest == nil {
		return "Nothing is filed: the game has not begun."
	}
	var sheets []store.Sheet
	turn := 0
	if err == nil {
		turn = m.NextTurn(at, l.player.Side)
		sheets, err = l.h.DB.Sheets(l.game.ID, l.player.Side, turn)
	}
	if err != nil {
		l.h.Log.Error("the filed sheets cannot be told", "game", l.game.ID, "error", err)
		return "What is filed cannot be read now, and is not lost; the moderator will see why in the log."
	}
	sheets = slices.DeleteFunc(sheets, func(s store.Sheet) bool { return l.player.Shared() && s.Part != l.commander()+1 })
	if len(sheets) == 0 {
		return fmt.Sprintf("Nothing is filed for turn %d.", turn)
	}
	for _, s := range slices.Backward(sheets) {
		sheet, _ := orders.Parse(s.Canonical, m.System.Vocabulary())
		if sheet.Command("WITHDRAW") {
			return fmt.Sprintf("Nothing is filed for turn %d: you have withdrawn your orders.", turn)
		}
		if !sheet.Bare() {
			return s.Canonical
		}
	}
	return fmt.Sprintf("No orders are filed for turn %d.", turn)
}

func (l *incoming) template() string {
	m, at, err := l.now()
	if err != nil {
		return "There is no template: the game cannot be read. Its moderator will see why in the log."
	}
	turn := 1
	if m.Latest != nil {
		turn = m.NextTurn(at, l.player.Side)
		if v, err := m.View(l.player.Side); err == nil {
			v.Game = l.game.ID
			mine := seats.LedBy(v, l.player)
			return report.Filled(&mine, turn, l.player.Serial+1, m.System.Template())
		}
	}
	return report.Template(l.game.ID, l.player.Side, turn, l.player.Serial+1, m.System.Template())
}

// currentMap draws the map with these layers, as chart.ParseLayers reads them.
func (l *incoming) currentMap(layers string) ([]string, []byte) {
	m, at, err := l.now()
	if err == nil && m.Latest == nil {
		return []string{"There is no map before the game has begun."}, nil
	}
	sc := &scene.Scene{}
	if err == nil {
		sc.View, err = m.View(l.player.Side)
	}
	if err == nil && layers != "" {
		err = sc.Reckon(m.Rules, l.player.Side)
	}
	var png bytes.Buffer
	if err == nil {
		sc.View.Game = l.game.ID
		o, wrong := sc.Options(layers)
		if wrong != nil {
			return []string{fmt.Sprintf("MAP %s: %v.", layers, wrong)}, nil
		}
		err = chart.Render(sc.View, o).PNG(&png)
	}
	if err != nil {
		l.h.Log.Error("a map cannot be drawn", "game", l.game.ID, "error", err)
		return []string{"The map cannot be drawn; the moderator will see why in the log."}, nil
	}
	return []string{fmt.Sprintf("The map of %s, turn %d, %s, as your side knows it.", l.game.Title, at.Turn, at.Date)}, png.Bytes()
}

// resend puts a report into the outbox again: the same bytes, the same Message-ID.
func (l *incoming) resend(words []string) string {
	n := 0
	if len(words) == 2 {
		n, _ = strconv.Atoi(words[1])
	}
	mails, err := l.h.DB.Mails(l.game.ID)
	if err != nil {
		return "The reports cannot be read."
	}
	var reports []store.Mail
	for _, m := range mails {
		if post.ReportTo(m, l.player.Side, l.player.Commander) {
			reports = append(reports, m)
		}
	}
	if n < 1 || n > len(reports) {
		return fmt.Sprintf("You have had %d reports: write REPORT and a number from 1 to %d.", len(reports), len(reports))
	}
	m := reports[n-1]
	if _, err := l.h.DB.MailBytes(m.SHA256); err != nil {
		return fmt.Sprintf("Report %d is not kept any more. MAP and STATUS tell how the game stands now.", n)
	}
	switch m.State {
	case store.MailAccepted, store.MailFailed, store.MailBounced:
		if err := l.h.DB.MarkResult(m.ID, store.Result{State: store.MailQueued, At: l.h.Now(), Reply: "asked for again"}); err != nil {
			return "The report cannot be sent again: " + err.Error()
		}
	}
	return fmt.Sprintf("Report %d is on its way again, the same mail byte by byte.", n)
}

// checkOnly judges a signed sheet and files nothing; the answer shows where the
// moves would lead.
func (l *incoming) checkOnly(m match.Match, faults []*orders.Error) []store.Mail {
	v, err := m.View(l.player.Side)
	if err != nil {
		return l.answer(report.Notice, "your position cannot be read")
	}
	v.Game = l.game.ID
	f := judge.Judged(m.Rules, v, l.sheet, faults)
	if asked, err := m.Asked(l.player.Side); err == nil {
		f.Lines = match.WithAnswers(f.Lines, l.sheet, asked, m.MayAsk())
	}
	f.Lines = shown(f.Lines, l.sheet.Bare(), report.Filed)
	a := l.ack(l.turn, 0, f, v.Date)
	a.Checked = true
	a.Next = []string{"Nothing is filed. Take CHECK out and sign again to file it."}
	d := post.Draft{Kind: "check", Number: l.sha[:16], Subject: a.Subject(), Text: a.Text()}
	if f.Preview != nil {
		var png bytes.Buffer
		if err := chart.Render(f.Preview(), chart.Options{Title: "if these moves were made"}).PNG(&png); err == nil {
			d.Game, d.Player = l.game, l.player
			a.Map = mailbox.ContentID(l.h.MessageID(d), proof.FileMap)
			d.Images = []mailbox.File{{Name: proof.FileMap, Type: "image/png", Data: png.Bytes()}}
		}
	}
	d.HTML = a.HTML()
	return l.mail(d)
}

// endByConsent ends the game because a side concedes it, or because the last side
// agreed to a draw. An offer of a draw holds until its side files orders again.
func (l *incoming) endByConsent(c *store.Change, m match.Match, sub submitted) error {
	side := l.player.Side
	winner, verdict := adjudicator.Side(""), "the sides agreed on a draw"
	if l.sheet.Command("CONCEDE") {
		var err error
		if winner, err = heir(m, adjudicator.Side(side)); err != nil {
			return err
		}
		if verdict = fmt.Sprintf("%s concedes the game", side); winner != "" {
			verdict += " to " + string(winner)
		}
	}
	g := l.counted(m.Game, sub.serial)
	c.Game, c.Expect = &g, m.Game.Seq
	kept := store.Sheet{Side: side, Turn: l.turn, Serial: sub.serial, Canonical: sub.canonical, Digest: l.digest, Source: l.sha, Key: l.key.String()}
	kept.Signature, kept.Signed = seats.Evidence(l.msg, sub.canonical, l.key)
	c.Sheets = []store.Sheet{kept}
	if l.sheet.Command("DRAW?") && !l.sheet.Command("CONCEDE") {
		if missing := l.offerDraw(c, g); missing {
			return nil
		}
	}
	return l.h.endBy(c, m.Position, ending{by: adjudicator.Side(side), winner: winner, verdict: verdict, source: "signed by the players"})
}

// heir is who wins when a side concedes: of several others the one with most points,
// nobody if two of them have as many.
func heir(m match.Match, side adjudicator.Side) (winner adjudicator.Side, err error) {
	v, err := m.View(string(side))
	if err != nil {
		return "", err
	}
	points := func(s adjudicator.Side) int {
		i := slices.IndexFunc(v.Score, func(x view.Score) bool { return x.Side == string(s) })
		if i < 0 {
			return 0
		}
		return v.Score[i].Points
	}
	level := false
	for _, s := range m.Rules.Sides() {
		switch {
		case s == side:
		case winner == "" || points(s) > points(winner):
			winner, level = s, false
		case points(s) == points(winner):
			level = true
		}
	}
	if level {
		winner = ""
	}
	return winner, nil
}

// ending is an end of a game that the rules did not bring: the side by whom it comes,
// "" for none, the winner, "" for nobody, and whose word it is.
type ending struct {
	by, winner      adjudicator.Side
	verdict, source string
}

// endBy ends a game with a verdict that the rules did not give.
func (hd *Handler) endBy(c *store.Change, pos store.Position, end ending) error {
	pos.Game = *c.Game
	m, err := hd.Under(pos)
	if err != nil {
		return err
	}
	position, err := m.Rules.End(pos.Latest.Snapshot, end.winner, end.verdict)
	if err != nil {
		return err
	}
	phase, err := match.InterventionPhase(pos, adjudicator.Entry{Label: match.EndLabel, Side: end.by, Answer: string(end.winner) + ": " + end.verdict, Source: end.source})
	if err != nil {
		return err
	}
	phase.Snapshot = position
	c.Phases = []store.Phase{phase}
	turns.Finish(c)
	p := match.Progress{Position: position}
	if p.Events, err = hd.Unreported(m); err != nil {
		return err
	}
	c.Notes[match.UnreportedNote(m.Game.ID)] = nil
	if p.At, err = m.Rules.At(position); err != nil {
		return err
	}
	return hd.Reports(c, m, p)
}

// offerDraw notes the side's offer and tells the others. It reports whether
// somebody has not agreed yet.
func (l *incoming) offerDraw(c *store.Change, g store.Game) (missing bool) {
	c.Notes = map[string][]byte{drawNote(g.ID, l.player.Side): []byte("offered")}
	for _, p := range l.h.Everybody(g) {
		if p.Side == l.player.Side {
			continue
		}
		if text, _ := l.h.DB.Note(drawNote(g.ID, p.Side)); text != nil {
			continue
		}
		missing = true
		o := *l
		o.player = p
		o.msg = &mailbox.Message{}
		c.Mails = append(c.Mails, o.answer(report.Notice, fmt.Sprintf("%s offers a draw", l.player.Side),
			"To agree, send a signed sheet with the line DRAW? in its head. To play on, do nothing: the offer ends with the other side's next orders.")...)
	}
	if missing {
		c.Mails = append(c.Mails, l.answer(report.Notice, "your offer of a draw has been passed on", "It holds until you file orders again.")...)
	}
	return missing
}

func drawNote(game, side string) string { return "draw/" + game + "/" + side }
