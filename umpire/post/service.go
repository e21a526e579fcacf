package post

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"fieldpost/mailbox"
	"fieldpost/store"
)

// Service is how mail comes and goes: when each folder was last looked through, and when a
// server last took a mail. It is of the running process, and empty where nothing is fetched
// and sent.
type Service struct {
	mu     sync.Mutex
	every  time.Duration // between two looks; 0: nothing is fetched
	looked map[string]time.Time
	failed string    // why the last look failed, "" if it did not
	sent   time.Time // a server took a mail
	stuck  time.Time // since when the server takes none; zero if it does
	reply  string    // what it said last
	held   *Trouble  // of the clock; nil for none
	unkept *Trouble  // of the disk; nil for none
	waits  *Trouble  // of mail that is not handled; nil for none
}

// patience is after how many polls without a look the daemon complains, and after how long
// without a server that takes mail.
const (
	patiencePolls   = 4
	patienceSending = 5 * time.Minute
)

// The two halves of the service, as alarms name them.
const (
	Fetching = "fetching"
	Sending  = "sending"
	// Keeping is the trouble of a disk that keeps nothing.
	Keeping = "keeping"
	// Handling is the trouble of mail that was fetched and is not handled.
	Handling = "handling"
	// Clock is the trouble of a clock that was set: deadlines are held.
	Clock = "clock"
	// Serving is the trouble of one of several clubs that the daemon cannot serve.
	Serving = "serving"
)

// AlarmRecords are since when moderators have been told of a trouble, by what it is of.
var AlarmRecords = store.OnePerName[time.Time]("alarm", "TROUBLE").Plain()

// Trouble is a half of the service that is out.
type Trouble struct {
	Of    string    `json:"of"` // Fetching, Sending, Keeping, Handling, Clock or Serving
	Since time.Time `json:"since"`
	Why   string    `json:"why"`
	// Passing says that it is likely to end by itself within minutes: moderators are not written to before.
	Passing bool `json:"passing,omitempty"`
}

// String is the trouble as status and alarms tell it.
func (t Trouble) String() string {
	what := "no mail has been fetched since "
	switch t.Of {
	case Sending:
		what = "no mail could be sent since "
	case Keeping:
		what = "nothing can be kept since "
	case Handling:
		what = "fetched mail has not been handled since "
	case Clock:
		what = "deadlines are held since "
	case Serving:
		what = "the daemon has not served this club since "
	}
	return what + t.Since.UTC().Format("2 Jan 15:04 MST") + ": " + t.Why
}

// Begin says that folders are looked into from now on, and how often.
func (s *Service) Begin(every time.Duration, boxes []string, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.every, s.looked = every, map[string]time.Time{}
	for _, box := range boxes {
		s.looked[box] = now
	}
}

// Rest says that another daemon looks into the folders from now on.
func (s *Service) Rest() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.every, s.looked, s.failed = 0, nil, ""
}

// ClockSet says that the clock was set by so much within the last while: what was so long ago
// stays so long ago. What was noted since by the new clock is right as it is.
func (s *Service) ClockSet(by, within time.Duration, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	moved := func(at time.Time) time.Time {
		byNewClock := !at.After(now) && now.Sub(at) <= within
		if at.IsZero() || byNewClock {
			return at
		}
		return at.Add(by)
	}
	for box, at := range s.looked {
		s.looked[box] = moved(at)
	}
	s.sent, s.stuck = moved(s.sent), moved(s.stuck)
}

// Looked notes a whole look into a folder.
func (s *Service) Looked(box string, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.looked == nil {
		s.looked = map[string]time.Time{}
	}
	s.looked[box] = now
}

// LookedWithin tells whether the whole folder was looked through within the last while.
func (s *Service) LookedWithin(box string, while time.Duration, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return now.Sub(s.looked[box]).Abs() <= while
}

// LookFailed notes why a look failed; nil says that all folders were looked through, those
// that were not are there no more.
func (s *Service) LookFailed(err error, begun time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.failed = err.Error()
		return
	}
	s.failed = ""
	maps.DeleteFunc(s.looked, func(_ string, at time.Time) bool { return at.Before(begun) })
}

// Failing tells whether the last look failed, or the last try to send.
func (s *Service) Failing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed != "" || !s.stuck.IsZero()
}

// SentOne notes what a server did with a mail. What it says of one recipient is no trouble
// of the service.
func (s *Service) SentOne(res mailbox.Result, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	serverIsOut := res.Outcome == mailbox.Misconfigured || res.Outcome == mailbox.Temporary && (res.Code == 0 || res.Code == 421)
	switch {
	case !serverIsOut:
		s.stuck, s.reply = time.Time{}, ""
		if res.Outcome == mailbox.Delivered {
			s.sent = now
		}
		return
	case s.stuck.IsZero():
		s.stuck = now
	}
	s.reply = "the server takes no mail"
	if res.Err != nil {
		s.reply = res.Err.Error()
	}
}

// Last is when each folder was looked through, and when a server took a mail; zero for never.
func (s *Service) Last() (looked map[string]time.Time, sent time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.looked), s.sent
}

// Troubles are the halves of the service that have been out for longer than one waits.
func (s *Service) Troubles(now time.Time) (all []Trouble) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var late []string
	var since time.Time
	for _, box := range slices.Sorted(maps.Keys(s.looked)) {
		if at := s.looked[box]; s.every > 0 && now.Sub(at) > patiencePolls*s.every {
			late = append(late, box)
			if since.IsZero() || at.Before(since) {
				since = at
			}
		}
	}
	if len(late) > 0 {
		why := s.failed
		if why == "" {
			why = "the server does not answer"
		}
		all = append(all, Trouble{Of: Fetching, Since: since, Why: fmt.Sprintf("%s (%s)", why, strings.Join(late, ", "))})
	}
	if !s.stuck.IsZero() && now.Sub(s.stuck) > patienceSending {
		all = append(all, Trouble{Of: Sending, Since: s.stuck, Why: s.reply})
	}
	if s.unkept != nil {
		all = append(all, *s.unkept)
	}
	if s.waits != nil {
		all = append(all, *s.waits)
	}
	if s.held != nil {
		all = append(all, *s.held)
	}
	return all
}

// Kept notes what the disk said when it last refused to keep something; nil says that it
// keeps what it is given.
func (s *Service) Kept(refused error, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case refused == nil:
		s.unkept = nil
	case s.unkept == nil:
		s.unkept = &Trouble{Of: Keeping, Since: now, Why: refused.Error()}
	default:
		s.unkept.Why = refused.Error()
	}
}

// patienceHandling is after how long the daemon complains of mail that waits to be handled.
const patienceHandling = 15 * time.Minute

// Unhandled notes what waits to be handled.
func (s *Service) Unhandled(b store.Backlog, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waits = nil; b.Mails == 0 || now.Sub(b.First.Queued) < patienceHandling {
		return
	}
	why := fmt.Sprintf("%d mail(s) wait; the daemons that handle mail are behind, or do not run", b.Mails)
	if b.First.Tries > 0 {
		why = fmt.Sprintf("%d mail(s) wait; the first one was tried %d times: %s", b.Mails, b.First.Tries, b.First.Why)
	}
	s.waits = &Trouble{Of: Handling, Since: b.First.Queued, Why: why}
}

// Hold says that deadlines are held, Release that they run again, Held whether they are held.
func (s *Service) Hold(t Trouble) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held == nil {
		s.held = &t
	}
}

// Release ends a Hold.
func (s *Service) Release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held = nil
}

// Held tells whether deadlines are held.
func (s *Service) Held() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.held != nil
}
