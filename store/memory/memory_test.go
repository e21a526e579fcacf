package memory

import (
	"fmt"
	"testing"

	"fieldpost/store"
	"fieldpost/store/suite"
)

func TestSuite(t *testing.T) {
	suite.Run(t, suite.Engine{
		Open:   func(testing.TB) store.Store { return New() },
		Reopen: func(_ testing.TB, db store.Store) store.Store { return db },
		Dump: func(_ testing.TB, db store.Store) map[string]string {
			all, t := map[string]string{}, &db.(*DB).tables
			put := func(table, key, value string) { all[table+"/"+key] = value }
			for id, g := range t.games {
				put("games", id, string(g.record)+fmt.Sprint(len(g.phases), len(g.steps), len(g.sheets), len(g.names)))
				if put("open", id, ""); g.open != nil {
					put("open", id, string(*g.open))
				}
			}
			for id, m := range t.mails {
				put("mails", id, string(m))
			}
			for sha, h := range t.handled {
				put("handled", sha, string(h))
			}
			for sha, m := range t.incoming {
				put("incoming", sha, string(m))
			}
			for at, m := range t.uids {
				put("uids", fmt.Sprint(at), fmt.Sprint(m))
			}
			for name, value := range t.notes {
				put("notes", name, string(value))
			}
			put("others", "", fmt.Sprint(t.numbers, t.messages, t.whole, t.low, len(t.bytes), len(t.spool)))
			return all
		},
	})
}
