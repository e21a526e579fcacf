package wb95

import "fieldpost/adjudicator/view"

// wordingKursk is how the chapters of the Kursk book alone are told.
var wordingKursk = view.Wording{
	"mines":        "Mines{{if .front}} in the {{.front}}{{end}}: dice {{.dice}} ({{.label}}), {{.steps}} of those who were in the fortified lines.",
	"mine-loss":    "  {{.unit}} in {{.hex}} {{.left}} on mines.",
	"panthers":     "Panthers of {{.unit}} in {{.hex}}: dice {{.die}} ({{.label}}), {{if .breaks}}they break down{{else}}they run{{end}}.",
	"panther-loss": "  {{.unit}} in {{.hex}} {{.left}}.",

	"repair-placed":  "{{.unit}} in {{.hex}} is under repair: a step comes back in the next own Supply Phase if it is left in peace.",
	"repair-seen":    "The {{.side}} repair tanks in {{.hex}}.",
	"repaired":       "{{.unit}} in {{.hex}} was repaired and has {{.steps}} steps.",
	"repair-spoiled": "The repair of {{.unit}} in {{.hex}} came to nothing.",

	"withdrawn":       "Withdrawn by higher order: {{.units}}.",
	"withdrawal-seen": "The {{.side}} withdrew an armoured division.",
}
