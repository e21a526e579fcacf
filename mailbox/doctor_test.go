package mailbox

import (
	"strings"
	"testing"
	"time"
)

func TestDoctor(t *testing.T) {
	office, config := startOffice(t)
	examine := func(c Config) (string, int) {
		var out strings.Builder
		d := Checkup{Config: c, Out: &out, Wait: 5 * time.Second, Options: quick, Bounces: Bounces{Address: gm, Key: []byte("k")}}
		n := d.Run(t.Context())
		return out.String(), n
	}
	if text, n := examine(config); n != 0 || !strings.Contains(text, "arrived in INBOX") || !strings.Contains(text, "bounces find their mail") || !strings.Contains(text, "clocks") {
		t.Errorf("a sound account: %d\n%s", n, text)
	}
	for what, c := range map[string]struct {
		spoil func(*Config)
		want  string
	}{
		"a wrong password":       {func(c *Config) { c.IMAP.Password = "x" }, "password are wrong"},
		"a wrong SMTP password":  {func(c *Config) { c.SMTP.Password = "x" }, "SMTP"},
		"a wrong port":           {func(c *Config) { c.IMAP.Port = 1 }, "nobody listens"},
		"TLS where there's none": {func(c *Config) { c.IMAP.TLS = TLS }, "does not speak TLS"},
		"no STARTTLS":            {func(c *Config) { c.SMTP.TLS = StartTLS }, "does not offer STARTTLS"},
		"no such folder":         {func(c *Config) { c.IMAP.Mailbox = "Spiele" }, "cannot be opened"},
	} {
		bad := config
		c.spoil(&bad)
		if text, n := examine(bad); n != 1 || !strings.Contains(text, "WRONG") || !strings.Contains(text, c.want) {
			t.Errorf("%s: %d\n%s", what, n, text)
		}
	}
	office.SetClock(func() time.Time { return time.Now().Add(-time.Hour) })
	if text, n := examine(config); n != 1 || !strings.Contains(text, "1h0m0s apart") && !strings.Contains(text, "-1h0m0s apart") && !strings.Contains(text, "apart") {
		t.Errorf("a clock that is off: %d\n%s", n, text)
	}
}
