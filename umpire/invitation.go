package umpire

import (
	"encoding/hex"
	"errors"
	"regexp"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/proof"
)

// invitation is a player's first mail: it carries the keys that everything later
// is checked with.
func (u *Umpire) invitation(g store.Game, p store.Player) (store.Mail, error) {
	return u.inviteWith(g, p, "", "")
}

// inviteWith is the invitation with a code to join by, and until when it holds.
func (u *Umpire) inviteWith(g store.Game, p store.Player, code, by string, duty ...string) (store.Mail, error) {
	game, sys, err := u.RulesOf(g)
	if err != nil {
		return store.Mail{}, err
	}
	l := report.Letter{
		Kind: report.Invitation, Game: g.ID, Title: g.Title, Scenario: g.Scenario, Side: p.Side, Address: u.Address,
		DiceKey: match.Thrower(g, "").Key.PublicKey().String(), DaemonKey: u.Key.Public().String(),
		Notes: append(append(duty, game.Unplayed()...), match.AgreedOptions(g, append(slices.Clone(match.OwnSettings), adjudicator.SettingsOf(game)...))...), Turn: 1, Serial: 1, Roster: roster(g), Sections: sys.Template(),
		Code: code, By: by,
	}
	number := "1"
	if code != "" {
		number = codeHash(code)[:16]
	}
	key, err := u.envelopeKey()
	if err != nil {
		return store.Mail{}, err
	}
	return u.post(draft{game: g, player: p, kind: "invitation", number: number, subject: l.Subject(), text: l.Text(), html: l.HTML(), files: key})
}

// envelopeKey is the OpenPGP key that encrypted mail is signed with, for the
// players' mail programs.
func (u *Umpire) envelopeKey() ([]mailbox.File, error) {
	envelope, err := u.Key.Envelope(u.Address)
	if err != nil {
		return nil, err
	}
	public, err := envelope.Public()
	return []mailbox.File{{Name: proof.FileKey, Type: "application/pgp-keys", Data: []byte(public)}}, err
}

var keyLine = regexp.MustCompile(`(?m)^\s*(dice key|our signing key)\s+(\S.*?)\s*$`)

// TrustFrom reads the two keys of an invitation.
func TrustFrom(raw []byte) (proof.Trust, error) {
	m, err := mailbox.Read(raw)
	if err != nil {
		return proof.Trust{}, err
	}
	var t proof.Trust
	for _, p := range m.Texts {
		if p.Type != "text/plain" {
			continue
		}
		for _, k := range keyLine.FindAllStringSubmatch(p.AsSent, -1) {
			if k[1] == "dice key" {
				t.DiceKey = k[2]
			} else {
				t.DaemonKey = k[2]
			}
		}
	}
	for _, p := range m.Texts {
		t.Drand = t.Drand || strings.Contains(strings.Join(strings.Fields(p.Text), " "), "Agreed: "+match.OptionBeacon+" = "+match.BeaconDrand)
	}
	if t.DiceKey == "" || t.DaemonKey == "" {
		return t, errors.New("no keys found: this is no invitation")
	}
	return t, nil
}

func roster(g store.Game) []report.Player {
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
