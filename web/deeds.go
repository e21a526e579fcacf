package web

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"fieldpost/umpire/acts"
	"fieldpost/umpire/club"
)

// deed is an act as the page offers it: a form of its own.
type deed struct {
	Verb, Button string
	// Says tells what it does, where the button alone does not.
	Says string
	// Side says that it is about one side; Everybody that it may be about all.
	Side, Everybody bool
	// Label names what is to be written, "" for nothing; Value is what stands there to begin
	// with. Long is a text of several lines, Optional one that may stay empty.
	Label, Value   string
	OfSide         string // which is chosen
	Long, Optional bool
	// Tried has a second button that only asks what it would do.
	Tried bool
	in    []state // in which it is offered; none: before the end of the game
}

type state string

// The states of a game.
const (
	waiting  state = "open"
	running  state = "running"
	paused   state = "paused"
	frozen   state = "frozen"
	finished state = "finished"
)

// deedGroup is what belongs together on the page.
type deedGroup struct {
	Title  string
	Folded bool // until somebody opens it, or Open
	Open   bool
	Deeds  []deed
}

var deedGroups = []deedGroup{
	{Title: "The clock", Deeds: []deed{
		{Verb: "extend", Button: "Extend", Label: "More time: 48h, 3d", Value: "48h", in: []state{running}},
		{Verb: "force", Button: "Go on now", Says: "The game goes on without those it waits for. Before their deadline nobody counts as late.", in: []state{running}},
		{Verb: "pause", Button: "Pause", Label: "Why the game pauses", Optional: true, in: []state{running}},
		{Verb: "unpause", Button: "End the pause", Says: "The clock runs again.", in: []state{paused}},
		{Verb: "resume", Button: "Resume", Says: "Everything is played again, and the game goes on if it comes out the same.", in: []state{frozen}},
	}},
	{Title: "Words", Deeds: []deed{
		{Verb: "message", Button: "Send", Everybody: true, Label: "A message to the players", Long: true},
	}},
	{Title: "Set right", Folded: true, Deeds: []deed{
		{Verb: "rollback", Button: "Set the game back", Tried: true, Label: "To where, a colon and why: before GERMAN turn 2: the sheet was meant for another game",
			Says: "Phases since then no longer count and are played again with other dice. Ask first what it would do.", in: []state{running, paused, frozen}},
		{Verb: "edit", Button: "Edit the position", Tried: true, Long: true, Label: "PUT unit hex, STEPS unit number, REMOVE unit, CONTROL hex side, a line each; ! behind a line that is against the rules",
			Says: "The players hear that something was mended, not what.", in: []state{running, paused}},
		{Verb: "serial", Button: "Set the numbers back", Side: true, Label: "To which number; empty: below the highest", Optional: true, Says: "The sheets of a side are numbered anew, and filed ones with higher numbers no longer count."},
		{Verb: "resend", Button: "Send again", Side: true, Label: "REPORT and its number, or the id of a mail", in: []state{waiting, running, paused, frozen, finished}},
		{Verb: "act-for", Button: "File the orders", Side: true, Long: true, Label: "Orders of a player, from the first section on", Says: "They are marked as filed by you.", in: []state{running}},
		{Verb: "branch", Button: "Copy the game", Label: "After which phase, by its number; empty: as it is now", Optional: true, Says: "A new game with the same players and other dice.", in: []state{running, paused, frozen, finished}},
		{Verb: "finish", Button: "End the game", Label: "SIDE: why, or only why", Optional: true, in: []state{running, paused, frozen}},
	}},
	{Title: "Players", Folded: true, Deeds: []deed{
		{Verb: "invite", Button: "Invite", Side: true, Label: "Address and name of a player", in: []state{waiting}},
		{Verb: "announce", Button: "Announce", Says: "Anybody who asks for a free side by mail is invited.", in: []state{waiting}},
		{Verb: "start", Button: "Begin", Says: "The game begins, with staff officers of the program on the free sides.", in: []state{waiting}},
		{Verb: "replace", Button: "Invite in their place", Side: true, Label: "Address and name of whoever takes the side over", in: []state{running, paused, frozen}},
		{Verb: "address", Button: "Move the mail", Side: true, Label: "The new address; it is asked for a code first"},
		{Verb: "deputy", Button: "Invite a deputy", Side: true, Label: "Address, name, and perhaps FROM 2026-12-20 TO 2027-01-03"},
		{Verb: "commander", Button: "Invite a commander", Side: true, Label: "Address and name, a colon, formations"},
		{Verb: "assign", Button: "Give formations", Side: true, Label: "The commander's address, a colon, formations"},
		{Verb: "relieve", Button: "Relieve", Side: true, Label: "The address of a commander or deputy"},
	}},
}

// deedNamed finds a deed that the page offers.
func deedNamed(verb string) (deed, bool) {
	for _, g := range deedGroups {
		for _, d := range g.Deeds {
			if d.Verb == verb {
				return d, true
			}
		}
	}
	return deed{}, false
}

// offeredIn are the deeds that can be done to a game in a state. What was written for one that was
// refused, or only tried, stands in its form still.
func offeredIn(s state, written acts.Act) (out []deedGroup) {
	for _, g := range deedGroups {
		can := deedGroup{Title: g.Title, Folded: g.Folded && s != waiting}
		for _, d := range g.Deeds {
			if !slices.Contains(d.in, s) && (len(d.in) > 0 || s == finished) {
				continue
			}
			if d.Verb == written.Verb {
				d.Value, d.OfSide, can.Open = written.Value, written.Side, true
			}
			can.Deeds = append(can.Deeds, d)
		}
		if len(can.Deeds) > 0 {
			out = append(out, can)
		}
	}
	return out
}

func (s *Server) act(w http.ResponseWriter, r *http.Request) {
	verb, v := r.PathValue("verb"), s.visit(r)
	if _, known := deedNamed(verb); v == nil || !known {
		s.fault(w, r, http.StatusNotFound, "There is no such act.")
		return
	}
	a := acts.Act{By: v.Name + " (web)", Verb: verb, Game: gameID(r), Side: r.PostFormValue("side"),
		Value: strings.TrimSpace(strings.ReplaceAll(r.PostFormValue("value"), "\r\n", "\n")), Dry: r.PostFormValue("dry") != ""}
	done, err := s.carryOut(a)
	switch {
	case err != nil:
		s.gamePage(w, r, http.StatusUnprocessableEntity, outcome{Fault: err.Error(), Written: a})
	case a.Dry:
		s.gamePage(w, r, http.StatusOK, outcome{Said: done.Says, Written: a})
	default:
		s.umpire.MailWaits()
		s.gamePage(w, r, http.StatusOK, outcome{Said: done.Says})
	}
}

// outcome is what an act led to: what it did, what is wrong, and the act if nothing was done.
type outcome struct {
	Said    []string
	Fault   string
	Written acts.Act
}

// edited is the edit of a position that was tried, and could be made.
func (o outcome) edited() string {
	if o.Written.Verb != "edit" || !o.Written.Dry || o.Fault != "" {
		return ""
	}
	return o.Written.Value
}

func (s *Server) carryOut(a acts.Act) (acts.Done, error) {
	if a.Verb != "resume" {
		return s.umpire.Moderate(a)
	}
	if err := s.umpire.Resume(a.Game); err != nil {
		return acts.Done{}, err
	}
	return acts.Done{Says: []string{"The game goes on."}}, nil
}

// newGame is the form of a new game: the scenarios to choose from, or the options of one.
type newGame struct {
	Scenarios []scenarioName
	Scenario  string
	Options   []option
	Staff     string
}

type scenarioName struct{ ID, Title, System string }

// option is a field of the form, and what was written into it.
type option struct {
	Name, Default, Means, Clause, Given string
	Values                              []string
}

// newGame shows the form of a new game, of a scenario once one is chosen.
func (s *Server) newGame(w http.ResponseWriter, r *http.Request) {
	s.newPage(w, r, http.StatusOK, "")
}

func (s *Server) newPage(w http.ResponseWriter, r *http.Request, code int, fault string) {
	form := &newGame{Scenario: r.FormValue("scenario"), Staff: r.PostFormValue("staff")}
	if form.Scenario == "" {
		all, err := s.umpire.Scenarios().List()
		if err != nil {
			s.missing(w, r, err)
			return
		}
		for _, sc := range all {
			form.Scenarios = append(form.Scenarios, scenarioName{sc.ID, sc.Title, sc.System})
		}
		s.show(w, r, code, "new", page{Title: "A new game", Fault: fault, New: form})
		return
	}
	settings, err := s.umpire.Scenarios().Settings(form.Scenario)
	if err != nil {
		s.fault(w, r, http.StatusNotFound, "There is no such scenario.")
		return
	}
	for _, o := range settings {
		form.Options = append(form.Options, option{Name: o.Name, Default: o.Default, Means: o.Means, Clause: string(o.Clause), Values: o.Values,
			Given: strings.TrimSpace(r.PostFormValue(fieldOf(o.Name)))})
	}
	s.show(w, r, code, "new", page{Title: "A new game", Fault: fault, New: form})
}

// fieldOf names the field of an option.
func fieldOf(option string) string { return "option-" + option }

// create makes a game of what the form says; what was left as it stood is the default.
func (s *Server) create(w http.ResponseWriter, r *http.Request) {
	v, scenario := s.visit(r), r.PostFormValue("scenario")
	settings, err := s.umpire.Scenarios().Settings(scenario)
	if v == nil || err != nil {
		s.fault(w, r, http.StatusNotFound, "There is no such scenario.")
		return
	}
	words := []string{scenario}
	for _, o := range settings {
		if value := strings.TrimSpace(r.PostFormValue(fieldOf(o.Name))); value != "" && value != o.Default {
			words = append(words, o.Name+"="+value)
		}
	}
	if staff := strings.TrimSpace(r.PostFormValue("staff")); staff != "" {
		words = append(words, "staff="+staff)
	}
	done, err := s.umpire.Moderate(acts.Act{By: v.Name + " (web)", Verb: "create", Value: strings.Join(words, " ")})
	if err != nil {
		s.newPage(w, r, http.StatusUnprocessableEntity, err.Error())
		return
	}
	s.umpire.MailWaits()
	http.Redirect(w, r, s.at()+"/games/"+strings.Fields(strings.Join(done.Says, " "))[1], http.StatusSeeOther)
}

// mayLook tells whether a visit has asked to look inside a game of late.
func (v *visit) mayLook(game string, now time.Time) bool {
	until, asked := v.Inside[game]
	return asked && now.Before(until)
}

// looking is how long somebody who asked may look inside a game.
const looking = 30 * time.Minute

// inside shows what is hidden in a game, or asks whether to.
func (s *Server) inside(w http.ResponseWriter, r *http.Request) {
	v, id := s.visit(r), gameID(r)
	sp, err := s.umpire.Spectate(id)
	if err != nil {
		s.missing(w, r, err)
		return
	}
	p := page{Title: "Inside " + sp.Title + ", game " + sp.ID, Game: sp}
	if !v.mayLook(id, s.now()) {
		s.show(w, r, http.StatusOK, "ask", p)
		return
	}
	in, err := s.umpire.Inside(id)
	if err != nil {
		s.missing(w, r, err)
		return
	}
	p.Inside = &in
	s.show(w, r, http.StatusOK, "inside", p)
}

// lookInside writes down that a moderator looks, and lets them.
func (s *Server) lookInside(w http.ResponseWriter, r *http.Request) {
	v, id := s.visit(r), gameID(r)
	if err := s.umpire.Looked(v.Name+" (web)", id); err != nil {
		s.missing(w, r, err)
		return
	}
	if c, err := r.Cookie(cookieName); err == nil {
		s.door.LetLook(c.Value, id, s.now().Add(looking))
	}
	http.Redirect(w, r, s.at()+"/games/"+id+"/inside", http.StatusSeeOther)
}

// asked guards what only those see who have asked to look inside a game.
func (s *Server) asked(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if v := s.visit(r); v == nil || !v.mayLook(gameID(r), s.now()) {
			s.fault(w, r, http.StatusForbidden, "Log in and ask to look inside the game first: the audit log says who looked.")
			return
		}
		next(w, r)
	}
}

// insideMap is the position as a side knows it, or with both open.
func (s *Server) insideMap(w http.ResponseWriter, r *http.Request) {
	s.drawing.Lock()
	defer s.drawing.Unlock()
	side := strings.ToUpper(r.FormValue("side"))
	if g, err := s.umpire.Spectate(gameID(r)); err == nil && side != "" && !slices.Contains(g.Sides, side) {
		err = club.ErrNoGame
		s.missing(w, r, err)
		return
	}
	draw := func() ([]byte, error) { return s.umpire.InsideMap(gameID(r), side) }
	if edit := r.FormValue("edit"); edit != "" {
		draw = func() ([]byte, error) { return s.umpire.EditedMap(gameID(r), edit) }
	}
	png, err := draw()
	if err != nil {
		s.missing(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	_, _ = w.Write(png)
}

// letter shows a mail that went out or came in.
func (s *Server) letter(w http.ResponseWriter, r *http.Request) {
	read := s.umpire.OutgoingLetter
	if r.PathValue("way") == "in" {
		read = s.umpire.IncomingLetter
	}
	l, err := read(gameID(r), r.PathValue("mail"))
	if err != nil {
		s.fault(w, r, http.StatusNotFound, "This mail is not kept, or not of this game.")
		return
	}
	if r.FormValue("raw") != "" {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", "mail.eml"))
		_, _ = w.Write(l.Raw)
		return
	}
	p := page{Title: l.Subject, Letter: l, Back: s.at() + "/games/" + gameID(r) + "/inside"}
	if l.Side != "" {
		p.Answer = s.at() + "/games/" + gameID(r) + "/message"
	}
	s.show(w, r, http.StatusOK, "letter", p)
}
