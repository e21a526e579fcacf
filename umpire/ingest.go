package umpire

import (
	"context"

	"fieldpost/mailbox"
)

// Ingest gives one message that came by another way than IMAP its effect, and
// returns in words what became of it. When there is no error the message is kept
// and need not come again; the same bytes a second time change nothing.
func (u *Umpire) Ingest(ctx context.Context, raw []byte) (outcome string, err error) {
	r := mailbox.Raw{InternalDate: u.Now(), Bytes: raw, Size: int64(len(raw))}
	if u.MaxMessage > 0 && r.Size > u.MaxMessage {
		r.Oversize, r.Bytes = true, raw[:min(len(raw), 64<<10)]
		return "too large to be read", u.Receive(ctx, r)
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

// Ingest hands one message in, to the running daemon if there is one.
func (d *Desk) Ingest(ctx context.Context, raw []byte) (outcome string, err error) {
	if d.client != nil {
		err = d.client.Call("Desk.Ingest", raw, &outcome)
		return outcome, err
	}
	return d.u.Ingest(ctx, raw)
}

// Ingest is Ingest over the socket.
func (s *service) Ingest(raw []byte, outcome *string) (err error) {
	*outcome, err = s.u.Ingest(context.Background(), raw)
	s.mailsWait()
	return err
}
