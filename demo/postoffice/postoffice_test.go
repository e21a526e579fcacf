package postoffice

import (
	"errors"
	"net/smtp"
	"strings"
	"testing"
	"time"
)

func start(t *testing.T) *Office {
	t.Helper()
	o, err := Start(map[string]string{"gm@a.test": "x", "Anna@a.test": "y"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := o.Close(); err != nil {
			t.Error(err)
		}
	})
	return o
}

func TestDelivery(t *testing.T) {
	o := start(t)
	o.SetClock(func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) })
	var got []string
	o.OnDelivery(func(rcpt, from string, raw []byte) { got = append(got, rcpt+"\n"+from+"\n"+string(raw)) })
	raw := []byte("Subject: x\r\n\r\nhello\r\n")
	if err := smtp.SendMail(o.SMTPAddr(), nil, "anna@a.test", []string{"gm+g7@a.test"}, raw); err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || !strings.HasPrefix(got[0], "gm+g7@a.test\nanna@a.test\nReturn-Path: <anna@a.test>\r\nDelivered-To: gm+g7@a.test\r\nReceived: from ") ||
		!strings.Contains(got[0], "Fri, 20 Nov 2026 12:00:00 +0000\r\nSubject: x\r\n\r\nhello\r\n") {
		t.Errorf("%q", got)
	}
	err := smtp.SendMail(o.SMTPAddr(), nil, "anna@a.test", []string{"bruno@a.test"}, raw)
	if err == nil || !strings.Contains(err.Error(), "550") || !strings.Contains(err.Error(), "5.1.1") {
		t.Errorf("unknown user: %v", err)
	}
	if err := o.Deliver("bruno@a.test", raw); !errors.Is(err, ErrUnknownUser) {
		t.Errorf("unknown user: %v", err)
	}
	if o.Accepted() != 1 {
		t.Errorf("%d accepted", o.Accepted())
	}
}

func TestFaults(t *testing.T) {
	o := start(t)
	send := func() error {
		return smtp.SendMail(o.SMTPAddr(), nil, "anna@a.test", []string{"gm@a.test"}, []byte("Subject: x\r\n\r\nhello\r\n"))
	}
	o.FailData(2, 451, "later")
	o.DropAfterData(3)
	for i, want := range []string{"", "451", "EOF", ""} {
		if err := send(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) && want != "EOF" {
			t.Errorf("mail %d: %v", i, err)
		}
	}
	if o.Accepted() != 3 {
		t.Errorf("%d accepted", o.Accepted())
	}
}

// An office can be closed at any moment, also before anybody came.
func TestCloseAtOnce(t *testing.T) {
	for range 50 {
		o, err := Start(map[string]string{"a@a.test": "x"})
		if err != nil {
			t.Fatal(err)
		}
		if err := o.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
