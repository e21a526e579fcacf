package staff

import "fieldpost/adjudicator/hex"

// lead moves the headquarters to where they help most of those who fight, and
// stand covered.
func (p *plan) lead() {
	led := map[*piece]bool{}
	for _, hq := range p.pieces {
		if !hq.HQ || hq.done || !hq.Movable || len(hq.places) == 0 {
			continue
		}
		best, most := hex.None, -closed
		for _, h := range hq.places {
			if s, ok := p.post(hq, h, led); ok && s > most {
				best, most = h, s
			}
		}
		if best != hex.None {
			p.send(hq, best, "")
		}
		for _, u := range p.pieces {
			if u.at != hex.None && hq.at != hex.None && p.g.Distance(u.at, hq.at) <= hq.Range {
				led[u] = true
			}
		}
	}
}

// post is how good a hex is for a headquarters.
func (p *plan) post(hq *piece, h hex.Hex, led map[*piece]bool) (int, bool) {
	if h != hq.at && p.room(h) < hq.Steps || p.foes[h] != nil {
		return 0, false
	}
	n, defence := p.others(h, nil)
	d := p.toFoe(h)
	if n == 0 && d <= 3 || n > 0 && d <= 1 && !p.safe(h) || d <= 2 && defence < 4 {
		return -1000 + 50*d, true
	}
	s := 0
	for _, u := range p.pieces {
		if !u.Regular || u.at == hex.None || led[u] || p.g.Distance(u.at, h) > hq.Range {
			continue
		}
		switch {
		case u.fights:
			s += 12 + u.Attack
		case p.toFoe(u.at) <= frontline:
			s += 4
		default:
			s++
		}
	}
	if n > 0 {
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
