// Package chart draws the map of a side's report: the printed map in the manner
// of a paper wargame, and on it the counters, the front and what happened. It
// knows a View and a Board, never a position and no game: kinds of terrain,
// rivers and roads are recognised by their names, and what has no known name
// still gets a plain drawing.
//
// A chart is a display list (canvas) of shapes and texts with two back ends, SVG
// text and a paletted PNG. What a board looks like without its pieces is drawn
// once for each board, scale and frame and kept, because a game mails the same
// map many times.
package chart
