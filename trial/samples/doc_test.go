// Package samples has the trials tried in small, where that takes no more than their packages offer.
// They are tested together because each binary of tests with a whole umpire in it takes one or two seconds to link.
package samples
