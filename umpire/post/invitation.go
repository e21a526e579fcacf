package post

import (
	"encoding/hex"
	"fmt"
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
		Code: code, By: by, Offer: o.offer(g, p, game), Method: MethodOf(p),
	}
	l.Offer.KeyOnly = len(duty) > 0
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

// MethodOf is how a player shows that a sheet is theirs; "" of who has no key yet.
func MethodOf(p store.Player) report.Method {
	key, err := seal.ParseKey(p.Key)
	if err != nil {
		return ""
	}
	return report.Method(key.Method())
}

// WayOf is how a player sends sheets, as their last one for these turns came: with an SSH
// key as a block of our program's, or with the file that ssh-keygen makes.
func (o *Office) WayOf(g store.Game, p store.Player, turns ...int) report.Method {
	method := MethodOf(p)
	if method != report.ByOpenSSH {
		return method
	}
	for _, turn := range turns {
		sheets, err := o.DB.Sheets(g.ID, p.Side, turn)
		if err != nil {
			return method
		}
		for _, s := range slices.Backward(sheets) {
			switch {
			case store.KeyID(s.Key) != store.KeyID(p.Key):
			case len(s.Signed) > 0: // the bytes of a file
				return report.ByKeygen
			default:
				return method
			}
		}
	}
	return method
}

// offer is what an invitation tells of a game.
func (o *Office) offer(g store.Game, p store.Player, game adjudicator.Game) report.Offer {
	about := report.Offer{Guest: p.Name, Host: o.ModeratorOf(g.ID).Name, Page: o.AboutClub.Page, Down: o.AboutClub.Downloads, Pace: paceOf(g)}
	if strings.EqualFold(p.Name, p.Side) {
		about.Guest = ""
	}
	for _, q := range g.Players {
		switch {
		case q.Side == p.Side:
		case q.Staffed():
			about.Opponents = append(about.Opponents, "a staff officer of the program")
		case q.Name != "":
			about.Opponents = append(about.Opponents, q.Name)
		}
	}
	if opening, err := game.Opening(); err == nil {
		if v, err := game.View(opening, adjudicator.Side(p.Side)); err == nil {
			about.Turns, about.Units = v.Turns, len(v.Units)
		}
	}
	return about
}

// mailsPerTurn is how many mails a turn of the game takes a player to write and to read.
const mailsPerTurn = 4

// paceOf says how much time the players of a game have, and how much mail that is.
func paceOf(g store.Game) string {
	r, err := match.ScheduleOf(g)
	if err != nil {
		return ""
	}
	if r.Deadline == nil {
		return fmt.Sprintf("There is no deadline; a turn takes each of you about %s.", count(mailsPerTurn, "mail"))
	}
	days, time := r.Deadline.Days, count(r.Deadline.Days, "day")
	if hours := int(r.Deadline.Hours.Hours()); hours > 0 {
		days, time = hours/24, count(hours, "hour")
	}
	says := "You have " + time + " for each turn"
	round := days * max(len(g.Sides), 1)
	if round == 0 {
		return says + "."
	}
	return fmt.Sprintf("%s: about %s a week.", says, count(max(1, mailsPerTurn*7/round), "mail"))
}

var inLetters = []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}

// count is a number of things in words.
func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	if n < len(inLetters) {
		return inLetters[n] + " " + what
	}
	return fmt.Sprintf("%d %s", n, what)
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
