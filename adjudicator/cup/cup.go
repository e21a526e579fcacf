// Package cup is a cup of activation chits. Chits belong to groups (a side, or a
// front of it) and are drawn one by one without replacement. It knows no game:
// who throws the dice is the caller's business.
//
// How many chits of each group are in the cup is public, which ones is not. So a
// draw is two throws: Group, among all chits in the cup, which everybody may see,
// and Chit, among those of the group, which only its owner may see until later.
package cup

import "slices"

// Cup holds the groups in a fixed order.
type Cup []Group

// Group is the chits of one owner.
type Group struct {
	Name string `json:"name"`
	// All is the chits that were put in, in a fixed order; In those that can still
	// be drawn in this round, in the same order.
	All []string `json:"all"`
	In  []string `json:"in"`
	// Left is how many draws are still to come. It may be more than the chits: when
	// the last one is out all go back, and the cup holds as many as are missing.
	//
	// Which of them go back is not decided until they are drawn: a blind choice,
	// drawn blindly, is a blind draw from all.
	Left int `json:"left"`
}

// New is a group with the chits in the cup for so many draws.
func New(name string, chits []string, draws int) Group {
	g := Group{Name: name, All: slices.Clone(chits), In: slices.Clone(chits), Left: draws}
	if len(chits) == 0 {
		g.Left = 0
	}
	return g
}

// Inside is how many chits of the group lie in the cup.
func (g Group) Inside() int { return min(g.Left, len(g.In)) }

// Inside is how many chits lie in the cup.
func (c Cup) Inside() int {
	n := 0
	for _, g := range c {
		n += g.Inside()
	}
	return n
}

// Left is how many draws are still to come.
func (c Cup) Left() int {
	n := 0
	for _, g := range c {
		n += g.Left
	}
	return n
}

// Group is the index of the group that a die of Inside faces draws from.
func (c Cup) Group(die int) int {
	for i, g := range c {
		if die -= g.Inside(); die <= 0 {
			return i
		}
	}
	return len(c) - 1
}

// Faces is the number of faces of the die that chooses among a group's chits.
func (g Group) Faces() int { return len(g.In) }

// Draw takes the chit that a die of Faces chose out of the group.
func (g *Group) Draw(die int) string {
	chit := g.In[die-1]
	g.In = slices.Delete(slices.Clone(g.In), die-1, die)
	if g.Left--; len(g.In) == 0 && g.Left > 0 {
		g.In = slices.Clone(g.All)
	}
	return chit
}

// Take takes a named chit out, for a game whose first chit is chosen. It reports
// whether it was there.
func (g *Group) Take(chit string) bool {
	i := slices.Index(g.In, chit)
	if i >= 0 {
		g.Draw(i + 1)
	}
	return i >= 0
}
