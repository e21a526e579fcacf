package web

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"fieldpost/umpire/club"
	"fieldpost/umpire/scene"
)

// stale is how old a look at all games may be that spectators and metrics get.
const stale = 10 * time.Second

// look is the state of all games: of now for a moderator, else of some seconds ago,
// so that no crowd can make the umpire look all the time.
func (s *Server) look(moderator bool) (club.Status, error) {
	s.looking.Lock()
	defer s.looking.Unlock()
	if age := s.now().Sub(s.seen.At); !moderator && age >= 0 && age < stale {
		return s.seen, nil
	}
	st, err := s.umpire.Status()
	if err == nil {
		s.seen = st
	}
	return st, err
}

func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	moderator := s.visit(r) != nil
	st, err := s.look(moderator)
	if err != nil {
		s.missing(w, r, err)
		return
	}
	if !moderator { // what is wrong is the moderator's business
		st.Games = slices.Clone(st.Games)
		slices.SortFunc(st.Games, func(a, b club.GameStatus) int { return strings.Compare(a.ID, b.ID) })
	}
	s.show(w, r, http.StatusOK, "list", page{Title: "Games", Status: st, Live: "*"})
}

func gameID(r *http.Request) string { return strings.ToUpper(r.PathValue("id")) }

func (s *Server) game(w http.ResponseWriter, r *http.Request) {
	s.gamePage(w, r, http.StatusOK, outcome{})
}

// gamePage shows a game, with what an act led to.
func (s *Server) gamePage(w http.ResponseWriter, r *http.Request, code int, o outcome) {
	sp, err := s.umpire.Spectate(gameID(r))
	if err != nil {
		s.missing(w, r, err)
		return
	}
	p := page{Title: sp.Title + ", game " + sp.ID, Game: sp, Said: o.Said, Fault: o.Fault, Live: sp.ID}
	visitor := s.visit(r)
	p.Archive = sp.Rank == club.RankOver && (s.config.PublicArchives || visitor != nil)
	if visitor != nil {
		if p.Log, err = s.umpire.Desk().Audit(sp.ID); err == nil {
			p.Deeds = offeredIn(state(sp.State), o.Written)
			p.Edited, p.MayLook = o.edited(), visitor.mayLook(sp.ID, s.now())
			p.Manned, err = s.umpire.Manned(sp.ID)
		}
		if err != nil {
			s.missing(w, r, err)
			return
		}
	}
	s.show(w, r, code, "game", p)
}

// picture is the map for spectators. One is drawn at a time, and kept.
func (s *Server) picture(w http.ResponseWriter, r *http.Request) {
	sp, err := s.umpire.Spectate(gameID(r))
	if err != nil {
		s.missing(w, r, err)
		return
	}
	if sp.Number == 0 {
		s.missing(w, r, scene.ErrNoTurn)
		return
	}
	which, width := shown{game: sp.ID, small: r.FormValue("small") != ""}, scene.MapWidth
	if which.small {
		width = club.Thumbnail
	}
	s.sendPicture(w, r, which, sp, func() ([]byte, error) { return s.umpire.PublicMap(sp.ID, width) })
}

// sendPicture sends a map that is kept, or draws it first.
func (s *Server) sendPicture(w http.ResponseWriter, r *http.Request, which shown, sp *club.Spectacle, draw func() ([]byte, error)) {
	s.drawing.Lock()
	defer s.drawing.Unlock()
	d, over := s.maps[which], sp.Rank == club.RankOver
	if d.number != sp.Number || d.over != over {
		png, err := draw()
		if err != nil {
			s.missing(w, r, err)
			return
		}
		if len(s.maps) >= mostMaps {
			clear(s.maps)
		}
		d = drawn{sp.Number, over, png}
		s.maps[which] = d
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Content-Length", strconv.Itoa(len(d.png)))
	_, _ = w.Write(d.png)
}

// mostMaps bounds the maps that are kept.
const mostMaps = 100

// archive is the archive of a finished game.
func (s *Server) archive(w http.ResponseWriter, r *http.Request) {
	if !s.config.PublicArchives && s.visit(r) == nil {
		s.fault(w, r, http.StatusForbidden, "Archives hold the players' addresses; the moderator gives them out.")
		return
	}
	sp, err := s.umpire.Spectate(gameID(r))
	if err != nil {
		s.missing(w, r, err)
		return
	}
	if sp.Rank != club.RankOver {
		s.fault(w, r, http.StatusForbidden, "The game is not over: nothing is disclosed before its end.")
		return
	}
	raw, err := s.umpire.Archive(sp.ID)
	if err != nil {
		s.missing(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/x-tar")
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", strings.ToLower(sp.ID)+".tar"))
	_, _ = w.Write(raw)
}

func (s *Server) audit(w http.ResponseWriter, r *http.Request) {
	l, err := s.umpire.Desk().Audit("")
	if err != nil {
		s.missing(w, r, err)
		return
	}
	slices.Reverse(l.Entries)
	s.show(w, r, http.StatusOK, "audit", page{Title: "Audit log", Log: l})
}

func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	wrong := s.wrong()
	if len(wrong) == 0 {
		wrong = []string{"ok"}
	} else {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	fmt.Fprintln(w, strings.Join(wrong, "\n"))
}

// wrong is what is out, a line each; nothing if all is well. Why is the moderators' business.
func (s *Server) wrong() (lines []string) {
	if err := s.umpire.StoreAnswers(); err != nil {
		return []string{"the store cannot be read"}
	}
	for _, t := range s.umpire.Service.Troubles(s.now()) {
		lines = append(lines, outSince(t.Of, t.Since))
	}
	return lines
}
