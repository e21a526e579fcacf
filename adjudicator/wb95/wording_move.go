package wb95

import "fieldpost/adjudicator/view"

// wordingMove is how the events of movement, fortifications, supply and control
// are told.
var wordingMove = view.Wording{
	"set-up":         `Both sides have set up.`,
	"set-up-skipped": `{{.order}} was not carried out: {{.why}}.`,
	"moved:all":      "Moves carried out:",
	"moved":          "{{.units}} {{.text}}",
	"halt":           "  {{.unit}} halted in {{.hex}}: {{.why}}{{if .clause}} ({{.clause}}){{end}}.",
	"refused":        "{{if .unit}}{{.unit}} did not carry out{{else}}Not carried out:{{end}} {{.order}}: {{.why}}{{if .clause}} ({{.clause}}){{end}}.",
	"move-off":       "Not carried out, by its condition: {{.order}}: {{.why}}.",
	"back":           "{{.unit}} found no room in {{.hex}} and went back to {{.to}}.",
	"crowded":        "{{.hex}} was overfull: {{.unit}} lost a step.",

	"seen-moving:all":   "Enemy stacks seen moving:",
	"seen-moving":       "{{.from}} to {{.to}}",
	"seen-arriving:all": "New enemy stacks on the map:",
	"seen-arriving":     "{{.to}}",
	"overrun":           "{{.hex}}: {{.units}} ridden down by {{.side}}.",

	"fort-seen:all": "The enemy dug in:",
	"fort-seen":     "{{.hex}}",
	"fort-left:all": "Field fortifications abandoned:",
	"fort-left":     "{{.hex}}",
	"fort-taken":    "  The {{.fort}} in {{.hex}} were taken and lost their use.",

	"cut-off":        "{{.unit}} in {{.hex}} is out of supply, level {{.level}}.",
	"resupplied":     "{{.unit}} in {{.hex}} is supplied again{{if .level}}, level {{.level}} left to work off{{end}}.",
	"surrender":      "{{.unit}} in {{.hex}}, out of supply at level {{.level}}: {{.dice}}, {{if .gives}}it surrenders{{else}}it holds out{{end}}.",
	"seen-surrender": "In {{.hex}} a unit of {{.side}} surrendered.",

	"control:all": "Control changed:",
	"control":     "{{if .name}}{{.name}} {{end}}{{.hex}} to the {{.side}}{{if .points}} ({{.points}}){{end}}",
	"reserve":     "Reserves are released ({{.key}}): one unit a turn from tomorrow.",
}
