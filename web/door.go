package web

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"

	"golang.org/x/crypto/argon2"

	"fieldpost/umpire/door"
)

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

// visit is the visit of a request, nil if there is none. A page that shows what is new is no click.
func (s *Server) visit(r *http.Request) *visit {
	return s.visitOf(r, r.Header.Get("X-Live") == "")
}

// watches tells whether a request is of somebody who is logged in; a page that only watches is no click,
// and lets the login end as if it were closed.
func (s *Server) watches(r *http.Request) bool { return s.visitOf(r, false) != nil }

func (s *Server) visitOf(r *http.Request, click bool) *visit {
	c, err := r.Cookie(cookieName)
	if err != nil {
		return nil
	}
	v := s.door.Visit(c.Value, s.now(), click)
	if v == nil {
		return nil
	}
	return &visit{*v}
}

// visit is a moderator who is logged in.
type visit struct{ door.Visit }

// sent tells whether a form was sent from a page of this visit.
func (v *visit) sent(r *http.Request) bool {
	return subtle.ConstantTimeCompare([]byte(r.PostFormValue("token")), []byte(v.Token)) == 1
}

// moderator lets only those in who are logged in, and posts only with the token
// of their forms.
func (s *Server) moderator(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v := s.visit(r)
		switch {
		case v == nil && r.Method == http.MethodGet:
			http.Redirect(w, r, s.at()+"/login", http.StatusSeeOther)
		case v == nil:
			s.fault(w, r, http.StatusForbidden, "This needs a login. Nothing was done.")
		case r.Method == http.MethodPost && !v.sent(r):
			s.fault(w, r, http.StatusForbidden, "The form belongs to another login: load the page again. Nothing was done.")
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
	if name == "" || len(name) > 40 {
		again.Fault = "Say who you are: the audit log names you by it."
		s.show(w, r, http.StatusBadRequest, "login", again)
		return
	}
	s.trying.Lock()
	defer s.trying.Unlock()
	from := clientOf(r)
	switch wait, err := s.door.Knock(from, s.now()); {
	case err != nil:
		again.Fault = "Nobody can log in just now: the store cannot be written. Try again in a minute."
		s.show(w, r, http.StatusServiceUnavailable, "login", again)
		return
	case wait > 0:
		again.Fault = fmt.Sprintf("Too many wrong passwords: try again in %d seconds.", int(wait.Seconds())+1)
		s.show(w, r, http.StatusTooManyRequests, "login", again)
		return
	case !h.fits(r.PostFormValue("password")):
		s.log.Warn("a wrong password for the web page", "name", name, "from", from)
		again.Fault = "The password is not right."
		s.show(w, r, http.StatusForbidden, "login", again)
		return
	}
	cookie, err := s.door.Open(name, from, s.now())
	if err != nil {
		again.Fault = "Nobody can log in just now: the store cannot be written. Try again in a minute."
		s.show(w, r, http.StatusServiceUnavailable, "login", again)
		return
	}
	// Browsers keep a Secure cookie of this very machine without TLS too.
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: cookie, Path: s.at() + "/", MaxAge: int(door.Longest.Seconds()),
		HttpOnly: true, Secure: true, SameSite: http.SameSiteStrictMode})
	s.log.Info("a moderator logged in at the web page", "name", name, "from", from)
	http.Redirect(w, r, s.at()+"/", http.StatusSeeOther)
}

func (s *Server) logout(w http.ResponseWriter, r *http.Request) {
	if c, err := r.Cookie(cookieName); err == nil {
		s.door.Shut(c.Value)
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName, Path: s.at() + "/", MaxAge: -1, HttpOnly: true, Secure: true, SameSite: http.SameSiteStrictMode})
	http.Redirect(w, r, s.at()+"/", http.StatusSeeOther)
}
