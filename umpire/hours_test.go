package umpire

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"fieldpost/adjudicator"
	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/store"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
)

// The scripts in testdata/hours are the first hours and the second thoughts of people who
// have read nothing but our mails, in the shapes that their mail programs give to them.
// A file "GERMAN from gmail, to the report" is a mail. It begins with lines of what must
// come of it; the first that does not begin with % ends them:
//
//	% answer: held           the one answer that it gets, by the names of answerKinds
//	% stands: held 2: ...    what is filed afterwards; without this line: as before
//	% played: ...            the orders that were carried out by it; without: none
//	% others: SOVIET report  what anybody else gets, and reports to the sender
//	% says: ..., % never: .. what the answer says, and does not say
//	% place: below           where the words stand: above or below what is answered, within
//	                         it, or alone
//	% subject, % header, % at: more of the mail's shape
//	%% NAME                  begins a file that is attached
//
// "time passes 15m" carries the same lines. What everybody is told stands behind each mail,
// in files "GERMAN is told"; these alone are written anew by -update.
const hours = "testdata/hours"

// answerKinds are the kinds of answers, by how their subjects begin behind the game.
var answerKinds = []struct{ kind, subject string }{
	{"filed", `NOT YET PLAYED: sheet \d+ filed`},
	{"held", `NOT YET PLAYED: sheet \d+, \d+ things? to look at`},
	{"thinking", `NOT YET PLAYED: sheet \d+ will be played at`},
	{"finished", `NOT YET PLAYED: your side is finished`},
	{"too-late", `PLAYED at`},
	{"out-of-date", `NOT FILED: your sheet is out of date`},
	{"gives-up", `You give the game up at`},
	{"plays-on", `You do not give the game up`},
	{"played", `PLAYED: sheet \d+, turn`},
	{"answered", `PLAYED: your answer`},
	{"head", `sheet \d+: `},
	{"not-your-seat", `NOT FILED: the sheet names another (seat|game or side)`},
	{"unread-line", `NOT FILED: line \d+ could not be read`},
	{"farewell", `Another player has taken your seat`},
	{"new-player", `Another player leads`},
	{"moderator-acts", `The moderator: `},
	{"confirm", `please confirm this address`},
	{"confirmed", `From now on we write to`},
	{"moved", `Your mail goes to another address`},
	{"letter-refused", `.*your letter is not passed on|The letter below the line PRESS`},
	{"letter-sent", `Your letter has been passed on to`},
	{"kept", `Your message is kept`},
	{"withdrawn", `NOT YET PLAYED: orders withdrawn`},
	{"nothing-to-do", `NOT YET PLAYED: (no orders are filed|there is nothing to withdraw)`},
	{"private-key", `.*never send a private key`},
	{"code-missing", `NOT FILED: the code is missing`},
	{"code-wrong", `NOT FILED: the code is not right`},
	{"not-signed", `NOT FILED: your orders are not signed`},
	{"signature", `NOT FILED: the signature`},
	{"quoted", `NOT FILED: your orders stand in quoted lines`},
	{"empty-sheet", `NOT FILED: this is the empty sheet`},
	{"checked", `CHECKED, nothing filed`},
	{"several-sheets", `NOT FILED: more than one sheet`},
	{"unreadable", `NOT FILED: no order sheet`},
	{"passed-on", `Your message has gone to`},
	{"letter-passed-on", `Your letter has been passed on|Your answer has been passed on`},
	{"help", `help`},
	{"status", `where the game stands`},
	{"on-file", `what is filed`},
	{"template", `a sheet to fill in`},
	{"map", `the map`},
	{"resent", `resent`},
	{"keys", `our keys`},
	{"leave", `how to leave|to (stop your orders|play on), or to leave`},
	{"game-over", `NOT FILED: the game is over$`},
	{"over", `.*: the game is over`},
	{"disclosed", `The game is over, and nothing of it is secret`},
	{"deputy-joined", `The deputy of \S+ has joined`},
	{"stands-down", `Your part in the game has ended`},
	{"deputy-filed", `.*has filed sheet \d+ in your place`},
	{"welcome", `Welcome: you play|You are the deputy`},
	{"your-key", `One more step: your public key`},
	{"one-more-step", `One more step`},
	{"not-joined", `You have not joined`},
	{"joined-already", `You have joined already`},
	{"report", `.*(report \d+|your orders (are due|by .*))$`},
	{"question", `.*(a question|\w+ questions, the first): .*`},
	{"letter", `a letter from`},
	{"words", `.* writes to you`},
	{"message", `The moderator writes`},
	{"invitation", `.*(invites you to play|you are invited).*|.*: you play the .* side`},
	{"trouble", `For you: .* trouble joining`},
	{"done", `done: `},
}

var answerSubjects = sync.OnceValue(func() (all []*regexp.Regexp) {
	for _, k := range answerKinds {
		all = append(all, regexp.MustCompile(`^(`+k.subject+`)`))
	}
	return all
})

// kindOf is the kind of a mail of ours, its subject where it is none of them.
func kindOf(m *mailbox.Message) string {
	_, about, _ := strings.Cut(m.Subject, "] ")
	for i, begins := range answerSubjects() {
		if begins.MatchString(about) {
			return answerKinds[i].kind
		}
	}
	return about
}

// unbidden are the kinds of mails that are no answers.
var unbidden = []string{"report", "question", "letter", "words", "message", "invitation", "confirm", "trouble", "moderator-acts", "farewell", "new-player", "moved", "deputy-joined", "deputy-filed", "stands-down", "disclosed"}

// people are those whose mailboxes are looked at.
var people = []string{"GERMAN", "SOVIET", "MODERATOR", "NEWCOMER", "STRANGER"}

// hoursTally counts what the scripts hold.
type hoursTally struct {
	scripts, mails int
	programs       map[string]int
	answers        map[string]int
}

func TestHours(t *testing.T) {
	scripts, err := filepath.Glob(filepath.Join(hours, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	all := hoursTally{programs: map[string]int{}, answers: map[string]int{}}
	for _, path := range scripts {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { correspond(t, path, &all) })
	}
	t.Logf("%d mails in %d scripts, from %d mail programs: %v", all.mails, len(scripts), len(all.programs), all.programs)
	t.Logf("answers: %v", all.answers)
	if all.scripts < len(scripts) {
		return // only some of them were asked for
	}
	if all.mails < 120 || len(all.programs) < 8 {
		t.Errorf("%d mails from %d programs, must be 120 from 8 or more", all.mails, len(all.programs))
	}
}

// exchange is a script under way.
type exchange struct {
	*gameTable
	t     *testing.T
	all   *hoursTally
	last  []byte
	stood string   // what stood before
	joins []string // the codes of joining, in the order they were sent
}

// step is a mail or a passing of time, and what must come of it.
type step struct {
	name, body string
	must       map[string][]string
}

// one is what must come of it by one name, otherwise if nothing is said.
func (s step) one(name, otherwise string) string {
	if v := s.must[name]; len(v) > 0 {
		return v[len(v)-1]
	}
	return otherwise
}

func stepOf(name, text string) step {
	s := step{name: name, must: map[string][]string{}}
	for strings.HasPrefix(text, "%") {
		line, rest, _ := strings.Cut(text, "\n")
		key, value, _ := strings.Cut(strings.TrimSpace(line[1:]), ":")
		s.must[key] = append(s.must[key], strings.TrimSpace(value))
		text = rest
	}
	s.body = strings.ReplaceAll(text, "$ATTACKS", attacks)
	return s
}

func correspond(t *testing.T, path string, all *hoursTally) {
	ar, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	options := []string{"scenario=black-snow", "undo=15m"}
	if len(ar.Files) > 0 && ar.Files[0].Name == "the game has" {
		given := strings.Split(string(ar.Files[0].Data), "\n")
		options = append(options, slices.DeleteFunc(given, func(line string) bool { return strings.TrimSpace(line) == "" })...)
	}
	byPGP := slices.Contains(options, "pgp=GERMAN")
	x := &exchange{gameTable: newTable(t, slices.DeleteFunc(slices.Clone(options), func(o string) bool { return o == "pgp=GERMAN" })...), t: t, all: all}
	if byPGP {
		if err := x.u.AddPlayer(x.game, "GERMAN", "Vera", "german@example.org", corpusKey(t)); err != nil {
			t.Fatal(err)
		}
	}
	for _, side := range []string{"GERMAN", "SOVIET"} {
		if !slices.ContainsFunc([]string{"staff=", "codes=", "invited=", "pgp="}, func(by string) bool { return slices.Contains(options, by+side) }) {
			x.seat(side)
		}
	}
	x.moved = true
	defer x.archives()
	all.scripts++
	var kept []txtar.File
	for i := 0; i < len(ar.Files); i++ {
		f := ar.Files[i]
		told := i
		for told+1 < len(ar.Files) && strings.HasSuffix(ar.Files[told+1].Name, " is told") {
			told++
		}
		kept = append(kept, f)
		if f.Name == "the game has" {
			x.settle() // invitations and first reports
			continue
		}
		now := x.take(stepOf(f.Name, x.filledIn(string(f.Data))))
		if !*update {
			compare(t, f.Name, now, ar.Files[i+1:told+1])
		}
		kept = append(kept, now...)
		i = told
	}
	if *update && !t.Failed() {
		ar.Files = kept
		if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// archives checks the archive of a game that has begun.
func (x *exchange) archives() {
	if game, err := x.u.DB.Game(x.game); err != nil || game.Phases == 0 {
		return
	}
	if _, err := x.u.archived(x.game); err != nil {
		x.t.Errorf("the archive does not verify: %v", err)
	}
}

// compare holds what everybody is told against what the script has.
func compare(t *testing.T, name string, now, want []txtar.File) {
	t.Helper()
	for i := range max(len(now), len(want)) {
		var a, b txtar.File
		if i < len(now) {
			a = now[i]
		}
		if i < len(want) {
			b = want[i]
		}
		if a.Name != b.Name || strings.TrimSpace(string(a.Data)) != strings.TrimSpace(string(b.Data)) {
			t.Errorf("%s\n--- got %s\n%s--- want %s\n%s", name, a.Name, a.Data, b.Name, b.Data)
		}
	}
}

// settle looks into all mailboxes and forgets what is there.
func (x *exchange) settle() {
	for _, who := range people {
		x.outbox(who)
	}
	x.stood = x.standing()
}

// attacks are those that the rules demand of the Germans in the first turn of Black Snow.
const attacks = "3123 WITH 11 INF-R SS\n3224 WITH 3/3 SS MOT, D/2 SS MOT\n3413 WITH 106/15 INF\n5102 WITH 681/333 INF"

// filledIn writes for the names in a script what they stand for.
func (x *exchange) filledIn(text string) string {
	text = x.named(text, true)
	if strings.Contains(text, "$PGP-KEY") {
		text = strings.ReplaceAll(text, "$PGP-KEY", corpusKey(x.t))
	}
	for name, key := range x.keys {
		text = strings.ReplaceAll(text, "$"+name+"\n", key.Public().String()+"\n")
	}
	if code := x.lastCode(); code != "" && !slices.Contains(x.joins, code) {
		x.joins = append(x.joins, code)
	}
	text = strings.ReplaceAll(text, "$LAST", x.lastCode())
	for i := range x.joins {
		text = strings.ReplaceAll(text, fmt.Sprintf("$CODE%d", i+1), x.joins[i])
	}
	for _, side := range []string{"GERMAN", "SOVIET"} {
		text = strings.ReplaceAll(text, "$CODE-OF-"+side, x.phaseCode(side))
	}
	if strings.Contains(text, "$PHASE") {
		text = strings.ReplaceAll(text, "$PHASE", x.phaseCode("GERMAN"))
		x.firstCode = cmp.Or(x.firstCode, x.phaseCode("GERMAN"))
	}
	return strings.ReplaceAll(text, "$FIRST", x.firstCode)
}

// phaseCode is the code in the latest report to a side, "" for none.
func (x *exchange) phaseCode(side string) string {
	pos, err := x.u.DB.Load(x.game)
	if err != nil || pos.Latest == nil {
		return ""
	}
	game, _, err := x.u.RulesOf(pos.Game)
	if err != nil {
		x.t.Fatal(err)
	}
	at, err := game.At(pos.Latest.Snapshot)
	if err != nil {
		x.t.Fatal(err)
	}
	return post.PhaseCode(pos.Game, side, at.Label)
}

// take carries out a step, and holds what comes of it against what must.
func (x *exchange) take(s step) (told []txtar.File) {
	words := strings.Fields(s.name)
	before := x.carriedOut()
	counted := false
	switch {
	case words[0] == "time":
		passes, err := time.ParseDuration(words[2])
		if err != nil {
			x.t.Fatalf("%s: %v", s.name, err)
		}
		x.clock = x.clock.Add(passes)
		x.u.Tick(x.clock)
	case words[0] == "moderator":
		a := acts.Act{By: "test", Verb: words[1], Game: x.game, Value: strings.TrimSpace(s.body)}
		if len(words) > 2 {
			a.Side = words[2]
		}
		if _, err := x.u.Moderate(a); err != nil {
			x.t.Errorf("%s: %v", s.name, err)
		}
	case words[0] == "again":
		x.receive(x.last)
	default:
		program := strings.TrimSuffix(words[2], ",")
		raw := x.written(words[0], program, s)
		if s.one("when", "") != "at once" {
			x.clock = x.clock.Add(time.Minute)
		}
		x.last = raw
		x.receive(raw)
		if counted = s.one("answer", "") != "silence"; counted {
			x.all.mails++
			x.all.programs[program]++
		}
	}
	return x.cameOf(s, before, words[0], counted)
}

// cameOf compares what came of a step with what must, and shows what everybody is told.
func (x *exchange) cameOf(s step, before []string, writer string, isMail bool) (told []txtar.File) {
	x.t.Helper()
	var answers []*mailbox.Message
	var others []string
	answersTo := s.one("answered at", writer)
	for _, who := range people {
		var text strings.Builder
		for _, m := range x.outbox(who) {
			kind := kindOf(m)
			text.WriteString(x.excerpt(m) + "\n")
			if who == answersTo && !slices.Contains(unbidden, kind) {
				answers = append(answers, m)
			} else {
				others = append(others, who+" "+kind)
			}
		}
		if text.Len() > 0 {
			told = append(told, txtar.File{Name: who + " is told", Data: []byte(text.String())})
		}
	}
	want := s.one("answer", "")
	switch {
	case want == "silence" || !isMail && want == "":
		if len(answers) > 0 {
			x.t.Errorf("%s: answered by %q, must be silence", s.name, answers[0].Subject)
		}
	case len(answers) != 1:
		x.t.Errorf("%s: %d answers, must be one: %s", s.name, len(answers), want)
	default:
		x.fits(s, answers[0], want)
	}
	if got, want := strings.Join(others, ", "), s.one("others", ""); got != want {
		x.t.Errorf("%s: others get %q, must be %q", s.name, got, want)
	}
	after := x.carriedOut()
	if got, want := orderly(strings.Join(after[len(before):], "; ")), orderly(s.one("played", "")); got != want {
		x.t.Errorf("%s: played %q, must be %q", s.name, got, want)
	}
	stands := x.standing()
	if want := orderly(s.one("stands", x.stood)); orderly(stands) != want {
		x.t.Errorf("%s: what stands is\n  %s, must be\n  %s", s.name, stands, want)
	}
	x.stood = stands
	return told
}

// orderly is a list of orders in one line, as sheets are compared.
func orderly(list string) string {
	list = strings.ReplaceAll(list, "\n", "; ")
	return strings.Join(strings.Fields(strings.ReplaceAll(list, strings.ReplaceAll(attacks, "\n", "; "), "$ATTACKS")), " ")
}

// fits checks the one answer to a mail.
func (x *exchange) fits(s step, m *mailbox.Message, want string) {
	x.t.Helper()
	text := strings.Join(strings.Fields(m.Subject+" "+m.Texts[0].AsSent), " ")
	got := kindOf(m)
	x.all.answers[got]++
	if got != want {
		x.t.Errorf("%s: answered %s (%q), must be %s", s.name, got, m.Subject, want)
	}
	for _, says := range s.must["says"] {
		if !strings.Contains(text, says) {
			x.t.Errorf("%s: the answer does not say %q:\n%s", s.name, says, text)
		}
	}
	for _, never := range s.must["never"] {
		if strings.Contains(text, never) {
			x.t.Errorf("%s: the answer says %q:\n%s", s.name, never, text)
		}
	}
	if _, err := x.u.DB.Spooled(shaOf(x.last)); got == "private-key" && !errors.Is(err, store.ErrNotFound) {
		x.t.Errorf("%s: the mail with the private key is kept: %v", s.name, err)
	}
	words := []string{"PRIVATE KEY", "%!", "runtime error"}
	if game, err := x.u.DB.Game(x.game); err == nil && playsByCode(game, m) {
		words = append(words, "ssh-keygen", "fieldpost sign", "gpg ", "your signature") // advice follows the seat
	}
	if game, err := x.u.DB.Game(x.game); err == nil && len(game.Players) == len(game.Sides) && !playsByCode(game, m) {
		words = append(words, " CODE:")
	}
	for _, word := range words {
		if strings.Contains(text, word) {
			x.t.Errorf("%s: the answer says %q", s.name, word)
		}
	}
}

// playsByCode tells whether a mail of ours goes to a player who signs nothing.
func playsByCode(g store.Game, m *mailbox.Message) bool {
	return slices.ContainsFunc(g.Players, func(p store.Player) bool { return seal.IsCode(p.Key) && slices.Contains(m.To, p.Address) })
}

// excerpt is the subject of a mail of ours and what it says first.
func (x *exchange) excerpt(m *mailbox.Message) string {
	text, _, _ := strings.Cut(strings.TrimSpace(m.Texts[0].AsSent), "\nSheet digest")
	for _, end := range []string{"\nAnna moderates this game", "\nKEYS", "\nHOW TO", "\nA SHEET TO BEGIN", "\n line  order"} {
		text, _, _ = strings.Cut(text, end)
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	switch most := 14; {
	case slices.Contains([]string{"report", "question"}, kindOf(m)):
		lines = lines[:min(1, len(lines))]
	case len(lines) > most:
		lines = append(lines[:most], "...")
	}
	for i, line := range lines {
		line = hexDigits.ReplaceAllString(codes.ReplaceAllString(line, "(code)"), "(digits)")
		lines[i] = strings.TrimRight(line, " ")
	}
	return x.named("Subject: "+m.Subject+"\n\n"+strings.Join(lines, "\n")+"\n", false)
}

// carriedOut are the orders of both sides that have been played, in order.
func (x *exchange) carriedOut() (played []string) {
	x.t.Helper()
	phases, err := x.u.DB.Journal(x.game)
	if err != nil {
		x.t.Fatal(err)
	}
	for _, p := range phases {
		entries, err := match.EntriesOf(p.Journal)
		if err != nil {
			x.t.Fatal(err)
		}
		for _, e := range entries {
			if e.Answer != "" && e.Source != "the default" && e.Source != "none filed" {
				played = append(played, e.Answer)
			}
		}
	}
	return played
}

// standing is what is filed for each side's next turn, and how far it is.
func (x *exchange) standing() string {
	x.t.Helper()
	m, err := x.u.Load(x.game)
	if err != nil {
		x.t.Fatal(err)
	}
	switch {
	case m.Latest == nil:
		var joined []string
		for _, p := range m.Game.Players {
			joined = append(joined, p.Side+" "+p.Address)
		}
		return strings.Join(append([]string{"open"}, joined...), ", ")
	case m.Game.Status == store.StatusFinished:
		return "over"
	}
	at, err := m.At()
	if err != nil {
		x.t.Fatal(err)
	}
	var sides []string
	for _, side := range m.Rules.Sides() {
		if what := x.filedOf(m, string(side), m.NextTurn(at, string(side))); what != "" {
			sides = append(sides, string(side)+" "+what)
		}
	}
	return cmp.Or(strings.Join(sides, " / "), "nothing")
}

// filedOf is what is filed for a turn of a side, "" for nothing.
func (x *exchange) filedOf(m match.Match, side string, turn int) string {
	filed, err := x.u.Filed(x.game, nil)
	if err != nil {
		x.t.Fatal(err)
	}
	k := match.LastWithOrders(filed, adjudicator.Side(side), turn)
	if k < 0 {
		return ""
	}
	thoughts, err := x.u.ThoughtsOf(x.game)
	if err != nil {
		x.t.Fatal(err)
	}
	state := "filed"
	done := slices.ContainsFunc(filed[k:], func(f match.Filing) bool { return f.Of(side, turn) && f.Done })
	switch one, thinks := thoughts[adjudicator.Side(side)]; {
	case thinks && one.Turn == turn && one.Held:
		state = "held"
	case thinks && one.Turn == turn:
		state = "thinking"
	case done:
		state = "finished"
	}
	var answers []string
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(filed[k].Answers))) { // moves before attacks
		if text := strings.TrimSpace(filed[k].Answers[name]); text != "" {
			answers = append(answers, text)
		}
	}
	return orderly(fmt.Sprintf("%s %d: %s", state, filed[k].Serial, strings.Join(answers, "; ")))
}

// signedParts signs what stands between {{ and }} by the writer's key, or by the one that is
// named behind {{.
func (x *exchange) signedParts(by, text string) string {
	for {
		before, rest, found := strings.Cut(text, "{{")
		if !found {
			return text
		}
		sheet, after, _ := strings.Cut(rest, "}}")
		name, lines, _ := strings.Cut(sheet, "\n")
		letter := ""
		if body, words, has := strings.Cut(lines, "LETTER\n"); has {
			part, digest := orders.Press(words)
			lines, letter = body+"PRESS-SHA256: "+digest+"\n", part
		}
		if strings.TrimSpace(name) == "PGP" {
			b := builder{t: x.t, g: x.gameTable}
			text = before + b.clear(lines) + after
			continue
		}
		if strings.TrimSpace(name) == "SPOILED" {
			text = before + strings.Replace(x.signed(by, lines), "TO 3018", "TO 3017", 1) + after
			continue
		}
		text = before + x.signed(cmp.Or(strings.TrimSpace(name), by), lines) + letter + after
	}
}
