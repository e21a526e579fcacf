// Package hosting serves several clubs in one process. Each has its store, its mailbox and its
// umpire; in common they have the processors, the scenarios and the address of their pages. What
// stops one club is told, and tried again, and the others go on.
package hosting

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"fieldpost/umpire"
	"fieldpost/umpire/share"
	"fieldpost/web"
)

// House is the clubs of a configuration.
type House struct {
	// Read reads the configuration again.
	Read func() (*umpire.File, error)
	// Hangups ask for that; what it comes to counts from then on.
	Hangups <-chan os.Signal
	Log     *slog.Logger
	// Places is how much heavy work is done at once; 0 is as much as there are processors.
	Places int

	file  *umpire.File
	pool  *share.Pool
	pages *web.House
	clubs map[string]*tenant
}

// Serve serves the clubs of a file until ctx ends, or until the file that was read again is one
// that calls for another beginning: then that is the next one.
func (h *House) Serve(ctx context.Context, file *umpire.File) (next *umpire.File) {
	places := h.Places
	if places == 0 {
		places = runtime.GOMAXPROCS(0)
	}
	h.pool, h.pages, h.clubs = share.NewPool(places), web.NewHouse(h.Log), map[string]*tenant{}
	onward, closePages := context.WithCancel(context.WithoutCancel(ctx))
	var pages sync.WaitGroup
	pages.Go(func() {
		if file.Listen == "" {
			return
		}
		if err := h.pages.Run(onward, file.Listen); err != nil {
			h.Log.Error("there are no web pages; the clubs go on without them", "error", err)
		}
	})
	h.apply(file)
	defer func() {
		closePages()
		pages.Wait()
		h.end(h.clubs)
	}()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-h.Hangups:
		}
		fresh, err := h.Read()
		if err == nil {
			err = fresh.Fault()
		}
		if err != nil {
			h.Log.Error("the configuration cannot be read; the clubs go on as before", "error", err)
			continue
		}
		h.Log.Info("the configuration was read again")
		if !fresh.Several() || fresh.Listen != file.Listen {
			return fresh
		}
		h.apply(fresh)
	}
}

// apply ends what is no longer in the file, or is there with other settings, and begins what is new.
// A club with the same settings, for which all goes well, does not notice.
func (h *House) apply(file *umpire.File) {
	h.file = file
	ending, before := map[string]*tenant{}, map[string]*umpire.Config{}
	for name, t := range h.clubs {
		has := t.settings()
		c, err := file.Club(name)
		if err == nil && c.Same(has) && !t.inTrouble() {
			continue
		}
		ending[name] = t
		if t.opened() {
			before[name] = has
		}
	}
	h.end(ending)
	h.pages.Clubs(file.Clubs)
	for _, c := range file.Clubs {
		if h.clubs[c.Name] != nil {
			continue
		}
		ctx, stop := context.WithCancel(context.Background())
		t := &tenant{house: h, config: c, before: before[c.Name], stop: stop, ended: make(chan struct{})}
		h.clubs[c.Name] = t
		go t.keep(ctx)
	}
}

// end ends clubs, each of them in order, and waits for all.
func (h *House) end(clubs map[string]*tenant) {
	for _, t := range clubs {
		t.stop()
	}
	for name, t := range clubs {
		<-t.ended
		delete(h.clubs, name)
	}
}

// errOpen says that a club's store, or what belongs to it, cannot be opened.
var errOpen = errors.New("cannot be served")

// How long a club waits that could not be served: twice as long each time.
const (
	firstPause   = 2 * time.Second
	longestPause = time.Minute
)

// tenant is one of the clubs.
type tenant struct {
	house  *House
	before *umpire.Config // the settings that it was served by until now; nil for none
	stop   context.CancelFunc
	ended  chan struct{}
	kept   bool // its store was there: none is made in its place

	mu     sync.Mutex
	config *umpire.Config
	umpire *umpire.Umpire // nil while it is not served
}

// settings are those that the club is served by, or is tried with.
func (t *tenant) settings() *umpire.Config {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.config
}

func (t *tenant) settle(c *umpire.Config) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.config = c
}

func (t *tenant) opened() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.umpire != nil
}

// inTrouble tells whether something does not go well: then the settings are tried anew, which may
// name what has changed, such as the file of a password.
func (t *tenant) inTrouble() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.umpire == nil || t.umpire.Service.Failing()
}

func (t *tenant) serving(u *umpire.Umpire) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.umpire = u
}

// keep serves a club until ctx ends. What stops it is told, and tried again.
func (t *tenant) keep(ctx context.Context) {
	defer close(t.ended)
	log := t.house.Log.With("club", t.settings().Name)
	var since time.Time
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		begun := time.Now()
		err := t.serve(ctx, log)
		if ctx.Err() != nil {
			if err != nil {
				log.Error("the club did not end in order", "error", err)
			}
			return
		}
		if errors.Is(err, errOpen) && t.before != nil {
			log.Error("the club cannot be served by the new configuration; it goes on with the one before", "error", err)
			t.settle(t.before)
			t.before = nil
			continue
		}
		if since.IsZero() || time.Since(begun) > longestPause {
			since, pause = time.Now(), firstPause
		}
		log.Error("the club is not served; the others go on", "error", err, "again_in", pause)
		t.wait(ctx, umpire.Away{Since: since, Why: oneLine(err)}, pause)
		t.readAgain()
	}
}

// oneLine is an error as a line.
func oneLine(err error) string {
	if err == nil {
		return "it ended by itself"
	}
	return strings.ReplaceAll(err.Error(), "\n", "; ")
}

// wait tells whoever asks why the club is not served, for a while.
func (t *tenant) wait(ctx context.Context, why umpire.Away, pause time.Duration) {
	c := t.settings()
	t.house.pages.Away(c.Name, why)
	ctx, done := context.WithTimeout(ctx, pause)
	defer done()
	if err := c.AnswerAway(ctx, why); err != nil {
		t.house.Log.Warn("commands do not hear that the club is not served", "club", c.Name, "error", err)
	}
	<-ctx.Done()
}

// readAgain takes the club's settings from the file if those that it has cannot be right.
func (t *tenant) readAgain() {
	has := t.settings()
	if has.Fault == nil {
		return
	}
	file, err := t.house.Read()
	if err != nil {
		return
	}
	if c, err := file.Club(has.Name); err == nil {
		t.settle(c)
	}
}

// serve serves the club until ctx ends, or something stops it.
func (t *tenant) serve(ctx context.Context, log *slog.Logger) (err error) {
	c := *t.settings()
	if c.Fault != nil {
		return fmt.Errorf("%w: %w", errOpen, c.Fault)
	}
	c.Share = t.house.pool.For()
	t.kept = t.kept || c.HasStore()
	u, err := umpire.OpenStore(&c, log, c.OpenOptions(t.kept))
	if err != nil {
		return fmt.Errorf("%w: %w", errOpen, err)
	}
	defer func() { err = errors.Join(err, u.DB.Close()) }()
	t.kept = true
	log.Info("the club is served", "address", c.Mail.Address, "store", c.Place(), "signing_key", u.Key.Public().Fingerprint())
	t.serving(u)
	defer t.serving(nil)
	if c.ServesPage() {
		page, err := web.New(u, c.Web, log)
		if err != nil {
			log.Error("there is no web page; the club goes on without it", "error", err)
		} else {
			t.house.pages.Put(c.Name, page)
			defer t.house.pages.Take(c.Name)
		}
	}
	return u.Run(ctx, &c)
}
