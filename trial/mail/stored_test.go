package mail

import (
	"cmp"
	"os"
	"testing"
	"time"

	"fieldpost/store"
	"fieldpost/trial/processor"
)

// BenchmarkStored plays a game of both staffs to its end and tells what a club keeps of it
// for each player-turn that was closed: whole as it is sent, and thin, with the mails packed
// and without the pictures that are drawn again; of that, what is in the database. cpu-ms/mail
// is what making a mail thin takes. FIELDPOST_SCENARIO is another scenario.
func BenchmarkStored(b *testing.B) {
	scenario := cmp.Or(os.Getenv("FIELDPOST_SCENARIO"), "kharkov-1942")
	for b.Loop() {
		c := newClosing(b, scenario, 1, true)
		for {
			sheets := c.sheets(b)
			if len(sheets) == 0 {
				break
			}
			c.handIn(b, sheets)
		}
		_, err := c.w.Post()
		check(b, err)
		db, turns := c.w.Umpire.DB.(store.File), float64(len(c.waits))
		check(b, compacted(db))
		before, err := db.Stats()
		check(b, err)
		mails, err := db.WholeMails(time.Now().Add(time.Hour))
		check(b, err)
		var thin store.Thinned
		used := processor.Time()
		for _, m := range mails {
			one, err := db.Thin(m.ID)
			check(b, err)
			thin.Add(one)
		}
		used = processor.Time() - used
		for _, m := range mails {
			_, err := db.MailBytes(m.SHA256) // compares its SHA-256
			check(b, err)
		}
		check(b, compacted(db))
		after, err := db.Stats()
		check(b, err)
		kB := func(s store.Stats) float64 { return float64(s.InUse()+s.Kept+s.Spooled) / 1000 / turns }
		b.ReportMetric(turns, "turns")
		b.ReportMetric(kB(before), "kB/turn-whole")
		b.ReportMetric(kB(after), "kB/turn-thin")
		b.ReportMetric(float64(after.Kept)/1000/turns, "kB/turn-thin-mails")
		b.ReportMetric(float64(after.InUse())/1000/turns, "kB/turn-database")
		b.ReportMetric(float64(thin.Pictures), "pictures")
		b.ReportMetric(float64(thin.Differ), "differ")
		b.ReportMetric(float64(used.Milliseconds())/float64(thin.Mails), "cpu-ms/mail")
		b.ReportMetric(0, "ns/op")
	}
}

func compacted(db store.File) error {
	_, _, err := db.Compact()
	return err
}
