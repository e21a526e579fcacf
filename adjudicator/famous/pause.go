package famous

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// kindMode is the decision that holds what a side wants to be paused for; filed,
// never waited for.
const kindMode = "mode"

const triggerHelp = "Triggers are: 2135 FALLS, VP HEX LOST, HQ LOST, BRIDGE BLOWN, TANKS, PINNED; a chit none of whose conditions holds always pauses."

// news is what has happened to a side since its last chit that it may want to be
// asked for: "FALLS 2135", "VP", "HQ", "BRIDGE", "TANKS", "PINNED".
func (s *State) news(side Side, what string) {
	n := &s.News[s.sc.number(side)]
	if at, ok := slices.BinarySearch(*n, what); !ok {
		*n = slices.Insert(*n, at, what)
	}
}

// triggers reads what stands behind PAUSE-IF, as news has it.
func (p *parser) triggers(text string) (out []string, v *rule.Violation) {
	text = strings.ToUpper(strings.TrimSpace(text))
	rest, ok := strings.CutPrefix(text, "PAUSE-IF")
	if !ok {
		return nil, nil
	}
	for _, part := range strings.Split(rest, ",") {
		switch part = strings.TrimSpace(part); part {
		case "":
		case "VP HEX LOST":
			out = append(out, "VP")
		case "HQ LOST":
			out = append(out, "HQ")
		case "BRIDGE BLOWN":
			out = append(out, "BRIDGE")
		case "TANKS", "PINNED":
			out = append(out, part)
		default:
			place, falls := strings.CutSuffix(part, " FALLS")
			r := phrase.New(wordsOf(place))
			var h hex.Hex
			if h, v = p.place(&r); v != nil || !falls {
				return out, &rule.Violation{Clause: "GD 6.0", Why: fmt.Sprintf("the trigger %q is not understood", part), Instead: triggerHelp}
			}
			out = append(out, "FALLS "+h.String())
		}
	}
	return out, nil
}

// pauses says why a side in PAUSE-IF should be asked at its chit, "" if nothing it
// has named has happened since its last one.
func (s *State) pauses(r *adjudicator.Run, p *parser) string {
	mode := r.Ask(adjudicator.Decision{Label: "mode of the " + string(p.side), Kind: kindMode, Side: p.side, Clause: "GD 6.0", Filed: true})[0]
	want, _ := p.triggers(mode)
	n := &s.News[s.sc.number(p.side)]
	why := ""
	for _, t := range want {
		if slices.Contains(*n, t) && why == "" {
			why = map[string]string{"VP": "a hex of victory points was lost", "HQ": "a headquarters was lost", "BRIDGE": "a bridge was blown", "TANKS": "enemy tanks came into sight", "PINNED": "a unit was pinned"}[t]
			if why == "" {
				why = strings.TrimPrefix(t, "FALLS ") + " has fallen"
			}
		}
	}
	*n = nil
	return why
}

// mode judges the MODE line of a sheet.
func (c *check) mode(sheet *orders.Sheet) {
	text := sheet.Header("MODE")
	if text == "" {
		return
	}
	_, v := (&parser{s: c.s, side: c.side}).triggers(text)
	if v == nil {
		c.filing.Answers[kindMode] = text
		return
	}
	for _, h := range sheet.Headers {
		if h.Name == "MODE" {
			c.line(h.Pos, "MODE: "+text, "", v, "")
		}
	}
}
