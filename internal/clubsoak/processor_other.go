//go:build !unix

package clubsoak

import "time"

// processor is not told here.
func processor() time.Duration { return 0 }
