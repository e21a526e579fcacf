// Package playtest plays whole games on the engine alone, without mail: two players,
// each of whom sees a View and writes sheets, staff officers where nobody else is
// seated. It shows the author of a scenario how it comes out. It knows games by
// adjudicator.Game only.
package playtest
