package umpire

import (
	"context"
	"errors"
	"io"
	"os"

	"fieldpost/mailbox"
)

// HandedIn is a message from a pipe, in a file that its bringer removes again.
type HandedIn struct {
	File string
	// Size is that of the message; where it is too large to be read the file has its
	// beginning alone.
	Size     int64
	Oversize bool
}

// oversizeHead is how much is looked at of a message that is too large to be read.
const oversizeHead = 64 << 10

// handIn writes a message to a file beside the database, and no more of it than is read: of
// a larger one the rest is counted and dropped.
func handIn(dir string, most int64, message io.Reader) (in HandedIn, err error) {
	f, err := os.CreateTemp(dir, "ingest-*.eml")
	if err != nil {
		return in, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	in.File = f.Name()
	if in.Size, err = io.Copy(f, io.LimitReader(message, most)); err != nil || in.Size < most {
		return in, err
	}
	rest, err := io.Copy(io.Discard, message)
	if err != nil || rest == 0 {
		return in, err
	}
	in.Size, in.Oversize = in.Size+rest, true
	return in, f.Truncate(oversizeHead)
}

// Ingest gives one message that came by another way than IMAP its effect, and
// returns in words what became of it. When there is no error the message is kept
// and need not come again; the same bytes a second time change nothing.
func (u *Umpire) Ingest(ctx context.Context, raw []byte) (outcome string, err error) {
	r := mailbox.Raw{InternalDate: u.Now(), Bytes: raw, Size: int64(len(raw))}
	if u.MaxMessage > 0 && r.Size > u.MaxMessage {
		r.Bytes = raw[:min(len(raw), oversizeHead)]
		return u.tooLarge(ctx, r)
	}
	sha, err := u.DB.Spool(r.Bytes)
	if err != nil {
		return "", err
	}
	if _, done, err := u.DB.Handled(sha); err != nil || done {
		return "it was handled before", err
	}
	if err := u.Receive(ctx, r); err != nil {
		return "", err
	}
	h, _, err := u.DB.Handled(sha)
	return h.Outcome, err
}

// tooLarge answers a message of which there is the beginning alone.
func (u *Umpire) tooLarge(ctx context.Context, r mailbox.Raw) (outcome string, err error) {
	r.Oversize = true
	return "too large to be read", u.Receive(ctx, r)
}

// take is Ingest for a message in a file. One is in memory at a time.
func (u *Umpire) take(ctx context.Context, in HandedIn) (outcome string, err error) {
	u.ingesting.Lock()
	defer u.ingesting.Unlock()
	raw, err := os.ReadFile(in.File)
	switch {
	case err != nil:
		return "", err
	case in.Oversize:
		return u.tooLarge(ctx, mailbox.Raw{InternalDate: u.Now(), Bytes: raw, Size: in.Size})
	}
	return u.Ingest(ctx, raw)
}

// Ingest hands one message in, to the running daemon if there is one. What is too large to
// be read never comes into the memory of either.
func (d *Desk) Ingest(ctx context.Context, message io.Reader) (outcome string, err error) {
	in, err := handIn(d.dir, d.most, message)
	if in.File != "" {
		defer os.Remove(in.File)
	}
	if err != nil {
		return "", err
	}
	if d.client != nil {
		err = d.client.Call("Desk.Ingest", in, &outcome)
		return outcome, err
	}
	return d.u.take(ctx, in)
}

// Ingest is Ingest over the socket.
func (s *service) Ingest(in HandedIn, outcome *string) (err error) {
	*outcome, err = s.u.take(context.Background(), in)
	s.mailsWait()
	return err
}
