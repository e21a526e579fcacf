//go:build realmail

package realmail

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// servers are a Dovecot and a Postfix of our own on loopback: own folders, own
// ports, nothing of the machine's mail system is touched.
type servers struct {
	dir        string
	imap, smtp int
	bin        string // the program
}

const domain = "mail.test"

// startServers skips the test where the programs or the rights are missing.
func startServers(t *testing.T, users ...string) *servers {
	t.Helper()
	for _, p := range []string{"dovecot", "postfix", "ssh-keygen", "openssl"} {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("%s is not installed", p)
		}
	}
	if os.Getuid() != 0 {
		t.Skip("Postfix wants to be started by root")
	}
	dir, err := os.MkdirTemp("/tmp", "fp") // socket paths must stay short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if text, err := os.ReadFile(filepath.Join(dir, "d", "log")); err == nil && t.Failed() {
			t.Logf("Dovecot:\n%s", text)
		}
		os.RemoveAll(dir)
	})
	s := &servers{dir: dir, imap: freePort(t), smtp: freePort(t)}
	lmtp := freePort(t)
	must(t, os.Chmod(dir, 0o755))
	run(t, "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=mx.mail.test", "-keyout", filepath.Join(dir, "key.pem"), "-out", filepath.Join(dir, "cert.pem"))
	s.dovecot(t, lmtp, users)
	s.postfix(t, lmtp)
	return s
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func (s *servers) dovecot(t *testing.T, lmtp int, users []string) {
	t.Helper()
	dir := filepath.Join(s.dir, "d")
	must(t, os.MkdirAll(filepath.Join(dir, "mail"), 0o777))
	must(t, os.Chmod(filepath.Join(dir, "mail"), 0o777))
	var passwd strings.Builder
	for _, u := range users {
		fmt.Fprintf(&passwd, "%s:{PLAIN}secret:65534:65534::%s/mail/%s::\n", u, dir, u)
	}
	write(t, filepath.Join(dir, "passwd"), passwd.String())
	plugins := ""
	if sieve() {
		plugins = "mail_plugins = $mail_plugins sieve"
	}
	// What the compose file's Dovecot has, and behind it what differs here: of two settings the last counts.
	conf := strings.ReplaceAll(s.composed(t, "dovecot.conf"), "/compose/users", filepath.Join(dir, "passwd"))
	write(t, filepath.Join(dir, "conf"), conf+strings.NewReplacer("DIR", dir, "IMAP", fmt.Sprint(s.imap), "LMTP", fmt.Sprint(lmtp), "SMTP", fmt.Sprint(s.smtp), "PLUGINS", plugins).Replace(`
listen = 127.0.0.1
base_dir = DIR/run
state_dir = DIR/state
log_path = DIR/log
service imap-login {
  inet_listener imap {
    port = IMAP
  }
  inet_listener imaps {
    port = 0
  }
}
service lmtp {
  inet_listener lmtp {
    address = 127.0.0.1
    port = LMTP
  }
}
submission_host = 127.0.0.1:SMTP
protocol lmtp {
  postmaster_address = postmaster@mail.test
  PLUGINS
}
plugin {
  sieve = file:~/sieve;active=~/.dovecot.sieve
  sieve_vacation_min_period = 0
  sieve_extensions = +vacation-seconds
}
`))
	s.start(t, "dovecot", "-c", filepath.Join(dir, "conf"))
	t.Cleanup(func() { _ = exec.Command("doveadm", "-c", filepath.Join(dir, "conf"), "stop").Run() })
	waitFor(t, s.imap)
}

// sieve tells whether Dovecot can answer for those who are away (RFC 5230).
func sieve() bool {
	_, err := exec.LookPath("sievec")
	return err == nil
}

// vacation has the user's Dovecot answer their mail, as often as it may.
func (s *servers) vacation(t *testing.T, user string) {
	t.Helper()
	home := filepath.Join(s.dir, "d", "mail", user)
	must(t, os.MkdirAll(home, 0o700))
	write(t, filepath.Join(home, ".dovecot.sieve"), fmt.Sprintf(`require ["vacation", "vacation-seconds"];
vacation :seconds 0 :addresses ["%s@%s"] :subject "Out of office" "I am at the sea.";
`, user, domain))
	run(t, "chown", "-R", "65534:65534", home)
}

func (s *servers) postfix(t *testing.T, lmtp int) {
	t.Helper()
	dir := filepath.Join(s.dir, "p")
	for _, sub := range []string{"etc", "spool", "data"} {
		must(t, os.MkdirAll(filepath.Join(dir, sub), 0o755))
	}
	run(t, "chown", "postfix", filepath.Join(dir, "data"))
	write(t, filepath.Join(dir, "etc", "main.cf"), changed(s.composed(t, "main.cf"), strings.NewReplacer("DIR", dir, "LMTP", fmt.Sprint(lmtp)).Replace(`
queue_directory = DIR/spool
data_directory = DIR/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
maillog_file = DIR/log
maillog_file_prefixes = DIR
myhostname = mx.mail.test
inet_interfaces = 127.0.0.1
virtual_mailbox_domains = mail.test
virtual_transport = lmtp:inet:127.0.0.1:LMTP
disable_dns_lookups = yes
smtpd_tls_security_level = none
`)))
	write(t, filepath.Join(dir, "etc", "master.cf"), fmt.Sprintf(`127.0.0.1:%d inet n - n - - smtpd
postlog unix-dgram n - n - 1 postlogd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
error unix - - n - - error
retry unix - - n - - error
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
`, s.smtp))
	s.start(t, "postfix", "-c", filepath.Join(dir, "etc"), "start")
	t.Cleanup(func() { _ = exec.Command("postfix", "-c", filepath.Join(dir, "etc"), "stop").Run() })
	waitFor(t, s.smtp)
}

// composed is a file of packaging/compose, with a certificate of our own.
func (s *servers) composed(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "packaging", "compose", name))
	must(t, err)
	return strings.ReplaceAll(string(text), "/tls/", s.dir+"/")
}

// changed are settings of Postfix with others in their place: it hangs where one is given twice, since
// it wants to log that before there is a log.
func changed(settings, others string) string {
	var kept []string
	for line := range strings.Lines(settings) {
		name, _, _ := strings.Cut(line, " =")
		if !strings.Contains(others, "\n"+name+" =") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "") + others
}

// start runs a program that leaves a server behind, which keeps its output open.
func (s *servers) start(t *testing.T, name string, args ...string) {
	t.Helper()
	log, err := os.Create(filepath.Join(s.dir, name+".start"))
	must(t, err)
	defer log.Close()
	c := exec.Command(name, args...)
	c.Stdout, c.Stderr = log, log
	if err := c.Run(); err != nil {
		text, _ := os.ReadFile(log.Name())
		t.Fatalf("%s: %v\n%s", name, err, text)
	}
}

func waitFor(t *testing.T, port int) {
	t.Helper()
	for range 100 {
		c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			c.Close()
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("nobody listens on port %d", port)
}

func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
