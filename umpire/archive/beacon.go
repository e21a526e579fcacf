package archive

import (
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"

	"fieldpost/dice/beacon"
	"fieldpost/dice/vrf"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/proof"
)

// AnnouncedRound is how a report says the round of the orders that it asks for. It is read in
// reports from before their view had a story; the view names it since.
var AnnouncedRound = regexp.MustCompile(`The dice of these orders come from round ([0-9]{1,19}) of drand`)

// rootAt is the root of the dice of a journal's entry: in a game with a beacon,
// bound to a value that must be the beacon's.
func (v *verifier) rootAt(p store.Phase, entry int) ([]byte, error) {
	b := match.BeaconAt(p.Beacon, entry)
	switch promised := v.m.Options[match.OptionBeacon] == match.BeaconDrand; {
	case !promised && len(p.Beacon) > 0:
		return nil, errors.New("they are bound to a beacon, which the game does not have")
	case !promised:
		return v.root, nil
	case b.Round == 0:
		return nil, errors.New("they are not bound to the beacon, as the game promised")
	}
	// Each pass over a phase has the value of its own closing.
	start, since, until := 0, uint64(0), p.Seq
	for _, s := range p.Stops {
		if s.Entries <= entry {
			start, since = s.Entries, s.Seq
		} else {
			until = s.Seq
			break
		}
	}
	switch {
	case b.From != start, since > 0 && b.Closed <= since, b.Closed >= until:
		return nil, fmt.Errorf("they are bound to round %d, closed in step %d, which is not that of their step", b.Round, b.Closed)
	}
	err, looked := v.drawn[b.Round]
	if !looked {
		err = v.chain.Verify(beacon.Value{Round: b.Round, Signature: b.Signature})
		v.drawn[b.Round] = err
		v.found.Drawn++
	}
	bound := vrf.Bound(v.root, b.Signature)
	return bound[:], err
}

// closings checks which rounds the dice were bound to: those that the reports before
// had named, one after the other. It also works out what the mails that closed the
// orders said, for their readers to compare.
func (v *verifier) closings() {
	var last store.Beacon
	for _, p := range v.phases {
		for _, b := range p.Beacon {
			if b.Closed == last.Closed && b.Round == last.Round {
				continue
			}
			switch {
			case b.Closed <= last.Closed, b.Closed >= p.Seq, b.Round < last.Round:
				v.fault(PartJournal, "%s: round %d of the beacon, closed in step %d, comes after round %d of step %d", p.Phase, b.Round, b.Closed, last.Round, last.Closed)
			}
			v.announcedFor(p, b, last.Closed)
			last = b
			salt, err := hex.DecodeString(v.salts[b.Closed])
			if err != nil || len(salt) == 0 {
				if v.m.Status == store.StatusFinished {
					v.fault(PartSalts, "the salt of the closing in step %d is missing", b.Closed)
				}
				continue
			}
			var sheets []store.Sheet
			for _, s := range v.sheets {
				sheets = append(sheets, s.Sheet)
			}
			v.found.Closings = append(v.found.Closings, fmt.Sprintf("step %d, round %d: %s", b.Closed, b.Round, proof.SealedOrders(salt, sheets, b.Closed)))
		}
	}
}

// announcedFor compares a round with the one that the last report before named.
func (v *verifier) announcedFor(p store.Phase, b store.Beacon, after uint64) {
	var at uint64
	for seq := range v.announced {
		if after < seq && seq < b.Closed {
			at = max(at, seq)
		}
	}
	switch round := v.announced[at]; {
	case at == 0:
		v.unproven("%s: that round %d of drand was named before it came: no report did, its players have the mail that closed the orders", p.Phase, b.Round)
	case round != b.Round:
		v.unproven("%s: the dice come from round %d of drand; the report of step %d had named round %d: the deadline was moved, and its players have the mail that said so", p.Phase, b.Round, at, round)
	}
}
