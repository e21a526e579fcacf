package intake

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/judge"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/seats"
)

// submitted is a sheet as its writer handed it in: for which turn, under which number,
// the signed text and what of it cannot be read.
type submitted struct {
	turn, serial int
	canonical    string
	faults       []*orders.Error
}

// filedAs is what an accepted sheet comes to.
type filedAs struct {
	echo   *adjudicator.Filing // for the acknowledgement
	fresh  match.Filing
	sheets []store.Sheet
	serial int    // of the side's sheet
	date   string // of the position
	next   string // what it waits for, where the side has several commanders
	mails  []store.Mail
	part   partOf
	later  bool // its answer may come much later than the sheet
}

// partOf is what a sheet means to a side with several commanders.
type partOf struct {
	block   string             // the orders of the writer's part with it
	lines   []adjudicator.Line // the verdicts on that part
	duties  []adjudicator.Line // remarks on the orders of the whole side, once all have come
	done    bool               // the writer's part was finished before
	was, is []string           // whose DONE the side waited for before, and waits for now
}

// tooLong refuses a part that makes its side's sheet longer than sheets can be.
func (l *incoming) tooLong(m match.Match, canonical string) error {
	parts, err := l.h.PartsOf(m, l.player, l.turn)
	if err != nil {
		return nil
	}
	n := strings.Count(canonical, "\n")
	for _, p := range parts {
		if p.Commander != l.commander() {
			n += strings.Count(p.Text, "\n")
		}
	}
	if n <= orders.MaxLines {
		return nil
	}
	return refusal(fmt.Sprintf("with this sheet the orders of your side have %d lines; all its commanders together may write %d", n, orders.MaxLines),
		"Write fewer lines: formations move in one line as well as units.")
}

// asPart joins the sheet at hand with the parts of the side's other commanders.
func (l *incoming) asPart(m match.Match, sub submitted, asked []adjudicator.Decision) (f filedAs, err error) {
	v, err := m.View(l.player.Side)
	if err != nil {
		return f, err
	}
	f.date = v.Date
	before, err := l.h.PartsOf(m, l.player, sub.turn)
	if err != nil {
		return f, err
	}
	i := slices.IndexFunc(l.game.Players, func(p store.Player) bool { return p.Side == l.player.Side })
	seat, me := l.game.Players[i], l.commander()
	own := store.Sheet{Side: seat.Side, Turn: sub.turn, Serial: sub.serial, Canonical: sub.canonical, Digest: l.digest, Source: l.sha, Key: l.key.String(), Part: me + 1}
	own.Signature, own.Signed = l.evidence(sub.canonical)
	own.Seq = m.Game.Seq + 1
	f.serial = seat.Serial + 1
	then := m.Joiner(v, seat).Join(before, l.game.ID, sub.turn, f.serial, -1)
	was := judgedParts(m, v, then, asked)
	parts := match.WithPart(before, seat, own, m.System)
	joined := m.Joiner(v, seat).Join(parts, l.game.ID, sub.turn, f.serial, me)
	now := judgedParts(m, v, joined, asked)
	f.part.was, f.part.is = then.Waits, joined.Waits
	f.part.done = slices.ContainsFunc(before, func(p match.Part) bool { return p.Commander == me && p.Sheet.Done })
	text := sub.canonical
	if k := slices.IndexFunc(parts, func(p match.Part) bool { return p.Commander == me }); k >= 0 {
		text, f.part.block = parts[k].Text, parts[k].Block()
	}
	f.fresh = match.FilingOf(now.filing, now.sheet, adjudicator.Side(seat.Side), m.OpenPhase())
	f.next = "Your part is filed. The side's sheet is complete; the game goes on when nothing else is waited for."
	if len(joined.Waits) > 0 {
		f.next = "Your part is filed. The side's turn is not done yet: " + strings.Join(joined.Waits, " and ") + " may still write. The commander-in-chief's DONE ends it."
	}
	f.echo = now.of(me, l.sheet, joined, text)
	f.part.lines = f.echo.Lines
	if l.sheet.Bare() { // of the orders above it nothing is said again
		f.echo.Lines = slices.DeleteFunc(slices.Clone(f.echo.Lines), func(line adjudicator.Line) bool { return line.Pos.Line > strings.Count(sub.canonical, "\n") })
	}
	if len(joined.Waits) == 0 {
		f.part.duties = slices.DeleteFunc(slices.Clone(now.filing.Lines), func(line adjudicator.Line) bool { return line.Pos.Line > 0 })
		f.echo.Lines = append(f.echo.Lines, f.part.duties...)
	}
	f.sheets = []store.Sheet{own}
	whole := store.Sheet{Side: seat.Side, Turn: sub.turn, Serial: f.serial, Canonical: joined.Text, Digest: orders.Digest(joined.Text), Key: l.h.Key.Public().String()}
	if whole.Signature, err = seal.Sign(l.h.Key, seal.Namespace, []byte(joined.Text)); err != nil {
		return f, err
	}
	f.sheets = append(f.sheets, whole)
	f.mails = l.overruled(seat, me, was, now)
	return f, nil
}

// verdicts are what became of the lines of a joined sheet.
type verdicts struct {
	sheet  *orders.Sheet
	filing *adjudicator.Filing
	lines  map[int][]adjudicator.Line // by commander, at the lines of their part
}

// judgedParts judges a joined sheet, each line as its writer's.
func judgedParts(m match.Match, v *view.View, j match.JoinedSheet, asked []adjudicator.Decision) (out verdicts) {
	sheet, faults := orders.Parse(j.Text, m.System.Vocabulary())
	out = verdicts{sheet: sheet, filing: judged(m, v, sheet, faults), lines: map[int][]adjudicator.Line{}}
	out.filing.Lines = judge.WithAnswers(out.filing.Lines, sheet, asked, m.MayAsk())
	for _, line := range out.filing.Lines {
		n := line.Pos.Line
		if n < 1 || n > len(j.From) || j.From[n-1].Commander < 0 {
			continue
		}
		from := j.From[n-1]
		if line.At.Line > 0 {
			line.At.Line += from.Line - n
		}
		line.Pos.Line = from.Line
		out.lines[from.Commander] = append(out.lines[from.Commander], line)
	}
	return out
}

// of is the verdict on one person's part: what of it is not theirs to order, and how
// the rest does beside the orders of the others.
func (v verdicts) of(commander int, sheet *orders.Sheet, j match.JoinedSheet, part string) *adjudicator.Filing {
	f := &adjudicator.Filing{Lines: v.lines[commander], Done: sheet.Done}
	text := strings.Split(part, "\n")
	for n, bad := range j.Refused[commander] {
		at := orders.Pos{Line: n, Col: 1}
		f.Lines = append(f.Lines, adjudicator.Line{Pos: at, At: at, Text: text[n-1], Refused: bad})
	}
	slices.SortStableFunc(f.Lines, func(a, b adjudicator.Line) int { return cmp.Compare(a.Pos.Line, b.Pos.Line) })
	return f
}

// toCommander posts a mail to one person of the side.
func (l *incoming) toCommander(seat store.Player, commander int, d post.Draft) []store.Mail {
	d.Game, d.Player, d.Number = l.game, seat.As(commander), l.number()
	m, err := l.h.Render(d)
	if err != nil {
		l.h.Log.Error("a commander cannot be told", "game", l.game.ID, "side", seat.Side, "error", err)
		return nil
	}
	return []store.Mail{m}
}

// overruled tells the side's other commanders which lines of theirs stand no more
// with the part that has come.
func (l *incoming) overruled(seat store.Player, me int, was, now verdicts) (mails []store.Mail) {
	for commander := range len(seat.Commanders) + 1 {
		if commander == me || !seats.WritesPart(seat, commander) {
			continue
		}
		stood := map[string]bool{}
		for _, line := range was.lines[commander] {
			stood[line.Text] = line.Refused == nil
		}
		stands := map[string]bool{}
		var lost []string
		for _, line := range now.lines[commander] {
			if line.Refused == nil {
				stands[line.Text] = true
			} else if stood[line.Text] {
				lost = append(lost, line.Text+": "+line.Refused.Why)
			}
		}
		for _, line := range was.lines[commander] {
			if line.Refused == nil && !stands[line.Text] && !slices.ContainsFunc(lost, func(s string) bool { return strings.HasPrefix(s, line.Text+": ") }) {
				lost = append(lost, line.Text+": "+seats.CommandName(seat, me)+" orders otherwise")
			}
		}
		if len(lost) == 0 {
			continue
		}
		n := report.Note{Game: l.game.ID, Title: l.game.Title, About: "orders of yours no longer count", Block: strings.Join(lost, "\n") + "\n",
			Says: []string{fmt.Sprintf("%s has filed orders, and with them these lines of yours are not carried out. Send your sheet again with a higher SERIAL to change what you do.", post.Sentence(seats.CommandName(seat, me)))}}
		n.Says[0] = strings.Replace(n.Says[0], ". has filed", " has filed", 1)
		mails = append(mails, l.toCommander(seat, commander, post.Draft{Kind: "overruled", Subject: n.Subject(), Text: n.Text(), HTML: n.HTML()})...)
	}
	return mails
}

// filedAs is what the sheet at hand comes to: as it is, or joined with the parts of
// the side's other commanders.
func (l *incoming) filedAs(m match.Match, sub submitted) (filedAs, error) {
	asked, err := m.Asked(l.player.Side)
	if err != nil {
		return filedAs{}, err
	}
	if l.ofPart() {
		return l.asPart(m, sub, asked)
	}
	echo, date, err := l.verdict(m, sub.canonical, sub.faults)
	if err != nil {
		return filedAs{}, err
	}
	f := filedAs{serial: sub.serial, echo: echo, date: date}
	f.echo.Lines = judge.WithAnswers(f.echo.Lines, l.sheet, asked, m.MayAsk())
	f.fresh = match.FilingOf(f.echo, l.sheet, adjudicator.Side(l.player.Side), m.OpenPhase())
	if seats.Deputy(l.player) {
		f.fresh.By = seats.ByDeputy
	}
	f.sheets = []store.Sheet{{Side: l.player.Side, Turn: sub.turn, Serial: sub.serial, Canonical: sub.canonical, Digest: l.digest, Source: l.sha, Key: l.key.String()}}
	f.sheets[0].Signature, f.sheets[0].Signed = l.evidence(sub.canonical)
	return f, nil
}
