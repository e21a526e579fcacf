// Package wb95 is the WB-95 rules system: Kharkov 1942/43, Nysa 1945, Kursk 1943.
//
// A file of rules is named after its chapter and its functions stand in clause
// order. Code cites the clause it is:
//
//	// WB-95 5.3.7               this function or line is the clause
//	// reading WB-95 5.3.3: ...  our ruling where the book is silent
//	// deviation WB-95 8.1.7: .. changed for play by mail
//
// Words: P is the side on move, N the other one. A step is one combat
// efficiency level (CEL) of the book. Movement is counted in twelfths of a point.
package wb95
