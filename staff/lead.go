package staff

// Lead is by how much a plan that was chosen leads the usual one, in hundredths of a victory point: on the
// positions that it was chosen on, and on fresh ones. The best of several plans looks better than it is.
type Lead struct {
	Chosen, Fresh int
	Positions     int // how many fresh ones it was tried on; 0: the usual plan was kept, or nobody asks
}

// firstFresh numbers positions that no plan is chosen on.
const firstFresh = 1000

// lead tries a plan and the usual one on fresh positions, as many as are asked for.
func (t *thinking) lead(best *plan) Lead {
	usual := t.plans[0]
	if best == usual || t.o.Fresh == 0 {
		return Lead{}
	}
	fresh := *t
	fresh.sketches = nil
	for n := range t.o.Fresh {
		if sk, err := fresh.sketchOf(firstFresh + n); err == nil {
			fresh.sketches = append(fresh.sketches, sk)
		}
	}
	count := len(fresh.sketches)
	tried, kept := best.untried(), usual.untried()
	fresh.try(tried, count)
	fresh.try(kept, count)
	return Lead{weighed(best).Worth - weighed(usual).Worth, weighed(tried).Worth - weighed(kept).Worth, count}
}

// untried is the plan before it was tried anywhere.
func (p *plan) untried() *plan {
	again := *p
	again.worth = nil
	return &again
}
