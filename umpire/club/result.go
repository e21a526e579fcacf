package club

import "time"

// Result is a finished game, for the club.
type Result struct {
	Game     string       `json:"game"`
	Scenario string       `json:"scenario"`
	Title    string       `json:"title"`
	Winner   string       `json:"winner"` // a side; "" for nobody
	Verdict  string       `json:"verdict"`
	Ended    time.Time    `json:"ended,omitzero"` // zero for games of before that was kept
	Seats    []SeatRecord `json:"seats"`
}

// SeatRecord is what a player did in a seat. Turns are those for which they filed a
// finished or unfinished sheet themselves, Late how often a deadline passed without one.
type SeatRecord struct {
	Side  string `json:"side"`
	Name  string `json:"name"`
	Turns int    `json:"turns"`
	Late  int    `json:"late"`
	Left  bool   `json:"left,omitempty"`  // another player took the seat over
	Staff bool   `json:"staff,omitempty"` // the program played

	address string
}
