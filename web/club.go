package web

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	ics "github.com/arran4/golang-ical"
	"github.com/gorilla/feeds"

	"fieldpost/umpire/acts"
	"fieldpost/umpire/club"
)

// named shows players' names to moderators, and to everybody where the configuration says so.
func (s *Server) named(next http.HandlerFunc) http.HandlerFunc {
	if s.config.PublicLadder {
		return next
	}
	return s.moderator(next)
}

func (s *Server) ladder(w http.ResponseWriter, r *http.Request) {
	c, err := s.umpire.Club()
	if err != nil {
		s.missing(w, r, err)
		return
	}
	slices.Reverse(c.Results) // the newest first
	s.show(w, r, http.StatusOK, "ladder", page{Title: "Ladder and results", Club: c})
}

// exportedFile is what the club holds as a file for programs.
type exportedFile struct {
	name, kind string
	write      func(io.Writer, club.Club) error
}

const (
	typeJSON = "application/json"
	typeCSV  = "text/csv; charset=utf-8"
)

var exportedFiles = []exportedFile{
	{"ladder.csv", typeCSV, func(w io.Writer, c club.Club) error { return csv.NewWriter(w).WriteAll(c.LadderTable()) }},
	{"ladder.json", typeJSON, func(w io.Writer, c club.Club) error { return json.NewEncoder(w).Encode(c.Ladder) }},
	{"results.csv", typeCSV, func(w io.Writer, c club.Club) error { return csv.NewWriter(w).WriteAll(c.ResultsTable()) }},
	{"results.json", typeJSON, func(w io.Writer, c club.Club) error { return json.NewEncoder(w).Encode(c.Results) }},
}

// export sends one of the files.
func (s *Server) export(f exportedFile) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c, err := s.umpire.Club()
		if err != nil {
			s.missing(w, r, err)
			return
		}
		w.Header().Set("Content-Type", f.kind)
		w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", f.name))
		_ = f.write(w, c) // a connection that breaks is the reader's affair
	}
}

// address is where this page is for the world: as the club says, else as the request came.
func (s *Server) address(r *http.Request) string {
	if at := s.umpire.AboutClub.Page; at != "" {
		return strings.TrimSuffix(at, "/")
	}
	scheme := cmp.Or(r.Header.Get("X-Forwarded-Proto"), "http")
	return scheme + "://" + r.Host + s.at()
}

// deadlines is a calendar (RFC 5545) of the deadlines that run, of all games or of one.
func (s *Server) deadlines(w http.ResponseWriter, r *http.Request) {
	st, err := s.look(false)
	if err != nil {
		s.missing(w, r, err)
		return
	}
	only := strings.ToUpper(r.FormValue("game"))
	c := ics.NewCalendarFor("Fieldpost")
	c.SetName("Fieldpost: deadlines")
	for _, g := range st.Games {
		if g.Deadline.IsZero() || only != "" && g.ID != only {
			continue
		}
		e := c.AddEvent(strings.ToLower(g.ID) + "@fieldpost") // one for each game: a calendar moves it
		e.SetDtStampTime(st.At)
		e.SetStartAt(g.Deadline)
		e.SetSummary(fmt.Sprintf("%s: deadline of turn %d (%s)", g.Title, g.Turn, strings.Join(g.Asked, ", ")))
		e.SetDescription(fmt.Sprintf("Game %s, %s.", g.ID, g.Phase))
		e.SetURL(s.address(r) + "/games/" + g.ID)
	}
	w.Header().Set("Content-Type", "text/calendar; charset=utf-8")
	_ = c.SerializeTo(w)
}

// mostNews is how many entries the feed has.
const mostNews = 50

// feed tells what everybody may know (RFC 4287): which turn each game has come to, and how games ended.
func (s *Server) feed(w http.ResponseWriter, r *http.Request) {
	st, err := s.look(false)
	if err != nil {
		s.missing(w, r, err)
		return
	}
	f := &feeds.Feed{Title: "Fieldpost: games", Link: &feeds.Link{Href: s.address(r) + "/"}, Id: s.address(r) + "/", Updated: time.Unix(0, 0).UTC()}
	for _, g := range st.Games {
		item := newsOf(g)
		if item == nil {
			continue
		}
		item.Link = &feeds.Link{Href: s.address(r) + "/games/" + g.ID}
		f.Add(item)
	}
	slices.SortStableFunc(f.Items, func(a, b *feeds.Item) int { return b.Updated.Compare(a.Updated) })
	f.Items = f.Items[:min(mostNews, len(f.Items))]
	if len(f.Items) > 0 {
		f.Updated = f.Items[0].Updated
	}
	text, err := f.ToAtom()
	if err != nil {
		s.missing(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/atom+xml; charset=utf-8")
	_, _ = io.WriteString(w, text)
}

// newsOf is the entry of a game, nil for one that has not begun or whose time is not known.
func newsOf(g club.GameStatus) *feeds.Item {
	item := &feeds.Item{Id: fmt.Sprintf("urn:fieldpost:%s:%d", g.ID, g.Turn), Updated: g.Since, Created: g.Since}
	switch {
	case g.Rank == club.RankOver && !g.Ended.IsZero():
		item.Id, item.Updated, item.Created = fmt.Sprintf("urn:fieldpost:%s:end", g.ID), g.Ended, g.Ended
		item.Title = fmt.Sprintf("%s, game %s: it is over in turn %d", g.Title, g.ID, g.Turn)
	case g.Turn > 0 && !g.Since.IsZero():
		item.Title = fmt.Sprintf("%s, game %s: turn %d", g.Title, g.ID, g.Turn)
	default:
		return nil
	}
	return item
}

// gallery is a part of the games with small maps: those under way first, then the newest that ended.
type gallery struct {
	Games        []club.GameStatus
	Before, Next int // pages, 0 for none
}

// mostInGallery is how many games a page of the gallery shows.
const mostInGallery = 24

func (s *Server) gallery(w http.ResponseWriter, r *http.Request) {
	st, err := s.look(false)
	if err != nil {
		s.missing(w, r, err)
		return
	}
	games := slices.DeleteFunc(slices.Clone(st.Games), func(g club.GameStatus) bool { return g.Turn == 0 })
	over := func(g club.GameStatus) int {
		if g.Rank == club.RankOver {
			return 1
		}
		return 0
	}
	slices.SortFunc(games, func(a, b club.GameStatus) int {
		return cmp.Or(over(a)-over(b), b.Ended.Compare(a.Ended), strings.Compare(a.ID, b.ID))
	})
	number, _ := strconv.Atoi(r.FormValue("page"))
	number = max(1, min(number, (len(games)+mostInGallery-1)/mostInGallery))
	g := gallery{Before: number - 1}
	if number*mostInGallery < len(games) {
		g.Next = number + 1
	}
	g.Games = games[(number-1)*mostInGallery : min(number*mostInGallery, len(games))]
	s.show(w, r, http.StatusOK, "gallery", page{Title: "Gallery", Gallery: g})
}

// turnPage is a turn of a game that is over.
type turnPage struct {
	*club.PlayedTurn
	Before, Next int // turns, 0 for none
	Points       []string
}

// turn shows a turn of a game that is over, with both sides open: one pages through it.
func (s *Server) turn(w http.ResponseWriter, r *http.Request) {
	sp, err := s.umpire.Spectate(gameID(r))
	if err != nil {
		s.missing(w, r, err)
		return
	}
	n, _ := strconv.Atoi(r.PathValue("turn"))
	t, err := s.umpire.PlayedTurn(sp.ID, n, false)
	if err != nil {
		s.missing(w, r, err)
		return
	}
	shows := turnPage{PlayedTurn: t}
	at := slices.Index(t.Turns, n)
	if at > 0 {
		shows.Before = t.Turns[at-1]
	}
	if at+1 < len(t.Turns) {
		shows.Next = t.Turns[at+1]
	}
	for _, p := range t.Score {
		shows.Points = append(shows.Points, fmt.Sprintf("%s %d", p.Side, p.Points))
	}
	s.show(w, r, http.StatusOK, "turn", page{Title: fmt.Sprintf("%s, game %s: turn %d", sp.Title, sp.ID, n), Game: sp, Turn: shows})
}

// turnPicture is the map at the end of a turn of a game that is over.
func (s *Server) turnPicture(w http.ResponseWriter, r *http.Request) {
	sp, err := s.umpire.Spectate(gameID(r))
	if err != nil {
		s.missing(w, r, err)
		return
	}
	n, _ := strconv.Atoi(r.PathValue("turn"))
	s.sendPicture(w, r, shown{game: sp.ID, turn: n}, sp, func() ([]byte, error) {
		t, err := s.umpire.PlayedTurn(sp.ID, n, true)
		if err != nil {
			return nil, err
		}
		return t.PNG, nil
	})
}

// tournaments shows all tournaments, and moderators the form of a new one.
func (s *Server) tournaments(w http.ResponseWriter, r *http.Request) {
	s.tournamentPage(w, r, http.StatusOK, page{})
}

func (s *Server) tournamentPage(w http.ResponseWriter, r *http.Request, code int, p page) {
	all, err := s.umpire.TournamentTables()
	if err != nil {
		s.missing(w, r, err)
		return
	}
	p.Title, p.Tournaments = "Tournaments", all
	s.show(w, r, code, "tournaments", p)
}

// arrange arranges a tournament.
func (s *Server) arrange(w http.ResponseWriter, r *http.Request) {
	v := s.visit(r)
	text := strings.TrimSpace(strings.ReplaceAll(r.PostFormValue("value"), "\r\n", "\n"))
	done, err := s.umpire.Moderate(acts.Act{By: v.Name + " (web)", Verb: "tournament", Value: text})
	if err != nil {
		s.tournamentPage(w, r, http.StatusUnprocessableEntity, page{Fault: err.Error(), Written: text})
		return
	}
	s.tournamentPage(w, r, http.StatusOK, page{Said: done.Says})
}
