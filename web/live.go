package web

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"net/http"
	"strings"
	"time"
)

// How often a page that is open asks whether it is still true, and how many may at one time.
const (
	liveEvery   = 2 * time.Second
	mostWatched = 200
)

// events is a stream (server-sent events of HTML) that says "changed" whenever the list of games, or
// the game that is asked for, would look different. It tells nothing else: the page fetches itself
// again. Who is not logged in hears only of what everybody may see, so that nobody learns here when an
// enemy files a sheet.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	if s.watched.Add(1) > mostWatched {
		s.watched.Add(-1)
		http.Error(w, "Too many pages are open; load this one again to see what is new.", http.StatusServiceUnavailable)
		return
	}
	defer s.watched.Add(-1)
	out := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	moderator, game := s.watches(r), strings.ToUpper(r.FormValue("game"))
	if _, err := s.stateOf(game, moderator); err != nil {
		s.missing(w, r, err)
		return
	}
	// What changed since the page was made, or while a connection was lost, is said at once.
	seen := cmp.Or(r.Header.Get("Last-Event-ID"), r.FormValue("seen"))
	_ = out.SetReadDeadline(time.Time{})
	tick := time.NewTicker(s.liveEvery)
	defer tick.Stop()
	for said := 0; ; said++ {
		_ = out.SetWriteDeadline(time.Now().Add(time.Minute))
		line := ": still so\n\n"
		now, err := s.stateOf(game, moderator && s.watches(r))
		if err != nil {
			return
		}
		if now != seen {
			line, seen = "event: changed\nid: "+now+"\ndata: \n\n", now
		} else if said%10 != 0 { // a line now and then keeps the connection
			line = ""
		}
		if _, err := fmt.Fprint(w, line); err != nil || out.Flush() != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
		}
	}
}

// stateOf is a word that is another one as soon as a game, or the list of all, looks different to a
// moderator or to everybody.
func (s *Server) stateOf(game string, moderator bool) (string, error) {
	if moderator && game != "" {
		g, err := s.umpire.DB.Game(game)
		return fmt.Sprint("change ", g.Seq), err
	}
	st, err := s.look(false)
	if err != nil {
		return "", err
	}
	sum := fnv.New64a()
	for _, g := range st.Games {
		if game != "" && g.ID != game {
			continue
		}
		fmt.Fprintln(sum, g.ID, g.State, g.Turn, g.Phase, g.Asked, g.Since.Unix(), g.Deadline.Unix()) // what everybody may see
		if moderator {
			fmt.Fprintln(sum, g.Rank, g.Waiting, g.Late, g.Bounces, g.Refused, g.Questions, g.Why)
		}
	}
	return fmt.Sprintf("%x", sum.Sum64()), nil
}
