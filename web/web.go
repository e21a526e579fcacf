// Package web is the small page for spectators and the moderator. It shows what
// the umpire says and asks the umpire to act; it knows no rules and no store. Everybody
// may read what both sides of a game know; acts and the audit log need a login.
//
// It can be read and used without its one script, which shows what is new while a page is open.
// Nothing comes from elsewhere.
package web

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fieldpost/packaging/sums"
	"fieldpost/umpire"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/club"
	"fieldpost/umpire/door"
	"fieldpost/umpire/scene"
)

//go:embed page.html style.css live.js
var files embed.FS

// Server answers the page's requests.
type Server struct {
	umpire *umpire.Umpire
	config umpire.WebConfig
	log    *slog.Logger
	now    func() time.Time
	pages  *template.Template
	door   *door.Door
	trying sync.Mutex // one hash at a time: each takes 64 MiB

	looking sync.Mutex
	seen    club.Status // the last look, for those who need not have the newest

	drawing sync.Mutex
	maps    map[shown]drawn

	watched   atomic.Int64 // pages that are open
	liveEvery time.Duration
}

// shown is which picture of a game is asked for: the map as it may be seen now, small or large, or
// that of a turn of a game that is over.
type shown struct {
	game  string
	small bool
	turn  int
}

// drawn is a map of a game, good as long as the same phase is shown.
type drawn struct {
	number uint64
	over   bool
	png    []byte
}

// New makes the server of an umpire's page.
func New(u *umpire.Umpire, c umpire.WebConfig, log *slog.Logger) (*Server, error) {
	s := &Server{umpire: u, config: c, log: log, door: u.Door(), now: u.Now, maps: map[shown]drawn{}, liveEvery: liveEvery}
	if c.Password != "" {
		if _, err := parseHash(c.Password); err != nil {
			return nil, fmt.Errorf("web.password: %w", err)
		}
	}
	var err error
	s.pages, err = template.New("").Funcs(template.FuncMap{
		"at": s.at, "moment": moment, "add": func(a, b int) int { return a + b }, "join": strings.Join, "rank": rankWord, "bytes": sizeWord, "ago": func(t time.Time) string { return since(t, s.now()) },
	}).ParseFS(files, "page.html")
	u.OnUnlock(s.door.Unlock)
	return s, err
}

// at is what the addresses of the club's page begin with, where several clubs share a host.
func (s *Server) at() string { return s.config.Path }

// Run serves until ctx ends, then lets the requests under way finish.
func (s *Server) Run(ctx context.Context) error {
	return serveAt(ctx, s.config.Listen, s.Handler(), s.log)
}

// serveAt answers requests to an address of this machine until ctx ends.
func serveAt(ctx context.Context, listen string, pages http.Handler, log *slog.Logger) error {
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return fmt.Errorf("web page: %w", err)
	}
	log.Info("the web page is served", "at", "http://"+l.Addr().String())
	h := &http.Server{Handler: pages, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10,
		BaseContext: func(net.Listener) context.Context { return ctx }} // an open page does not hold the end up
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	slow, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := h.Shutdown(slow); err != nil {
		h.Close()
	}
	return nil
}

// Handler answers all requests: those to the host of the order desk with it and nothing else,
// where it has one.
func (s *Server) Handler() http.Handler {
	club := s.clubPages()
	if s.config.DeskHost == "" {
		return club
	}
	alone := s.deskAlone()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.isDeskHost(r.Host) {
			alone.ServeHTTP(w, r)
			return
		}
		club.ServeHTTP(w, r)
	})
}

// clubPages are all pages of the club.
func (s *Server) clubPages() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /{$}", s.list)
	m.HandleFunc("GET /games/{id}", s.game)
	m.HandleFunc("GET /games/{id}/map.png", s.picture)
	m.HandleFunc("GET /games/{id}/archive.tar", s.archive)
	m.HandleFunc("GET /games/{id}/turns/{turn}", s.turn)
	m.HandleFunc("GET /games/{id}/turns/{turn}/map.png", s.turnPicture)
	m.HandleFunc("GET /gallery", s.gallery)
	m.HandleFunc("GET /ladder", s.named(s.ladder))
	m.HandleFunc("GET /tournaments", s.named(s.tournaments))
	m.HandleFunc("POST /tournaments", s.moderator(s.arrange))
	for _, f := range exportedFiles {
		m.HandleFunc("GET /"+f.name, s.named(s.export(f)))
	}
	m.HandleFunc("GET /deadlines.ics", s.deadlines)
	m.HandleFunc("GET /feed.atom", s.feed)
	m.HandleFunc("POST /games/{id}/{verb}", s.moderator(s.act))
	m.HandleFunc("GET /games/{id}/inside", s.moderator(s.inside))
	m.HandleFunc("POST /games/{id}/inside", s.moderator(s.lookInside))
	m.HandleFunc("GET /games/{id}/inside/map.png", s.moderator(s.asked(s.insideMap)))
	m.HandleFunc("GET /games/{id}/inside/{way}/{mail}", s.moderator(s.asked(s.letter)))
	m.HandleFunc("GET /new", s.moderator(s.newGame))
	m.HandleFunc("POST /new", s.moderator(s.create))
	m.HandleFunc("GET /audit", s.moderator(s.audit))
	m.HandleFunc("GET /login", s.loginPage)
	m.HandleFunc("POST /login", s.login)
	m.HandleFunc("POST /logout", s.moderator(s.logout))
	for _, name := range []string{"style.css", "live.js"} {
		m.HandleFunc("GET /"+name, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Cache-Control", "max-age=3600")
			http.ServeFileFS(w, r, files, name)
		})
	}
	m.HandleFunc("GET /events", s.events)
	m.HandleFunc("GET /desk", s.desk)
	m.HandleFunc("GET /desk/{file}", s.deskFile)
	m.HandleFunc("GET /downloads", s.downloads)
	m.HandleFunc("GET /downloads/{file}", s.download)
	m.HandleFunc("GET /healthz", s.health)
	m.HandleFunc("GET /metrics", s.metrics)
	m.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.fault(w, r, http.StatusNotFound, "There is no such page.")
	})
	cross := http.NewCrossOriginProtection() // in front of the token of each form
	cross.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.fault(w, r, http.StatusForbidden, "This came from another site. Nothing was done.")
	}))
	return s.guarded(cross.Handler(m))
}

// policy lets a page have our own style and pictures and nothing else; one that shows what is new
// while it is open has our one script too.
const (
	policy     = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
	livePolicy = policy + "; script-src 'self'; connect-src 'self'"
)

// guarded sets the headers that keep the page to itself, and bounds what is read.
func (s *Server) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
		next.ServeHTTP(w, r)
	})
}

// page is what every page's template gets.
type page struct {
	Title   string
	CanLog  bool   // there is a password
	Name    string // of the moderator who is logged in, else empty
	Token   string // of their forms
	Said    []string
	Fault   string
	Status  club.Status
	Game    *club.Spectacle
	Archive bool
	Log     umpire.Log
	Manned  []acts.Manned // for moderators
	User    string        // as typed at the login
	Deeds   []deedGroup   // that a moderator can do with the game
	Edited  string        // an edit that was tried
	MayLook bool          // inside the game
	Inside  *club.Inside
	Letter  club.Letter
	Back    string // the page before this one
	Answer  string // where an answer to the letter is sent to

	New *newGame

	Live    string // the game that the page watches, "*" for the list, "" for none
	Seen    string // what that looked like when the page was made
	Members bool   // who play may be named to this visitor
	Club    club.Club
	Gallery gallery
	Offered bool // files of a release
	Files   []sums.Entry
	Turn    turnPage

	Tournaments []club.TournamentTable
	Written     string // of a tournament that could not be arranged
}

// show writes a page, whole or not at all.
func (s *Server) show(w http.ResponseWriter, r *http.Request, code int, name string, p page) {
	p.CanLog = s.config.Password != ""
	if v := s.visit(r); v != nil {
		p.Name, p.Token = v.Name, v.Token
	}
	p.Offered = s.config.Downloads != ""
	p.Members = p.Name != "" || s.config.PublicLadder
	if p.Live != "" {
		p.Seen, _ = s.stateOf(strings.Trim(p.Live, "*"), p.Name != "") // "" is told as a change
	}
	var b bytes.Buffer
	if err := s.pages.ExecuteTemplate(&b, name, p); err != nil {
		s.log.Error("a page cannot be written", "page", name, "error", err)
		http.Error(w, "The page cannot be written; the log says why.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if p.Live != "" {
		w.Header().Set("Content-Security-Policy", livePolicy)
	}
	w.WriteHeader(code)
	_, _ = w.Write(b.Bytes())
}

func (s *Server) fault(w http.ResponseWriter, r *http.Request, code int, why string) {
	s.show(w, r, code, "fault", page{Title: http.StatusText(code), Fault: why})
}

// missing answers an error of the umpire: what is not there, else a fault of ours.
func (s *Server) missing(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, club.ErrNoGame) || errors.Is(err, scene.ErrNoTurn) {
		s.fault(w, r, http.StatusNotFound, "There is no such game, or nothing of it to show yet.")
		return
	}
	s.log.Error("the web page met a fault", "path", r.URL.Path, "error", err)
	s.fault(w, r, http.StatusInternalServerError, "This cannot be shown at the moment; the log says why.")
}

func moment(t time.Time) string {
	if t.IsZero() {
		return "none"
	}
	return t.UTC().Format("Mon 2 Jan 2006, 15:04 UTC")
}

func since(t, now time.Time) string {
	switch d := now.Sub(t); {
	case t.IsZero():
		return "-"
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	default:
		return fmt.Sprintf("%d days", int(d.Hours()/24))
	}
}

// rankWord says in a word what a colour shows too.
func rankWord(r club.Rank) string {
	return [...]string{club.RankStopped: "stopped", club.RankAlarm: "alarm", club.RankWarning: "look", club.RankNormal: "well", club.RankOver: "over"}[r]
}
