package web

import (
	"cmp"
	"errors"
	"net"
	"net/http"
	"strings"

	"fieldpost/desk/dist"
)

// desk shows the order desk, a page of its own: it is the same for everybody, takes nothing
// but its own files from here, and sends nothing. Where it has a host of its own it is only there.
func (s *Server) desk(w http.ResponseWriter, r *http.Request) {
	if s.elsewhere(w, r) {
		return
	}
	err := dist.ServePage(w, r, s.deskFolder(r))
	if errors.Is(err, dist.ErrNoEngine) {
		s.fault(w, r, http.StatusNotFound, "This server was built without the order desk.")
		return
	}
	if err != nil {
		s.missing(w, r, err)
	}
}

// deskFile is a file of the desk: its engine, or all of it as one file to be kept.
func (s *Server) deskFile(w http.ResponseWriter, r *http.Request) {
	if s.elsewhere(w, r) {
		return
	}
	if err := dist.ServeFile(w, r, r.PathValue("file")); err != nil {
		s.fault(w, r, http.StatusNotFound, "There is no such page.")
	}
}

// deskAlone is the desk on a host of its own, where there is nothing else.
func (s *Server) deskAlone() http.Handler {
	m := http.NewServeMux()
	m.Handle("GET /{$}", http.RedirectHandler("/desk", http.StatusFound))
	m.HandleFunc("GET /desk", s.desk)
	m.HandleFunc("GET /desk/{file}", s.deskFile)
	m.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "There is nothing here but the order desk: /desk", http.StatusNotFound)
	})
	return s.guarded(m)
}

// deskFolder is where the desk's files are, as a request sees them.
func (s *Server) deskFolder(r *http.Request) string {
	if s.config.DeskHost != "" && s.isDeskHost(r.Host) {
		return "/desk/"
	}
	return s.at() + "/desk/"
}

// isDeskHost tells whether a request's Host is that of the desk, with a port or without.
func (s *Server) isDeskHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.EqualFold(host, s.config.DeskHost)
}

// elsewhere leads a visitor to the desk's host, unless they are there or it has none.
func (s *Server) elsewhere(w http.ResponseWriter, r *http.Request) bool {
	if s.config.DeskHost == "" || s.isDeskHost(r.Host) {
		return false
	}
	scheme := cmp.Or(r.Header.Get("X-Forwarded-Proto"), "https")
	if scheme != "http" {
		scheme = "https"
	}
	http.Redirect(w, r, scheme+"://"+s.config.DeskHost+r.URL.Path, http.StatusFound)
	return true
}
