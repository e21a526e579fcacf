// Package forgeries tries to speak for players who said nothing of the kind: it
// makes mails whose signatures are changed, borrowed, repeated, of the wrong game,
// side, turn or serial, or of nobody who plays here, and hands them to an umpire.
// None may ever change a game.
package forgeries

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"fieldpost/demo/world"
	"fieldpost/trial"
	"fieldpost/trial/ramdisk"
	"fieldpost/trial/signers"
)

// Tally is what came of the tries.
type Tally struct {
	Tries int
	Kinds map[string]int // how many of each
}

// String says it in a line.
func (t Tally) String() string {
	return fmt.Sprintf("%d forgeries of %d kinds: 0 accepted", t.Tries, len(t.Kinds))
}

// Run makes Count tries and says what came of them, kind by kind. The error shows the
// first mail that changed a game.
func Run(ctx context.Context, of *trial.Trial) error {
	folder, err := ramdisk.Folder("forgeries")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	t, err := Try(ctx, folder, of.Count, uint64(of.Seed))
	if err != nil {
		return err
	}
	for _, kind := range slices.Sorted(maps.Keys(t.Kinds)) {
		fmt.Fprintf(of.Out, "%6d  %s\n", t.Kinds[kind], kind)
	}
	fmt.Fprintln(of.Out, t)
	return nil
}

// voice is somebody who can sign: body is the content header and body of a mail
// with a signed sheet.
type voice struct {
	public string
	body   func(sheet string) string
}

func sshVoice(n byte) voice {
	s := signers.NewSSH(n)
	return voice{s.Public().String(), func(sheet string) string { return world.Text(s.Block(sheet)) }}
}

func smimeVoice(n byte) voice {
	c := signers.NewSMIME(n)
	return voice{c.Public(), func(sheet string) string { return c.MIME(world.Text(sheet)) }}
}

// pgpVoices sign with one key: a clearsigned text, PGP/MIME, and a file with its
// signature beside it.
func pgpVoices(n byte) []voice {
	p := signers.NewPGP(n)
	return []voice{
		{p.Public(), func(sheet string) string { return world.Text("Hello,\n" + p.Clearsigned(sheet)) }},
		{p.Public(), func(sheet string) string {
			return p.MIME(world.Text("Hello,\n" + sheet + "\nAnna\n"))
		}},
		{p.Public(), func(sheet string) string {
			return "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n" + world.Text(sheet) + "\r\n--b\r\n" +
				"Content-Type: application/pgp-signature; name=\"x.asc\"\r\n\r\n" + world.CRLF(p.Detached(sheet)) + "\r\n--b--\r\n"
		}},
	}
}

const desk = "umpire@example.org"

// seat is a side of one of the two games.
type seat struct {
	game, side string
	own        []voice
	other      []voice // who plays, and not here
}

// sheet is a sheet of the side, of which nothing is signed yet.
func (s seat) sheet(turn, serial int) string {
	return fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: %d\nSERIAL: %d\nMOVE\n", s.game, s.side, turn, serial)
}

// games is two games by one umpire, with players of both and one in both, former
// keys and strangers.
type games struct {
	*world.World
	random    *rand.Rand
	seats     []seat
	strangers []voice
	former    []voice
	accepted  []string // contents that were, to be sent again
	mails     int
	serial    int
}

func (w *games) pick(list ...voice) voice { return list[w.random.IntN(len(list))] }

// Try makes so many tries in a store of its own in the folder. The same seed is
// the same mails.
func Try(ctx context.Context, folder string, tries int, seed uint64) (t Tally, err error) {
	w := &games{random: rand.New(rand.NewPCG(seed, 42))}
	w.World, err = world.Open(folder, world.Options{Address: desk, Instance: "forgeries", Key: signers.NewSSH(99).PrivateKey,
		Now: func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }, Draw: func(string, string) bool { return false }})
	if err != nil {
		return t, err
	}
	defer w.Close()
	if err := w.begin(ctx); err != nil {
		return t, fmt.Errorf("beginning the games: %w", err)
	}
	t.Kinds = map[string]int{}
	before, err := w.state()
	if err != nil {
		return t, err
	}
	for i := range tries {
		a, s := Attacks[i%len(Attacks)], w.seats[w.random.IntN(len(w.seats))]
		content := a.make(w, s)
		if err := w.send(ctx, []string{"soviet", "german", "stranger"}[w.random.IntN(3)], content); err != nil {
			return t, err
		}
		t.Tries++
		t.Kinds[a.kind]++
		if now, err := w.changes(); err != nil || now != before.changes {
			return t, fmt.Errorf("try %d: %s, for %s in %s, was accepted (%w):\n%s", i, a.kind, s.side, s.game, err, content)
		}
	}
	after, err := w.state()
	if err != nil {
		return t, err
	}
	if after != before {
		return t, fmt.Errorf("a game changed:\n%v\n%v", before, after)
	}
	return t, w.stillHeard(ctx)
}

// begin seats the players, changes two keys, and files a sheet with each voice.
func (w *games) begin(ctx context.Context) error {
	anna, bruno, clara := pgpVoices(1), sshVoice(1), smimeVoice(1)
	oldAnna, oldBruno := pgpVoices(5)[1], sshVoice(5)
	w.former = []voice{oldAnna, oldBruno}
	w.strangers = append(pgpVoices(7)[:2], smimeVoice(7), sshVoice(7))
	var games []string
	for n := range 2 {
		g, err := w.Umpire.NewGame("kharkov-1942", nil, rand.NewChaCha8([32]byte{77, byte(n)}))
		if err != nil {
			return err
		}
		games = append(games, g.ID)
	}
	w.seats = []seat{
		{games[0], "SOVIET", anna, []voice{bruno, clara}},
		{games[0], "GERMAN", []voice{bruno}, append(slices.Clone(anna), clara)},
		{games[1], "SOVIET", []voice{clara}, append(slices.Clone(anna), bruno)},
		{games[1], "GERMAN", []voice{bruno}, append(slices.Clone(anna), clara)},
	}
	for i, first := range []voice{oldAnna, bruno, clara, oldBruno} {
		s := w.seats[i]
		if err := w.Umpire.AddPlayer(s.game, s.side, s.side, strings.ToLower(s.side)+"@example.org", first.public); err != nil {
			return err
		}
	}
	for _, i := range []int{0, 3} {
		if err := w.Umpire.SetKey(w.seats[i].game, w.seats[i].side, w.seats[i].own[0].public); err != nil {
			return err
		}
	}
	for _, s := range w.seats {
		for _, v := range s.own {
			content := v.body(s.sheet(1, w.next()))
			if err := w.send(ctx, s.side, content); err != nil {
				return err
			}
			w.accepted = append(w.accepted, content)
		}
	}
	return w.filed(len(w.accepted))
}

// next is a serial that was not used before.
func (w *games) next() int {
	w.serial++
	return 10 + w.serial
}

// filed checks how many sheets lie in the store.
func (w *games) filed(want int) error {
	n := 0
	for _, s := range []seat{w.seats[0], w.seats[2]} {
		sheets, err := w.Umpire.DB.AllSheets(s.game)
		if err != nil {
			return err
		}
		n += len(sheets)
	}
	if n != want {
		return fmt.Errorf("%d sheets are filed, not %d", n, want)
	}
	return nil
}

// stillHeard checks that the same keys are good for what their owners sign.
func (w *games) stillHeard(ctx context.Context) error {
	for _, s := range w.seats {
		for _, v := range s.own {
			before, err := w.changes()
			if err != nil {
				return err
			}
			if err := w.send(ctx, s.side, v.body(s.sheet(1, 1000+w.next()))); err != nil {
				return err
			}
			if now, err := w.changes(); err != nil || now == before {
				return fmt.Errorf("%s in %s is not heard any more (%w)", s.side, s.game, err)
			}
		}
	}
	return nil
}

// send hands in a mail with a content header and body.
func (w *games) send(ctx context.Context, from, content string) error {
	w.mails++
	m := world.Mail{From: strings.ToLower(from) + "@example.org", To: desk, Subject: "orders", ID: fmt.Sprintf("mail-%d", w.mails), Date: w.Umpire.Now()}
	return w.Receive(ctx, m.With(content))
}

// changes counts the Changes of both games.
func (w *games) changes() (n [2]uint64, err error) {
	for i, s := range []seat{w.seats[0], w.seats[2]} {
		g, err := w.Umpire.DB.Game(s.game)
		if err != nil {
			return n, err
		}
		n[i] = g.Seq
	}
	return n, nil
}

// state is what nobody may change: the journals, the players' keys and serials,
// the sheets.
type state struct {
	changes [2]uint64
	text    string
}

func (w *games) state() (s state, err error) {
	if s.changes, err = w.changes(); err != nil {
		return s, err
	}
	var b strings.Builder
	for _, seat := range []seat{w.seats[0], w.seats[2]} {
		phases, err := w.Umpire.DB.Journal(seat.game)
		if err != nil {
			return s, err
		}
		for _, p := range phases {
			fmt.Fprintf(&b, "%s %s %s\n", p.Phase, p.Hash, p.Journal)
		}
		g, err := w.Umpire.DB.Game(seat.game)
		if err != nil {
			return s, err
		}
		for _, p := range g.Players {
			fmt.Fprintf(&b, "%s %d %s\n", p.Side, p.Serial, p.Key)
		}
		sheets, err := w.Umpire.DB.AllSheets(seat.game)
		if err != nil {
			return s, err
		}
		for _, f := range sheets {
			fmt.Fprintf(&b, "%s\n", f.Digest)
		}
	}
	s.text = b.String()
	return s, nil
}
