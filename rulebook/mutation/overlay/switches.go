// Package overlay is laid over the package of a rules system whose mutants are tried:
// its two files are built into that package, under its name.
package overlay

//lint:file-ignore U1000 what is laid over calls them

import (
	"cmp"
	"math"
)

// mutation is which of the mutants is switched on, 0 for none, and what is noted of the run.
var mutation = struct {
	on      int
	steps   int    // calls of the switches
	most    int    // steps after which the run has no end
	reached []bool // mutants that made a difference or would have, by id; nil: not noted
}{most: math.MaxInt}

// mutantWithoutEnd is what a run without an end panics with.
const mutantWithoutEnd = "the case comes to no end"

func mutantStep() {
	if mutation.steps++; mutation.steps > mutation.most {
		panic(mutantWithoutEnd)
	}
}

// mutant tells whether a mutant is on. It is asked where the mutant makes a difference.
func mutant(id int) bool {
	mutantStep()
	if mutation.reached != nil {
		mutation.reached[id] = true
	}
	return id == mutation.on
}

// mutantLess is a < b, or a <= b.
func mutantLess[T cmp.Ordered](id int, a, b T) bool {
	mutantStep()
	return a < b || a == b && mutant(id)
}

// mutantAtMost is a <= b, or a < b.
func mutantAtMost[T cmp.Ordered](id int, a, b T) bool {
	mutantStep()
	return a < b || a == b && !mutant(id)
}

// mutantMore is a > b, or a >= b.
func mutantMore[T cmp.Ordered](id int, a, b T) bool {
	mutantStep()
	return a > b || a == b && mutant(id)
}

// mutantAtLeast is a >= b, or a > b.
func mutantAtLeast[T cmp.Ordered](id int, a, b T) bool {
	mutantStep()
	return a > b || a == b && !mutant(id)
}

type mutantInteger interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// mutantOff is a constant, or one beside it.
func mutantOff[T mutantInteger](id, by int, constant T) T {
	if mutant(id) {
		return constant + T(by)
	}
	return constant
}
