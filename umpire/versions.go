package umpire

import (
	"errors"

	"fieldpost/store"
)

// begun looks through all games when the daemon starts and tells the moderator
// which of them this program may not go on with. It finishes what an earlier
// process was stopped in.
func (u *Umpire) begun() error {
	u.AskFrozen("")
	u.Writing.Lock()
	defer u.Writing.Unlock()
	n, err := u.DB.Requeue()
	if err != nil {
		return err
	}
	if shared, is := u.DB.(store.Shared); is {
		if err := shared.Leave(); err != nil { // what the last process of this node was at
			return err
		}
	}
	if n > 0 {
		u.Log.Warn("mails were being sent when the last process stopped; they go out again under the same Message-ID", "mails", n)
	}
	err = u.DB.EachGame(func(g store.Game) error {
		if g.Status == store.StatusFinished {
			return nil
		}
		if err := u.CheckVersion(g); err != nil {
			u.Log.Error("this program may not go on with a game; it stays as it is, and its sheets are answered with a refusal", "game", g.ID, "error", err)
		}
		return nil
	})
	if err := u.Readable(err); err != nil {
		return err
	}
	u.Disclose()
	return errors.Join(u.RememberJump(), u.ThawAll(), u.SetAlarms())
}
