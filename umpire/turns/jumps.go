package turns

import (
	"fmt"
	"time"

	"fieldpost/mailbox"
	"fieldpost/store"
	"fieldpost/umpire/post"
)

// longestJump is how far the clock may be set without anybody being asked, and how far it
// may be from the mail server's.
const longestJump = time.Hour

// JumpRecord says that deadlines are held because the clock was set. TrustedRecord is what the clock
// said when it was last trusted, noted every so often: the next process knows no other clock.
var (
	JumpRecord    = store.OneOfHouse[jump]("clock-jumped")
	TrustedRecord = store.OneOfHouse[time.Time]("clock-trusted")
)

const (
	markEvery  = 20 * time.Minute
	askedAgain = time.Hour // after this the time is asked of the mail server again
)

// jump is a clock that was set.
type jump struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

func (j jump) trouble() post.Trouble {
	return post.Trouble{Of: post.Clock, Since: j.From, Why: fmt.Sprintf("the clock of this machine jumped from %s to %s", j.From.UTC().Format("2 Jan 2006 15:04"), j.To.UTC().Format("2 Jan 2006 15:04"))}
}

// standstill is the trouble of a clock that is far from where the process before left it: it was
// set, or nobody ran for a while.
func (j jump) standstill() post.Trouble {
	return post.Trouble{Of: post.Clock, Since: j.To, Passing: true, Why: fmt.Sprintf("the clock was last trusted at %s, and at the start it said %s: it was set, or the daemon stood still", j.From.UTC().Format("2 Jan 2006 15:04"), j.To.UTC().Format("2 Jan 2006 15:04"))}
}

// RememberJump takes up a hold of the process before, and begins one if the clock is far from
// what it was when that one trusted it last.
func (k *Keeper) RememberJump() error {
	now := k.Now().Round(0)
	if k.Steady != nil {
		k.looked.wall, k.looked.steady = now, k.Steady()
	}
	j, _, err := JumpRecord.Get(k.DB, store.House{})
	if err != nil {
		return err
	}
	if !j.From.IsZero() {
		k.Service.Hold(j.trouble())
		return nil
	}
	if k.looked.marked, _, err = TrustedRecord.Get(k.DB, store.House{}); err != nil || k.looked.marked.IsZero() {
		return err
	}
	if j = (jump{From: k.looked.marked, To: now}); j.To.Sub(j.From).Abs() > longestJump {
		k.Log.Warn("the clock is far from where the last process left it; deadlines are held until it agrees with the mail server, or a moderator says go on", "from", j.From, "to", j.To)
		k.Service.Hold(j.standstill())
	}
	return nil
}

// mark notes every so often what the clock says while it is trusted.
func (k *Keeper) mark(now time.Time) {
	if now.Sub(k.looked.marked).Abs() < markEvery {
		return
	}
	if err := k.note(trusted(now)); err != nil {
		k.Log.Error("the time is not noted", "error", err)
		return
	}
	k.looked.marked = now
}

// note writes records that rest on nothing that is read.
func (k *Keeper) note(c store.Change) error {
	return store.Anew(k.DB, func(db store.Store) error { return db.Commit(c) })
}

// trusted are the records of a clock that is trusted.
func trusted(now time.Time) (c store.Change) {
	JumpRecord.Drop(&c, store.House{})
	TrustedRecord.Put(&c, store.House{}, now.UTC().Round(0))
	return c
}

// clockHeld compares the clock with one that nobody can set, and tells whether deadlines are
// held because of a jump. Mails that wait for a moment that is now far off are brought back.
func (k *Keeper) clockHeld(now time.Time) bool {
	if k.Steady == nil {
		return k.Service.Held()
	}
	steady := k.Steady()
	j := jump{From: k.looked.wall.Add(steady - k.looked.steady), To: now.Round(0)}
	first, within := k.looked.wall.IsZero(), steady-k.looked.steady
	k.looked.wall, k.looked.steady = now.Round(0), steady
	if set := j.To.Sub(j.From); !first && set.Abs() > time.Minute {
		k.Service.ClockSet(set, within, j.To)
	}
	if first || j.To.Sub(j.From).Abs() <= longestJump {
		if k.Service.Held() {
			return true
		}
		k.mark(now)
		return false
	}
	k.looked.askAt.Store(0)
	k.Log.Error("the clock was set; deadlines are held until it agrees with the mail server, or a moderator says go on", "from", j.From, "to", j.To)
	k.Service.Hold(j.trouble())
	var c store.Change
	JumpRecord.Put(&c, store.House{}, j)
	if err := k.note(c); err != nil {
		k.Log.Error("the jump of the clock is not noted", "error", err)
	}
	if err := k.ClampRetries(); err != nil {
		k.Log.Error("the mails that wait cannot be looked through", "error", err)
	}
	return true
}

// ClockAgrees notes what the mail server's clock said when a mail arrived in a folder, and ends a
// hold if ours says the same. A mail that may have waited there says nothing of the time now: a
// clock that was set back by as long would agree with it.
func (k *Keeper) ClockAgrees(raw mailbox.Raw) {
	if !k.Service.Held() || !raw.New {
		return
	}
	now := k.Now()
	if now.Sub(raw.InternalDate).Abs() > longestJump || !k.Service.LookedWithin(raw.Box, longestJump, now) {
		return
	}
	k.Log.Info("the clock agrees with the mail server's: deadlines run again", "at", raw.InternalDate)
	if err := k.ClockGoesOn(); err != nil {
		k.Log.Error("deadlines are still held", "error", err)
	}
}

// ClockGoesOn ends a hold.
func (k *Keeper) ClockGoesOn() error {
	if err := k.note(trusted(k.Now())); err != nil {
		return err
	}
	k.Service.Release()
	return nil
}

// AsksTime tells whether the mail server is to be asked for the time now: deadlines are held, and
// for a while nobody has asked.
func (k *Keeper) AsksTime() bool {
	if k.Steady == nil || !k.Service.Held() {
		return false
	}
	steady := k.Steady()
	if int64(steady) < k.looked.askAt.Load() {
		return false
	}
	k.looked.askAt.Store(int64(steady + askedAgain))
	return true
}
