package umpire

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/store/backup"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/club"
	"fieldpost/umpire/intake"
	"fieldpost/umpire/post"
	"fieldpost/umpire/records"
)

// Compacted is what Compact came to, in bytes.
type Compacted struct{ Before, After int64 }

// CheckStore audits the whole store and returns in words what is wrong with it.
func (d *Desk) CheckStore() (wrong []string, err error) {
	if d.client != nil {
		err = d.client.Call("Desk.Check", false, &wrong)
		return wrong, err
	}
	return words(records.Check(d.u.DB)), nil
}

// Stats are the figures of the store.
func (d *Desk) Stats() (s store.Stats, err error) {
	if d.client != nil {
		err = d.client.Call("Desk.Stats", false, &s)
		return s, err
	}
	return d.u.DB.Stats()
}

// Compact frees what the database does not need. The daemon goes on.
func (d *Desk) Compact() (c Compacted, err error) {
	if d.client != nil {
		err = d.client.Call("Desk.Compact", false, &c)
		return c, err
	}
	return d.u.compact()
}

func (u *Umpire) compact() (c Compacted, err error) {
	file, err := u.file()
	if err != nil {
		return c, err
	}
	c.Before, c.After, err = file.Compact()
	return c, err
}

// errNoFile says that what was asked for can be done to a file alone.
var errNoFile = errors.New("the games are in a database of PostgreSQL: copy it with pg_dump, or as its server is backed up; it needs no compacting")

// file is the store as the file that it is.
func (u *Umpire) file() (store.File, error) {
	if file, is := u.DB.(store.File); is {
		return file, nil
	}
	return nil, errNoFile
}

// Prune removes the files of old mails, see store.Prune.
func (d *Desk) Prune(days int) (p store.Pruned, err error) {
	if d.client != nil {
		err = d.client.Call("Desk.Prune", days, &p)
		return p, err
	}
	return d.u.prune(days)
}

// strangersKept is for how many days the mail of strangers is kept.
const strangersKept = 7

// prune removes what is older than so many days, 0 for nothing, and old mail of strangers.
func (u *Umpire) prune(days int) (store.Pruned, error) {
	var before time.Time
	if days > 0 {
		before = u.Now().AddDate(0, 0, -days)
	}
	return u.DB.Prune(before, u.Now().AddDate(0, 0, -strangersKept))
}

// keepTidy prunes once a day until ctx ends.
func (u *Umpire) keepTidy(ctx context.Context, days int) error {
	for {
		p, err := u.prune(days)
		if err != nil {
			u.Log.Error("old mails cannot be removed", "error", err)
		} else if p.Sent+p.Received > 0 {
			u.Log.Info("old mails removed", "sent", p.Sent, "received", p.Received, "bytes", p.Bytes)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(24 * time.Hour):
		}
	}
}

// thinAfter is how long the pictures of a mail are kept once its fate is known: most
// mails that are asked for again are asked for by then.
const thinAfter = 24 * time.Hour

// keepThin leaves out of sent mails the pictures that can be drawn again, until ctx ends.
// It draws them once more for that, so it rests for longer than it works.
func (u *Umpire) keepThin(ctx context.Context) error {
	for {
		sum, err := u.thin(u.Now().Add(-thinAfter), func(worked time.Duration) bool { return !paused(ctx, 3*worked) })
		if err != nil {
			u.Log.Error("some sent mails cannot be kept without their pictures", "error", err)
		}
		if sum.Mails > 0 {
			u.Log.Info("sent mails packed", "mails", sum.Mails, "without pictures", sum.Pictures, "drawn otherwise and kept", sum.Differ, "bytes", sum.Bytes)
		}
		if paused(ctx, time.Hour) {
			return nil
		}
	}
}

// paused waits, and tells whether ctx ended meanwhile.
func paused(ctx context.Context, d time.Duration) (ended bool) {
	select {
	case <-ctx.Done():
		return true
	case <-time.After(d):
		return false
	}
}

// thin makes the mails thin whose fate was known before a moment. After each it asks
// whether to go on. What cannot be made thin stays as it is, and is in the error.
func (u *Umpire) thin(before time.Time, goOn func(worked time.Duration) bool) (sum store.Thinned, err error) {
	mails, err := u.DB.WholeMails(before)
	faults := []error{err}
	for _, m := range mails {
		begun := time.Now()
		one, err := u.DB.Thin(m.ID)
		sum.Add(one)
		if err != nil && !errors.Is(err, store.ErrState) { // one of those was just asked for again
			faults = append(faults, err)
		}
		if !goOn(time.Since(begun)) {
			break
		}
	}
	return sum, errors.Join(faults...)
}

// Thin leaves out of all mails whose fate is known the pictures that can be drawn again,
// see store.Thin. The daemon does it by itself when they are a day old.
func (d *Desk) Thin() (t store.Thinned, err error) {
	if d.client != nil {
		err = d.client.Call("Desk.Thin", false, &t)
		return t, err
	}
	return d.u.thinNow()
}

func (u *Umpire) thinNow() (store.Thinned, error) {
	return u.thin(u.Now(), func(time.Duration) bool { return true })
}

// watchEvery is how often the daemon looks whether it has something to complain of, or twice
// in the time of a poll where that is shorter.
const watchEvery = 20 * time.Second

// keepWatch tells moderators when mail is not fetched or sent, until ctx ends.
func (u *Umpire) keepWatch(ctx context.Context, poll time.Duration) error {
	every := watchEvery
	if poll > 0 {
		every = min(every, poll/2)
	}
	for {
		if err := u.Complain(); err != nil {
			u.Log.Error("the moderators cannot be told what is wrong", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(every):
		}
	}
}

// scarce is how little room on the disk calls for a trial whether there is any.
const scarce = 1 << 20

// watchDisk notes whether the disk keeps what it is given. It is tried where something was
// refused, and where there is little room: a daemon without mail would not find out.
func (u *Umpire) watchDisk(now time.Time) {
	refused := u.DB.Refused()
	if refused != nil || u.roomIsScarce() {
		refused = u.DB.Prove()
	}
	u.Service.Kept(refused, now)
}

// roomIsScarce tells whether there is little room where the store is.
func (u *Umpire) roomIsScarce() bool {
	file, is := u.DB.(store.File)
	if !is {
		return false
	}
	free := club.FreeSpace(filepath.Dir(file.Path()))
	return free >= 0 && free < scarce
}

// alarms say of each trouble what it is about, what to do, and that it is over.
var alarms = map[string]struct {
	about, over string
	advice      []string
}{
	post.Fetching: {"no mail is fetched", "mail is fetched again", []string{
		"Orders that players send wait at the mail server, and none of them is lost. No deadline passes until the folders have been looked through.",
		"What to do: see the page \"When something is wrong\" of the manual for moderators, or run \"fieldpost doctor\"."}},
	post.Sending: {"no mail is sent", "mail is sent again", nil},
	post.Keeping: {"nothing can be kept", "the disk keeps again what it is given", nil},
	post.Handling: {"mail is not handled", "all mail is handled again", []string{
		"What was fetched is kept, and nothing of it is lost. No deadline passes for which a mail may count that waits.",
		"What to do: see the page \"When something is wrong\" of the manual for moderators."}},
	post.Clock: {"the clock has jumped", "the clock is trusted again", []string{
		"No deadline passes until a mail comes whose time agrees with the clock, or you say \"fieldpost clock go-on\". Sheets are taken and played meanwhile.",
		"What to do: look at the clock of the machine, and set it right."}},
}

// Complain writes to all moderators when mail is not fetched, once until it is fetched
// again, and then that it is. That none could be sent they read when some is.
func (u *Umpire) Complain() error {
	u.Writing.Lock()
	defer u.Writing.Unlock()
	now := u.Now()
	u.watchDisk(now)
	if b, err := u.DB.Backlog(); err == nil {
		u.Service.Unhandled(b, now)
	}
	troubles := u.Service.Troubles(now)
	if err := u.complainOfDisk(troubles, now); err != nil {
		return err
	}
	if err := u.askTheTime(now); err != nil {
		return err
	}
	for _, of := range []string{post.Fetching, post.Sending, post.Handling, post.Clock} {
		if err := store.Anew(u.DB, func(db store.Store) error { return u.complainOf(u.Over(db), of, troubles, now) }); err != nil {
			return err
		}
	}
	return nil
}

// complainOf tells of one kind of trouble.
func (u *Umpire) complainOf(on *intake.Handler, of string, troubles []post.Trouble, now time.Time) error {
	since, told, err := post.AlarmRecords.Get(on.DB, of)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(troubles, func(t post.Trouble) bool { return t.Of == of })
	var c store.Change
	post.AlarmRecords.Drop(&c, of)
	switch {
	case i >= 0 && !told && passing(troubles[i], now):
		return nil
	case i >= 0 && !told:
		u.Log.Error("an alarm", "trouble", troubles[i].String())
		post.AlarmRecords.Put(&c, of, troubles[i].Since)
		if says := alarms[of]; of != post.Sending {
			c.Mails = u.TellEveryModerator(fmt.Sprintf("alarm.%s.%d", of, troubles[i].Since.Unix()), "ALARM: "+says.about, append([]string{post.Sentence(troubles[i].String())}, says.advice...)...)
		}
	case i < 0 && told:
		u.Log.Info("an alarm is over", "of", of, "since", since)
		c.Mails = u.tellItIsOver(of, since, now)
	default:
		return nil
	}
	if err := on.Commit(c); err != nil {
		return err
	}
	select {
	case u.Wake <- struct{}{}: // the alarm goes out now
	default:
	}
	return nil
}

// passing tells whether a trouble may still end by itself before anybody need read of it.
func passing(t post.Trouble, now time.Time) bool {
	return t.Passing && now.Sub(t.Since).Abs() < 15*time.Minute
}

// askTheTime writes a mail to ourselves while deadlines are held because of the clock: what the
// mail server says of its time ends the hold, or does not. A club in which nobody writes would
// wait for ever.
func (u *Umpire) askTheTime(now time.Time) error {
	if !u.AsksTime() {
		return nil
	}
	n := report.Note{About: "what time is it?", Says: []string{"This mail is from the daemon to itself: it compares the time of the mail server with the clock of its machine. Nobody need read it."}}
	m, err := u.ModeratorMail(acts.Moderator{Address: u.Address}, &n, acts.Envelope{Number: fmt.Sprintf("time.%d", now.UnixNano())})
	if err != nil {
		return err
	}
	return u.Commit(store.Change{Mails: []store.Mail{m}})
}

// complainOfDisk tells the log when the disk keeps nothing, and moderators when it does
// again: until then no mail to them can be kept either.
func (u *Umpire) complainOfDisk(troubles []post.Trouble, now time.Time) error {
	i := slices.IndexFunc(troubles, func(t post.Trouble) bool { return t.Of == post.Keeping })
	switch {
	case i >= 0 && u.unkept.IsZero():
		u.unkept = troubles[i].Since
		u.Log.Error("an alarm", "trouble", troubles[i].String())
	case i < 0 && !u.unkept.IsZero():
		u.Log.Info("an alarm is over", "of", post.Keeping, "since", u.unkept)
		if err := u.Commit(store.Change{Mails: u.tellItIsOver(post.Keeping, u.unkept, now)}); err != nil {
			return err
		}
		u.unkept = time.Time{}
	}
	return nil
}

// tellItIsOver tells every moderator that something is well again.
func (u *Umpire) tellItIsOver(of string, since, now time.Time) []store.Mail {
	return u.TellEveryModerator(fmt.Sprintf("alarm-over.%s.%d", of, since.Unix()), "the alarm is over: "+alarms[of].over, fmt.Sprintf("It lasted from %s to %s.", since.UTC().Format("2 January 15:04 MST"), now.UTC().Format("2 January 15:04 MST")),
		"What had waited is on its way.")
}

// Backup is a backup to make: a new file, or what is new for a folder of backups; encrypted to a
// recipient of age unless there is none.
type Backup struct{ File, Folder, Recipient string }

// Backup writes the store to a new file or what is new of it to a folder; a running daemon
// writes it itself. Of a new file the size alone is told.
func (d *Desk) Backup(b Backup) (out backup.Written, err error) {
	for _, path := range []*string{&b.File, &b.Folder} {
		if *path == "" {
			continue
		}
		if *path, err = filepath.Abs(*path); err != nil {
			return out, err
		}
	}
	if d.client != nil {
		err = d.client.Call("Desk.Backup", b, &out)
		return out, err
	}
	return d.u.backup(b)
}

// backup writes the store and notes when.
func (u *Umpire) backup(b Backup) (out backup.Written, err error) {
	file, err := u.file()
	if err != nil {
		return out, err
	}
	switch {
	case b.Folder != "":
		out, err = file.BackupTo(b.Folder, b.Recipient, u.Now())
	case b.Recipient == "":
		out.NewBytes, err = file.Backup(b.File)
	default:
		out.NewBytes, err = file.BackupFor(b.File, b.Recipient)
	}
	if err != nil {
		return out, err
	}
	var c store.Change
	club.BackupRecord.Put(&c, store.House{}, u.Now())
	return out, u.DB.Commit(c)
}

func words(errs []error) []string {
	var out []string
	for _, err := range errs {
		out = append(out, err.Error())
	}
	return out
}

// Check is CheckStore over the socket.
func (s *service) Check(_ bool, wrong *[]string) error {
	*wrong = words(records.Check(s.u.DB))
	return nil
}

// Stats is Stats over the socket.
func (s *service) Stats(_ bool, out *store.Stats) (err error) {
	*out, err = s.u.DB.Stats()
	return err
}

// Compact is Compact over the socket.
func (s *service) Compact(_ bool, c *Compacted) (err error) {
	*c, err = s.u.compact()
	return err
}

// Prune is Prune over the socket.
func (s *service) Prune(days int, p *store.Pruned) (err error) {
	*p, err = s.u.prune(days)
	return err
}

// Thin is Thin over the socket.
func (s *service) Thin(_ bool, t *store.Thinned) (err error) {
	*t, err = s.u.thinNow()
	return err
}

// Backup is Backup over the socket.
func (s *service) Backup(b Backup, out *backup.Written) (err error) {
	*out, err = s.u.backup(b)
	return err
}
