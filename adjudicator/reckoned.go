package adjudicator

import (
	"fmt"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// Reckoned is what the reader of a View may reckon from it, for its map.
type Reckoned struct {
	// Zones are the zones of control of both sides; nil where the rules have none.
	Zones []view.Zone
	// Sight is what a side looks at; nil where the rules have no lines of sight.
	Sight *view.Lookout
	// Supply are the hexes to which a side's lines of supply lead; nil where that is not told.
	Supply []hex.Hex
}

// Reckon makes it from the View of a side, or of none: then what is one side's is left out.
func Reckon(g Game, v *view.View, side Side) (out Reckoned, err error) {
	if z, ok := g.(Zoner); ok {
		if out.Zones, err = z.Zones(v); err != nil {
			return out, fmt.Errorf("zones of control: %w", err)
		}
	}
	if side == "" {
		return out, nil
	}
	if o, ok := g.(Observer); ok {
		if out.Sight, err = o.Lookout(v); err != nil {
			return out, fmt.Errorf("lines of sight: %w", err)
		}
	}
	if s, ok := g.(Supplier); ok {
		if out.Supply, err = s.Supply(v); err != nil {
			return out, fmt.Errorf("lines of supply: %w", err)
		}
	}
	return out, nil
}
