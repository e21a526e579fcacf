package seats

import (
	"encoding/json"
	"fmt"

	"fieldpost/store"
)

// LeftSeatNotes keep the records of those who gave a seat into other hands.
func LeftSeatNotes(game string) string { return "left/" + game + "/" }

// LeftSeat is such a note.
type LeftSeat struct {
	Name    string `json:"name"`
	Address string `json:"address"`
	Side    string `json:"side"`
	Late    int    `json:"late"`
	Seq     uint64 `json:"seq"` // the Change in which they left
}

// HadSeat notes who leaves a seat with the next Change.
func HadSeat(c *store.Change, g store.Game, p store.Player) error {
	text, err := json.Marshal(LeftSeat{Name: p.Name, Address: p.Address, Side: p.Side, Late: p.LateTurns, Seq: g.Seq + 1})
	c.Notes[fmt.Sprintf("%s%08d", LeftSeatNotes(g.ID), g.Seq+1)] = text
	return err
}
