package web

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"

	"fieldpost/umpire/club"
)

// figuresType is the text format of Prometheus.
const figuresType = "text/plain; version=0.0.4; charset=utf-8"

// figure is one for Prometheus: a sample, or one for each label.
type figure struct {
	name, kind, help string
	samples          []sample
}

type sample struct {
	labels string // state="open", or nothing
	value  any
}

type figures []figure

// metrics are the figures of the club.
func (s *Server) metrics(w http.ResponseWriter, _ *http.Request) {
	st, err := s.look(false)
	w.Header().Set("Content-Type", figuresType)
	if err != nil {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	figuresOf(st).write(w)
}

func (all figures) write(w io.Writer) {
	for _, f := range all {
		fmt.Fprintf(w, "# HELP fieldpost_%s %s\n# TYPE fieldpost_%[1]s %[3]s\n", f.name, f.help, f.kind)
		for _, s := range f.samples {
			labels := s.labels
			if labels != "" {
				labels = "{" + labels + "}"
			}
			fmt.Fprintf(w, "fieldpost_%s%s %v\n", f.name, labels, s.value)
		}
	}
}

// addOf adds figures of one of several, which the label names.
func (all *figures) addOf(label string, more figures) {
	for _, f := range more {
		i := slices.IndexFunc(*all, func(g figure) bool { return g.name == f.name })
		if i < 0 {
			i = len(*all)
			*all = append(*all, figure{name: f.name, kind: f.kind, help: f.help})
		}
		for _, s := range f.samples {
			labels := strings.TrimSuffix(label+","+s.labels, ",")
			(*all)[i].samples = append((*all)[i].samples, sample{labels, s.value})
		}
	}
}

func (all *figures) one(name, kind, help string, value any) {
	*all = append(*all, figure{name, kind, help, []sample{{"", value}}})
}

// many adds a gauge with a sample for each key.
func (all *figures) many(name, label, help string, values map[string]int, keys ...string) {
	f := figure{name: name, kind: "gauge", help: help}
	for _, k := range keys {
		f.samples = append(f.samples, sample{fmt.Sprintf("%s=%q", label, k), values[k]})
	}
	*all = append(*all, f)
}

// figuresOf are the figures of a club.
func figuresOf(st club.Status) (all figures) {
	state, rank := map[string]int{}, map[string]int{}
	for _, g := range st.Games {
		state[string(g.State)]++
		rank[rankWord(g.Rank)]++
	}
	all.many("games", "state", "Games by their state.", state, "open", "running", "paused", "frozen", "finished")
	all.many("games_ranked", "rank", "Games by how much they need the moderator.", rank, "stopped", "alarm", "look", "well", "over")
	all.one("mails_received_total", "counter", "Mails handled since the daemon began.", st.In)
	all.one("mails_refused_total", "counter", "Mails answered with a refusal.", st.Refused)
	all.one("mails_unhandled", "gauge", "Incoming mails that wait to be handled.", st.Unhandled)
	all.one("mail_unhandled_timestamp_seconds", "gauge", "When the first of them was fetched, 0 for none.", max(0, st.Waits.Unix()))
	all.one("mails_sent_total", "counter", "Mails that a server took.", st.Out)
	all.one("mails_queued", "gauge", "Mails that wait to be sent.", st.Queued)
	all.one("mails_stuck", "gauge", "Mails that were put off or held back.", st.Stuck)
	all.one("new_address_mails_today", "gauge", "Mails that went today to addresses that never wrote to us.", st.NewAddresses)
	all.one("new_address_mails_bound", "gauge", "How many may go in a day, 0 for no bound.", st.NewAddressesBound)
	out := map[string]int{}
	for _, t := range st.Troubles {
		out[t.Of] = 1
	}
	all.many("out", "of", "1 while mail is not fetched, not sent or not handled, nothing is kept, or deadlines are held.", out, club.CanBeOut()...)
	looked := map[string]int{}
	for box, at := range st.Looked {
		looked[box] = int(at.Unix())
	}
	all.many("folder_looked_timestamp_seconds", "folder", "The last whole look through a folder.", looked, slices.Sorted(maps.Keys(looked))...)
	all.one("mail_sent_timestamp_seconds", "gauge", "When a server last took a mail, 0 for not yet.", max(0, st.Sent.Unix()))
	if st.Standbys != nil {
		nodes := map[string]int{}
		for _, n := range st.Nodes {
			if n.Gone() {
				nodes["gone"]++
				continue
			}
			nodes["at_work"]++
			nodes["claims"] += len(n.Works)
		}
		all.many("nodes", "state", "Daemons over the database.", nodes, "at_work", "gone")
		all.many("roles", "role", "Daemons at work that have a role.", st.Manned(), club.Roles...)
		all.one("claims", "gauge", "Games at which daemons are at work now.", nodes["claims"])
		all.one("standbys", "gauge", "Servers that follow the database.", st.Standbys.Copies)
		all.one("standby_behind_bytes", "gauge", "What the slowest standby has not taken over, -1 for unknown.", st.Standbys.Behind)
	}
	all.one("data_bytes", "gauge", "How much disk the data folder takes.", st.Disk)
	all.one("disk_free_bytes", "gauge", "How much of the disk is free.", st.Free)
	all.one("backup_timestamp_seconds", "gauge", "The last backup, 0 for none.", max(0, st.Backup.Unix()))
	all.one("start_timestamp_seconds", "gauge", "When the daemon began.", st.Since.Unix())
	return all
}
