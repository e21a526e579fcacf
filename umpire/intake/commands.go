package intake

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/report"
	"fieldpost/report/chart"
	"fieldpost/report/charts"
	"fieldpost/store"
	"fieldpost/umpire/judge"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/proof"
	"fieldpost/umpire/scene"
	"fieldpost/umpire/seats"
	"fieldpost/umpire/share"
	"fieldpost/umpire/turns"
)

// Requests are the plain commands that a player may send in a mail without a
// signature: they change nothing, and the answer goes to the enrolled address.
var requests = []struct{ word, means string }{
	{"HELP", "this list"},
	{"STATUS", "where the game stands and what it waits for"},
	{"ORDERS?", "your sheets that are filed and not yet carried out"},
	{"TEMPLATE", "an empty sheet for your next turn"},
	{"MAP", "the map as your side knows it now; MAP +zoc adds zones of control, MAP +sight what you look at,"},
	{"", "MAP +supply where no supply of yours comes; MAP units,front leaves out the rest, MAP -names one"},
	{"", "layer, MAP all has every one;"},
	{"", "MAP 1900-2608, MAP AROUND 2306 5, MAP ZMIJEW: close-ups of that part"},
	{"CHARTS", "the charts that lie beside the map: combat, terrain, weather, turns, a card of each unit"},
	{"DESK", "the page where you make a turn with the mouse: where it is, and how to keep it as one file"},
	{"KEYS", "our keys: the dice key, the one that signs reports, the OpenPGP one"},
	{"REPORT n", "your report number n again, byte for byte (RESEND n is the same)"},
}

// request reads a command from the first line of the mail, or from its subject
// if the mail has no text; nil if there is none.
func (l *incoming) request() []string {
	words := plainly(l.firstLine())
	if len(words) == 0 || len(words) > mostWords(words) {
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

// mostWords is how many words a request has at the most: what is longer is written to a person.
func mostWords(words []string) int {
	switch {
	case words[0] == "MAP" && len(words) > 1 && words[1] == "AROUND":
		return 6 // a place has up to three, then how far, and a layer
	case words[0] == "MAP":
		return 3
	}
	return 2
}

// plainly is a request without what politeness and other languages add to it.
func plainly(words []string) []string {
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		return slices.Contains([]string{"PLEASE", "BITTE", "SVP", "NO", "NO.", "NR", "NR.", "THE"}, strings.Trim(w, ",!?"))
	})
	for i, w := range words {
		if w != "ORDERS?" {
			words[i] = strings.TrimLeft(strings.Trim(w, ",!?"), "#")
		}
		if english, is := inEnglish[words[i]]; is {
			words[i] = english
		}
	}
	return words
}

// inEnglish are the requests that are made in other words.
var inEnglish = map[string]string{"HILFE": "HELP", "AIDE": "HELP", "KARTE": "MAP", "CARTE": "MAP", "STAND": "STATUS", "BERICHT": "REPORT", "RAPPORT": "REPORT"}

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

var replies = regexp.MustCompile(`(?i)^\s*((re|aw|fwd?|sv)\s*:\s*|\[[A-Z0-9]+\]\s*)+`)

// obey answers a command.
func (l *incoming) obey(words []string) []store.Mail {
	l.chooseGame()
	n := report.Note{Game: l.game.ID, Title: l.game.Title}
	var maps []mapOf
	var files []mailbox.File
	switch words[0] {
	case "HELP":
		n.About, n.Block = "help", helpText()
		n.Says = []string{"These words, on the first line of a mail from your enrolled address, are answered to that address. They need no signature, because they change nothing. Your opponent does not see our answers, and nothing in them uses what your side cannot see.",
			l.proving() + " On a line of its own in the head, CHECK has the sheet judged but not filed, WITHDRAW takes back what you filed for the turn, CONCEDE gives the game up, and DRAW? offers a draw." + l.sendsLetters()}
	case "STATUS":
		n.About, n.Block = "where the game stands", l.status()
	case "ORDERS?":
		n.About, n.Block = "what is filed", l.onFile()
	case "TEMPLATE":
		n.About, n.Block = "a sheet to fill in", l.template()
	case "MAP":
		n.About = "the map"
		n.Says, maps = l.currentMap(words[1:])
	case "CHARTS":
		n.About = "the charts"
		n.Says, files = l.charts()
	case "DESK":
		n.About, n.Says = "the order desk", l.desk()
	case "KEYS":
		return l.keys()
	default:
		var says string
		says, files = l.resend(words)
		n.About, n.Says = "resent", []string{says}
	}
	d := post.Draft{Kind: "note", Number: l.number(), Subject: n.Subject(), Files: files}
	if len(maps) > 0 {
		d.Game, d.Player = l.game, l.player
	}
	for _, m := range maps {
		n.Maps = append(n.Maps, report.Picture{CID: mailbox.ContentID(l.h.MessageID(d), m.name), Title: m.title})
		d.Images = append(d.Images, mailbox.File{Name: m.name, Type: "image/png", Data: m.data})
	}
	d.Text, d.HTML = n.Text(), n.HTML()
	return l.mail(d)
}

// charts are what lies beside the map at the table, to read and to print.
func (l *incoming) charts() (says []string, files []mailbox.File) {
	title, all, err := l.h.Library.Charts(l.game.Scenario)
	if err != nil {
		l.h.Log.Error("the charts cannot be shown", "game", l.game.ID, "error", err)
		return []string{"This game has no charts to send."}, nil
	}
	var text, page bytes.Buffer
	if err := errors.Join(charts.Text(&text, title, all), charts.HTML(&page, title, all)); err != nil {
		l.h.Log.Error("the charts cannot be printed", "game", l.game.ID, "error", err)
		return []string{"The charts cannot be sent now; the moderator will see why in the log."}, nil
	}
	return []string{"The combat table, terrain, weather, the track of turns and a card of every unit of both sides are attached: charts.txt to read, charts.html to print on A4."},
		[]mailbox.File{{Name: "charts.txt", Type: "text/plain; charset=utf-8", Data: text.Bytes()}, {Name: "charts.html", Type: "text/html; charset=utf-8", Data: page.Bytes()}}
}

// desk says where the order desk is. It is never sent: mail programs take such a file for harm.
func (l *incoming) desk() []string {
	says := []string{"The order desk is a page in your browser: it opens our reports, shows where each unit may go, judges every line as we will, and makes the mail that you send. It joins games as well, and makes a key. It reaches no network and sends nothing."}
	if at := l.h.AboutClub.Desk; at != "" {
		says = append(says, "It is at "+at+". There you can keep it as one file, too, which works without a network.")
	}
	return append(says, "If you have our program, run fieldpost desk with the report that your mail program saved. fieldpost desk --out desk.html writes the page as one file, and fieldpost version tells the SHA-256 that it must have.")
}

// keys sends the keys that everything from here is checked with.
func (l *incoming) keys() []store.Mail {
	n := report.Note{Game: l.game.ID, Title: l.game.Title, About: "our keys",
		Says:  []string{"Every roll of the game is proved with the first key, every report is signed with the second; fieldpost verify checks them. If you asked for encrypted mail (ENCRYPT), add the third key to your mail program, " + proof.FileKey + ": it signs that mail."},
		Block: fmt.Sprintf("dice key         %v\nour signing key  %v\n", match.Thrower(l.game, "").Key.PublicKey(), l.h.Key.Public())}
	files, err := l.h.EnvelopeKey()
	if err != nil {
		l.h.Log.Error("the OpenPGP key cannot be shown", "error", err)
	}
	return l.mail(post.Draft{Kind: "note", Number: l.number(), Subject: n.Subject(), Text: n.Text(), HTML: n.HTML(), Files: files})
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

// proving says how this player shows that a sheet is theirs.
func (l *incoming) proving() string {
	if l.byCodes() {
		return "A sheet of orders has the line CODE of your latest report in its head; two lines, CODE and DONE, finish what is filed."
	}
	return "A sheet of orders is signed."
}

// sendsLetters says how this player sends letters with a sheet: codes cannot vouch for one.
func (l *incoming) sendsLetters() string {
	if l.byCodes() {
		return ""
	}
	return " PRESS: and a side or ALL sends a letter that comes with it (fieldpost sign --press LETTER)."
}

func helpText() string {
	var b strings.Builder
	for _, r := range requests {
		fmt.Fprintf(&b, "%-10s %s\n", r.word, r.means)
	}
	return b.String()
}

func (l *incoming) status() string {
	m, at, err := l.now()
	switch {
	case err != nil:
		l.h.Log.Error("a status cannot be told", "game", l.game.ID, "error", err)
		return "The game cannot be read; its moderator will see why in the log."
	case m.Latest == nil:
		return "The game has not started: not every side has a player yet."
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Turn         %d, %s: %s\nYou play     %s\n", at.Turn, at.Date, at.Name, l.player.Side)
	if m.Game.Status != store.StatusRunning {
		fmt.Fprintf(&b, "The game is  %s\n", m.Game.Status)
	}
	if all, is := l.conceded(); is {
		until := all[adjudicator.Side(l.player.Side)].Until
		fmt.Fprintf(&b, "The game is  given up by you at %s; WITHDRAW takes it back\n", clockTime(until, l.h.Now(), post.ZoneOf(l.player, m.Game)))
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
	if l.player.Shared() {
		return l.partSoFar(m, turn)
	}
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
		return sheet + " is held: send DONE to have it played as it is, or send a new sheet"
	case thinking:
		return fmt.Sprintf("%s is finished, and will be played at %s", sheet, clockTime(one.Until, l.h.Now(), post.ZoneOf(l.player, m.Game)))
	case done:
		return sheet + " is finished"
	}
	return sheet + " is filed and not finished: send DONE"
}

// waitsFor says for whom the game waits, as far as the player may know: not who of the
// others is asked a question, nor who of them has finished.
func (l *incoming) waitsFor(m match.Match, pending []adjudicator.Decision) string {
	if len(pending) == 0 || match.OrdersClosed(m.Open) {
		return ""
	}
	if len(match.Questions(pending, adjudicator.Side(l.player.Side))) > 0 {
		return "your answer"
	}
	turnsOf := slices.DeleteFunc(slices.Clone(pending), func(d adjudicator.Decision) bool { return !d.Turn })
	unfinished, err := l.h.Unfinished(m.Position, turnsOf)
	if err != nil {
		return ""
	}
	var sides []string
	for _, side := range match.WaitingFor(turnsOf) {
		switch own := side == l.player.Side; {
		case !own: // whether they have finished does not show before the phase is played
			sides = append(sides, side)
		case slices.Contains(unfinished, side):
			sides = append(sides, "you")
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
		return "Nothing is filed: the game has not started."
	}
	var sheets []store.Sheet
	turn := 0
	if err == nil {
		turn = m.NextTurn(at, l.player.Side)
		sheets, err = l.h.DB.Sheets(l.game.ID, l.player.Side, turn)
	}
	if err != nil {
		l.h.Log.Error("the filed sheets cannot be told", "game", l.game.ID, "error", err)
		return "We cannot read what you filed at the moment, but it is not lost. The moderator will see why in the log."
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
			return report.WithCode(m.SheetToFillIn(&mine, turn, l.player.Serial+1), post.CodeOf(l.game, l.player, at.Label))
		}
	}
	sheet := report.Template(l.game.ID, l.player.Side, turn, l.player.Serial+1, m.System.Template())
	if m.Latest == nil {
		return sheet
	}
	return report.WithCode(sheet, post.CodeOf(l.game, l.player, at.Label))
}

// mapOf is a picture that answers MAP.
type mapOf struct {
	name, title string
	data        []byte
}

// currentMap draws the map that the words behind MAP ask for: layers, as chart.ParseLayers
// reads them, and a part, as chart.ParseFrame does.
func (l *incoming) currentMap(words []string) ([]string, []mapOf) {
	m, at, err := l.now()
	if err == nil && m.Latest == nil {
		return []string{"There is no map before the game has begun."}, nil
	}
	layers, part := layersAndPart(words)
	sc := &scene.Scene{}
	if err == nil {
		sc.View, err = m.View(l.player.Side)
	}
	if err == nil && layers != "" {
		err = sc.Reckon(m.Rules, l.player.Side)
	}
	var maps []mapOf
	if err == nil {
		sc.View.Game = l.game.ID
		o, wrong := sc.Options(layers)
		if wrong != nil {
			return []string{fmt.Sprintf("MAP %s: %v.", layers, wrong)}, nil
		}
		maps, err = drawnMaps(l.h.Share, sc, o, part)
	}
	if errors.Is(err, scene.ErrPart) {
		return []string{fmt.Sprintf("MAP %s %v.", part, err)}, nil
	}
	if err != nil {
		l.h.Log.Error("a map cannot be drawn", "game", l.game.ID, "error", err)
		return []string{"The map cannot be drawn; the moderator will see why in the log."}, nil
	}
	return []string{fmt.Sprintf("The map of %s, turn %d, %s, as your side knows it.", l.game.Title, at.Turn, at.Date)}, maps
}

// layersAndPart tells the words behind MAP that name layers from those that name a part.
func layersAndPart(words []string) (layers, part string) {
	var some, rest []string
	for _, w := range words {
		_, unknown := chart.ParseLayers(w)
		if signed := beginsWith(w, "+", "-"); signed || unknown == nil {
			some = append(some, strings.Trim(w, ","))
		} else {
			rest = append(rest, w)
		}
	}
	return strings.Join(some, ","), strings.Join(rest, " ")
}

// drawnMaps draws the whole map, or a part of it in close-ups.
func drawnMaps(in *share.Share, sc *scene.Scene, o chart.Options, part string) ([]mapOf, error) {
	if part == "" {
		whole, err := scene.Drawn(in, proof.FileMap, "The map as your side knows it", sc.View, o)
		return []mapOf{{whole.Name, whole.Title, whole.Data}}, err
	}
	all, err := sc.Part(in, part, o)
	var out []mapOf
	for _, p := range all {
		out = append(out, mapOf{p.Name, p.Title, p.Data})
	}
	return out, err
}

// resend puts a report into the outbox again: the same bytes, the same Message-ID. Of a
// report whose pictures cannot be drawn again it returns what is kept, as a file.
func (l *incoming) resend(words []string) (says string, files []mailbox.File) {
	n := 0
	if len(words) == 2 {
		n, _ = strconv.Atoi(words[1])
	}
	mails, err := l.h.DB.Mails(l.game.ID)
	if err != nil {
		return "The reports cannot be read.", nil
	}
	var reports []store.Mail
	for _, m := range mails {
		if post.ReportTo(m, l.player.Side, l.player.Commander) {
			reports = append(reports, m)
		}
	}
	if n != 1 && len(reports) == 1 {
		return "There is one report so far: write REPORT 1 to get it again.", nil
	}
	if n < 1 || n > len(reports) {
		return fmt.Sprintf("You have had %d reports: write REPORT and a number from 1 to %d.", len(reports), len(reports)), nil
	}
	m := reports[n-1]
	_, err = l.h.DB.MailBytes(m.SHA256)
	if errors.Is(err, store.ErrUndrawn) {
		return l.withoutPictures(n, m)
	}
	if err != nil {
		return fmt.Sprintf("Report %d is no longer kept. MAP and STATUS tell how the game stands now.", n), nil
	}
	switch m.State {
	case store.MailQueued, store.MailAccepted, store.MailFailed, store.MailBounced: // one that is held back goes now
		if err := l.h.DB.MarkResult(m.ID, store.Result{State: store.MailQueued, At: l.h.Now(), Reply: "asked for again"}); err != nil {
			return "The report cannot be sent again: " + err.Error(), nil
		}
	}
	return fmt.Sprintf("Report %d is on its way again, the same mail byte for byte.", n), nil
}

// withoutPictures is a report as it is kept, for a program that draws other pictures
// than the one that wrote it.
func (l *incoming) withoutPictures(n int, m store.Mail) (says string, files []mailbox.File) {
	raw, pictures, err := l.h.DB.KeptMail(m.SHA256)
	if err != nil {
		return fmt.Sprintf("Report %d is no longer kept. MAP and STATUS tell how the game stands now.", n), nil
	}
	l.h.Log.Warn("a report is sent without its pictures: they are drawn otherwise now", "id", m.ID, "game", m.Game, "side", m.Side, "report", n)
	name := fmt.Sprintf("report-%d.eml", n)
	return fmt.Sprintf("Report %d is attached as %s, without its pictures (%d): they are drawn differently now, and would not be the ones that you were sent. Its text, its view and its signature are as they were, and fieldpost verify checks them.", n, name, pictures),
		[]mailbox.File{{Name: name, Type: "application/octet-stream", Data: raw}}
}

// checkOnly judges a signed sheet and files nothing; the answer shows where the
// moves would lead.
func (l *incoming) checkOnly(m match.Match, faults []*orders.Error) []store.Mail {
	v, err := m.View(l.player.Side)
	if err != nil {
		return l.answer(report.Notice, "your position cannot be read")
	}
	v.Game = l.game.ID
	f := judged(m, v, l.sheet, faults)
	if asked, err := m.Asked(l.player.Side); err == nil {
		f.Lines = judge.WithAnswers(f.Lines, l.sheet, asked, m.MayAsk())
	}
	f.Lines = judge.Shown(f.Lines, l.sheet.Bare(), false)
	a := l.ack(l.turn, 0, f, v.Date)
	a.Checked = true
	a.Next = []string{"Nothing is filed. To file it, take CHECK out and send it again."}
	d := post.Draft{Kind: "check", Number: l.number(), Subject: a.Subject(), Text: a.Text()}
	if f.Preview != nil && l.h.Drawn(l.game.ID, l.player.Side) {
		if pic, err := scene.Drawn(l.h.Share, proof.FileMap, "", f.Preview(), chart.Options{Title: "if these moves were made"}); err == nil {
			d.Game, d.Player = l.game, l.player
			a.Map = mailbox.ContentID(l.h.MessageID(d), proof.FileMap)
			d.Images = []mailbox.File{{Name: proof.FileMap, Type: "image/png", Data: pic.Data}}
		}
	}
	d.HTML = a.HTML()
	return l.mail(d)
}

// endByConsent ends the game because the last side agreed to a draw, or begins the time in
// which a side can take back that it gives the game up. An offer of a draw holds until its
// side files orders again.
func (l *incoming) endByConsent(c *store.Change, m match.Match, sub submitted) error {
	side := l.player.Side
	g := l.counted(m.Game, sub.serial)
	c.Game, c.Expect = &g, m.Game.Seq
	kept := store.Sheet{Side: side, Turn: l.turn, Serial: sub.serial, Canonical: sub.canonical, Digest: l.digest, Source: l.sha, Key: l.key.String()}
	kept.Signature, kept.Signed = seats.Evidence(l.msg, sub.canonical, l.key)
	c.Sheets = []store.Sheet{kept}
	m.Game = g
	switch concedes := l.sheet.Command("CONCEDE"); {
	case concedes && match.HasSecondThoughts(g):
		return l.concedes(c, m, sub)
	case concedes:
		return l.h.Concede(c, m, adjudicator.Side(side))
	case l.offerDraw(c, g):
		return nil
	}
	return l.h.EndBy(c, m.Position, turns.Ending{By: adjudicator.Side(side), Verdict: "the sides agreed on a draw", Source: turns.ByPlayers})
}

// concedes gives a side that gives the game up the time to take it back.
func (l *incoming) concedes(c *store.Change, m match.Match, sub submitted) error {
	all, err := l.h.ConcessionsOf(m.Game.ID)
	if err != nil {
		return err
	}
	if all == nil {
		all = match.Concessions{}
	}
	wait := match.ConcessionTerm(m.Game)
	until := l.h.Now().UTC().Add(wait)
	all[adjudicator.Side(l.player.Side)] = match.Concession{Serial: sub.serial, Until: until}
	if err := l.keepConcessions(c, all, sub.serial); err != nil {
		return err
	}
	zone := post.ZoneOf(l.player, m.Game)
	at := clockTime(until, l.h.Now(), zone)
	reply, lines := l.linesFor(m, sub.serial, "WITHDRAW")
	c.Mails = l.tell(report.Note{About: "You give the game up at " + at, Says: []string{
		fmt.Sprintf("Your side gives up %s at %s %s, in %s. The game is over then, and the others are told.", m.Game.Title, at, zone, inWords(wait)),
		fmt.Sprintf("Until %s you can take it back: %s. A sheet with orders takes it back, too. Until then nobody else is told.", at, reply)},
		Block: "      " + strings.Join(lines, "\n      ") + "\n"})
	return nil
}

// takeBack ends the side's concession with orders of its player's own.
func (l *incoming) takeBack(c *store.Change) (err error) {
	all, is := l.conceded()
	byPlayer := l.player.Commander == 0 && match.StandInOf(l.sheet) == ""
	if !is || !byPlayer || l.sheet.Bare() {
		return nil
	}
	l.takesBack = true
	delete(all, adjudicator.Side(l.player.Side))
	all.Keep(c, l.game.ID)
	return nil
}

// keepConcessions puts a game's concessions into a Change, and files the sheet that speaks
// of them as one without orders: those that are filed stay.
func (l *incoming) keepConcessions(c *store.Change, all match.Concessions, serial int) (err error) {
	if !l.ofPart() {
		key := match.FilingKey{Seat: store.Seat{Game: l.game.ID, Side: l.player.Side}, Turn: l.turn, Serial: serial}
		match.FilingRecords.Put(c, key, match.Filing{Side: adjudicator.Side(l.player.Side), Turn: l.turn, Serial: serial, Bare: true, Seq: c.Expect + 1})
	}
	all.Keep(c, l.game.ID)
	return nil
}

// conceded is the side's concession that can still be taken back, and those of the game.
func (l *incoming) conceded() (all match.Concessions, is bool) {
	all, err := l.h.ConcessionsOf(l.game.ID)
	if err != nil {
		l.h.Log.Error("it cannot be read who gives the game up", "game", l.game.ID, "error", err)
	}
	_, is = all[adjudicator.Side(l.player.Side)]
	return all, is
}

// givingUp says until when the side can take back that it gives the game up, "" if it does
// not give it up.
func (l *incoming) givingUp() string {
	all, is := l.conceded()
	if !is {
		return ""
	}
	until := all[adjudicator.Side(l.player.Side)].Until
	return fmt.Sprintf("Your side gives the game up at %s unless you write WITHDRAW before then.", clockTime(until, l.h.Now(), post.ZoneOf(l.player, l.game)))
}

// wantsToPlayOn tells whether the sheet takes back that the side gives the game up.
func (l *incoming) wantsToPlayOn() bool {
	_, conceded := l.conceded()
	return conceded && l.sheet.Command("WITHDRAW")
}

// playsOn takes back that the side gives the game up. WITHDRAW takes back nothing else then:
// what is filed stays, whatever turn the sheet names.
func (l *incoming) playsOn(m match.Match, sub submitted) (store.Change, error) {
	serial, err := l.sheet.Number("SERIAL")
	switch {
	case err != nil:
		return l.refuse(staleLine(err, ""))
	case serial <= l.player.Serial:
		return l.refuse(stale(fmt.Sprintf("SERIAL %d has been used", serial), fmt.Sprintf("Write SERIAL: %d or more.", l.player.Serial+1)))
	}
	if err := l.contradicts(sub); err != nil {
		return l.refuse(err)
	}
	all, _ := l.conceded()
	delete(all, adjudicator.Side(l.player.Side))
	g := l.counted(m.Game, serial)
	c := l.outcome(l.player.Side + " does not give the game up")
	c.Game, c.Expect = &g, m.Game.Seq
	if err := l.keepConcessions(&c, all, serial); err != nil {
		return l.freeze(m.Position, err), nil
	}
	c.Mails = l.tell(report.Note{About: "You do not give the game up", Says: []string{
		"You no longer give the game up: it goes on. Nobody else was told. What you had filed stays as it is."}})
	return c, nil
}

// offerDraw notes the side's offer and tells the others. It reports whether
// somebody has not agreed yet.
func (l *incoming) offerDraw(c *store.Change, g store.Game) (missing bool) {
	match.DrawRecords.Put(c, store.Seat{Game: g.ID, Side: l.player.Side}, "offered")
	for _, p := range l.h.Everybody(g) {
		if p.Side == l.player.Side {
			continue
		}
		if _, offered, _ := match.DrawRecords.Get(l.h.DB, store.Seat{Game: g.ID, Side: p.Side}); offered {
			continue
		}
		missing = true
		o := *l
		o.player = p
		o.msg = &mailbox.Message{}
		c.Mails = append(c.Mails, o.answer(report.Notice, fmt.Sprintf("%s offers a draw", l.player.Side),
			"To agree, send a sheet with the line DRAW? in its head. To play on, do nothing: the offer ends with the other side's next orders.")...)
	}
	if missing {
		c.Mails = append(c.Mails, l.answer(report.Notice, "your offer of a draw has been passed on", "It holds until you file orders again.")...)
	}
	return missing
}
