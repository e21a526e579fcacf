package clubs

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"fieldpost/demo/postoffice"
	"fieldpost/demo/world"
	"fieldpost/umpire"
	"fieldpost/umpire/match"
)

// house is the clubs, their games, and what was sent and came back.
type house struct {
	Options
	office *postoffice.Office
	clubs  []*club

	mu      sync.Mutex
	sent    map[string]*sheet // by Message-ID
	crossed []string
}

// club is one of them. All clubs have the same players, and games of the same scenario.
type club struct {
	name  string
	games []*game
	next  int // the game that gets the next sheet
}

// game is a game of which every sheet closes the turn of a side.
type game struct {
	players []world.Player
	sheets  int
}

// sheet is one that was sent.
type sheet struct {
	club    string
	during  bool // the flood
	at      time.Time
	waited  time.Duration
	answers bool
	warming bool
}

// scenario is played everywhere, so long as each of its games lasts.
const (
	scenario = "kharkov-1942"
	turns    = 17
)

func newHouse(o Options) *house {
	h := &house{Options: o, sent: map[string]*sheet{}}
	for n := range o.Clubs {
		h.clubs = append(h.clubs, &club{name: fmt.Sprintf("club%02d", n+1)})
	}
	return h
}

func (c *club) address() string { return "umpire@" + c.name + ".test" }

// users are the accounts: the clubs', and those of the players who play in all of them.
func (h *house) users() map[string]string {
	users := map[string]string{"soviet@players.test": "x", "german@players.test": "x"}
	for _, c := range h.clubs {
		users[c.address()] = "x"
	}
	return users
}

// furnish writes the configuration, and makes the games of all clubs.
func (h *house) furnish() (config string, err error) {
	var b strings.Builder
	imapHost, imapPort, _ := net.SplitHostPort(h.office.IMAPAddr())
	smtpHost, smtpPort, _ := net.SplitHostPort(h.office.SMTPAddr())
	for _, c := range h.clubs {
		fmt.Fprintf(&b, "[[club]]\nname = %q\n[club.mail]\naddress = %q\n[club.mail.imap]\nhost = %q\nport = %s\ntls = \"none\"\nuser = %[2]q\npassword = \"x\"\npoll = \"5s\"\n[club.mail.smtp]\nhost = %[5]q\nport = %[6]s\ntls = \"none\"\nuser = %[2]q\npassword = \"x\"\n\n",
			c.name, c.address(), imapHost, imapPort, smtpHost, smtpPort)
	}
	config = filepath.Join(h.Folder, "house.toml")
	if err := os.WriteFile(config, []byte(b.String()), 0o600); err != nil {
		return "", err
	}
	file, err := umpire.ReadFile(config)
	if err != nil {
		return "", err
	}
	random := rand.NewChaCha8([32]byte{byte(h.Seed), byte(h.Seed >> 8), 79})
	for n, c := range h.clubs {
		games := 1 + h.sheetsIn(2*h.Quiet, h.Every)/(2*turns-2)
		if n == 0 {
			games = 2 + int(h.Quiet.Seconds()*float64(h.Rate))/(2*turns-2)
		}
		if err := c.begin(file, games, random); err != nil {
			return "", err
		}
	}
	return config, nil
}

func (h *house) sheetsIn(d, every time.Duration) int { return int(d/every) + 1 }

// begin makes the games of a club.
func (c *club) begin(file *umpire.File, games int, random *rand.ChaCha8) error {
	config, err := file.Club(c.name)
	if err != nil {
		return err
	}
	u, err := umpire.Open(config, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer u.DB.Close()
	u.Draw = func(string, string) bool { return false } // of what is written before it begins
	w := &world.World{Umpire: u, Random: random}
	for range games {
		_, players, err := w.Begin(scenario, map[string]string{match.OptionUndo: "0"}, func(side string) (string, string) {
			return "Player of " + side, strings.ToLower(side) + "@players.test"
		})
		if err != nil {
			return err
		}
		c.games = append(c.games, &game{players: players})
	}
	_, err = w.Post()
	return err
}

// warmUp has every club answer one sheet, so that scenarios are loaded and connections stand.
func (h *house) warmUp(ctx context.Context) {
	for _, c := range h.clubs {
		h.send(c, sheet{warming: true})
	}
	h.settle(ctx)
}

// play plays for a while, quietly or while the first club is flooded.
func (h *house) play(ctx context.Context, flood bool) {
	ctx, done := context.WithTimeout(ctx, h.Quiet)
	defer done()
	var all sync.WaitGroup
	for n, c := range h.clubs {
		every, first := h.Every, h.Every*time.Duration(n)/time.Duration(len(h.clubs))
		switch {
		case n == 0 && !flood:
			continue
		case n == 0:
			every, first = time.Second/time.Duration(h.Rate), 0
		}
		all.Go(func() {
			due := time.NewTimer(first)
			for {
				select {
				case <-ctx.Done():
					return
				case <-due.C:
				}
				due.Reset(every)
				h.send(c, sheet{during: flood})
			}
		})
	}
	all.Wait()
	if h.Progress != nil {
		fmt.Fprintln(h.Progress, h.tally())
	}
}

// send sends the next sheet of a club's games in turn: one that closes the turn of its side.
func (h *house) send(c *club, s sheet) {
	g := c.games[c.next%len(c.games)]
	c.next++
	p := g.players[g.sheets%2]
	text := fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: %d\nSERIAL: %d\nDONE!\n", p.Game, p.Side, g.sheets/2+1, g.sheets/2+1)
	g.sheets++
	id := fmt.Sprintf("%s.%s.%d", c.name, strings.ToLower(p.Game), g.sheets)
	raw := world.Mail{From: p.Address, To: c.address(), Subject: "orders", ID: id}.Plain(p.Sign(text))
	s.club, s.at = c.name, time.Now()
	h.mu.Lock()
	h.sent[id+"@"+c.name+".test"] = &s
	h.mu.Unlock()
	_ = h.office.Deliver(c.address(), raw)
}
