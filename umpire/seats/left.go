package seats

import "fieldpost/store"

// LeftSeatRecords are those who gave a seat into other hands.
var LeftSeatRecords = store.OnePerChange[LeftSeat]("left")

// LeftSeat is one of them.
type LeftSeat struct {
	Name    string `json:"name"`
	Address string `json:"address"`
	Side    string `json:"side"`
	Late    int    `json:"late"`
	Seq     uint64 `json:"seq"` // the Change in which they left
}

// HadSeat notes who leaves a seat with the next Change.
func HadSeat(c *store.Change, g store.Game, p store.Player) {
	LeftSeatRecords.Put(c, store.Numbered{Game: g.ID, Seq: g.Seq + 1},
		LeftSeat{Name: p.Name, Address: p.Address, Side: p.Side, Late: p.LateTurns, Seq: g.Seq + 1})
}
