package dist

import (
	"crypto/rand"
	"net/http"
	"strings"
)

// Server shows the desk to whoever knows its path: a loopback address alone is open to
// everybody on the machine, and to pages of others by a name that leads there.
type Server struct {
	path string
	page string
}

// NewServer serves the page with a report in it, or with none.
func NewServer(r *Report) (*Server, error) {
	page, err := Whole(r)
	return &Server{path: "/" + strings.ToLower(rand.Text()) + "/", page: page}, err
}

// Path is where the page is.
func (s *Server) Path() string { return s.path }

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != s.path {
		http.NotFound(w, r)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "the desk is only read", http.StatusMethodNotAllowed)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", Policy()+"; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store") // the report is the reader's alone
	_, _ = w.Write([]byte(s.page))
}
