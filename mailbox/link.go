package mailbox

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// What one operation may cost: lines of protocol in bytes, and the pace below
// which a fetch counts as stuck, in bytes per second.
const (
	lineBudget   = 1 << 20
	slowestFetch = 50 << 10
	oversizeHead = 64 << 10 // what is fetched of a message that is too large
)

// errGone says that a message is not in the mailbox any more.
var errGone = errors.New("the message is gone")

// link is one logged-in IMAP connection. One goroutine uses it at a time.
type link struct {
	conn    *meter
	client  *imapclient.Client
	timeout time.Duration
	canIdle bool
	news    chan struct{} // the server has announced a change
}

// dialIMAP connects, secures and logs in. A refused login is ErrLogin.
func dialIMAP(ctx context.Context, config Config, options PollerOptions) (*link, error) {
	c := config.IMAP
	secret, err := c.Secret()
	if err != nil {
		return nil, fmt.Errorf("the IMAP password: %w", err)
	}
	tlsConfig := &tls.Config{}
	if options.TLS != nil {
		tlsConfig = options.TLS.Clone()
	}
	if tlsConfig.ServerName == "" {
		tlsConfig.ServerName = c.Host
	}
	tlsConfig.MinVersion = max(tlsConfig.MinVersion, tls.VersionTLS12)

	ctx, cancel := context.WithTimeout(ctx, options.Timeout)
	defer cancel()
	raw, err := new(net.Dialer).DialContext(ctx, "tcp", c.Addr())
	if err != nil {
		return nil, err
	}
	if c.TLS == TLS {
		secured := tls.Client(raw, tlsConfig)
		if err := secured.HandshakeContext(ctx); err != nil {
			raw.Close()
			return nil, fmt.Errorf("securing the connection: %w", err)
		}
		raw = secured
	}
	l := &link{conn: newMeter(raw, lineBudget), timeout: options.Timeout, news: make(chan struct{}, 1)}
	err = guarded(ctx, l.conn, func() error { return l.login(c, secret, tlsConfig) })
	if err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

func (l *link) login(c IMAPConfig, secret string, tlsConfig *tls.Config) error {
	options := &imapclient.Options{
		TLSConfig: tlsConfig,
		UnilateralDataHandler: &imapclient.UnilateralDataHandler{
			// Called by the goroutine that reads: it must never wait.
			Mailbox: func(*imapclient.UnilateralDataMailbox) {
				select {
				case l.news <- struct{}{}:
				default:
				}
			},
		},
	}
	var err error
	if c.TLS == StartTLS {
		if l.client, err = imapclient.NewStartTLS(l.conn, options); err != nil {
			return fmt.Errorf("securing the connection: %w", err)
		}
	} else {
		l.client = imapclient.New(l.conn, options)
	}
	if err := l.client.WaitGreeting(); err != nil {
		return fmt.Errorf("greeting: %w", err)
	}
	// The library sends the password whatever the server says about it.
	if l.client.Caps().Has(imap.CapLoginDisabled) {
		return fmt.Errorf("%w: it wants another kind of login", ErrLogin)
	}
	if err := l.client.Login(c.User, secret).Wait(); err != nil {
		var refused *imap.Error
		if errors.As(err, &refused) && refused.Type == imap.StatusResponseTypeNo && refused.Code != imap.ResponseCodeUnavailable {
			return fmt.Errorf("%w: %w", ErrLogin, err)
		}
		return fmt.Errorf("login: %w", err)
	}
	caps := l.client.Caps()
	if caps == nil {
		return errors.New("the server does not say what it can do")
	}
	l.canIdle = caps.Has(imap.CapIdle)
	return nil
}

// close ends the connection at once. There is nothing to say goodbye for: the
// mailbox is not changed.
func (l *link) close() {
	if l.client != nil {
		l.client.Close()
	}
	l.conn.Close()
}

// do runs one operation with its own time and budget.
func (l *link) do(ctx context.Context, timeout time.Duration, budget int64, f func() error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("no answer within %v", timeout))
	defer cancel()
	l.conn.allow(budget)
	return guarded(ctx, l.conn, f)
}

// selectBox opens the mailbox and returns its UIDVALIDITY.
func (l *link) selectBox(ctx context.Context, name string) (validity uint32, err error) {
	err = l.do(ctx, l.timeout, lineBudget, func() error {
		data, err := l.client.Select(name, nil).Wait()
		if err != nil {
			return fmt.Errorf("opening mailbox %q: %w", name, err)
		}
		validity = data.UIDValidity
		// What was announced up to here is covered by the search that follows;
		// what comes later ends the next wait.
		select {
		case <-l.news:
		default:
		}
		return nil
	})
	return validity, err
}

// search lists the UIDs above low, ascending.
func (l *link) search(ctx context.Context, low uint32) (uids []imap.UID, err error) {
	err = l.do(ctx, l.timeout, 16*lineBudget, func() error {
		var all imap.UIDSet
		all.AddRange(imap.UID(low)+1, 0) // 0 is "*"
		data, err := l.client.UIDSearch(&imap.SearchCriteria{UID: []imap.UIDSet{all}}, nil).Wait()
		if err != nil {
			return fmt.Errorf("searching: %w", err)
		}
		for _, uid := range data.AllUIDs() {
			// n:* has the last message in it even if that is below n (RFC 9051 section 9).
			if uid > imap.UID(low) {
				uids = append(uids, uid)
			}
		}
		slices.Sort(uids)
		uids = slices.Compact(uids)
		return nil
	})
	return uids, err
}

// fetch brings one message: first what it is, then its bytes. It believes
// nothing before the server has said that the command is complete.
func (l *link) fetch(ctx context.Context, key Key, limit int64) (Raw, error) {
	raw := Raw{UIDValidity: key.UIDValidity, UID: key.UID}
	if err := l.eitherWay(ctx, key, func(set imap.NumSet) (bool, error) { return l.fetchMeta(ctx, set, &raw) }); err != nil {
		return Raw{}, err
	}
	want := limit + 1
	if raw.Size > limit {
		raw.Oversize, want = true, oversizeHead
	}
	if err := l.eitherWay(ctx, key, func(set imap.NumSet) (bool, error) { return l.fetchBody(ctx, set, want, &raw) }); err != nil {
		return Raw{}, err
	}
	// Servers are sometimes wrong about sizes.
	if !raw.Oversize && int64(len(raw.Bytes)) > limit {
		raw.Oversize, raw.Bytes = true, raw.Bytes[:min(limit, oversizeHead)]
	}
	return raw, nil
}

// eitherWay asks for a message by its UID, and if nothing comes by its number:
// there are servers that put the UID behind a literal, and the library then
// takes the answer for something not asked for. If the message is not in the
// mailbox, the error is errGone.
func (l *link) eitherWay(ctx context.Context, key Key, ask func(imap.NumSet) (bool, error)) error {
	found, err := ask(imap.UIDSetNum(imap.UID(key.UID)))
	if err != nil || found {
		return err
	}
	number, err := l.number(ctx, imap.UID(key.UID))
	if err != nil {
		return err
	}
	found, err = ask(imap.SeqSetNum(number))
	if err == nil && !found {
		err = errors.New("the server finds the message and does not send it")
	}
	return err
}

// fetchMeta asks what a message is. It returns false if the answer is about no
// or another message.
func (l *link) fetchMeta(ctx context.Context, set imap.NumSet, raw *Raw) (found bool, err error) {
	options := &imap.FetchOptions{UID: true, Flags: true, InternalDate: true, RFC822Size: true}
	err = l.do(ctx, l.timeout, lineBudget, func() error {
		return l.fetchOne(set, options, func(item imapclient.FetchItemData) error {
			switch item := item.(type) {
			case imapclient.FetchItemDataUID:
				found = item.UID == imap.UID(raw.UID)
			case imapclient.FetchItemDataInternalDate:
				raw.InternalDate = item.Time
			case imapclient.FetchItemDataRFC822Size:
				raw.Size = item.Size
			}
			return nil
		})
	})
	return found, err
}

// fetchBody asks for the first want bytes of a message.
func (l *link) fetchBody(ctx context.Context, set imap.NumSet, want int64, raw *Raw) (found bool, err error) {
	section := &imap.FetchItemBodySection{Peek: true, Partial: &imap.SectionPartial{Size: want}}
	options := &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{section}}
	timeout := l.timeout + time.Duration(want/slowestFetch)*time.Second
	same, body := false, false
	err = l.do(ctx, timeout, want+lineBudget, func() error {
		return l.fetchOne(set, options, func(item imapclient.FetchItemData) error {
			switch item := item.(type) {
			case imapclient.FetchItemDataUID:
				same = item.UID == imap.UID(raw.UID)
			case imapclient.FetchItemDataBodySection:
				if item.Literal == nil {
					return nil
				}
				size := item.Literal.Size()
				if size > want {
					return fmt.Errorf("%d bytes were asked for, %d came", want, size)
				}
				raw.Bytes = make([]byte, size)
				if _, err := io.ReadFull(item.Literal, raw.Bytes); err != nil {
					return err
				}
				body = true
			}
			return nil
		})
	})
	return same && body, err
}

// number is the sequence number of a message, or errGone.
func (l *link) number(ctx context.Context, uid imap.UID) (number uint32, err error) {
	err = l.do(ctx, l.timeout, lineBudget, func() error {
		data, err := l.client.Search(&imap.SearchCriteria{UID: []imap.UIDSet{imap.UIDSetNum(uid)}}, nil).Wait()
		if err != nil {
			return fmt.Errorf("searching: %w", err)
		}
		if numbers := data.AllSeqNums(); len(numbers) == 1 {
			number = numbers[0]
			return nil
		}
		return errGone
	})
	return number, err
}

// fetchOne runs a FETCH and hands every item of the first message to take. On
// an error of take the connection is closed, because the rest of the answer
// would be in the way.
func (l *link) fetchOne(set imap.NumSet, options *imap.FetchOptions, take func(imapclient.FetchItemData) error) error {
	cmd := l.client.Fetch(set, options)
	if msg := cmd.Next(); msg != nil {
		for item := msg.Next(); item != nil; item = msg.Next() {
			if err := take(item); err != nil {
				l.conn.Close()
				return errors.Join(err, cmd.Close())
			}
		}
	}
	return cmd.Close()
}

// idle waits for news, for the end of the interval, or to be interrupted.
func (l *link) idle(ctx context.Context, due <-chan time.Time, interrupt <-chan struct{}) error {
	var cmd *imapclient.IdleCommand
	start := func() (err error) {
		cmd, err = l.client.Idle()
		return err
	}
	if err := l.do(ctx, l.timeout, lineBudget, start); err != nil {
		return err
	}
	gone := make(chan error, 1)
	go func() { gone <- cmd.Wait() }()
	select {
	case <-ctx.Done():
	case <-due:
	case <-interrupt:
	case <-l.news:
	case err := <-gone:
		if err == nil {
			err = io.EOF
		}
		return err
	}
	return l.do(ctx, l.timeout, lineBudget, func() error {
		if err := cmd.Close(); err != nil {
			return err
		}
		return <-gone
	})
}
