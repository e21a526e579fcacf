package web

import (
	"fmt"
	"maps"
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
		s.fault(w, r, http.StatusForbidden, "The game is not over: nothing is disclosed before.")
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
	if err := s.umpire.StoreAnswers(); err != nil {
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprintln(w, "the store cannot be read")
		return
	}
	if troubles := s.umpire.Service.Troubles(s.now()); len(troubles) > 0 {
		w.WriteHeader(http.StatusServiceUnavailable)
		for _, t := range troubles { // why is the moderators' business
			fmt.Fprintf(w, "%s is out since %s\n", t.Of, t.Since.UTC().Format(time.RFC3339))
		}
		return
	}
	fmt.Fprintln(w, "ok")
}

// metrics are the figures for Prometheus, in its text format.
func (s *Server) metrics(w http.ResponseWriter, _ *http.Request) {
	st, err := s.look(false)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	if err != nil {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	state, rank := map[string]int{}, map[string]int{}
	for _, g := range st.Games {
		state[string(g.State)]++
		rank[rankWord(g.Rank)]++
	}
	one := func(name, kind, help string, value any) {
		fmt.Fprintf(w, "# HELP fieldpost_%s %s\n# TYPE fieldpost_%[1]s %[3]s\nfieldpost_%[1]s %[4]v\n", name, help, kind, value)
	}
	many := func(name, label, help string, values map[string]int, keys ...string) {
		fmt.Fprintf(w, "# HELP fieldpost_%s %s\n# TYPE fieldpost_%[1]s gauge\n", name, help)
		for _, k := range keys {
			fmt.Fprintf(w, "fieldpost_%s{%s=%q} %d\n", name, label, k, values[k])
		}
	}
	many("games", "state", "Games by their state.", state, "open", "running", "paused", "frozen", "finished")
	many("games_ranked", "rank", "Games by how much they want the moderator.", rank, "stopped", "alarm", "look", "well", "over")
	one("mails_received_total", "counter", "Mails handled since the daemon began.", st.In)
	one("mails_refused_total", "counter", "Mails answered with a refusal.", st.Refused)
	one("mails_sent_total", "counter", "Mails that a server took.", st.Out)
	one("mails_queued", "gauge", "Mails that wait to be sent.", st.Queued)
	one("mails_stuck", "gauge", "Mails that were put off or held back.", st.Stuck)
	one("new_address_mails_today", "gauge", "Mails that went today to addresses that never wrote to us.", st.NewAddresses)
	one("new_address_mails_bound", "gauge", "How many may go in a day, 0 for no bound.", st.NewAddressesBound)
	out := map[string]int{}
	for _, t := range st.Troubles {
		out[t.Of] = 1
	}
	many("out", "of", "1 while mail is not fetched, not sent, nothing is kept, or deadlines are held.", out, club.CanBeOut()...)
	looked := map[string]int{}
	for box, at := range st.Looked {
		looked[box] = int(at.Unix())
	}
	many("folder_looked_timestamp_seconds", "folder", "The last whole look through a folder.", looked, slices.Sorted(maps.Keys(looked))...)
	one("mail_sent_timestamp_seconds", "gauge", "When a server last took a mail, 0 for not yet.", max(0, st.Sent.Unix()))
	if st.Standbys != nil {
		nodes := map[string]int{}
		for _, n := range st.Nodes {
			if n.Gone() {
				nodes["gone"]++
				continue
			}
			nodes["at_work"]++
			nodes["claims"] += len(n.Works)
		}
		many("nodes", "state", "Daemons over the database.", nodes, "at_work", "gone")
		many("roles", "role", "Daemons at work that have a role.", st.Manned(), club.Roles...)
		one("claims", "gauge", "Games at which daemons are at work now.", nodes["claims"])
		one("standbys", "gauge", "Servers that follow the database.", st.Standbys.Copies)
		one("standby_behind_bytes", "gauge", "What the slowest standby has not taken over, -1 for unknown.", st.Standbys.Behind)
	}
	one("data_bytes", "gauge", "What the data folder takes.", st.Disk)
	one("disk_free_bytes", "gauge", "What the disk has left.", st.Free)
	one("backup_timestamp_seconds", "gauge", "The last backup, 0 for none.", max(0, st.Backup.Unix()))
	one("start_timestamp_seconds", "gauge", "When the daemon began.", st.Since.Unix())
}
