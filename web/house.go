package web

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"fieldpost/umpire"
)

// House answers the requests to the pages of several clubs, which have one address of this machine
// in common: each club at its host, or at its path.
type House struct {
	log *slog.Logger

	mu    sync.RWMutex
	clubs []*room
}

// room is what the house knows of a club.
type room struct {
	name string
	at   umpire.WebConfig
	page http.Handler // nil while there is none
	s    *Server
	away umpire.Away // why the club is not served, if it is not
}

// NewHouse makes a house without clubs.
func NewHouse(log *slog.Logger) *House { return &House{log: log} }

// Run answers at an address of this machine until ctx ends.
func (h *House) Run(ctx context.Context, listen string) error {
	return serveAt(ctx, listen, h, h.log)
}

// Clubs says which clubs there are. Those that were there before keep their pages.
func (h *House) Clubs(all []*umpire.Config) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var rooms []*room
	for _, c := range all {
		r := h.room(c.Name)
		if r == nil {
			r = &room{name: c.Name}
		}
		r.at = c.Web
		rooms = append(rooms, r)
	}
	h.clubs = rooms
}

// room is that of a club, nil if there is none. The lock is held.
func (h *House) room(name string) *room {
	i := slices.IndexFunc(h.clubs, func(r *room) bool { return r.name == name })
	if i < 0 {
		return nil
	}
	return h.clubs[i]
}

// change changes what is known of a club.
func (h *House) change(name string, do func(*room)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if r := h.room(name); r != nil {
		do(r)
	}
}

// Put shows the page of a club, Take takes it away, Away says why the club is not served.
func (h *House) Put(name string, s *Server) {
	page := s.Handler()
	h.change(name, func(r *room) { r.s, r.page, r.away = s, page, umpire.Away{} })
}

func (h *House) Take(name string) { h.change(name, func(r *room) { r.s, r.page = nil, nil }) }

func (h *House) Away(name string, why umpire.Away) {
	h.change(name, func(r *room) { r.away = why })
}

// ServeHTTP hands a request on to its club.
func (h *House) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	club, byPath := h.clubAt(r)
	switch {
	case club == nil && isOurs(r) && r.URL.Path == "/healthz":
		h.health(w)
	case club == nil && isOurs(r) && r.URL.Path == "/metrics":
		h.metrics(w)
	case club == nil:
		plain(w, http.StatusNotFound, "There is no club here.")
	case club.page == nil:
		plain(w, http.StatusServiceUnavailable, "The page of this club is not served at the moment.")
	case byPath && r.URL.Path == club.at.Path:
		http.Redirect(w, r, club.at.Path+"/", http.StatusFound)
	case byPath:
		http.StripPrefix(club.at.Path, club.page).ServeHTTP(w, r)
	default:
		club.page.ServeHTTP(w, r)
	}
}

// plain is an answer of the house itself.
func plain(w http.ResponseWriter, code int, says string) {
	w.Header().Set("Content-Security-Policy", policy)
	w.Header().Set("Cache-Control", "no-store")
	http.Error(w, says, code)
}

// isOurs tells whether a request comes from this machine alone: what the house says of all clubs
// is not for those whose requests a web server hands on.
func isOurs(r *http.Request) bool {
	for _, by := range []string{"X-Forwarded-For", "Forwarded", "Via", "X-Real-Ip"} {
		if r.Header.Get(by) != "" {
			return false
		}
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	return err == nil && net.ParseIP(host).IsLoopback()
}

// clubAt is a copy of the room of the club that a request is for, nil if it is for none; byPath
// tells that the path names it, not the host.
func (h *House) clubAt(r *http.Request) (club *room, byPath bool) {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	h.mu.RLock()
	defer h.mu.RUnlock()
	isNamed := func(name string) bool { return name != "" && strings.EqualFold(host, name) }
	for _, one := range h.clubs {
		if isNamed(one.at.Host) || isNamed(one.at.DeskHost) {
			found := *one
			return &found, false
		}
	}
	for _, one := range h.clubs {
		if path := one.at.Path; path != "" && (r.URL.Path == path || strings.HasPrefix(r.URL.Path, path+"/")) {
			found := *one
			return &found, true
		}
	}
	return nil, false
}

// all is a copy of what is known of the clubs.
func (h *House) all() (rooms []room) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, r := range h.clubs {
		rooms = append(rooms, *r)
	}
	return rooms
}

// health says of each club whether it is well.
func (h *House) health(w http.ResponseWriter) {
	var lines []string
	well := true
	for _, r := range h.all() {
		says := []string{"ok"}
		switch {
		case r.away.Why != "":
			says = []string{outSince("serving", r.away.Since)}
		case r.s != nil:
			says = r.s.wrong()
		}
		if len(says) == 0 {
			says = []string{"ok"}
		}
		for _, line := range says {
			well = well && line == "ok"
			lines = append(lines, r.name+": "+line)
		}
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	if !well {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	fmt.Fprintln(w, strings.Join(lines, "\n"))
}

func outSince(what string, since time.Time) string {
	return fmt.Sprintf("%s has been out since %s", what, since.UTC().Format(time.RFC3339))
}

// metrics are the figures of all clubs, each with the label of its club.
func (h *House) metrics(w http.ResponseWriter) {
	w.Header().Set("Content-Type", figuresType)
	w.Header().Set("Cache-Control", "no-store")
	served := figure{name: "served", kind: "gauge", help: "1 for a club that is served, 0 for one that is left out."}
	var all figures
	for _, r := range h.all() {
		label := fmt.Sprintf("club=%q", r.name)
		value := 1
		if r.away.Why != "" {
			value = 0
		}
		served.samples = append(served.samples, sample{label, value})
		if r.s == nil {
			continue
		}
		st, err := r.s.look(false)
		if err != nil {
			r.s.log.Error("the club's figures cannot be told", "error", err)
			continue
		}
		all.addOf(label, figuresOf(st))
	}
	append(figures{served}, all...).write(w)
}
