package turns

import (
	"encoding/json"
	"fmt"
	"time"

	"fieldpost/store"
	"fieldpost/umpire/post"
)

// longestJump is how far the clock may be set without anybody being asked, and how far it
// may be from the mail server's.
const longestJump = time.Hour

// heldNote says that deadlines are held because the clock was set.
const heldNote = "clock-jumped"

// jump is a clock that was set.
type jump struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

func (j jump) trouble() post.Trouble {
	return post.Trouble{Of: post.Clock, Since: j.From, Why: fmt.Sprintf("the clock of this machine went from %s to %s at once", j.From.UTC().Format("2 Jan 2006 15:04"), j.To.UTC().Format("2 Jan 2006 15:04"))}
}

// RememberJump takes up a hold of the process before.
func (k *Keeper) RememberJump() error {
	var j jump
	err := k.ReadNote(heldNote, &j)
	if err == nil && !j.From.IsZero() {
		k.Service.Hold(j.trouble())
	}
	return err
}

// clockHeld compares the clock with one that nobody can set, and tells whether deadlines are
// held because of a jump. Mails that wait for a moment that is now far off are brought back.
func (k *Keeper) clockHeld(now time.Time) bool {
	if k.Steady == nil {
		return k.Service.Held()
	}
	steady := k.Steady()
	j := jump{From: k.lastWall.Add(steady - k.lastSteady), To: now.Round(0)}
	first := k.lastWall.IsZero()
	k.lastWall, k.lastSteady = now.Round(0), steady
	if set := j.To.Sub(j.From); !first && set.Abs() > time.Minute {
		k.Service.ClockSet(set)
	}
	if first || j.To.Sub(j.From).Abs() <= longestJump {
		return k.Service.Held()
	}
	k.Log.Error("the clock was set; deadlines are held until it agrees with the mail server, or a moderator says go on", "from", j.From, "to", j.To)
	k.Service.Hold(j.trouble())
	text, err := json.Marshal(j)
	if err == nil {
		err = k.DB.Commit(store.Change{Notes: map[string][]byte{heldNote: text}})
	}
	if err != nil {
		k.Log.Error("the jump of the clock is not noted", "error", err)
	}
	if err := k.ClampRetries(); err != nil {
		k.Log.Error("the mails that wait cannot be looked through", "error", err)
	}
	return true
}

// ClockAgrees notes what the mail server's clock said just now, and ends a hold if ours says
// the same.
func (k *Keeper) ClockAgrees(server time.Time) {
	if !k.Service.Held() || server.IsZero() || k.Now().Sub(server).Abs() > longestJump {
		return
	}
	k.Log.Info("the clock agrees with the mail server's: deadlines run again", "at", server)
	if err := k.ClockGoesOn(); err != nil {
		k.Log.Error("deadlines are still held", "error", err)
	}
}

// ClockGoesOn ends a hold.
func (k *Keeper) ClockGoesOn() error {
	if err := k.DB.Commit(store.Change{Notes: map[string][]byte{heldNote: nil}}); err != nil {
		return err
	}
	k.Service.Release()
	return nil
}
