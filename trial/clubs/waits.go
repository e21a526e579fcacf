package clubs

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldpost/mailbox"
)

// delivered takes a mail of a daemon to a player: the answer to one of their sheets, or another
// one. It has to come from the club whose game it is about.
func (h *house) delivered(rcpt, from string, raw []byte) {
	now := time.Now()
	m, err := mailbox.Read(raw)
	if err != nil || !strings.HasSuffix(rcpt, "@players.test") {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	c := h.clubOf(from)
	game := ""
	if at := strings.Index(m.Subject, "["); at >= 0 {
		game, _, _ = strings.Cut(m.Subject[at+1:], "]")
	}
	if c == nil || game != "" && !c.has(game) {
		h.crossed = append(h.crossed, fmt.Sprintf("from %s to %s: %s", from, rcpt, m.Subject))
		return
	}
	for _, id := range m.InReplyTo {
		s := h.sent[id]
		if s == nil || s.answers {
			continue
		}
		if s.club != c.name {
			h.crossed = append(h.crossed, fmt.Sprintf("%s answers a sheet of %s: %s", c.name, s.club, m.Subject))
		}
		s.answers, s.waited = true, now.Sub(s.at)
	}
}

// clubOf is the club that a mail's envelope says it is from.
func (h *house) clubOf(from string) *club {
	_, domain, _ := strings.Cut(from, "@")
	for _, c := range h.clubs {
		if domain == c.name+".test" {
			return c
		}
	}
	return nil
}

func (c *club) has(id string) bool {
	return slices.ContainsFunc(c.games, func(g *game) bool { return g.players[0].Game == id })
}

// settle waits for the answers to what was sent to clubs that are not flooded.
func (h *house) settle(ctx context.Context) {
	for end := time.Now().Add(answersIn); ctx.Err() == nil && time.Now().Before(end) && h.waiting() > 0; {
		time.Sleep(20 * time.Millisecond)
	}
}

// waiting counts the sheets of the clubs that are not flooded, and of the first one's warming up.
func (h *house) waiting() (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.sent {
		if !s.answers && (s.warming || s.club != h.clubs[0].name) {
			n++
		}
	}
	return n
}

// tally reckons what came of it.
func (h *house) tally() (t Tally) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var before, during, flood []time.Duration
	for _, s := range h.sent {
		flooded := s.club == h.clubs[0].name
		switch {
		case s.warming:
		case !s.answers && !flooded:
			t.Unanswered++
		case !s.answers:
		case flooded:
			flood = append(flood, s.waited)
		case s.during:
			during = append(during, s.waited)
		default:
			before = append(before, s.waited)
		}
	}
	t.Before, t.During, t.Flood = waitsOf(before), waitsOf(during), waitsOf(flood)
	t.Crossed = slices.Clone(h.crossed)
	return t
}

func waitsOf(all []time.Duration) Waits {
	if len(all) == 0 {
		return Waits{}
	}
	slices.Sort(all)
	return Waits{Sheets: len(all), P50: all[len(all)/2], P95: all[len(all)*95/100]}
}
