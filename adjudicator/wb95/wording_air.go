package wb95

import "fieldpost/adjudicator/view"

// wordingAir is how the events of the air war and of bridges are told.
var wordingAir = view.Wording{
	"air-sent:all": "Aircraft sent:",
	"air-sent":     "{{.what}}",
	"air-skipped":  "Not flown: {{.order}}: {{.why}}.",
	"air-wasted":   "In vain: {{.what}}: {{.why}}.",
	"air-combat":   "{{.hex}}: air combat, {{.one}} against {{.two}}: dice {{.dice}} ({{.label}}), {{.verdict}}.",
	"air-attack": `{{.hex}}: air attack of the {{.side}}, {{.sp}} SP{{if .ground}} {{.ground}}{{end}}
{{- if .row}}, row {{.row}}: dice {{.dice}} ({{.label}}), {{.result}}{{else}}: too weak to do harm{{end}}.`,
	"air-loss":   "  {{.unit}} {{.left}}.",
	"air-bridge": "Bridge {{.bridge}}: air attack of the {{.side}}, {{.sp}} SP, row {{.row}}: dice {{.dice}} ({{.label}}), {{.result}}.",
	"air-supply": "{{.hex}}: dice {{.dice}} ({{.label}}), {{.good}} dropped{{if .units}} for {{.units}}{{end}}.",
	"air-harass": "Enemy aircraft over {{.hex}}: dice {{.dice}} ({{.label}}), {{.unit}}: {{.left}}.",
	"air-caught": "{{.hex}}: our aircraft caught moving troops, {{.steps}} lost.",

	"bridge-blown":   "Bridge {{.bridge}} was blown up by the {{.side}}.",
	"bridge-rebuilt": "Bridge {{.bridge}} was rebuilt by the {{.side}}.",
	"bridge-begun":   "{{.unit}} has begun to build a bridge at {{.bridge}}.",
	"bridge-built":   "A bridge stands at {{.bridge}}, built by the {{.side}}.",
	"bridge-void":    "{{.unit}} could not build the bridge at {{.bridge}}: {{.why}}.",
}
