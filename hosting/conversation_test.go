package hosting

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"fieldpost/demo/world"
	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/store/bolt"
	"fieldpost/umpire"
	"fieldpost/umpire/acts"
)

var update = flag.Bool("update", false, "write the mails that players get into the script")

// talk is a script that is played with clubs of one daemon.
type talk struct {
	*street
	players map[string]world.Player // by name
	heard   map[string]int          // how many mails of a player were looked at
	sent    int
}

// TestTwoClubsInOneDaemon plays the script testdata/two-clubs.txtar over real mail. Its files are named
// "ann writes to north", "ann signs for north", "ann gets" (what came since the last look, from whom,
// cut to the first lines) and "north has handled", a number of mails, which is waited for. Ann and Bob play
// a game of the north, $NORTH, Carl and Dora one of the south, $SOUTH.
func TestTwoClubsInOneDaemon(t *testing.T) {
	s := newStreet(t, "bob", "carl", "dora")
	s.configure(names[:2])
	s.begin()
	s.until("both", func() bool { return strings.Count(s.log.String(), "the club is served") == 2 })
	k := &talk{street: s, players: map[string]world.Player{}, heard: map[string]int{}}
	k.seat("north", "ann", "bob")
	k.seat("south", "carl", "dora")
	script := filepath.Join("testdata", "two-clubs.txtar")
	ar, err := txtar.ParseFile(script)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range ar.Files {
		words := strings.Fields(f.Name)
		text := k.named(string(f.Data), false)
		switch {
		case len(words) == 4 && words[1] == "writes":
			k.mail(words[0], words[3], text)
		case len(words) == 4 && words[1] == "signs":
			k.mail(words[0], words[3], k.players[words[0]].Sign(text))
		case len(words) == 2 && words[1] == "gets":
			ar.Files[i].Data = []byte(k.gets(words[0], text))
		case len(words) == 3 && words[2] == "handled":
			k.handled(words[0], strings.TrimSpace(text))
		default:
			t.Fatalf("-- %s -- is no step of a script", f.Name)
		}
	}
	s.end()
	if *update {
		if err := os.WriteFile(script, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	k.apart("north", []string{"ann", "bob"}, "south", []string{"carl", "dora"})
	k.apart("south", []string{"carl", "dora"}, "north", []string{"ann", "bob"})
}

// seat begins a game of a club with two players.
func (k *talk) seat(club string, people ...string) {
	k.t.Helper()
	random := rand.NewChaCha8([32]byte{byte(len(k.players))})
	err := k.desk(club, func(d *umpire.Desk) error {
		g, err := d.NewGame(umpire.Wanted{Scenario: "kharkov-1942", Options: map[string]string{"undo": "0"}})
		for i, name := range people {
			if err != nil {
				return err
			}
			p := world.Player{Game: g.ID, Side: g.Sides[i], Address: name + "@players.test"}
			if p.Key, err = seal.GenerateKey(random); err != nil {
				return err
			}
			k.players[name] = p
			err = d.AddPlayer(acts.Seat{Game: p.Game, Side: p.Side, Name: name, Address: p.Address, Key: p.Key.Public().String()})
		}
		return err
	})
	if err != nil {
		k.t.Fatal(err)
	}
}

// named writes the games' ids for $NORTH and $SOUTH, or the other way round.
func (k *talk) named(text string, back bool) string {
	north, south := k.players["ann"].Game, k.players["carl"].Game
	if back {
		return strings.NewReplacer(north, "$NORTH", south, "$SOUTH").Replace(text)
	}
	return strings.NewReplacer("$NORTH", north, "$SOUTH", south).Replace(text)
}

// mail mails something to a club.
func (k *talk) mail(from, to, text string) {
	k.t.Helper()
	k.sent++
	desk := "umpire@" + to + ".test"
	m := world.Mail{From: k.players[from].Address, To: desk, Subject: "from " + from, ID: fmt.Sprintf("%s%d", from, k.sent)}
	if err := k.office.Deliver(desk, m.Plain(text)); err != nil {
		k.t.Fatal(err)
	}
}

// changing is what differs from day to day.
var changing = regexp.MustCompile(`\b([A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2,8} 20\d\d,? (at )?\d\d:\d\d( \w+)?|\b[0-9a-f]{16,}\b`)

// gets compares what has come to somebody since the last look with what the script says.
func (k *talk) gets(who, want string) string {
	k.t.Helper()
	address, wanted := k.players[who].Address, strings.Count(want, "Subject: ")
	came := func() []string {
		k.mu.Lock()
		defer k.mu.Unlock()
		return slices.Clone(k.mails[address][k.heard[who]:])
	}
	k.until(fmt.Sprintf("mail number %d to %s", wanted, who), func() bool { return len(came()) >= wanted })
	var got []string
	for _, m := range came() {
		k.heard[who]++
		from, raw, _ := strings.Cut(m, "\n")
		msg, err := mailbox.Read([]byte(raw))
		if err != nil {
			k.t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(msg.Texts[0].AsSent), "\n")
		text := changing.ReplaceAllString(strings.Join(lines[:min(len(lines), 4)], "\n"), "(then)")
		got = append(got, fmt.Sprintf("From: %s\nSubject: %s\n\n%s\n", withoutTag(from), k.named(msg.Subject, true), strings.TrimRight(text, "\n")))
	}
	slices.Sort(got)
	trim := func(text string) string {
		return regexp.MustCompile(`[ \r]*\n`).ReplaceAllString(strings.TrimSpace(text), "\n")
	}
	all := strings.Join(got, "")
	if trim(all) != trim(k.named(want, true)) && !*update {
		k.t.Errorf("%s gets\n%s\nwant\n%s", who, all, want)
	}
	return all
}

// withoutTag is an address without what a bounce would be known by.
func withoutTag(address string) string {
	local, domain, _ := strings.Cut(address, "@")
	local, _, _ = strings.Cut(local, "+")
	return local + "@" + domain
}

// handled waits until a club has handled so many mails.
func (k *talk) handled(club, want string) {
	k.t.Helper()
	k.until(want+" mails of "+club, func() bool {
		st, err := k.status(club)
		return err == nil && fmt.Sprint(st.In) == want && st.Unhandled == 0
	})
}

// apart looks into the store of a club for anything of another one.
func (k *talk) apart(club string, ours []string, other string, theirs []string) {
	k.t.Helper()
	db, err := bolt.Open(filepath.Join(k.dir, club+"-data", bolt.Database), bolt.Options{ReadOnly: true})
	if err != nil {
		k.t.Fatal(err)
	}
	defer db.Close()
	game := k.players[ours[0]].Game
	games, err := db.Games()
	if err != nil || len(games) != 1 || games[0].ID != game {
		k.t.Errorf("%s has the games %v, %v", club, games, err)
	}
	mails, err := db.Mails(game)
	if err != nil || len(mails) == 0 {
		k.t.Errorf("%s has sent %d mails, %v", club, len(mails), err)
	}
	for _, m := range mails {
		raw, err := db.MailBytes(m.SHA256)
		if err != nil {
			k.t.Error(err)
		}
		isOurs := slices.ContainsFunc(ours, func(name string) bool { return m.To == k.players[name].Address })
		if !isOurs || withoutTag(m.From) != "umpire@"+club+".test" {
			k.t.Errorf("%s has a mail from %s to %s", club, m.From, m.To)
		}
		for _, word := range []string{k.players[theirs[0]].Game, k.players[theirs[0]].Address, k.players[theirs[1]].Address, other + ".test"} {
			if strings.Contains(string(raw), word) {
				k.t.Errorf("%s writes of %s to %s", club, word, m.To)
			}
		}
	}
	sheets, err := db.AllSheets(game)
	if err != nil || len(sheets) != 1 {
		k.t.Errorf("%s has filed %d sheets, %v", club, len(sheets), err)
	}
	for _, err := range db.Check() {
		k.t.Error(err)
	}
}
