package memory

import (
	"fmt"

	"fieldpost/store"
)

// Check audits the store: the numbers of steps and phases, the hashes of positions, what steps
// name, and the outbox with its bytes.
func (db *DB) Check() (wrong []error) {
	add := func(format string, args ...any) {
		wrong = append(wrong, fmt.Errorf("store in memory: "+format, args...))
	}
	db.reading(func(r readings) {
		named := 0
		for id, g := range r.t.games {
			g.check(id, r.t, add)
			for _, s := range g.steps {
				named += len(s.value().Sheets)
			}
			named -= len(g.sheets)
		}
		if named != 0 {
			add("steps name %d sheets more than there are", named)
		}
		for id, text := range r.t.mails {
			m := text.value()
			raw, there := r.t.bytes[m.SHA256]
			switch {
			case m.ID != id, !m.State.Known():
				add("mail %s in state %q is kept as %q", m.ID, m.State, id)
			case !m.Pruned && (!there || store.Sum(raw) != m.SHA256):
				add("mail %s has not the bytes %s", id, m.SHA256)
			case m.MessageID != "" && r.t.messages[m.MessageID] != id:
				add("mail %s is not found by its Message-ID", id)
			case m.Game != "" && r.t.games[m.Game] == nil:
				add("mail %s: there is no game %q", id, m.Game)
			}
		}
		for sha, text := range r.t.handled {
			h := text.value()
			if raw := r.t.spool[sha]; h.Spooled && store.Sum(raw) != sha {
				add("the handled mail %s is not kept", sha)
			}
			if g := r.t.games[h.Game]; h.Game != "" && (h.Seq == 0 || h.Seq > g.seq() || g.steps[h.Seq-1].value().Handled != sha) {
				add("the handled mail %s is in no step of game %s", sha, h.Game)
			}
		}
		for sha := range r.t.incoming {
			if store.Sum(r.t.spool[sha]) != sha || r.t.handled[sha] != nil {
				add("the incoming mail %s waits, and has not its bytes or is handled", sha)
			}
		}
		for at, m := range r.t.uids {
			if !m.Known() || !m.Final() && at.uid <= r.t.low[at.mailbox] {
				add("the mark of message %d in %s is %q", at.uid, at.name, m.State)
			}
		}
	})
	return wrong
}

func (g *game) check(id string, t *tables, add func(string, ...any)) {
	record := g.record.value()
	if record.ID != id || record.Seq != g.seq() || record.Phases != uint64(len(g.phases)) {
		add("game %s is %s at %d with %d phases, and has %d steps and %d phases", id, record.ID, record.Seq, record.Phases, len(g.steps), len(g.phases))
	}
	var phases uint64
	for i, text := range g.steps {
		s := text.value()
		if s.Seq != uint64(i+1) {
			add("game %s: step %d is number %d", id, s.Seq, i+1)
		}
		for _, n := range s.Phases {
			if phases++; n != phases {
				add("game %s: step %d names phase %d, expected %d", id, s.Seq, n, phases)
			}
		}
		for _, mail := range s.Mails {
			if t.mails[mail] == nil {
				add("game %s: step %d: mail %s is missing", id, s.Seq, mail)
			}
		}
		if h := t.handled[s.Handled]; s.Handled != "" && (h == nil || h.value().Game != id) {
			add("game %s: step %d: the handled mail %s does not belong to it", id, s.Seq, s.Handled)
		}
	}
	for i := range g.phases {
		if p := g.phase(uint64(i + 1)); p.Number != uint64(i+1) || store.Sum(p.Snapshot) != p.Hash {
			add("game %s: phase %d is number %d, or not as its hash", id, p.Number, i+1)
		}
	}
}
