// Package archtest holds the import rules of the project as a test. They are
// policy: a build is mended, not these lists.
package archtest

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rule forbids imports in the files below a folder.
type rule struct {
	below  string   // folder; "" for all of the sources
	except []string // folders below it that are free
	tests  bool     // tests are free
	why    string
	forbid []string // import paths; "x/..." means x and all below it
	allow  []string // if not nil: of the project's packages only these
}

var leaves = []string{"fieldpost/adjudicator/hex", "fieldpost/adjudicator/table", "fieldpost/adjudicator/view",
	"fieldpost/adjudicator/rule", "fieldpost/adjudicator/board", "fieldpost/adjudicator/casebook", "fieldpost/adjudicator/cup", "fieldpost/adjudicator/phrase"}

var rules = []rule{
	{below: "adjudicator", why: "the engine is pure: no clock, files, network, randomness or logging, and knows nothing of the daemon",
		forbid: []string{"time", "os/...", "io/fs", "net/...", "log/...", "math/rand/...", "crypto/rand", "context",
			"fieldpost/store/...", "fieldpost/umpire/...", "fieldpost/mailbox/...", "fieldpost/report/...", "fieldpost/staff/...", "fieldpost/scenarios/...", "fieldpost/trial/...", "fieldpost/dice/...", "fieldpost/calendar", "fieldpost/demo/..."}},
	{below: "adjudicator/hex", why: "a leaf knows no game", allow: leaves},
	{below: "adjudicator/table", why: "a leaf knows no game", allow: leaves},
	{below: "adjudicator/view", why: "a leaf knows no game", allow: leaves},
	{below: "adjudicator/rule", why: "a leaf knows no game", allow: leaves},
	{below: "adjudicator/board", why: "a leaf knows no game", allow: leaves},
	{below: "adjudicator/casebook", why: "a leaf knows no game", allow: leaves},
	{below: "adjudicator/cup", why: "a leaf knows no game", allow: leaves},
	{below: "adjudicator/phrase", why: "a leaf knows no game", allow: append([]string{"fieldpost/orders"}, leaves...)},
	{below: "adjudicator/steppe", why: "a system stands on the core and the leaves; systems do not import each other", allow: append([]string{"fieldpost/adjudicator", "fieldpost/adjudicator/steppe", "fieldpost/orders"}, leaves...)},
	{below: "adjudicator/famous", why: "a system stands on the core and the leaves; systems do not import each other", allow: append([]string{"fieldpost/adjudicator", "fieldpost/adjudicator/famous", "fieldpost/orders"}, leaves...)},
	{below: "adjudicator/wb95", why: "a system stands on the core and the leaves; systems do not import each other", allow: append([]string{"fieldpost/adjudicator", "fieldpost/adjudicator/wb95", "fieldpost/orders"}, leaves...)},
	{below: "adjudicator/guidance", why: "guidance is asked of any system", allow: append([]string{"fieldpost/adjudicator", "fieldpost/orders"}, leaves...)},
	{below: "orders", why: "orders is a leaf: the vocabulary lives in each system's verbs", allow: []string{"fieldpost/orders", "fieldpost/orders/seal", "fieldpost/trial/signers"}},
	{below: "scenarios", why: "scenarios are data and import only leaves", allow: leaves},
	{below: "report", why: "a report is made from a View, never from a position; the sheets to fill in are read by orders", allow: append([]string{"fieldpost/report", "fieldpost/report/chart", "fieldpost/orders"}, leaves...)},
	{below: "mailbox", why: "the mailbox knows no rules", allow: []string{"fieldpost/mailbox", "fieldpost/orders", "fieldpost/orders/seal", "fieldpost/demo/postoffice", "fieldpost/trial/signers"}},
	{below: "store", why: "the store knows no rules", allow: []string{"fieldpost/store", "fieldpost/store/postgres", "fieldpost/store/postgres/server", "fieldpost/store/bolt", "fieldpost/store/memory", "fieldpost/store/faulty", "fieldpost/store/suite", "fieldpost/store/backup", "fieldpost/store/lean", "fieldpost/store/packing"}},
	{below: "staff", why: "a staff officer sees a View and writes sheets", forbid: []string{"fieldpost/store/...", "fieldpost/umpire/...", "fieldpost/report/...", "fieldpost/mailbox/..."}},
	{below: "playtest", why: "a playtest is a game on the engine alone", forbid: []string{"fieldpost/store/...", "fieldpost/umpire/...", "fieldpost/mailbox/...", "fieldpost/demo/..."}},
	{below: "trial/referee", why: "a referee shares no rule with the engine that it judges", forbid: []string{"fieldpost/adjudicator/wb95", "fieldpost/adjudicator/steppe", "fieldpost/adjudicator/famous", "fieldpost/adjudicator/systems", "fieldpost/trial/systems"}},
	{below: "trial/combats", why: "combats are fought again without the engine that fought them", forbid: []string{"fieldpost/adjudicator/wb95", "fieldpost/adjudicator/steppe", "fieldpost/adjudicator/famous", "fieldpost/adjudicator/systems", "fieldpost/trial/systems"}},
	{below: "trial/signers", why: "it makes signatures for tests", allow: []string{"fieldpost/orders", "fieldpost/orders/seal"}},
	{below: "calendar", why: "deadlines know nothing of games", allow: []string{"fieldpost/calendar"}},
	{below: "dice/beacon", why: "a beacon knows nothing of games", allow: []string{"fieldpost/dice/beacon", "fieldpost/dice/beacon/fakedrand"}},
	{below: "dice/vrf", why: "dice know nothing of games", allow: []string{"fieldpost/dice/vrf"}},
	{below: "umpire/seats", why: "who may speak for a side is known without rules, reports or a database at work", allow: append([]string{"fieldpost/umpire/seats", "fieldpost/dice/vrf", "fieldpost/mailbox", "fieldpost/orders", "fieldpost/orders/seal", "fieldpost/store"}, leaves...)},
	{below: "umpire/proof", why: "a report is checked without a daemon, a store or the rules", allow: append([]string{"fieldpost/umpire/proof", "fieldpost/dice/vrf", "fieldpost/dice/beacon", "fieldpost/mailbox", "fieldpost/orders/seal", "fieldpost/report", "fieldpost/store"}, leaves...)},
	{below: "umpire/match", why: "a game is played from its records without mail: what a sheet changes its caller commits", forbid: []string{
		"fieldpost/umpire", "fieldpost/umpire/archive", "fieldpost/umpire/scene", "fieldpost/umpire/judge", "fieldpost/umpire/proof", "fieldpost/mailbox/...", "fieldpost/staff/...", "fieldpost/report/chart"}},
	{below: "umpire/archive", why: "an archive is written and verified without a daemon", forbid: []string{"fieldpost/umpire", "fieldpost/umpire/scene", "fieldpost/umpire/judge", "fieldpost/staff/...", "fieldpost/report/chart"}},
	{below: "umpire/scene", why: "pictures are drawn from a game's records and views", forbid: []string{"fieldpost/umpire", "fieldpost/umpire/archive", "fieldpost/umpire/judge", "fieldpost/mailbox/...", "fieldpost/staff/..."}},
	{below: "umpire/judge", why: "a sheet is judged from a view: without a daemon, records, mail or an operating system", tests: true, allow: append([]string{"fieldpost/adjudicator", "fieldpost/orders", "fieldpost/report"}, leaves...),
		forbid: []string{"time", "os/...", "io/fs", "net/...", "log/...", "context"}},
	{below: "umpire/post", why: "the post writes and sends; it answers nothing that comes in", forbid: []string{"fieldpost/umpire", "fieldpost/umpire/archive", "fieldpost/umpire/judge", "fieldpost/umpire/audit", "fieldpost/staff/..."}},
	{below: "umpire/turns", why: "what lets games go on reads no mail", forbid: []string{"fieldpost/umpire", "fieldpost/umpire/acts", "fieldpost/umpire/intake", "fieldpost/umpire/club", "fieldpost/umpire/judge", "fieldpost/staff/..."}},
	{below: "umpire/acts", why: "a moderator's act gets its effect without a mail in: what reads mail stands on it", forbid: []string{"fieldpost/umpire", "fieldpost/umpire/archive", "fieldpost/umpire/intake", "fieldpost/umpire/club", "fieldpost/umpire/judge", "fieldpost/staff/..."}},
	{below: "umpire/intake", why: "a mail gets its effect without the daemon around it", forbid: []string{"fieldpost/umpire", "fieldpost/umpire/club"}},
	{below: "umpire/club", why: "who looks at games changes none", forbid: []string{"fieldpost/umpire", "fieldpost/umpire/acts", "fieldpost/umpire/intake", "fieldpost/umpire/turns", "fieldpost/umpire/judge", "fieldpost/staff/..."}},
	{below: "umpire/share", why: "the processors are divided without knowing for what", allow: []string{"fieldpost/umpire/share"}},
	{below: "hosting", tests: true, why: "who serves several clubs begins and ends them, and knows no game", allow: []string{"fieldpost/umpire", "fieldpost/umpire/share", "fieldpost/web"}},
	{below: "umpire/audit", why: "the log of acts knows the store alone", allow: []string{"fieldpost/umpire/audit", "fieldpost/store"}},
	{below: "umpire/door", tests: true, why: "who is logged in is known from the store alone", allow: []string{"fieldpost/umpire/door", "fieldpost/store"}},
	{below: "web", why: "the web page shows what the umpire says", allow: []string{"fieldpost/umpire", "fieldpost/umpire/door", "fieldpost/umpire/match", "fieldpost/umpire/scene", "fieldpost/umpire/club", "fieldpost/umpire/acts", "fieldpost/desk/dist", "fieldpost/packaging/sums"}},
	{below: "desk/practice", tests: true, why: "a practice game is played on the engine alone, by staff officers and a person",
		allow: append([]string{"fieldpost/desk", "fieldpost/adjudicator", "fieldpost/adjudicator/systems", "fieldpost/orders", "fieldpost/playtest", "fieldpost/scenarios",
			"fieldpost/staff", "fieldpost/umpire/judge"}, leaves...),
		forbid: []string{"time", "os/...", "io/fs", "net/...", "log/...", "context"}},
	{below: "desk/past", tests: true, why: "a finished game is played again on the engine alone",
		allow:  append([]string{"fieldpost/desk", "fieldpost/adjudicator", "fieldpost/adjudicator/systems", "fieldpost/scenarios"}, leaves...),
		forbid: []string{"time", "os/...", "net/...", "log/...", "context"}},
	{below: "desk", except: []string{"desk/build", "desk/dist", "desk/past", "desk/practice"}, tests: true, why: "the desk is the engine in a browser: it knows a view, and no records, no network and no operating system",
		allow: append([]string{"fieldpost/desk", "fieldpost/adjudicator", "fieldpost/adjudicator/guidance", "fieldpost/adjudicator/systems", "fieldpost/desk/past", "fieldpost/desk/practice", "fieldpost/dice/vrf", "fieldpost/orders", "fieldpost/orders/seal",
			"fieldpost/report", "fieldpost/report/chart", "fieldpost/scenarios", "fieldpost/umpire/judge"}, leaves...),
		forbid: []string{"time", "os/...", "io/fs", "net/...", "log/...", "context"}},
	{below: "desk/build", why: "the page is built of its sources, and of nothing that it shows", allow: []string{"fieldpost/desk/dist"}},
	{below: "desk/dist", tests: true, why: "the page is carried as it was built", allow: []string{"fieldpost/desk/dist"}},
	{below: "packaging", why: "what is given away is made of the program, and knows none of it but signatures", allow: []string{"fieldpost/orders/seal", "fieldpost/packaging/sums"}},
	{below: "cmdline", why: "a command line knows no rules and no trial", allow: []string{"fieldpost/umpire", "fieldpost/umpire/match"}},
	{why: "only programs have a command line", except: []string{"cmd"}, forbid: []string{"fieldpost/cmdline"}},
	{why: "it plays numbered cases in tests", tests: true, forbid: []string{"fieldpost/adjudicator/caserun"}},
	{why: "what tries the product is no part of it", except: []string{"trial", "cmd/fieldpost-trial"}, tests: true, forbid: []string{"fieldpost/trial/..."}},
	{below: "cmd", why: "commands hold no logic", forbid: []string{"fieldpost/adjudicator", "fieldpost/adjudicator/wb95", "fieldpost/adjudicator/steppe", "fieldpost/adjudicator/famous"}},
}

func (r rule) broken(path string) bool {
	for _, f := range r.forbid {
		base, tree := strings.CutSuffix(f, "/...")
		if path == base || tree && strings.HasPrefix(path, base+"/") {
			return true
		}
	}
	if r.allow == nil || !strings.HasPrefix(path, "fieldpost/") {
		return false
	}
	for _, a := range r.allow {
		if path == a {
			return false
		}
	}
	return true
}

// forTests is what every test may import.
var forTests = []string{"fieldpost/scenarios", "fieldpost/adjudicator/caserun", "fieldpost/trial/browser", "fieldpost/trial/ramdisk"}

// covers tells whether the rule is for a file.
func (r rule) covers(file string) bool {
	in := func(folder string) bool { return strings.HasPrefix(file, folder+"/") }
	if r.tests && strings.HasSuffix(file, "_test.go") || slices.ContainsFunc(r.except, in) {
		return false
	}
	return r.below == "" || in(r.below)
}

func TestImports(t *testing.T) {
	root := ".."
	files, matched := 0, make([]int, len(rules))
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		rel = filepath.ToSlash(rel)
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		files++
		for i, r := range rules {
			if !r.covers(rel) {
				continue
			}
			matched[i]++
			// Tests may read files and clocks; what they may not do is reach into other parts.
			test := strings.HasSuffix(rel, "_test.go")
			for _, imp := range file.Imports {
				p, _ := strconv.Unquote(imp.Path.Value)
				if test && !strings.HasPrefix(p, "fieldpost/") || test && slices.Contains(forTests, p) {
					continue
				}
				if r.broken(p) {
					t.Errorf("%s imports %s: %s", rel, p, r.why)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 10 {
		t.Errorf("only %d files were read: the test looks in the wrong place", files)
	}
	for i, r := range rules {
		if matched[i] == 0 {
			t.Errorf("the rule for %s guards nothing: there is no such folder", r.below)
		}
	}
}

// The rules must be able to fail.
func TestTheRulesBite(t *testing.T) {
	for path, want := range map[string]bool{"time": true, "os": true, "net/http": true, "strings": false, "fieldpost/store": true, "fieldpost/orders": false} {
		if got := rules[0].broken(path); got != want {
			t.Errorf("adjudicator importing %s: forbidden %v, want %v", path, got, want)
		}
	}
	if !rules[1].broken("fieldpost/adjudicator/wb95") || rules[1].broken("fieldpost/adjudicator/rule") {
		t.Error("the leaves' list does not bite")
	}
	i := slices.IndexFunc(rules, func(r rule) bool { return slices.Contains(r.forbid, "fieldpost/trial/...") && r.below == "" })
	for file, want := range map[string]bool{"umpire/play.go": true, "cmd/fieldpost/main.go": true, "umpire/play_test.go": false, "trial/fog/fog.go": false, "cmd/fieldpost-trial/main.go": false} {
		if got := rules[i].covers(file) && rules[i].broken("fieldpost/trial/engine"); got != want {
			t.Errorf("%s importing a trial: forbidden %v, want %v", file, got, want)
		}
	}
}
