package wb95

import "fieldpost/adjudicator/view"

// wordingCombat says the events of chapter 5. The headline is the combat; what
// followed stands below it.
var wordingCombat = view.Wording{
	"combat": `{{.hex}}: {{.attacker}} attacked {{.defender}}{{if .made}} (an attack that had to be made){{end}}.
  attackers: {{.units}}
  defenders: {{.enemy}}
{{- if .lone}}
  headquarters or limbered guns alone: {{.column}}
{{- else}}
  attack {{.attack}}{{if .swamp}} (halved by swamp){{end}}{{if .works}} ({{if .through}}{{.through}} and support {{end}}halved by works){{end}}, defence {{.defence}}: {{.ratio}}{{if .decisive}}, {{.decisive}} decides{{end}}
{{- if .gunsA}}
  guns in attack: {{.gunsA}}{{end}}
{{- if .gunsD}}
  guns in defence: {{.gunsD}}{{end}}
{{- if .shifts}}
  {{.shifts}}: {{.column}}{{end}}
{{- end}}
  dice {{.dice}} ({{.label}}){{if .hq}}, {{.hq}}{{end}}: row {{.roll}}, result {{.result}}`,
	"combat-loss":         `  {{.unit}} {{.left}} ({{.why}}).`,
	"combat-stay":         `  {{.units}} stood on {{.hex}} instead of retreating {{.hexes}}.`,
	"combat-retreat":      `  {{.units}} fell back {{.hexes}}: {{.path}}.`,
	"combat-left":         `  {{.unit}}, in firing set-up, was left behind on {{.hex}}.`,
	"combat-pursuit":      `  {{.unit}} followed: {{.from}}-{{.path}}.`,
	"combat-test":         `  Test of {{.units}}: dice {{.dice}} ({{.label}}) = {{.roll}}, {{.verdict}}.`,
	"combat-disorganized": `  {{.units}} disorganized by the result.`,
	"combat-oos":          `  {{.unit}} {{.why}}: out of supply at level {{.level}}.`,
	"combat-choice":       `{{if or (ne .kind "pursuit") (ne .answer "NO") (eq .means "no pursuit")}}  By {{.source}}: {{.means}}.{{end}}`,
	"standing-skipped":    `  Passed over, {{.source}}: {{.why}}.`,
	"pursuit-full":        `  {{.unit}} found no room to follow.`,
	"attack-refused":      `Not fought: {{.order}}: {{.why}}.`,
	"attack-part":         `In {{.attack}}: {{.why}}.`,
	"attack-off":          `{{.attack}} was called off: {{.why}}.`,
	"attack-void":         `{{.attack}} was dropped: nobody was left to fight.`,
	"attack-added":        `{{.what}}.`,
}
