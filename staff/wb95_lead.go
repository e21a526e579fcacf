package staff

import "fieldpost/adjudicator/hex"

// moveHQs moves the headquarters to where they help most of those who fight, and
// stand covered.
func (p *wb95Plan) moveHQs() {
	for _, hq := range p.pieces {
		switch {
		case !hq.HQ, hq.done, !hq.Movable, len(hq.places) == 0:
			continue
		}
		best := unless(hex.None, -closed)
		for _, h := range hq.places {
			if s, ok := p.post(hq, h); ok {
				best.offer(h, s)
			}
		}
		if best.best != hex.None {
			p.send(hq, best.best, "")
		}
		if !hq.onMap() {
			continue
		}
		for _, u := range p.pieces {
			if u.onMap() && p.g.Distance(u.at, hq.at) <= hq.Range {
				u.led = true
			}
		}
	}
}

// post is how good a hex is for a headquarters, false if it cannot stand there.
func (p *wb95Plan) post(hq *wb95Unit, h hex.Hex) (int, bool) {
	if p.foes[h] != nil || !p.fits(hq, h) {
		return 0, false
	}
	d := p.toFoe(h)
	if p.uncovered(h) {
		return -1000 + 50*d, true
	}
	s := p.help(hq, h) - 4*p.as.undone(hq.ID, hq.Hex, h)
	if n, _ := p.others(h, nil); n > 0 {
		s += 10
	}
	if d <= 1 {
		s -= 15
	}
	if !p.a.InSupply(h) {
		s -= 40
	}
	if h == hq.at {
		s += 5
	}
	return s, true
}

// uncovered tells whether a hex is no place for a headquarters: the enemy is near and too
// little of ours stands there.
func (p *wb95Plan) uncovered(h hex.Hex) bool {
	n, defence := p.others(h, nil)
	d := p.toFoe(h)
	switch {
	case n == 0:
		return d <= 3
	case d <= 1 && !p.safe(h): // they would have to attack
		return true
	}
	return d <= 2 && defence < 4
}

// help is how much a headquarters on a hex does for those whom no other one leads.
func (p *wb95Plan) help(hq *wb95Unit, h hex.Hex) (s int) {
	for _, u := range p.pieces {
		switch {
		case !u.Regular, !u.onMap(), u.led, p.g.Distance(u.at, h) > hq.Range:
		case u.fights:
			s += 12 + u.Attack
		case p.toFoe(u.at) <= frontline:
			s += 4
		default:
			s++
		}
	}
	return s
}
