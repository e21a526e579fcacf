package mailbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-sasl"
)

// What one operation may cost: lines of protocol in bytes, and the pace below
// which a fetch counts as stuck, in bytes per second.
const (
	lineBudget   = 1 << 20
	slowestFetch = 50 << 10
	oversizeHead = 64 << 10 // what is fetched of a message that is too large
)

var (
	// errGone says that a message is not in the folder any more.
	errGone = errors.New("the message is gone")
	// errNoFolder says that the server refuses to open a folder.
	errNoFolder = errors.New("there is no such folder")
)

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
	ctx, cancel := context.WithTimeout(ctx, options.Timeout)
	defer cancel()
	secret, err := c.Secret(ctx)
	if err != nil {
		return nil, fmt.Errorf("the IMAP password: %w", err)
	}
	raw, err := c.connect(ctx, options.TLS, options.Dial)
	if err != nil {
		return nil, err
	}
	l := &link{conn: newMeter(raw, lineBudget), timeout: options.Timeout, news: make(chan struct{}, 1)}
	err = guarded(ctx, l.conn, func() error { return l.begin(c, secret, options) })
	if err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

// begin secures the connection, if that is still to be done, and logs in.
func (l *link) begin(c IMAPConfig, secret string, o PollerOptions) error {
	tlsConfig, err := c.tlsFor(o.TLS)
	if err != nil {
		return err
	}
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
	if err := l.login(c, secret); err != nil {
		if isLoginRefused(err) {
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

// isLoginRefused tells whether the server does not take what we log in with: another
// try with the same will not help.
func isLoginRefused(err error) bool {
	var badToken *sasl.OAuthBearerError
	if errors.As(err, &badToken) {
		return true
	}
	no := refusal(err)
	return no != nil && no.Code != imap.ResponseCodeUnavailable
}

// refusal is the server's NO to a command, nil if an error is anything else.
func refusal(err error) *imap.Error {
	var answer *imap.Error
	if errors.As(err, &answer) && answer.Type == imap.StatusResponseTypeNo {
		return answer
	}
	return nil
}

// login proves who we are, in the way that configuration and server agree on.
func (l *link) login(c IMAPConfig, secret string) error {
	caps := l.client.Caps()
	mechanism := c.mechanism(secret)
	switch {
	case c.token(), caps.Has(imap.AuthCap(sasl.Plain)):
		return l.client.Authenticate(mechanism)
	case caps.Has(imap.CapLoginDisabled):
		// The library would send the password whatever the server says about it.
		return fmt.Errorf("%w: it wants another kind of login", ErrLogin)
	}
	return l.client.Login(c.User, secret).Wait()
}

// junkNames are what the folder of junk is called where nothing marks it.
var junkNames = []string{"junk", "spam", "junk e-mail", "junk email", "bulk mail", "bulk", "[gmail]/spam", "inbox.junk", "inbox.spam", "inbox/junk", "inbox/spam"}

// junk is the name of the folder of junk, "" if there is none (RFC 6154).
func (l *link) junk(ctx context.Context) (name string, err error) {
	err = l.do(ctx, l.timeout, 4*lineBudget, func() error {
		caps := l.client.Caps()
		var options *imap.ListOptions
		if caps.Has(imap.CapSpecialUse) && caps.Has(imap.CapListExtended) {
			options = &imap.ListOptions{ReturnSpecialUse: true}
		}
		boxes, err := l.client.List("", "*", options).Collect()
		if err != nil {
			return fmt.Errorf("listing the folders: %w", err)
		}
		for _, b := range boxes {
			switch {
			case slices.Contains(b.Attrs, imap.MailboxAttrNoSelect), slices.Contains(b.Attrs, imap.MailboxAttrNonExistent):
			case slices.Contains(b.Attrs, imap.MailboxAttrJunk):
				name = b.Mailbox
				return nil
			case name == "" && slices.Contains(junkNames, strings.ToLower(b.Mailbox)):
				name = b.Mailbox
			}
		}
		return nil
	})
	return name, err
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
		if refusal(err) != nil {
			return fmt.Errorf("%w: %q: %w", errNoFolder, name, err)
		}
		if err != nil {
			return fmt.Errorf("opening the folder %q: %w", name, err)
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
func (l *link) search(ctx context.Context, low uint32) (uids []uint32, err error) {
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
				uids = append(uids, uint32(uid))
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
	raw := Raw{Key: key}
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
