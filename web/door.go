package web

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/argon2"
)

// How long a login lasts: in all, and without a request.
const (
	longest = 8 * time.Hour
	idle    = 30 * time.Minute
)

// mostVisits bounds the logins at one time.
const mostVisits = 100

const cookieName = "fieldpost"

// hashCost is what a hash of a password costs: passes, memory in KiB and threads of Argon2id
// (RFC 9106). A hash says its own, so that later ones can cost more.
type hashCost struct {
	passes, memory uint32
	threads        uint8
}

// fullCost is the second recommendation of RFC 9106, which new hashes get; no hash may ask for
// more.
var fullCost = hashCost{passes: 3, memory: 64 << 10, threads: 4}

var errHash = errors.New(`no hash of a password: run "fieldpost web password" for one`)

// Hash makes the hash of a password for the configuration.
func Hash(password string) (string, error) {
	if len(password) < 10 {
		return "", errors.New("a password has 10 characters or more")
	}
	return fullCost.hash(password), nil
}

// hash makes the hash of a password at a cost.
func (c hashCost) hash(password string) string {
	salt := make([]byte, 16)
	rand.Read(salt)
	enc := base64.RawStdEncoding
	return fmt.Sprintf("argon2id$%d$%d$%d$%s$%s", c.passes, c.memory, c.threads,
		enc.EncodeToString(salt), enc.EncodeToString(c.sum(password, salt)))
}

// sum is the 32 bytes of a password's hash.
func (c hashCost) sum(password string, salt []byte) []byte {
	return argon2.IDKey([]byte(password), salt, c.passes, c.memory, c.threads, 32)
}

type passwordHash struct {
	cost      hashCost
	salt, sum []byte
}

func parseHash(text string) (h passwordHash, err error) {
	fields := strings.Split(text, "$")
	if len(fields) != 6 || fields[0] != "argon2id" {
		return h, errHash
	}
	passes, badPasses := strconv.ParseUint(fields[1], 10, 32)
	memory, badMemory := strconv.ParseUint(fields[2], 10, 32)
	threads, badThreads := strconv.ParseUint(fields[3], 10, 8)
	h.cost = hashCost{passes: uint32(passes), memory: uint32(memory), threads: uint8(threads)}
	if badPasses != nil || badMemory != nil || badThreads != nil || !h.cost.bearable() {
		return h, errHash
	}
	var badSalt, badSum error
	h.salt, badSalt = base64.RawStdEncoding.DecodeString(fields[4])
	h.sum, badSum = base64.RawStdEncoding.DecodeString(fields[5])
	switch {
	case badSalt != nil, badSum != nil, len(h.salt) != 16, len(h.sum) != 32:
		return h, errHash
	}
	return h, nil
}

// bearable tells whether a hash can be reckoned: within the full cost, and none of it zero.
func (c hashCost) bearable() bool {
	within := c.passes <= fullCost.passes && c.memory <= fullCost.memory && c.threads <= fullCost.threads
	return within && min(c.passes, c.memory, uint32(c.threads)) > 0
}

func (h passwordHash) fits(password string) bool {
	return subtle.ConstantTimeCompare(h.cost.sum(password, h.salt), h.sum) == 1
}

// visit is a moderator who is logged in.
type visit struct {
	name, token string
	ends, last  time.Time
	inside      map[string]time.Time // until when they may look inside games
}

// door keeps the visits, by the hash of their cookies, in memory only: a restart
// logs everybody out.
type door struct {
	mu     sync.Mutex
	visits map[[32]byte]*visit
	// clients are those who gave wrong passwords of late, by where they come from; known
	// are those who gave the right one.
	clients map[string]*client
	known   map[string]bool
	// minute and tried bound the passwords of all clients that are not known.
	minute time.Time
	tried  int
	trying sync.Mutex // one hash at a time: each takes 64 MiB
}

// client counts the wrong passwords of one client in a row; until closed no other is tried.
type client struct {
	failed int
	closed time.Time
}

// Bounds on wrong passwords: so many clients are remembered, and so many passwords of
// clients that never gave the right one are tried in a minute.
const (
	mostClients    = 10_000
	mostEachMinute = 30
)

// clientOf is where a request comes from: as the web server in front of this one says, else
// by its connection. Only what the nearest server added is believed.
func clientOf(r *http.Request) string {
	if chain := strings.Join(r.Header.Values("X-Forwarded-For"), ","); chain != "" {
		parts := strings.Split(chain, ",")
		return strings.TrimSpace(parts[len(parts)-1])
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// visit is the visit of a request, nil if there is none.
func (d *door) visit(r *http.Request, now time.Time) *visit {
	c, err := r.Cookie(cookieName)
	if err != nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	id := sha256.Sum256([]byte(c.Value))
	v := d.visits[id]
	if v == nil {
		return nil
	}
	if now.After(v.ends) || now.Sub(v.last) > idle {
		delete(d.visits, id)
		return nil
	}
	if r.Header.Get("X-Live") == "" { // a page that shows what is new is no click
		v.last = now
	}
	copied := *v
	return &copied
}

// watches tells whether a request is of somebody who is logged in; a page that only watches is no click,
// and lets the login end as if it were closed.
func (d *door) watches(r *http.Request, now time.Time) bool {
	c, err := r.Cookie(cookieName)
	if err != nil {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	v := d.visits[sha256.Sum256([]byte(c.Value))]
	return v != nil && !now.After(v.ends) && now.Sub(v.last) <= idle
}

// letLook lets a visit look inside a game for a while.
func (d *door) letLook(r *http.Request, game string, until time.Time) {
	c, err := r.Cookie(cookieName)
	if err != nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if v := d.visits[sha256.Sum256([]byte(c.Value))]; v != nil {
		inside := maps.Clone(v.inside)
		if inside == nil {
			inside = map[string]time.Time{}
		}
		inside[game] = until
		v.inside = inside // copies of the visit are read without the lock
	}
}

// open lets somebody in and returns the cookie's value.
func (d *door) open(name, from string, now time.Time) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	for id, v := range d.visits {
		if now.After(v.ends) || now.Sub(v.last) > idle || len(d.visits) >= mostVisits {
			delete(d.visits, id)
		}
	}
	if d.visits == nil {
		d.visits = map[[32]byte]*visit{}
	}
	cookie := rand.Text() + rand.Text()
	d.visits[sha256.Sum256([]byte(cookie))] = &visit{name: name, token: rand.Text(), ends: now.Add(longest), last: now}
	delete(d.clients, from)
	if d.known == nil || len(d.known) >= mostVisits {
		d.known = map[string]bool{}
	}
	d.known[from] = true
	return cookie
}

// shut ends a visit.
func (d *door) shut(r *http.Request) {
	if c, err := r.Cookie(cookieName); err == nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.visits, sha256.Sum256([]byte(c.Value)))
	}
}

// knock tells whether a password of a client may be tried now; else how long to wait.
func (d *door) knock(from string, now time.Time) time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	if c := d.clients[from]; c != nil && c.closed.After(now) {
		return c.closed.Sub(now)
	}
	if d.known[from] {
		return 0
	}
	if now.Sub(d.minute).Abs() >= time.Minute {
		d.minute, d.tried = now, 0
	}
	if d.tried++; d.tried > mostEachMinute {
		return d.minute.Add(time.Minute).Sub(now)
	}
	return 0
}

// wrong notes a wrong password: from the fifth on the door stays closed to its client a
// while, doubling up to a quarter of an hour.
func (d *door) wrong(from string, now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.clients == nil {
		d.clients = map[string]*client{}
	}
	if len(d.clients) >= mostClients {
		maps.DeleteFunc(d.clients, func(_ string, c *client) bool { return !c.closed.After(now) })
	}
	c := d.clients[from]
	if c == nil {
		if len(d.clients) >= mostClients {
			return // all of them are shut out; what is tried in a minute has its bound
		}
		c = &client{}
		d.clients[from] = c
	}
	if c.failed++; c.failed >= 5 {
		c.closed = now.Add(min(15*time.Minute, time.Second<<min(c.failed-5, 10)))
	}
}

// unlock forgets all wrong passwords.
func (d *door) unlock() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clients, d.tried = nil, 0
}

// sent tells whether a form was sent from a page of this visit.
func (v *visit) sent(r *http.Request) bool {
	return subtle.ConstantTimeCompare([]byte(r.PostFormValue("token")), []byte(v.token)) == 1
}

// moderator lets only those in who are logged in, and posts only with the token
// of their forms.
func (s *Server) moderator(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v := s.door.visit(r, s.now())
		switch {
		case v == nil && r.Method == http.MethodGet:
			http.Redirect(w, r, "/login", http.StatusSeeOther)
		case v == nil:
			s.fault(w, r, http.StatusForbidden, "This needs a login. Nothing was done.")
		case r.Method == http.MethodPost && !v.sent(r):
			s.fault(w, r, http.StatusForbidden, "The form is not of this login: load the page again. Nothing was done.")
		default:
			next(w, r)
		}
	}
}

func (s *Server) loginPage(w http.ResponseWriter, r *http.Request) {
	if s.config.Password == "" {
		s.fault(w, r, http.StatusNotFound, "There is no login: the configuration has no password for it.")
		return
	}
	s.show(w, r, http.StatusOK, "login", page{Title: "Login"})
}

func (s *Server) login(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimSpace(r.PostFormValue("name"))
	again := page{Title: "Login", User: name}
	h, err := parseHash(s.config.Password)
	if err != nil {
		s.loginPage(w, r)
		return
	}
	s.door.trying.Lock()
	defer s.door.trying.Unlock()
	from := clientOf(r)
	switch wait := s.door.knock(from, s.now()); {
	case wait > 0:
		again.Fault = fmt.Sprintf("Too many wrong passwords: try again in %d seconds.", int(wait.Seconds())+1)
		s.show(w, r, http.StatusTooManyRequests, "login", again)
		return
	case name == "" || len(name) > 40:
		again.Fault = "Say who you are: the audit log names you by it."
		s.show(w, r, http.StatusBadRequest, "login", again)
		return
	case !h.fits(r.PostFormValue("password")):
		s.door.wrong(from, s.now())
		s.log.Warn("a wrong password for the web page", "name", name, "from", from)
		again.Fault = "The password is not right."
		s.show(w, r, http.StatusForbidden, "login", again)
		return
	}
	// Browsers keep a Secure cookie of this very machine without TLS too.
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: s.door.open(name, from, s.now()), Path: "/", MaxAge: int(longest.Seconds()),
		HttpOnly: true, Secure: true, SameSite: http.SameSiteStrictMode})
	s.log.Info("a moderator logged in at the web page", "name", name, "from", from)
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func (s *Server) logout(w http.ResponseWriter, r *http.Request) {
	s.door.shut(r)
	http.SetCookie(w, &http.Cookie{Name: cookieName, Path: "/", MaxAge: -1, HttpOnly: true, Secure: true, SameSite: http.SameSiteStrictMode})
	http.Redirect(w, r, "/", http.StatusSeeOther)
}
