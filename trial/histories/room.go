package histories

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/demo/world"
	"fieldpost/orders/seal"
	"fieldpost/playtest"
	"fieldpost/trial/engine"
	"fieldpost/umpire"
	"fieldpost/umpire/acts"
	"fieldpost/web"
)

const desk = "umpire@mail.test"

// room is one of the games of a pair: an umpire without a network, its players and
// what spectators have seen.
type room struct {
	*world.World
	id      string
	clock   time.Time
	page    http.Handler
	seen    [][]byte   // pages that spectators have looked at
	random  *rand.Rand // of what the enemy does in this room
	seats   map[string]*seat
	second  world.Player // who stands beside the enemy's player
	serials map[string]int
	mails   map[string]int // that each address has sent
	acts    int            // of the enemy's that the other room knows nothing of
}

// seat is a player of one room and what their last report says.
type seat struct {
	world.Player
	writer playtest.Player
	last   uint64 // number of the last mail that was delivered
	view   *view.View
	turn   int // the last one that they gave orders for
}

// openRoom makes one game of a pair; the others are made of the same seed.
func (p Pair) openRoom(folder string, history uint64) (*room, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	var seed [32]byte
	copy(seed[:], fmt.Sprintf("histories %d", p.Number))
	r := &room{clock: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), random: rand.New(rand.NewPCG(uint64(p.Number), history)),
		seats: map[string]*seat{}, serials: map[string]int{}, mails: map[string]int{}}
	var err error
	r.World, err = world.Open(folder, world.Options{Address: desk, Instance: "histories", Random: rand.NewChaCha8(seed), Library: p.Library,
		Now: func() time.Time { return r.clock }, Draw: func(string, string) bool { return p.Pictures }})
	if err != nil {
		return nil, err
	}
	if err := r.begin(p); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// begin seats the players and whoever stands beside the enemy's.
func (r *room) begin(p Pair) error {
	made, players, err := r.Begin(p.Scenario, p.options(), func(side string) (string, string) {
		return "Player of " + side, address(side)
	})
	if err != nil {
		return err
	}
	r.id = made.ID
	game, err := p.rules(made.Options)
	if err != nil {
		return err
	}
	for _, s := range players {
		r.seats[s.Side] = &seat{Player: s, writer: engine.NewRandom(game, p.Number, adjudicator.Side(s.Side), map[string][2]int{})}
	}
	pages, err := web.New(r.Umpire, umpire.WebConfig{Listen: "127.0.0.1:0"}, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	r.page = pages.Handler()
	if err := r.read(); err != nil {
		return err
	}
	return r.seatSecond(p, p.observer(r.sides()))
}

func address(side string) string { return strings.ToLower(side) + "@mail.test" }

var joinCode = regexp.MustCompile(`JOIN: ([A-Z0-9-]+)`)

// seatSecond gives the enemy a second person: a deputy, or a commander with a formation
// where the side has any.
func (r *room) seatSecond(p Pair, observer string) error {
	enemy := r.enemyOf(observer)
	key, err := seal.GenerateKey(r.Random)
	if err != nil {
		return err
	}
	r.second = world.Player{Game: r.id, Side: enemy.Side, Address: "second." + enemy.Address, Key: key}
	act := acts.Act{By: "trial", Verb: "deputy", Game: r.id, Side: enemy.Side, Value: r.second.Address + " FROM 2026-11-20 TO 2027-11-20"}
	if formation := formationOf(enemy.view); p.Number%2 == 0 && formation != "" {
		act.Verb, act.Value = "commander", r.second.Address+" Second: "+formation
	}
	if _, err := r.Umpire.Moderate(act); err != nil {
		return err
	}
	mails, err := r.Umpire.DB.Mails(r.id)
	if err != nil {
		return err
	}
	code := ""
	for _, m := range mails {
		raw, err := r.Umpire.DB.MailBytes(m.SHA256)
		if err != nil {
			return err
		}
		if found := joinCode.FindSubmatch(raw); m.To == r.second.Address && found != nil {
			code = string(found[1])
		}
	}
	if code == "" {
		return fmt.Errorf("%s was not invited", r.second.Address)
	}
	return r.send(r.second, r.second.Sign(fmt.Sprintf("GAME: %s\nSIDE: %s\nJOIN: %s\n", r.id, r.second.Side, code)))
}

// formationOf is a formation of units on the map; "" where the system knows none.
func formationOf(v *view.View) string {
	if v == nil {
		return ""
	}
	for _, u := range slices.Concat(v.Units, v.Arrivals) {
		if u.Formation != "" {
			return u.Formation
		}
	}
	return ""
}

// enemyOf is the seat of the first other side.
func (r *room) enemyOf(observer string) *seat {
	for _, side := range r.sides() {
		if side != observer {
			return r.seats[side]
		}
	}
	return nil
}

func (r *room) sides() (all []string) {
	for side := range r.seats {
		all = append(all, side)
	}
	slices.Sort(all)
	return all
}

// send hands the umpire a mail. What is counted in its Message-ID are the sender's own.
func (r *room) send(from world.Player, text string) error {
	r.mails[from.Address]++
	m := world.Mail{From: from.Address, To: desk, Subject: fmt.Sprintf("[%s] orders", r.id), ID: fmt.Sprintf("%d.%s", r.mails[from.Address], strings.ToLower(from.Address[:strings.IndexByte(from.Address, '@')])), Date: r.clock}
	return r.Receive(context.Background(), m.Plain(text))
}

// read takes up the newest report of each player.
func (r *room) read() error {
	mails, err := r.Umpire.DB.Mails(r.id)
	if err != nil {
		return err
	}
	for _, m := range mails {
		s := r.seats[m.Side]
		if s == nil || m.Number <= s.last || m.To != s.Address {
			continue
		}
		s.last = m.Number
		raw, err := r.Umpire.DB.MailBytes(m.SHA256)
		if err != nil {
			return err
		}
		v, err := world.ReadView(raw)
		if err != nil {
			return err
		}
		if v != nil {
			s.view = v
		}
	}
	return nil
}

// look is a spectator who looks at all pages.
func (r *room) look() {
	for _, path := range []string{"/", "/games/" + r.id} {
		w := httptest.NewRecorder()
		r.page.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		body, _ := io.ReadAll(w.Result().Body)
		r.seen = append(r.seen, fmt.Appendf(nil, "%s %s %d %v\n%s", r.clock.Format(time.RFC3339), path, w.Code, w.Header(), body))
	}
}

// until lets the clock run, minute by minute where something is due: when it is done does
// not hang on when mail comes in.
func (r *room) until(at time.Time) {
	for next := r.Umpire.Tick(r.clock); !next.IsZero() && !next.After(at); next = r.Umpire.Tick(r.clock) {
		r.clock = r.clock.Add(max(next.Sub(r.clock), time.Minute))
		if r.clock.After(at) {
			break
		}
	}
	r.clock = at
	r.Umpire.Tick(r.clock)
}
