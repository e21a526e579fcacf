package wb95

import "fieldpost/adjudicator/view"

// wordingFire says the events of chapter 6.
var wordingFire = view.Wording{
	"fire": `{{.hex}}: {{if .barrage}}barrage{{else}}artillery fire{{end}} of the {{.side}}: {{.guns}}{{if .air}} + {{.air}} air{{end}}.
  strength {{.sum}}{{if .barrage}} doubled{{end}}{{if .ground}} less {{.ground}} for the ground: {{.sp}}{{end}}, dice {{.dice}} ({{.label}}): {{.roll}}, result {{.result}}`,
	"fire-nothing": `{{.hex}}: {{if .barrage}}barrage{{else}}artillery fire{{end}} of the {{.side}}: {{.guns}}{{if .air}} + {{.air}} air{{end}}.
  strength {{.sum}}{{if .barrage}} doubled{{end}} less {{.ground}} for the ground: no effect`,
	"fire-hit":          `  {{.unit}} {{.left}}.`,
	"fire-disorganized": `  {{.units}} disorganized by the fire.`,
	"fire-test":         `  Test of {{.units}}: dice {{.dice}} ({{.label}}) = {{.roll}}, {{.verdict}}.`,
	"fire-bridge": `Bridge {{.bridge}}: artillery fire of the {{.side}}: {{.guns}}.
  strength {{.sp}}, dice {{.dice}} ({{.label}}): {{.result}}`,
	"barrage-refused": `Not fired: {{.order}}: {{.why}}.`,
	"barrage-part":    `In {{.order}}: {{.why}}.`,
}
