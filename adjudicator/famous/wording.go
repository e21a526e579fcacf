package famous

import "fieldpost/adjudicator/view"

// Wording is how the system says its events. The headline is what happened; what
// followed from it stands below.
func (g *Game) Wording() view.Wording {
	return view.Wording{
		"verdict":     "The game is over: {{.verdict}}{{if .points}} ({{.points}}){{end}}.",
		"weather":     "{{.date}}: {{.weather}}, dice {{.dice}} ({{.label}}){{if .mod}} {{.mod}}{{end}}.",
		"opened":      "Reinforcements are released: {{.text}}.",
		"setup":       "The {{.who}} have set up.",
		"supply":      "  {{.unit}} on {{.hex}}: {{.state}}{{if .left}}, {{.left}}{{end}}.",
		"nominated":   "  In automatic supply: {{.units}}.",
		"chit":        "Chit {{.chit}} of the {{.who}}.",
		"pass":        "  {{.chit}} passed.",
		"skipped":     "  Not done: {{.order}}: {{.why}}.",
		"overstacked": "  {{.unit}} was {{.left}} on {{.hex}}: the hex held too much.",
		"replacement": "Replacements of the {{.who}}: dice {{.dice}} ({{.label}}) = {{.roll}}{{if .ersatz}}, Field Ersatz{{end}}: {{if .units}}{{.units}} rebuilt{{else}}none{{end}}.",

		"move":          "  {{.units}}: {{.path}}{{if .stop}}, stopped: {{.stop}}{{end}}.",
		"enemy-move":    "  {{.units}} moved: {{.path}}.",
		"enemy-advance": "    {{.units}} followed: {{.path}}.",
		"exit":          "  {{.unit}} of the {{.who}} left the map at {{.zone}}.",
		"mounted":       "  {{.unit}} rides on {{.tank}}.",
		"kept":          "  {{.units}} kept for the attacks of {{.for}}.",
		"dismount":      "  {{.unit}} dismounted on {{.hex}}.",
		"embark":        "  {{.unit}} is back on its wheels on {{.hex}}.",
		"debark":        "  {{.unit}} went on foot on {{.hex}}.",
		"cleared":       "  {{.unit}} cleared the fortifications on {{.hex}}.",

		"demolition":     "  {{.unit}} tried to blow the bridge at {{.bridge}}: dice {{.dice}} ({{.label}}): {{if .blown}}it is down{{else}}it stands{{end}}.",
		"pontoon":        "  {{.unit}} began a pontoon bridge at {{.bridge}}.",
		"pontoon-spoilt": "  The pontoon bridge at {{.bridge}} was given up.",
		"pontoon-built":  "A pontoon bridge of the {{.who}} stands at {{.bridge}}.",

		"shot":    `  {{.unit}} fired from {{.from}} at {{.target}} on {{.hex}}{{if .moving}} as it came{{end}}, range {{.distance}}{{if .mod}}, {{.mod}} each{{end}}: dice {{.dice}} ({{.label}}): {{if .harm}}harm done{{else if .hit}}hit{{if .moving}}, pinned{{end}}{{else}}missed{{end}}.`,
		"barrage": `  {{.unit}} shelled {{.hex}} from {{.distance}} hexes: dice {{.dice}} ({{.label}}): {{if .hit}}hit, {{if eq .harm "0"}}no harm{{else}}{{.harm}} to suffer{{end}}{{else}}missed{{end}}.`,
		"combat": `{{.hex}}: the {{.who}} attacked{{if .overrun}} (overrun){{end}}.
  attackers: {{.force}}{{if .gunfire}}; guns {{.gunfire}}{{end}}
  defenders: {{.guard}}{{if .shellfire}}; guns {{.shellfire}}{{end}}
  {{.attack}} against {{.defence}}: {{.column}}{{if .drms}}; {{.drms}}{{end}}{{if .halved}}; ground and works halved by engineers{{end}}
  dice {{.dice}} ({{.label}}) = {{.roll}}: {{.result}}, {{.meaning}}`,
		"event":   `  Event of the {{.who}}: {{.event}}{{if .drm}} {{.drm}}{{end}}{{if .why}}, {{.why}}{{end}}.`,
		"black":   `  The {{.who}} played {{.event}} against {{.target}}.`,
		"flak":    `  {{.unit}} fired at the aircraft from {{.distance}} hexes: dice {{.dice}} ({{.label}}): {{if .hit}}driven off{{else}}missed{{end}}.`,
		"loss":    `  {{.unit}} {{.left}}{{if .rider}}, {{.rider}} with it{{end}} ({{.why}}).`,
		"retreat": `  {{.unit}} fell back: {{.path}}.`,
		"advance": `  {{.unit}} followed: {{.path}}.`,
	}
}
