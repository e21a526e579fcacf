// Package famous is the rules system Famous Divisions: Grossdeutschland.
//
// A file of rules is named after its chapter and its functions stand in clause
// order. Code cites the clause it is:
//
//	// GD 10.4               this function or line is the clause
//	// reading GD 10.5: ...  our ruling where the book is silent
//	// deviation GD 17: ...  changed for play by mail
//
// Words: a chit is the activation chit of a headquarters; an event is an event
// chit; a battalion is the units of one colour. Movement is counted in twelfths
// of a point, stacking in halves of a unit.
package famous
