package wb95

import "fieldpost/adjudicator/view"

// wordingNysa is how the events of the notes of Nysa 1945 and Two Stars are told.
var wordingNysa = view.Wording{
	"left-map":     "  {{.unit}} left the map from {{.hex}} through zone {{.zone}}{{if .of}}: {{.count}} of {{.of}} steps{{end}}.",
	"seen-leaving": "The enemy stack of {{.hex}} or a part of it left the map through zone {{.zone}}{{if .of}}: {{.count}} of {{.of}} steps{{end}}.",

	"pontoon-laid": "{{.army}} of the {{.side}} laid its pontoon bridge at {{.bridge}}.",
	"pontoon-void": "No pontoon bridge could be laid at {{.bridge}}: it takes a regular unit at one end of an army that still has its bridge, and no enemy or zone of theirs at the other.",

	"defection": "{{.unit}} in {{.hex}}: dice {{.dice}} ({{.label}}), it {{.fate}}.",
	"hq-spare":  "A headquarters is lost: its replacement may come to any town of ours without an enemy beside it, from our next movement on.",
}
