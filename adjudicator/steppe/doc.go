// Package steppe is the rules of Duel on the Steppe: the winter campaign in the
// Ukraine, January to March 1943, activated by drawn chits.
//
// A file of rules is named after its chapter and its functions stand in clause
// order. The book numbers sections only; clauses.txt splits them into duties, and
// code cites the duty it is:
//
//	// Steppe 10.1/3             this function or line is the duty
//	// reading Steppe 10.3: ...  our ruling where the book is silent
//	// deviation Steppe 15.0: .. changed for play by mail
//
// Words: a command is a colour of counters (German Army, SS, Hungarians, the two
// Soviet fronts). A chit names a headquarters; its programme is what its owner has
// written for it in advance. Movement points are whole.
package steppe
