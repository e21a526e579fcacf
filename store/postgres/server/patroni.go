package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// Patroni is three servers as packaging/compose runs them, on ports of this machine: one of them is the
// primary, one follows it synchronously, and Patroni with etcd decides which.
type Patroni struct {
	folder  string
	bin     string
	owner   owner
	etcd    *exec.Cmd
	port    int // of etcd
	members []*member
}

// member is one of the servers, with the Patroni that runs it.
type member struct {
	name      string
	port, api int
	patroni   *exec.Cmd
	in        *Patroni
}

// secret is the password of all roles.
const secret = "trial"

// StartPatroni starts all of it by the configuration in a folder, which is that of packaging/compose.
// The error is ErrMissing where one of the programs is not installed.
func StartPatroni(compose string) (*Patroni, error) {
	bin, err := programs()
	if err != nil {
		return nil, err
	}
	for _, program := range []string{"patroni", "etcd"} {
		if _, err := exec.LookPath(program); err != nil {
			return nil, fmt.Errorf("%s: %w", program, ErrMissing)
		}
	}
	p := &Patroni{bin: bin}
	if p.folder, err = os.MkdirTemp(everybodys(), "fieldpost-patroni-"); err != nil {
		return nil, err
	}
	if err := p.begin(compose); err != nil {
		return nil, errors.Join(err, p.Stop())
	}
	return p, nil
}

func (p *Patroni) begin(compose string) error {
	var err error
	if p.owner, err = disown(p.folder); err != nil {
		return err
	}
	for _, name := range []string{"patroni.yml", "first.sh"} {
		text, err := os.ReadFile(filepath.Join(compose, name))
		if err != nil {
			return err
		}
		own := strings.NewReplacer("/compose/", p.folder+"/", ": /tmp", ": "+p.folder).Replace(string(text))
		if err := os.WriteFile(filepath.Join(p.folder, name), []byte(own), 0o644); err != nil {
			return err
		}
	}
	ports, err := freePorts(8)
	if err != nil {
		return err
	}
	p.port = ports[0]
	client, peer := address("http://", ports[0]), address("http://", ports[1])
	p.etcd = p.command(nil, "etcd", "--data-dir", filepath.Join(p.folder, "etcd"), "--listen-client-urls", client, "--advertise-client-urls", client,
		"--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster", "default="+peer)
	if err := p.etcd.Start(); err != nil {
		return err
	}
	for i := range 3 {
		m := &member{name: fmt.Sprint("db", i+1), port: ports[2+2*i], api: ports[3+2*i], in: p}
		p.members = append(p.members, m)
		if err := m.start(); err != nil {
			return err
		}
	}
	return p.ready(2 * time.Minute)
}

func address(scheme string, port int) string { return fmt.Sprintf("%s127.0.0.1:%d", scheme, port) }

// freePorts are ports that nobody listens at.
func freePorts(n int) (ports []int, err error) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}

// command is a program of the owner's, in the folder, whose words go into a log there.
func (p *Patroni) command(environment []string, program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir = p.folder
	cmd.Env = append(os.Environ(), environment...)
	p.owner.runs(cmd)
	log, err := os.OpenFile(filepath.Join(p.folder, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err == nil {
		cmd.Stdout, cmd.Stderr = log, log
	}
	return cmd
}

// start starts Patroni, which starts the server.
func (m *member) start() error {
	at := func(port int) string { return address("", port) }
	environment := []string{
		"PATRONI_NAME=" + m.name, "PATRONI_ETCD3_HOSTS=" + at(m.in.port), "FIELDPOST_PASSWORD=" + secret,
		"PATRONI_RESTAPI_LISTEN=" + at(m.api), "PATRONI_RESTAPI_CONNECT_ADDRESS=" + at(m.api),
		"PATRONI_POSTGRESQL_LISTEN=" + at(m.port), "PATRONI_POSTGRESQL_CONNECT_ADDRESS=" + at(m.port),
		"PATRONI_POSTGRESQL_DATA_DIR=" + m.data(), "PATRONI_POSTGRESQL_BIN_DIR=" + m.in.bin,
		"PATRONI_POSTGRESQL_PGPASS=" + filepath.Join(m.in.folder, m.name+".pgpass"),
		"PATRONI_SUPERUSER_USERNAME=postgres", "PATRONI_SUPERUSER_PASSWORD=" + secret,
		"PATRONI_REPLICATION_USERNAME=replicator", "PATRONI_REPLICATION_PASSWORD=" + secret,
	}
	m.patroni = m.in.command(environment, "patroni", filepath.Join(m.in.folder, "patroni.yml"))
	return m.patroni.Start()
}

func (m *member) data() string { return filepath.Join(m.in.folder, m.name) }

// lose kills a server and its Patroni at one moment, as a machine is lost.
func (m *member) lose() error {
	_ = m.patroni.Process.Kill()
	err := m.in.command(nil, filepath.Join(m.in.bin, "pg_ctl"), "-D", m.data(), "kill", "KILL", fmt.Sprint(m.postmaster())).Run()
	_ = m.patroni.Wait()
	return err
}

// postmaster is the server's process, 0 if none runs.
func (m *member) postmaster() (pid int) {
	text, err := os.ReadFile(filepath.Join(m.data(), "postmaster.pid"))
	if err == nil {
		_, _ = fmt.Sscan(string(text), &pid)
	}
	return pid
}

// Stop ends all of it and removes the folder.
func (p *Patroni) Stop() error {
	for _, m := range p.members {
		if m.patroni != nil && m.patroni.ProcessState == nil {
			_ = m.lose()
		}
	}
	if p.etcd != nil && p.etcd.Process != nil {
		_ = p.etcd.Process.Kill()
		_ = p.etcd.Wait()
	}
	return os.RemoveAll(p.folder)
}

// Store is the address of the empty database that the configuration makes, at whichever server can
// be written.
func (p *Patroni) Store() string {
	var hosts []string
	for _, m := range p.members {
		hosts = append(hosts, address("", m.port))
	}
	return "postgres://fieldpost:" + secret + "@" + strings.Join(hosts, ",") + "/fieldpost?target_session_attrs=read-write"
}

// asked puts a question to the primary, as the superuser.
func (p *Patroni) asked(question string, into ...any) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	db, err := pgx.Connect(ctx, strings.Replace(strings.Replace(p.Store(), "fieldpost:", "postgres:", 1), "/fieldpost?", "/postgres?", 1))
	if err != nil {
		return err
	}
	defer db.Close(ctx)
	return db.QueryRow(ctx, question).Scan(into...)
}

// ready waits until Patroni has a primary and has named the standby that may take over from it: who loses
// the primary before waits for it to come back.
func (p *Patroni) ready(patience time.Duration) error {
	for until := time.Now().Add(patience); ; time.Sleep(200 * time.Millisecond) {
		roles, err := p.roles()
		if err == nil && roles["leader"] == 1 && roles["sync_standby"] == 1 && p.asked(`select 1`, new(int)) == nil {
			return nil
		}
		if time.Now().After(until) {
			said, _ := os.ReadFile(filepath.Join(p.folder, "log"))
			return fmt.Errorf("after %v the servers are %v, %w\n%s", patience, roles, err, said[max(0, len(said)-4000):])
		}
	}
}

// roles counts the servers by what Patroni has them be.
func (p *Patroni) roles() (map[string]int, error) {
	client := http.Client{Timeout: 5 * time.Second}
	var failed error
	for _, m := range p.members {
		answer, err := client.Get(address("http://", m.api) + "/cluster")
		if err != nil {
			failed = err
			continue
		}
		var cluster struct{ Members []struct{ Role string } }
		err = json.NewDecoder(answer.Body).Decode(&cluster)
		answer.Body.Close()
		roles := map[string]int{}
		for _, m := range cluster.Members {
			roles[m.Role]++
		}
		return roles, err
	}
	return nil, failed
}

// Failover loses the machine of the primary, waits until another server can be written, and has the
// lost one come back as a standby. It tells how long nobody could write.
func (p *Patroni) Failover() (took time.Duration, err error) {
	var port int
	if err := p.asked(`select inet_server_port()`, &port); err != nil {
		return 0, err
	}
	var lost *member
	for _, m := range p.members {
		if m.port == port {
			lost = m
		}
	}
	if lost == nil {
		return 0, fmt.Errorf("no server listens at port %d", port)
	}
	begun := time.Now()
	if err := lost.lose(); err != nil {
		return 0, err
	}
	for now := 0; now == 0; time.Sleep(100 * time.Millisecond) {
		_ = p.asked(`select inet_server_port()`, &now)
		if took = time.Since(begun); took > 5*time.Minute {
			return took, errors.New("no other server became the primary")
		}
	}
	if err := lost.start(); err != nil {
		return took, err
	}
	return took, p.ready(2 * time.Minute)
}
