package intake

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fieldpost/mailbox"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
)

// ErrNotFrozen is an error of Resume.
var ErrNotFrozen = errors.New("the game is not stopped")

// Resume lets a frozen game go on, if this program repeats it just as it went.
// The sheet at which it stopped is then looked at again. The players are told.
func (hd *Handler) Resume(id string) error {
	hd.AskFrozen(strings.ToUpper(id))
	hd.Writing.Lock()
	defer hd.Writing.Unlock()
	if err := hd.again(func(on *Handler) error { return on.resume(id) }); err != nil {
		return err
	}
	return hd.again(func(on *Handler) error { return on.thaw(strings.ToUpper(id)) })
}

func (hd *Handler) resume(id string) error {
	g, err := hd.DB.Game(strings.ToUpper(id))
	if err != nil {
		return err
	}
	if g.Status != store.StatusFrozen {
		return fmt.Errorf("game %s is %s: %w", g.ID, g.Status, ErrNotFrozen)
	}
	if err := hd.CheckVersion(g); err != nil {
		return err
	}
	r, err := hd.Replay(g.ID, true)
	if err != nil {
		return err
	}
	if len(r.Wrong) > 0 {
		return fmt.Errorf("game %s: %w: %s", g.ID, match.ErrDiffers, strings.Join(r.Wrong, "; "))
	}
	g.Status = store.StatusRunning
	c := store.Change{Game: &g, Expect: g.Seq}
	for _, p := range hd.Everybody(g) {
		l := report.Message{Kind: report.Notice, Game: g.ID, Title: g.Title, Scenario: g.Scenario, Side: p.Side, Address: hd.Address,
			Reason: "The game goes on.", Advice: []string{"Everything until now was played again, and it came out the same. The sheet at which the game stopped is looked at again now."}}
		m, err := hd.Render(post.Draft{Game: g, Player: p, Kind: "notice", Number: fmt.Sprintf("resumed-%d", g.Seq+1), Subject: l.Subject(), Text: l.Text(), HTML: l.HTML()})
		if err != nil {
			return err
		}
		c.Mails = append(c.Mails, m)
	}
	return hd.Commit(c)
}

// AskFrozen asks the DNS about the mails at which games stopped, one game or all for "",
// before anything is locked for them.
func (hd *Handler) AskFrozen(id string) {
	frozen, _ := match.FrozenRecords.All(hd.DB) // without one there is nothing to ask
	for game, sha := range frozen {
		if id != "" && game != id {
			continue
		}
		if raw, err := hd.DB.Spooled(sha); err == nil {
			hd.askAhead(context.Background(), mailbox.Raw{Bytes: raw, Size: int64(len(raw))})
		}
	}
}

// thaw gives the mail that froze a game its effect. The note of it goes with the
// same Change, so that this happens once, whenever the process is stopped.
func (hd *Handler) thaw(id string) error {
	sha, there, err := match.FrozenRecords.Get(hd.DB, id)
	if err != nil || !there {
		return err
	}
	g, err := hd.DB.Game(id)
	if err != nil || g.Status != store.StatusRunning {
		return err
	}
	raw, err := hd.DB.Spooled(sha)
	if errors.Is(err, store.ErrNotFound) {
		hd.Log.Error("the mail at which the game stopped is not kept any more; its player must send it again", "game", id, "mail", sha)
		var c store.Change
		match.FrozenRecords.Drop(&c, id)
		return hd.Commit(c)
	}
	if err != nil {
		return err
	}
	h, _, err := hd.DB.Handled(sha)
	if err != nil {
		return err
	}
	key := mailbox.Key{Box: h.Mailbox, UIDValidity: h.UIDValidity, UID: h.UID}
	c, err := hd.consider(mailbox.Raw{Key: key, InternalDate: h.Received, Bytes: raw, Size: int64(len(raw))}, sha, nil)
	if err != nil {
		return err
	}
	hd.Log.Info("the mail at which the game stopped was looked at again", "game", id, "outcome", c.Handled.Outcome)
	c.Handled = nil // it has its mark
	if again := match.FrozenRecords.Changes(&c, id); !again {
		match.FrozenRecords.Drop(&c, id)
	}
	if err := hd.Commit(c); err != nil {
		return err
	}
	return nil
}

// ThawAll finishes what an earlier process was stopped in.
func (hd *Handler) ThawAll() error {
	frozen, err := match.FrozenRecords.All(hd.DB)
	if err := hd.Readable(err); err != nil {
		return err
	}
	var faults []error
	for id := range frozen {
		err := hd.again(func(on *Handler) error { return on.thaw(id) })
		if err != nil && post.KindOf(err) == post.Damaged {
			hd.Log.Error("the mail at which a game stopped cannot be looked at again until what is damaged is repaired", "game", id, "error", err)
			continue
		}
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}
