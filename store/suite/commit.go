package suite

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fieldpost/store"
)

func testCommitKeepsEverything(t *testing.T, e Engine) {
	db := e.Open(t)
	c := Full(NewGame("g1"), 0)
	raw := []byte("mail 1 of g1")
	sha, err := db.Spool(raw)
	Must(t, err)
	Must(t, db.Commit(c))
	db = e.Reopen(t, db)
	sound(t, db)

	p, err := db.Load("g1")
	Must(t, err)
	want := NewGame("g1")
	want.Seq, want.Phases = 1, 2
	if !reflect.DeepEqual(p.Game, want) {
		t.Errorf("game %+v\nwant %+v", p.Game, want)
	}
	if p.Open != nil || p.Latest == nil || p.Latest.Number != 2 || string(p.Latest.Snapshot) != "position 1.2" {
		t.Errorf("position %+v", p)
	}
	js, err := db.Journal("g1")
	if err != nil || len(js) != 2 || js[0].Phase != "1.1 movement" || js[0].Snapshot != nil ||
		string(js[0].Journal) != `[{"kind":"roll","dice":[6]}]` || js[1].Hash != store.Sum([]byte("position 1.2")) {
		t.Errorf("journal %+v, %v", js, err)
	}
	if ph, err := db.Phase("g1", 1); err != nil || string(ph.Snapshot) != "position 1.1" || ph.Seq != 1 {
		t.Errorf("phase 1: %+v, %v", ph, err)
	}
	sheets, err := db.Sheets("g1", "axis", 1)
	if err != nil || len(sheets) != 1 || sheets[0].Digest != "digest-1" || sheets[0].Seq != 1 || sheets[0].Game != "g1" {
		t.Errorf("sheets %+v, %v", sheets, err)
	}
	h, ok, err := db.Handled(sha)
	if err != nil || !ok || h.Game != "g1" || h.Seq != 1 || !h.Spooled || !h.Received.Equal(Noon) {
		t.Errorf("handled %+v, %v, %v", h, ok, err)
	}
	if b, err := db.Spooled(sha); err != nil || !bytes.Equal(b, raw) {
		t.Errorf("spooled %q, %v", b, err)
	}
	mails, err := db.Mails("g1")
	if err != nil || len(mails) != 2 || mails[0].ID != "g1-1-axis" || mails[0].Seq != 1 || mails[0].State != store.MailQueued {
		t.Errorf("mails %+v, %v", mails, err)
	}
	if b, err := db.MailBytes(mails[0].SHA256); err != nil || !bytes.Equal(b, c.Mails[0].Raw) {
		t.Errorf("mail %q, %v", b, err)
	}
	if steps, err := db.Steps("g1"); err != nil || len(steps) != 1 || len(steps[0].Mails) != 2 || steps[0].Handled != sha {
		t.Errorf("steps %+v, %v", steps, err)
	}
	if n, err := db.Note("last/g1"); err != nil || string(n) != "1" {
		t.Errorf("note %q, %v", n, err)
	}
	if c.Game.Seq != 0 || c.Mails[0].SHA256 != "" || c.Phases[0].Number != 0 {
		t.Error("Commit altered the caller's Change")
	}
}

// Every Change that is refused leaves no trace.
func testCommitRefuses(t *testing.T, e Engine) {
	db := e.Open(t)
	g := NewGame("g1")
	Must(t, db.Commit(Full(g, 0)))
	Must(t, db.Commit(store.Change{Game: &g, Expect: 1, Open: &store.OpenPhase{Phase: "2.1 movement", Journal: []byte(`[1, {"a": 2}]`)}}))
	for name, c := range map[string]struct {
		alter func(*store.Change)
		want  error
	}{
		"too early":         {func(c *store.Change) { c.Expect = 3 }, store.ErrStale},
		"too late":          {func(c *store.Change) { c.Expect = 1 }, store.ErrStale},
		"new, but is there": {func(c *store.Change) { c.Expect = 0 }, store.ErrStale},
		"not there":         {func(c *store.Change) { c.Game.ID = "g2" }, store.ErrStale},
		"handled":           {func(c *store.Change) { c.Handled.SHA256 = store.Sum([]byte("mail 1 of g1")) }, store.ErrHandled},
		"handled, no game": {func(c *store.Change) {
			*c = store.Change{Handled: &store.Handled{SHA256: store.Sum([]byte("mail 1 of g1"))}}
		}, store.ErrHandled},
		"no hash":           {func(c *store.Change) { c.Handled.SHA256 = "x" }, store.ErrInvalid},
		"upper-case hash":   {func(c *store.Change) { c.Handled.SHA256 = strings.Repeat("A", 64) }, store.ErrInvalid},
		"same sheet":        {func(c *store.Change) { c.Sheets[0].Digest = "digest-1" }, store.ErrExists},
		"sheet twice":       {func(c *store.Change) { c.Sheets = append(c.Sheets, c.Sheets[0]) }, store.ErrExists},
		"sheet of nobody":   {func(c *store.Change) { c.Sheets[0].Side = "italy" }, store.ErrInvalid},
		"serial too high":   {func(c *store.Change) { c.Sheets[0].Serial = store.MaxSerial + 1 }, store.ErrInvalid},
		"negative turn":     {func(c *store.Change) { c.Sheets[0].Turn = -1 }, store.ErrInvalid},
		"no name":           {func(c *store.Change) { c.Game.ID = "" }, store.ErrInvalid},
		"zero byte":         {func(c *store.Change) { c.Game.ID = "g\x00" }, store.ErrInvalid},
		"no status":         {func(c *store.Change) { c.Game.Status = "" }, store.ErrInvalid},
		"player of nobody":  {func(c *store.Change) { c.Game.Sides = []string{"axis"} }, store.ErrInvalid},
		"no position":       {func(c *store.Change) { c.Phases[1].Snapshot = nil }, store.ErrInvalid},
		"wrong hash":        {func(c *store.Change) { c.Phases[1].Hash = store.Sum(nil) }, store.ErrInvalid},
		"journal no JSON":   {func(c *store.Change) { c.Phases[1].Journal = []byte("[1") }, store.ErrInvalid},
		"journal no list":   {func(c *store.Change) { c.Phases[1].Journal = []byte("{}") }, store.ErrInvalid},
		"pending no JSON":   {func(c *store.Change) { c.Open = &store.OpenPhase{Phase: "3", Pending: []byte("[")} }, store.ErrInvalid},
		"phases of no game": {func(c *store.Change) { c.Game = nil }, store.ErrInvalid},
		"journal shorter":   {func(c *store.Change) { c.Phases[0].Journal = []byte(`[1]`) }, store.ErrRewritten},
		"journal altered":   {func(c *store.Change) { c.Phases[0].Journal = []byte(`[1,{"a":3}]`) }, store.ErrRewritten},
		"other phase":       {func(c *store.Change) { c.Phases[0].Phase = "2.9" }, store.ErrRewritten},
		"open shorter":      {func(c *store.Change) { c.Phases, c.Open = nil, &store.OpenPhase{Phase: "2.1 movement"} }, store.ErrRewritten},
		"mail to nobody":    {func(c *store.Change) { c.Mails[0].To = "" }, store.ErrInvalid},
		"mail of no game":   {func(c *store.Change) { c.Mails[0].Game = "g9" }, store.ErrNotFound},
		"mail, no file":     {func(c *store.Change) { c.Mails[1].Raw, c.Mails[1].SHA256 = nil, store.Sum([]byte("?")) }, store.ErrNotFound},
		"mail, no hash":     {func(c *store.Change) { c.Mails[1].Raw = nil }, store.ErrInvalid},
		"mail, other hash":  {func(c *store.Change) { c.Mails[1].SHA256 = store.Sum([]byte("?")) }, store.ErrInvalid},
		"Message-ID twice":  {func(c *store.Change) { c.Mails[1].MessageID = "g1-1-axis@example.org" }, store.ErrInvalid},
		"note of no name":   {func(c *store.Change) { c.Notes[""] = nil }, store.ErrInvalid},
		"mail of long name": {func(c *store.Change) { c.Mails[0].ID = strings.Repeat("x", 129) }, store.ErrInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			before := e.Dump(t, db)
			g := NewGame("g1")
			ch := Full(g, 2)
			ch.Phases[0].Phase, ch.Phases[0].Journal = "2.1 movement", []byte(`[1,{"a":2},3]`)
			c.alter(&ch)
			WantErr(t, "Commit", db.Commit(ch), c.want)
			if !maps.Equal(before, e.Dump(t, db)) {
				t.Error("something was kept")
			}
		})
	}
	sound(t, db)
}

// Whatever the Change, a wrong expectation changes nothing, and the right one
// moves the game by exactly one.
func testStaleChangesNothing(t *testing.T, e Engine) {
	db, rnd := e.Open(t), rand.New(rand.NewPCG(3, 4))
	seqs := map[string]uint64{}
	for i := range 400 {
		id := fmt.Sprint("g", rnd.IntN(3))
		expect := uint64(rnd.IntN(int(seqs[id]) + 3))
		c := Full(NewGame(id), expect)
		for _, drop := range []func(){
			func() { c.Handled = nil }, func() { c.Phases = nil }, func() { c.Sheets = nil },
			func() { c.Mails = nil }, func() { c.Notes = nil }, func() { c.Phases = c.Phases[:1] },
		} {
			if rnd.IntN(4) == 0 && (c.Phases != nil) {
				drop()
			}
		}
		before := e.Dump(t, db)
		err := db.Commit(c)
		if expect == seqs[id] {
			Must(t, err)
			seqs[id]++
		} else if !errors.Is(err, store.ErrStale) && !errors.Is(err, store.ErrHandled) {
			t.Fatalf("change %d of %s expects %d at %d: %v", i, id, expect, seqs[id], err)
		} else if !maps.Equal(before, e.Dump(t, db)) {
			t.Fatalf("change %d left something", i)
		}
		if g, err := db.Game(id); seqs[id] > 0 && (err != nil || g.Seq != seqs[id]) {
			t.Fatalf("%s is at %d, %v, expected %d", id, g.Seq, err, seqs[id])
		}
	}
	sound(t, db)
}

// Of many writers with the same expectation exactly one wins.
func testConcurrentWriters(t *testing.T, e Engine) {
	db := e.Open(t)
	for round := range uint64(10) {
		var wg sync.WaitGroup
		errs := make([]error, 8)
		for i := range errs {
			wg.Go(func() {
				c := Full(NewGame("g1"), round)
				c.Handled = nil
				c.Notes["writer"] = []byte{byte(i)}
				errs[i] = db.Commit(c)
			})
		}
		wg.Wait()
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
			} else {
				WantErr(t, "the others", err, store.ErrStale)
			}
		}
		if won != 1 {
			t.Fatalf("round %d: %d writers won", round, won)
		}
	}
	sound(t, db)
}

func testOpenPhaseGrowsUntilItIsComplete(t *testing.T, e Engine) {
	db, g := e.Open(t), NewGame("g1")
	open := func() *store.OpenPhase {
		t.Helper()
		p, err := db.Load("g1")
		Must(t, err)
		return p.Open
	}
	commit := func(seq uint64, o *store.OpenPhase, ps ...store.Phase) {
		t.Helper()
		Must(t, db.Commit(store.Change{Game: &g, Expect: seq, Open: o, Phases: ps}))
	}
	commit(0, &store.OpenPhase{Phase: "1", Turn: 1, Journal: []byte(`[{"x": "<&>"}]`), Pending: []byte(`[{"label":"retreat"}]`), Deadline: Noon})
	if o := open(); o == nil || string(o.Journal) != `[{"x":"<&>"}]` || string(o.Pending) != `[{"label":"retreat"}]` || !o.Deadline.Equal(Noon) {
		t.Fatalf("open %+v", o)
	}
	commit(1, nil) // another Change of the game keeps it
	if open() == nil {
		t.Fatal("lost")
	}
	commit(2, &store.OpenPhase{Phase: "1", Journal: []byte(`[{"x":"<&>"},{"y":1}]`)})
	commit(3, &store.OpenPhase{Phase: "2", Journal: []byte(`[5]`)}, store.Phase{Phase: "1", Journal: []byte(`[{"x":"<&>"},{"y":1},{"z":2}]`), Snapshot: []byte("s")})
	if o := open(); o == nil || o.Phase != "2" {
		t.Fatalf("open %+v", o)
	}
	commit(4, nil, store.Phase{Phase: "2", Journal: []byte(`[5,6]`), Snapshot: []byte("s")})
	if o := open(); o != nil {
		t.Fatalf("still open: %+v", o)
	}
	commit(5, &store.OpenPhase{Phase: "3", Journal: []byte(`[7]`)})
	commit(6, &store.OpenPhase{}) // dropped by name of nothing: the moderator
	if o := open(); o != nil {
		t.Fatalf("still open: %+v", o)
	}
	sound(t, db)
}

func testSeatsFollowTheKeys(t *testing.T, e Engine) {
	db := e.Open(t)
	seats := func(key string, want ...store.Seat) {
		t.Helper()
		if got, err := db.Seats(key); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q plays %v, %v, want %v", key, got, err, want)
		}
	}
	g1, g2 := NewGame("g1"), NewGame("g2")
	g2.Players[0].Key, g2.Players[1].Key = KeySoviet, KeySoviet+" both"
	Must(t, db.Commit(store.Change{Game: &g1}))
	Must(t, db.Commit(store.Change{Game: &g2}))
	seats("  "+KeyAxis+"   another comment", store.Seat{Game: "g1", Side: "axis"})
	seats(KeySoviet, store.Seat{Game: "g1", Side: "soviet"}, store.Seat{Game: "g2", Side: "axis"}, store.Seat{Game: "g2", Side: "soviet"})
	seats(KeyAxis + "x")
	seats("")
	g1.Players = []store.Player{{Side: "axis", Key: "ssh-ed25519 new"}, {Side: "soviet"}} // one changes it, one loses it
	Must(t, db.Commit(store.Change{Game: &g1, Expect: 1}))
	seats(KeyAxis)
	seats("ssh-ed25519 new", store.Seat{Game: "g1", Side: "axis"})
	seats(KeySoviet, store.Seat{Game: "g2", Side: "axis"}, store.Seat{Game: "g2", Side: "soviet"})
	sound(t, db)
}

func testSheetsComeInOrderOfArrival(t *testing.T, e Engine) {
	db, g := e.Open(t), NewGame("g1")
	seq := uint64(0)
	file := func(side string, turn, serial int, digests ...string) {
		c := store.Change{Game: &g, Expect: seq}
		for _, d := range digests {
			c.Sheets = append(c.Sheets, store.Sheet{Side: side, Turn: turn, Serial: serial, Digest: d})
		}
		Must(t, db.Commit(c))
		seq++
	}
	file("axis", 1, 0, "z")
	file("axis", 1, 0, "a", "b")
	file("axis", 256, 9, "far")
	file("soviet", 1, 5, "s")
	file("axis", 1, 3, "m")
	got := func(side string, turn int) (ds string) {
		sheets, err := db.Sheets("g1", side, turn)
		Must(t, err)
		for _, s := range sheets {
			ds += s.Digest + " "
		}
		return ds
	}
	if a, s, n := got("axis", 1), got("soviet", 1), got("axis", 2); a != "z a b m " || s != "s " || n != "" {
		t.Errorf("%q %q %q", a, s, n)
	}
	if all, err := db.AllSheets("g1"); err != nil || len(all) != 6 {
		t.Errorf("%d sheets, %v", len(all), err)
	}
	if s, ok, err := db.FindSheet("g1", "far"); err != nil || !ok || s.Turn != 256 {
		t.Errorf("%+v %v %v", s, ok, err)
	}
	if _, ok, err := db.FindSheet("g2", "far"); err != nil || ok {
		t.Errorf("in another game: %v %v", ok, err)
	}
	sound(t, db)
}

func testNotFound(t *testing.T, e Engine) {
	db := e.Open(t)
	_, err := db.Game("x")
	WantErr(t, "Game", err, store.ErrNotFound)
	_, err = db.Load("x")
	WantErr(t, "Load", err, store.ErrNotFound)
	_, err = db.Phase("x", 1)
	WantErr(t, "Phase", err, store.ErrNotFound)
	_, err = db.Mail("x")
	WantErr(t, "Mail", err, store.ErrNotFound)
	_, err = db.FindMessage("")
	WantErr(t, "FindMessage", err, store.ErrNotFound)
	_, err = db.Spooled(store.Sum(nil))
	WantErr(t, "Spooled", err, store.ErrNotFound)
	_, err = db.MailBytes("../../etc/passwd")
	WantErr(t, "MailBytes", err, store.ErrInvalid)
	if g, err := db.Games(); err != nil || len(g) != 0 {
		t.Errorf("%v, %v", g, err)
	}
}

func testNotes(t *testing.T, e Engine) {
	db := e.Open(t)
	Must(t, db.Commit(store.Change{Notes: map[string][]byte{"join/a": {1}, "join/b": {}, "x": {2}}}))
	Must(t, db.Commit(store.Change{Notes: map[string][]byte{"join/a": nil}}))
	got, err := db.Notes("join/")
	if err != nil || len(got) != 1 || got["join/b"] == nil {
		t.Errorf("%v, %v", got, err)
	}
	if v, err := db.Note("join/a"); v != nil || err != nil {
		t.Errorf("%v, %v", v, err)
	}
}

// What a kind writes it reads, alone, among others and as a Change leaves it; what is not of a
// kind, or of no kind, is found.
func testKinds(t *testing.T, e Engine) {
	db := e.Open(t)
	Must(t, db.Commit(Full(NewGame("g1"), 0)))
	type clock struct {
		Late int `json:"late"`
	}
	clocks, counts := store.OnePerSeat[clock]("clock"), store.OnePerGame[int]("count").Plain()
	moments, letters := store.OneOfHouse[time.Time]("moment").Plain(), store.OnePerPerson[string]("letter").Plain()
	kinds := store.Kinds{clocks, counts, moments, letters, store.OnePerName[string]("last", "GAME").Plain()}
	a, b := store.Seat{Game: "g1", Side: "A"}, store.Seat{Game: "g1", Side: "AB"}
	var c store.Change
	clocks.Put(&c, a, clock{1})
	clocks.Put(&c, b, clock{2})
	counts.Put(&c, "g1", 7)
	moments.Put(&c, store.House{}, time.Unix(1_800_000_000, 0).UTC())
	letters.Put(&c, store.Person{Seat: a, Commander: 2}, "")
	Must(t, db.Commit(c))
	if got, there, err := clocks.Get(db, b); err != nil || !there || got.Late != 2 {
		t.Errorf("%+v, %v, %v", got, there, err)
	}
	if got, err := clocks.All(db, "g1", "A"); err != nil || len(got) != 0 {
		t.Errorf("below a seat: %v, %v", got, err)
	}
	if got, err := clocks.All(db, "g1"); err != nil || len(got) != 2 || got[a].Late != 1 {
		t.Errorf("%v, %v", got, err)
	}
	if got, _, err := counts.Get(db, "g1"); err != nil || got != 7 {
		t.Errorf("%d, %v", got, err)
	}
	if got, _, err := moments.Get(db, store.House{}); err != nil || got.Unix() != 1_800_000_000 {
		t.Errorf("%v, %v", got, err)
	}
	if _, there, err := letters.Get(db, store.Person{Seat: a, Commander: 2}); err != nil || !there {
		t.Errorf("an empty text is no text: %v", err)
	}
	var next store.Change
	counts.Put(&next, "g1", 8)
	letters.Drop(&next, store.Person{Seat: a, Commander: 2})
	if got, _, err := counts.After(db, &next, "g1"); err != nil || got != 8 || counts.Changes(&next, "g2") {
		t.Errorf("after the Change %d, %v", got, err)
	}
	if !letters.Drops(&next, store.Person{Seat: a, Commander: 2}) || letters.Drops(&next, store.Person{Seat: b}) {
		t.Error("what a Change removes is not told")
	}
	Must(t, db.Commit(next))
	if wrong := kinds.Check(db); len(wrong) > 0 {
		t.Errorf("sound records: %v", wrong)
	}
	begins := store.Change{Game: new(NewGame("g3"))}
	counts.Put(&begins, "g3", 1)
	if wrong := kinds.Check(&overtaken{db, func() { Must(t, db.Commit(begins)) }}); len(wrong) > 0 {
		t.Errorf("a game that begins while records are read: %v", wrong)
	}
	var bad store.Change
	moments.Put(&bad, store.House{}, time.Unix(1_800_000_000, 0))
	store.OnePerGame[chan int]("count").Put(&bad, "g1", nil)
	WantErr(t, "a value that cannot be written", db.Commit(bad), store.ErrInvalid)
	for name, value := range map[string]string{"clock/g1/A": "{", "clock/g1": "{}", "clock/g2/A": "{}", "count/g1": "many", "moment/x": "2027-01-01T00:00:00Z", "other": ""} {
		was, err := db.Note(name)
		Must(t, err)
		Must(t, db.Commit(store.Change{Notes: map[string][]byte{name: []byte(value)}}))
		if wrong := kinds.Check(db); len(wrong) != 1 || !errors.Is(wrong[0], store.ErrDamaged) {
			t.Errorf("%s = %q: %v", name, value, wrong)
		}
		Must(t, db.Commit(store.Change{Notes: map[string][]byte{name: was}}))
	}
	Must(t, db.Commit(store.Change{Notes: map[string][]byte{"clock/g1/A": []byte("{")}}))
	if got, err := clocks.All(db, "g1"); len(got) != 1 || got[b].Late != 2 || !errors.Is(err, store.ErrDamaged) {
		t.Errorf("of two records one of which is damaged %v, %v", got, err)
	}
	if _, there, err := clocks.Get(db, a); there || !errors.Is(err, store.ErrDamaged) {
		t.Errorf("%v, %v", there, err)
	}
}

// overtaken is a store in which something happens before its records are read.
type overtaken struct {
	store.Reader
	happens func()
}

func (o *overtaken) Notes(prefix string) (map[string][]byte, error) {
	o.happens()
	return o.Reader.Notes(prefix)
}

// A migration may come while a phase waits, and leaves it as it is.
func testAMigrationKeepsTheOpenPhase(t *testing.T, e Engine) {
	db := e.Open(t)
	g := NewGame("g1")
	open := store.OpenPhase{Phase: "2.1 movement", Turn: 2, Journal: []byte(`[{"kind":"roll","dice":[6]}]`)}
	c := Full(g, 0)
	c.Open = &open
	Must(t, db.Commit(c))
	migrate := func(o *store.OpenPhase, more ...store.Phase) store.Change {
		return store.Change{Game: &g, Expect: 1, Open: o, Phases: append([]store.Phase{{Phase: store.Migration + "2", Snapshot: []byte("position")}}, more...)}
	}
	for what, c := range map[string]store.Change{
		"the open phase lost":     migrate(nil),
		"the open phase removed":  migrate(&store.OpenPhase{}),
		"another one":             migrate(&store.OpenPhase{Phase: "2.2 combat", Journal: open.Journal}),
		"other dice":              migrate(&store.OpenPhase{Phase: open.Phase, Journal: []byte(`[{"kind":"roll","dice":[5]}]`)}),
		"another phase completed": migrate(nil, store.Phase{Phase: "2.2 combat", Snapshot: []byte("x")}),
	} {
		WantErr(t, what, db.Commit(c), store.ErrRewritten)
	}
	Must(t, db.Commit(migrate(&open)))
	p, err := db.Load("g1")
	if err != nil || p.Open == nil || string(p.Open.Journal) != string(open.Journal) || p.Latest.Phase != store.Migration+"2" {
		t.Errorf("%+v, %v", p, err)
	}
	sound(t, db)
}

// A mail that must not be kept leaves its mark, and no bytes.
func testUnkept(t *testing.T, e Engine) {
	db := e.Open(t)
	sha, err := db.Spool([]byte("a secret"))
	Must(t, err)
	Must(t, db.Commit(store.Change{Handled: &store.Handled{SHA256: sha, Received: Noon, Outcome: "not kept"}, Unkept: true}))
	if h, ok, err := db.Handled(sha); err != nil || !ok || h.Spooled {
		t.Errorf("handled %+v, %v, %v", h, ok, err)
	}
	_, err = db.Spooled(sha)
	WantErr(t, "Spooled", err, store.ErrNotFound)
	sound(t, db)
}
