package turns

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"fieldpost/mailbox"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/archive"
	"fieldpost/umpire/post"
)

// DisclosureRecords say that a finished game still owes its players the
// archive. One is set together with the end of the game and removed together with
// the mails, so that the disclosure happens once, whenever the process is stopped.
var DisclosureRecords = store.OnePerGame[store.Mark]("disclose").Plain()

// Finish ends the game in a Change, with the record of what it then owes.
func (k *Keeper) Finish(c *store.Change) {
	c.Game.Status, c.Game.Ended = store.StatusFinished, k.Now().UTC()
	DisclosureRecords.Put(c, c.Game.ID, store.Mark{})
}

// Disclose mails the archives of games that have ended: the salts of the
// commitments and the proofs of everything that was hidden.
func (k *Keeper) Disclose() {
	owed, err := DisclosureRecords.All(k.DB)
	if err := k.Readable(err); err != nil {
		k.Log.Error("what is to be disclosed cannot be read; it is tried again", "error", err)
		k.owesDisclosure.Store(true)
		return
	}
	k.owesDisclosure.Store(false)
	for id := range owed {
		err := k.discloseAlone(id)
		if err != nil {
			k.owesDisclosure.Store(true)
		}
		if err != nil && !errors.Is(err, store.ErrElsewhere) {
			k.Log.Error("a game is over and cannot be disclosed yet; it is tried again", "game", id, "error", err)
		}
	}
}

// discloseAgain is when a disclosure is tried again that failed.
const discloseAgain = 10 * time.Second

// discloseAlone discloses a game unless another node is at it.
func (k *Keeper) discloseAlone(id string) error {
	letGo, err := store.Hold(k.DB, "disclose/"+id)
	if err != nil {
		return err
	}
	defer letGo()
	return store.Anew(k.DB, func(db store.Store) error { return k.Over(db).discloseGame(id) })
}

// ArchiveRecipe is what the archive in a mail is made from again: the store, which has the game,
// and its signature.
type ArchiveRecipe struct {
	Archive *archive.Signed `json:"archive,omitempty"`
}

func (k *Keeper) discloseGame(id string) error {
	g, err := k.DB.Game(id)
	if err != nil {
		return err
	}
	if g.Status != store.StatusFinished {
		return fmt.Errorf("game %s is %s: nothing is disclosed before its end", id, g.Status)
	}
	raw, err := archive.Writer{Games: &k.Games, Key: k.Key}.Write(id)
	if err != nil {
		return err
	}
	signed, err := archive.SignedOf(raw)
	if err != nil {
		return err
	}
	recipe, err := json.Marshal(ArchiveRecipe{&signed})
	if err != nil {
		return err
	}
	var c store.Change
	DisclosureRecords.Drop(&c, id)
	for _, p := range k.Everybody(g) {
		name := strings.ToLower(id) + ".tar"
		l := report.Message{Kind: report.Notice, Game: g.ID, Title: g.Title, Scenario: g.Scenario, Side: p.Side, Address: k.Address,
			Reason: "The game is over, and nothing of it is secret any more.",
			Advice: []string{
				fmt.Sprintf("The file %s holds all of it: the scenario, the signed sheets of both sides, every roll with its proof, even those that were hidden from you, what every report told, and the salts of the commitments in the reports.", name),
				fmt.Sprintf("Check it with: fieldpost verify %s --invitation FILE.eml (your first mail in this game, as you saved it). It works out the whole game again from the sheets and the dice.", name),
				"The SHA-256 of the file is " + store.Sum(raw) + ". Your opponent has the same one.",
			}}
		m, err := k.Render(post.Draft{Game: g, Player: p, Kind: "disclosure", Number: "1", Subject: l.Subject(),
			Text: l.Text(), HTML: l.HTML(), Files: []mailbox.File{{Name: name, Type: "application/x-tar", Data: raw}}, Recipe: recipe})
		if err != nil {
			return err
		}
		c.Mails = append(c.Mails, m)
	}
	return store.Settle(k.DB, c)
}
