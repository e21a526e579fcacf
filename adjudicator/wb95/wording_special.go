package wb95

import "fieldpost/adjudicator/view"

// wordingSpecial says the events of lost headquarters and of chapter 15.
var wordingSpecial = view.Wording{
	"hq-lost":    `Headquarters lost in {{.hex}}: the {{.side}} have {{.cms}} combat modifiers for the next two Combat Phases, within {{.reach}} hexes of it.`,
	"hqcm-short": `  {{.want}} modifiers for a lost headquarters were ordered in {{.attack}}, {{.have}} could be used.`,
}
