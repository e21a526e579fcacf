package club

import (
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"fieldpost/store"
)

// BoardOptions say how a Status is printed.
type BoardOptions struct {
	Colour bool // escape sequences of a terminal
	Over   bool // finished games too
	Short  bool // without what a moderator may do, for one of several boards
}

// marks and colours of the ranks.
var rankMarks = [...]struct{ mark, colour string }{
	RankStopped: {"x", "\x1b[1;31m"}, RankAlarm: {"!", "\x1b[31m"}, RankWarning: {"!", "\x1b[33m"}, RankNormal: {" ", ""}, RankOver: {" ", "\x1b[2m"},
}

// Mark is the sign of a rank on the board.
func (r Rank) Mark() string { return rankMarks[r].mark }

// Board prints a Status for a moderator: the sums, then a line for each game.
func (s Status) Board(w io.Writer, o BoardOptions) error {
	var b strings.Builder
	if s.Club != "" {
		fmt.Fprintf(&b, "CLUB %s\n", s.Club)
	}
	if s.Down != "" {
		fmt.Fprintf(&b, "ALARM: nothing is known about it: %s\n", s.Down)
		_, err := io.WriteString(w, b.String())
		return err
	}
	count := map[store.Status]int{}
	for _, g := range s.Games {
		count[g.State]++
	}
	noun := "games"
	if len(s.Games) == 1 {
		noun = "game"
	}
	fmt.Fprintf(&b, "%d %s   %d running   %d waiting for players   %d paused   %d stopped   %d finished\n", len(s.Games), noun,
		count[store.StatusRunning], count[store.StatusOpen], count[store.StatusPaused], count[store.StatusFrozen], count[store.StatusFinished])
	fmt.Fprintf(&b, "mail: %s%d waiting to go out, %d stuck", s.post(), s.Queued, s.Stuck)
	if s.Standbys == nil { // a database is backed up by its own means
		fmt.Fprintf(&b, "      disk %s%s, last backup %s", bytesOf(s.Disk), s.left(), s.backedUp())
	}
	fmt.Fprintln(&b)
	if len(s.Looked) > 0 {
		var looks []string
		for _, box := range slices.Sorted(maps.Keys(s.Looked)) {
			looks = append(looks, box+" "+ago(s.Looked[box], s.At)+" ago")
		}
		fmt.Fprintf(&b, "last look: %s; last mail sent %s\n", strings.Join(looks, ", "), s.lastSent())
	}
	if line := s.newAddresses(); line != "" {
		fmt.Fprintln(&b, line)
	}
	if line := s.unhandled(); line != "" {
		fmt.Fprintln(&b, line)
	}
	s.nodes(&b)
	for _, t := range s.Troubles {
		fmt.Fprintf(&b, "ALARM: %s\n", t)
	}
	for _, what := range s.Damaged {
		fmt.Fprintf(&b, "damaged: %s\n", what)
	}
	rows := [][]string{{" ", "game", "scenario", "turn", "phase", "waiting for", "since", "due", "note"}}
	colours := []string{""}
	for _, g := range s.Games {
		if g.Rank == RankOver && !o.Over {
			continue
		}
		rows = append(rows, []string{g.Rank.Mark(), g.ID, g.Scenario, strconv.Itoa(g.Turn), clip(g.Phase, 34), dash(strings.Join(g.Waiting, ", ")), ago(g.Since, s.At), s.due(g), g.Why})
		colours = append(colours, rankMarks[g.Rank].colour)
	}
	b.WriteByte('\n')
	columns(&b, rows, colours, o.Colour)
	if o.Short {
		_, err := io.WriteString(w, b.String())
		return err
	}
	fmt.Fprintln(&b, "\nActions: fieldpost game extend GAME 48h | force | pause | unpause | resume | rollback | message | ...   (fieldpost game help)")
	_, err := io.WriteString(w, b.String())
	return err
}

// unhandled is what waits of incoming mail, "" for nothing.
func (s Status) unhandled() string {
	if s.Unhandled == 0 {
		return ""
	}
	line := fmt.Sprintf("incoming mail: %d to be handled, the first since %s", s.Unhandled, ago(s.Waits, s.At))
	if s.Tries > 0 {
		line += fmt.Sprintf("; it was tried %d times: %s", s.Tries, s.Failing)
	}
	return line
}

// nodes prints the daemons over a store that several share.
func (s Status) nodes(w io.Writer) {
	for _, n := range s.Nodes {
		about := strings.Join(append([]string{n.About}, n.Roles...), ", ")
		what := "nothing in hand"
		if len(n.Works) > 0 {
			what = "at " + strings.Join(n.Works, ", ")
		}
		if n.Gone() {
			fmt.Fprintf(w, "ALARM: node %s (%s) has not been heard of for %s; the others do its work\n", n.Name, about, n.Quiet)
			continue
		}
		fmt.Fprintf(w, "node %s (%s): since %s, %s\n", n.Name, about, ago(n.Since, s.At), what)
	}
	for _, role := range s.Unmanned() {
		fmt.Fprintf(w, "ALARM: no daemon has the role %s\n", role)
	}
	switch {
	case s.Standbys == nil:
	case s.Standbys.Copies == 0:
		fmt.Fprintln(w, "standbys: none; if the database's disk is lost, so are the games since its last backup")
	case s.Standbys.Behind < 0:
		fmt.Fprintf(w, "standbys: %d; only the role pg_monitor is told how far behind they are\n", s.Standbys.Copies)
	default:
		fmt.Fprintf(w, "standbys: %d, the slowest %s behind\n", s.Standbys.Copies, bytesOf(s.Standbys.Behind))
	}
}

// post is what the running daemon did.
func (s Status) post() string {
	if s.Since.Unix() <= 0 || s.In+s.Out == 0 && s.At.Sub(s.Since) < time.Second {
		return ""
	}
	line := fmt.Sprintf("%d in (%d refused), %d out in %s; ", s.In, s.Refused, s.Out, ago(s.Since, s.At))
	if n := s.Silent; n != (Silent{}) {
		line += fmt.Sprintf("not answered: %d of strangers, %d of machines, %d loops; ", n.Strangers, n.Machines, n.Loops)
	}
	return line
}

func (s Status) left() string {
	if s.Free < 0 {
		return ""
	}
	return ", " + bytesOf(s.Free) + " free"
}

func (s Status) lastSent() string {
	if s.Sent.IsZero() {
		return "not yet"
	}
	return ago(s.Sent, s.At) + " ago"
}

func (s Status) backedUp() string {
	if s.Backup.IsZero() {
		return "never"
	}
	return ago(s.Backup, s.At) + " ago"
}

// newAddresses is how much of the day's mail to new addresses is used up, "" for none.
func (s Status) newAddresses() string {
	switch {
	case s.NewAddresses == 0:
		return ""
	case s.NewAddressesBound == 0:
		return fmt.Sprintf("mails to new addresses today: %d", s.NewAddresses)
	case s.NewAddresses >= s.NewAddressesBound:
		return fmt.Sprintf("ALARM: no more mail goes to new addresses today: %d of %d went out (new_addresses_per_day)", s.NewAddresses, s.NewAddressesBound)
	}
	return fmt.Sprintf("mails to new addresses today: %d of %d", s.NewAddresses, s.NewAddressesBound)
}

// due is how a game stands to its deadline.
func (s Status) due(g GameStatus) string {
	switch {
	case g.State == store.StatusPaused:
		return "paused"
	case g.State == store.StatusFrozen:
		return "stopped"
	case g.Deadline.IsZero(), g.Rank == RankOver:
		return "-"
	case s.At.After(g.Deadline):
		return "OVERDUE " + ago(g.Deadline, s.At)
	}
	return "in " + ago(s.At, g.Deadline)
}

// TSV prints a Status as a table with one header line, all games in it.
func (s Status) TSV(w io.Writer) error {
	c := csv.NewWriter(w)
	c.Comma = '\t'
	return c.WriteAll(s.rows())
}

// TSVOfAll prints those of several clubs as one table, which begins with the name of the club.
func TSVOfAll(w io.Writer, all []Status) error {
	c := csv.NewWriter(w)
	c.Comma = '\t'
	rows := [][]string{append([]string{"club"}, Status{}.rows()[0]...)}
	for _, s := range all {
		for _, row := range s.rows()[1:] {
			rows = append(rows, append([]string{s.Club}, row...))
		}
	}
	return c.WriteAll(rows)
}

// rows are the table of a Status, its header first.
func (s Status) rows() [][]string {
	rows := [][]string{{"rank", "game", "scenario", "state", "turn", "phase", "waiting", "since", "deadline", "late", "bounces", "refused", "questions", "why"}}
	for _, g := range s.Games {
		late := 0
		for _, n := range g.Late {
			late += n
		}
		rows = append(rows, []string{strconv.Itoa(int(g.Rank)), g.ID, g.Scenario, string(g.State), strconv.Itoa(g.Turn), g.Phase, strings.Join(g.Waiting, ","),
			stamp(g.Since), stamp(g.Deadline), strconv.Itoa(late), strconv.Itoa(len(g.Bounces)), strconv.Itoa(g.Refused), strconv.Itoa(g.Questions), g.Why})
	}
	return rows
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// columns prints rows in columns as wide as they need; the last one is free.
func columns(b *strings.Builder, rows [][]string, colours []string, colour bool) {
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for n, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString(cell)
			if i < len(row)-1 {
				pad := 2
				if i == 0 {
					pad = 1
				}
				line.WriteString(strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell)+pad))
			}
		}
		text := strings.TrimRight(line.String(), " ")
		if colour && colours[n] != "" {
			text = colours[n] + text + "\x1b[0m"
		}
		b.WriteString(text + "\n")
	}
}

// ago is the time between two moments in one unit: 35 min, 3 h, 2 d.
func ago(from, to time.Time) string {
	d := to.Sub(from)
	switch {
	case from.IsZero(), to.IsZero():
		return "-"
	case d < time.Hour:
		return fmt.Sprintf("%d min", max(0, int(d.Minutes())))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d d", int(d.Hours()/24))
}

func bytesOf(n int64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB"}
	x, i := float64(n), 0
	for ; x >= 1024 && i < len(units)-1; i++ {
		x /= 1024
	}
	if i == 0 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %s", x, units[i])
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(slices.Concat(r[:n-1], []rune("…")))
	}
	return s
}
