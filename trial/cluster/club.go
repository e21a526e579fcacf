package cluster

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"fieldpost/adjudicator"
	"fieldpost/demo/postoffice"
	"fieldpost/demo/world"
	"fieldpost/orders/seal"
	"fieldpost/store/postgres"
	"fieldpost/store/postgres/server"
	"fieldpost/umpire"
	"fieldpost/umpire/match"
)

const (
	scenario = "kharkov-1942"
	domain   = "cluster.test"
	desk     = "umpire@" + domain
)

// club is the games of a round, with their players and everything that was mailed.
type club struct {
	Options
	folder string
	pair   *server.Pair
	store  string // the address of the database
	random *rand.Rand
	office *postoffice.Office
	key    seal.PublicKey // the daemons'
	game   adjudicator.Game

	players map[string]*player // by address
	dice    map[string]string  // public keys of the games

	mu    sync.Mutex
	mails map[string]*mailed // by Message-ID: what players got
	wrong []string
}

// mailed is a mail that came.
type mailed struct {
	to    string
	sha   string // of its own bytes, without the lines that delivery adds
	times int
}

// begin makes the database, the post office, the configuration and the games.
func (c *club) begin(round int) (err error) {
	if c.store, err = c.pair.Store(); err != nil {
		return err
	}
	if err := postgres.Prepare(c.store); err != nil {
		return err
	}
	if c.game, err = match.Scenario(scenario); err != nil {
		return err
	}
	users := map[string]string{desk: "secret"}
	for n := range c.Games {
		for _, side := range c.game.Sides() {
			users[address(string(side), n)] = "secret"
		}
	}
	if c.office, err = postoffice.Start(users); err != nil {
		return err
	}
	c.players, c.dice, c.mails = map[string]*player{}, map[string]string{}, map[string]*mailed{}
	random := rand.NewChaCha8([32]byte{byte(c.Seed), byte(c.Seed >> 8), byte(round), 29})
	if err := c.configure(random); err != nil {
		return err
	}
	c.office.OnDelivery(c.delivered)
	return c.makeGames(random)
}

func address(side string, game int) string {
	return fmt.Sprintf("%s-%d@%s", strings.ToLower(side), game+1, domain)
}

// configure writes the key of the daemons and the configuration of each, which differ in their folders alone.
func (c *club) configure(random *rand.ChaCha8) error {
	key, err := seal.GenerateKey(random)
	if err != nil {
		return err
	}
	c.key = key.Public()
	text, err := key.Marshal("fieldpost trial")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(c.folder, "daemon.key"), text, 0o600); err != nil {
		return err
	}
	imapHost, imapPort, _ := net.SplitHostPort(c.office.IMAPAddr())
	smtpHost, smtpPort, _ := net.SplitHostPort(c.office.SMTPAddr())
	for n := range c.Daemons {
		config := fmt.Sprintf("data = \"data-%d\"\nstore = %q\nkey = \"daemon.key\"\n[mail]\naddress = %q\nname = \"Fieldpost\"\ninstance = \"trial\"\n"+
			"[mail.imap]\nhost = %[4]q\nport = %s\ntls = \"none\"\nuser = %[3]q\npassword = \"secret\"\npoll = \"500ms\"\n[mail.smtp]\nhost = %[6]q\nport = %s\ntls = \"none\"\n",
			n+1, c.store, desk, imapHost, imapPort, smtpHost, smtpPort)
		if err := os.WriteFile(c.configOf(n), []byte(config), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// configOf is the configuration of the n-th daemon, from 0.
func (c *club) configOf(n int) string {
	return filepath.Join(c.folder, fmt.Sprintf("config-%d.toml", n+1))
}

// open opens the store as one more machine would.
func (c *club) open() (*umpire.Umpire, error) {
	config, err := umpire.ReadConfig(c.configOf(0))
	if err != nil {
		return nil, err
	}
	config.Data += "-trial"
	return umpire.Open(config, slog.New(slog.DiscardHandler))
}

func (c *club) makeGames(random *rand.ChaCha8) error {
	u, err := c.open()
	if err != nil {
		return err
	}
	defer u.DB.Close()
	w := &world.World{Umpire: u, Random: random}
	for n := range c.Games {
		g, seated, err := w.Begin(scenario, nil, func(side string) (string, string) { return "Staff of " + side, address(side, n) })
		if err != nil {
			return err
		}
		for _, p := range seated {
			c.players[p.Address] = newPlayer(c, p)
		}
		all, err := u.Summaries(g.ID)
		if err != nil {
			return err
		}
		c.dice[g.ID] = all[0].DiceKey
	}
	return nil
}
