package post

import (
	"encoding/hex"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/proof"
)

// Invitation is a player's first mail: it carries the keys that everything later
// is checked with.
func (o *Office) Invitation(g store.Game, p store.Player) (store.Mail, error) {
	return o.InviteWith(g, p, "", "")
}

// InviteWith is the invitation with a code to join by, and until when it holds.
func (o *Office) InviteWith(g store.Game, p store.Player, code, by string, duty ...string) (store.Mail, error) {
	game, sys, err := o.RulesOf(g)
	if err != nil {
		return store.Mail{}, err
	}
	l := report.Message{
		Kind: report.Invitation, Game: g.ID, Title: g.Title, Scenario: g.Scenario, Side: p.Side, Address: o.Address,
		DiceKey: match.Thrower(g, "").Key.PublicKey().String(), DaemonKey: o.Key.Public().String(),
		Notes: append(append(duty, adjudicator.UnplayedOf(game)...), match.AgreedOptions(g, append(slices.Clone(match.OwnSettings), adjudicator.SettingsOf(game)...))...), Turn: 1, Serial: 1, Roster: Roster(g), Sections: sys.Template(),
		Code: code, By: by,
	}
	number := "1"
	if code != "" {
		number = CodeHash(code)[:16]
	}
	key, err := o.EnvelopeKey()
	if err != nil {
		return store.Mail{}, err
	}
	return o.Render(Draft{Game: g, Player: p, Kind: "invitation", Number: number, Subject: l.Subject(), Text: l.Text(), HTML: l.HTML(), Files: key})
}

// EnvelopeKey is the OpenPGP key that encrypted mail is signed with, for the
// players' mail programs.
func (o *Office) EnvelopeKey() ([]mailbox.File, error) {
	envelope, err := o.Key.Envelope(o.Address)
	if err != nil {
		return nil, err
	}
	public, err := envelope.Public()
	return []mailbox.File{{Name: proof.FileKey, Type: "application/pgp-keys", Data: []byte(public)}}, err
}

func Roster(g store.Game) []report.Player {
	var out []report.Player
	for _, p := range g.Players {
		signer := "no key: it was revoked"
		if key, err := seal.ParseKey(p.Key); err == nil {
			signer = seal.Signer(key)
		}
		if len(p.Nonce) > 0 {
			signer += ", nonce " + hex.EncodeToString(p.Nonce)
		} else if len(p.Sealed) > 0 {
			signer += ", a nonce sealed by " + hex.EncodeToString(p.Sealed)
		}
		if p.Staffed() {
			signer = "a staff officer: the program plays this side, " + signer
		}
		out = append(out, report.Player{Side: p.Side, Key: signer})
		for _, c := range p.Commanders {
			if key, err := seal.ParseKey(c.Key); err == nil && !c.Left {
				what := "one of its commanders, "
				if c.Deputy {
					what = "a deputy, "
				}
				out = append(out, report.Player{Side: p.Side, Key: what + seal.Signer(key)})
			}
		}
	}
	return out
}
