// Package suite is what every engine of a store is tried by: the tests of all that a store.Store
// promises.
package suite

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"fieldpost/store"
)

// Engine is one to try.
type Engine struct {
	// Open makes an empty store, which is closed when the test ends.
	Open func(testing.TB) store.Store
	// Reopen is the store as the next process finds it.
	Reopen func(testing.TB, store.Store) store.Store
	// Dump is everything that is in the store, to see that nothing changed.
	Dump func(testing.TB, store.Store) map[string]string
}

// Run tries an engine.
func Run(t *testing.T, e Engine) {
	for _, one := range []struct {
		name string
		try  func(*testing.T, Engine)
	}{
		{"CommitKeepsEverything", testCommitKeepsEverything},
		{"CommitRefuses", testCommitRefuses},
		{"StaleChangesNothing", testStaleChangesNothing},
		{"ConcurrentWriters", testConcurrentWriters},
		{"OpenPhaseGrowsUntilItIsComplete", testOpenPhaseGrowsUntilItIsComplete},
		{"SeatsFollowTheKeys", testSeatsFollowTheKeys},
		{"SheetsComeInOrderOfArrival", testSheetsComeInOrderOfArrival},
		{"NotFound", testNotFound},
		{"Notes", testNotes},
		{"Kinds", testKinds},
		{"AMigrationKeepsTheOpenPhase", testAMigrationKeepsTheOpenPhase},
		{"Unkept", testUnkept},
		{"QueueOrder", testQueueOrder},
		{"LifeOfAMail", testLifeOfAMail},
		{"MailSteps", testMailSteps},
		{"EnqueueTwice", testEnqueueTwice},
		{"InterruptedMailIsSentAgain", testInterruptedMailIsSentAgain},
		{"FindMessage", testFindMessage},
		{"RandomWalk", testRandomWalk},
		{"AMailIsReplacedBeforeItIsSent", testAMailIsReplacedBeforeItIsSent},
		{"AFailedChangeReplacesNothing", testAFailedChangeReplacesNothing},
		{"MailsSince", testMailsSince},
		{"MarksOfMessages", testMarksOfMessages},
		{"LowWaterMark", testLowWaterMark},
		{"MarksOfGoneMessagesAreForgotten", testMarksOfGoneMessagesAreForgotten},
		{"TheSameMailIsHandledOnce", testTheSameMailIsHandledOnce},
		{"Arrivals", testArrivals},
		{"OrderOfArrivals", testOrderOfArrivals},
		{"MailsPutOff", testMailsPutOff},
		{"ManyHandleMails", testManyHandleMails},
		{"ReckoningsConflict", testReckoningsConflict},
		{"AReckoningOvertakesItself", testAReckoningOvertakesItself},
		{"AReckoningReadsANoteOnce", testAReckoningReadsANoteOnce},
		{"Prune", testPrune},
		{"StrangersMailGoesSooner", testStrangersMailGoesSooner},
	} {
		t.Run(one.name, func(t *testing.T) { one.try(t, e) })
	}
}

// Noon is the time of all tests: the store never asks for another.
var Noon = time.Date(1943, 7, 5, 12, 0, 0, 0, time.UTC)

const (
	KeyAxis   = "ssh-ed25519 AAAAaxis"
	KeySoviet = "ssh-ed25519 AAAAsoviet"
)

func NewGame(id string) store.Game {
	return store.Game{
		ID: id, System: "wb95", RulesVersion: "1", Scenario: "kursk", Status: store.StatusRunning,
		Sides: []string{"axis", "soviet"}, DiceKey: make(store.Secret, 32), Created: Noon,
		Players: []store.Player{
			{Side: "axis", Address: "a@example.org", Key: KeyAxis + " comment", Name: "A"},
			{Side: "soviet", Address: "s@example.org", Key: KeySoviet, Name: "S"},
		},
		Options: map[string]string{"tempo": "turn"},
	}
}

func Mail(id, game string) store.Mail {
	return store.Mail{ID: id, Game: game, Side: "axis", From: "gm@example.org", To: "a@example.org",
		MessageID: id + "@example.org", Kind: "report", Raw: []byte("Subject: " + id + "\r\n\r\ntext\r\n")}
}

// full is a Change of a game with all the parts that one mail can bring.
func Full(g store.Game, expect uint64) store.Change {
	n := expect + 1
	raw := fmt.Appendf(nil, "mail %d of %s", n, g.ID)
	return store.Change{
		Handled: &store.Handled{SHA256: store.Sum(raw), Mailbox: "INBOX", UIDValidity: 7, UID: uint32(n), Received: Noon, Outcome: "orders"},
		Game:    &g,
		Expect:  expect,
		Phases: []store.Phase{
			{Phase: fmt.Sprintf("%d.1 movement", n), Turn: int(n), Journal: []byte(`[{"kind":"roll","dice":[6]}]`), Snapshot: fmt.Appendf(nil, "position %d.1", n)},
			{Phase: fmt.Sprintf("%d.2 combat", n), Turn: int(n), Snapshot: fmt.Appendf(nil, "position %d.2", n)},
		},
		Sheets: []store.Sheet{{Side: "axis", Turn: int(n), Serial: int(n), Canonical: "GAME: x", Digest: fmt.Sprint("digest-", n)}},
		Mails:  []store.Mail{Mail(fmt.Sprintf("%s-%d-axis", g.ID, n), g.ID), Mail(fmt.Sprintf("%s-%d-soviet", g.ID, n), g.ID)},
		Notes:  map[string][]byte{"last/" + g.ID: fmt.Append(nil, n)},
	}
}

func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func WantErr(t testing.TB, what string, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%s: error %v, want %v", what, got, want)
	}
}

// sound checks that nothing is wrong with a store.
func sound(t testing.TB, db store.Store) {
	t.Helper()
	for _, err := range db.Check() {
		t.Error(err)
	}
}
