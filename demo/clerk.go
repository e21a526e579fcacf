package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/staff"
)

// clerk is a player's desk: he reads his mailbox, lets the staff officer decide,
// signs the sheet and mails it. He knows nothing but what came in his mail.
type clerk struct {
	side     string
	key      seal.PrivateKey
	config   mailbox.Config
	umpire   string
	officer  staff.Officer
	sender   *mailbox.Sender
	answered int // the last turn he gave orders for
	serial   int
	stop     func(v *view.View) bool

	mu   sync.Mutex
	read map[mailbox.Key]bool
}

func (s *show) newClerk(side string, game adjudicator.Game, random io.Reader) (*clerk, error) {
	key, err := seal.GenerateKey(random)
	if err != nil {
		return nil, err
	}
	c := &clerk{side: side, key: key, umpire: address("umpire"), read: map[mailbox.Key]bool{}, officer: staff.Officer{Game: game, Mode: s.mode(side)},
		stop: func(v *view.View) bool { return s.Turns > 0 && v.Turn > s.Turns }}
	c.config = mailbox.Config{Address: address(side), Name: "Staff of " + side, Instance: "staff-" + strings.ToLower(side)}
	c.config.IMAP.ServerConfig = local(s.office.IMAPAddr(), address(side), strings.ToLower(side))
	c.config.IMAP.Poll = mailbox.Duration(50 * time.Millisecond)
	c.config.SMTP.ServerConfig = local(s.office.SMTPAddr(), "", "")
	c.config = c.config.WithDefaults()
	c.sender, err = mailbox.NewSender(c.config, mailbox.SenderOptions{})
	return c, err
}

// mode is the MODE line of a side's staff.
func (s *show) mode(side string) string {
	if len(s.clerks) == 0 {
		return s.Mode
	}
	return ""
}

// local is a server of the post office.
func local(addr, user, password string) mailbox.ServerConfig {
	host, port, _ := net.SplitHostPort(addr)
	n, _ := strconv.Atoi(port)
	return mailbox.ServerConfig{Host: host, Port: n, TLS: mailbox.NoTLS, User: user, Password: password}
}

// run reads mail until ctx ends.
func (c *clerk) run(ctx context.Context) error {
	defer c.sender.Close()
	var fault error
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p, err := mailbox.NewPoller(c.config, c, func(ctx context.Context, raw mailbox.Raw) error {
		if err := c.open(ctx, raw); err != nil {
			if ctx.Err() == nil {
				fault = fmt.Errorf("staff of %s: %w", c.side, err)
				cancel()
			}
			return err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.read[raw.Key] = true
		return nil
	}, mailbox.PollerOptions{Log: slog.New(slog.DiscardHandler), MinBackoff: 50 * time.Millisecond})
	if err != nil {
		return err
	}
	err = p.Run(ctx)
	if fault != nil {
		return fault
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// Low implements mailbox.Seen.
func (c *clerk) Low(box string, validity uint32) uint32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	var uids []uint32
	for k := range c.read {
		if k.Box == box && k.UIDValidity == validity {
			uids = append(uids, k.UID)
		}
	}
	slices.Sort(uids)
	low := uint32(0)
	for _, u := range uids {
		if u == low+1 {
			low = u
		}
	}
	return low
}

// Handled implements mailbox.Seen.
func (c *clerk) Handled(key mailbox.Key) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.read[key]
}

// Listed implements mailbox.Seen.
func (c *clerk) Listed(string, uint32, []uint32) {}

// open reads a mail. Only a report that asks for orders moves him.
func (c *clerk) open(ctx context.Context, raw mailbox.Raw) error {
	m, err := mailbox.Read(raw.Bytes)
	if err != nil {
		return err
	}
	v, err := viewIn(m)
	if err != nil || v == nil {
		return err
	}
	if len(v.Asked) == 0 && (len(v.Due) == 0 || v.Turn <= c.answered) || v.Verdict != "" || c.stop(v) {
		return nil
	}
	text, err := c.officer.Sheet(v, c.serial+1)
	if err != nil {
		return err
	}
	if err := c.send(ctx, m, v, text); err != nil {
		return err
	}
	c.serial++
	if len(v.Asked) == 0 {
		c.answered = v.Turn
	}
	return nil
}

// viewIn is the view.json of a report, nil if the mail is none.
func viewIn(m *mailbox.Message) (*view.View, error) {
	for _, a := range m.Attachments {
		if a.Name != "view.json" {
			continue
		}
		v := &view.View{}
		if err := json.Unmarshal(a.Data, v); err != nil {
			return nil, fmt.Errorf("view.json: %w", err)
		}
		return v, v.Board.Prepare()
	}
	return nil, nil
}

// send signs a sheet and mails it as an answer to the report.
func (c *clerk) send(ctx context.Context, report *mailbox.Message, v *view.View, text string) error {
	canonical := orders.Canonical(text)
	armored, err := seal.Sign(c.key, seal.Namespace, []byte(canonical))
	if err != nil {
		return err
	}
	id := fmt.Sprintf("sheet.%s.%d.%d@%s", strings.ToLower(c.side), v.Turn, c.serial+1, domain)
	raw := letter(c.config.Address, c.umpire, "Re: "+report.Subject, id, report.MessageID,
		fmt.Sprintf("Our orders for %s.\n\n%s", v.Date, seal.Block(canonical, armored)))
	for ctx.Err() == nil {
		r := c.sender.Send(ctx, mailbox.Envelope{From: c.config.Address, To: c.umpire}, raw)
		if r.Outcome == mailbox.Delivered {
			return nil
		}
		if r.Outcome == mailbox.Permanent {
			return r.Err
		}
		time.Sleep(50 * time.Millisecond)
	}
	return ctx.Err()
}

// letter is a mail as any mail program writes it.
func letter(from, to, subject, id, replyTo, text string) []byte {
	var b strings.Builder
	for _, h := range [][2]string{
		{"From", from}, {"To", to}, {"Subject", mime.QEncoding.Encode("utf-8", subject)}, {"Date", time.Now().Format(time.RFC1123Z)},
		{"Message-ID", "<" + id + ">"}, {"In-Reply-To", "<" + replyTo + ">"}, {"References", "<" + replyTo + ">"},
		{"MIME-Version", "1.0"}, {"Content-Type", "text/plain; charset=utf-8"},
	} {
		b.WriteString(h[0] + ": " + h[1] + "\r\n")
	}
	b.WriteString("\r\n" + strings.ReplaceAll(text, "\n", "\r\n"))
	return []byte(b.String())
}
