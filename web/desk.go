package web

import (
	"errors"
	"net/http"

	"fieldpost/desk/dist"
)

// desk shows the order desk, a page of its own: it is the same for everybody, takes nothing
// but its own files from here, and sends nothing.
func (s *Server) desk(w http.ResponseWriter, r *http.Request) {
	err := dist.ServePage(w, r, "/desk/")
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
	if err := dist.ServeFile(w, r, r.PathValue("file")); err != nil {
		s.fault(w, r, http.StatusNotFound, "There is no such page.")
	}
}
