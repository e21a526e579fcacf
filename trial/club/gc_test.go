package club

import "runtime/debug"

// The tests trade memory for time: what they make is short-lived.
var _ = debug.SetGCPercent(400)
