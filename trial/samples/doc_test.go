// Package samples has the trials that need no more than their package offers tried in small.
// They are tested together because each binary of tests with a whole umpire in it takes one or two seconds to link.
package samples
