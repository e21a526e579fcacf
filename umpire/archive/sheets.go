package archive

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/seats"
)

// sheet checks a sheet's signature and reads it as it was read when it came.
func (v *verifier) sheet(m match.Match, s Sheet, in waited) (f match.Filing, ok bool) {
	name := fmt.Sprintf("%s, sheet %d of %s", PartSheets, s.Serial, s.Side)
	by, err := v.sentBy(m, s)
	if err != nil {
		v.fault(name, "%w", err)
		return f, false
	}
	sheet, _ := orders.Parse(s.Canonical, m.System.Vocabulary())
	if !v.inItsPlace(s, sheet) {
		v.fault(name, "its text is not that of this place in the game")
		return f, false
	}
	if v.notPlayed(s, sheet) {
		return f, false
	}
	seen, err := in.seen(m.Rules, s)
	if err != nil {
		v.fault(name, "%w", err)
		return f, false
	}
	checked := m.Rules.Check(seen, sheet)
	f = match.FilingOf(checked, sheet, adjudicator.Side(s.Side), in.phase)
	f.Seq = s.Seq
	if by != "" {
		f.By = by
	}
	return f, true
}

// sentBy checks who sent a sheet, and names them if it was not the player or one of the
// side's commanders. What cannot be proved is noted; the error is what is wrong.
func (v *verifier) sentBy(m match.Match, s Sheet) (by string, err error) {
	if seal.IsCode(s.Key) {
		v.unproven("sheet %d of %s came with a code: nobody can prove who sent it", s.Serial, s.Side)
		return "", nil
	}
	ring := v.ring(s.Received)
	if own, err := seal.ParseKey(s.Key); err == nil {
		ring = v.ring(s.Received, own) // as it was then: a key of OpenPGP grows
	}
	key, err := s.Signer(ring)
	switch {
	case errors.Is(err, errNoProof):
		v.unproven("sheet %d of %s: neither its signature nor its mail is kept", s.Serial, s.Side)
		return "", nil
	case err != nil:
		return "", err
	case key.String() == v.m.DaemonKey && s.byDaemon():
		return "", v.daemonWrote(m, s)
	}
	seat := v.seat(s.Side)
	switch {
	case seat.commands(s.Part, key):
		if s.Part == 0 {
			by = seats.ByDeputy
		}
	case seat.keyAt(s.Seq) != key.ID():
		return "", fmt.Errorf("signed by %s, which was not the key of %s then", key.Fingerprint(), s.Side)
	}
	v.found.Sheets++
	return by, nil
}

// seat is the seat of a side, empty for a side that has none.
func (v *verifier) seat(side string) (seat archivePlayer) {
	for _, p := range v.m.Players {
		if p.Side == side {
			return p
		}
	}
	return seat
}

// byDaemon tells whether a sheet says that the daemon wrote it: joined from what several
// wrote, or in the player's place.
func (s Sheet) byDaemon() bool { return s.joined() || match.StandInOfText(s.Canonical) != "" }

// joined tells whether a sheet says that it is joined from what a side's commanders wrote.
func (s Sheet) joined() bool {
	return strings.Contains(s.Canonical, "MODERATE: "+match.JoinedMark+"\n")
}

// daemonWrote checks a sheet that the daemon wrote and signed.
func (v *verifier) daemonWrote(m match.Match, s Sheet) error {
	if standIn := match.StandInOfText(s.Canonical); standIn != "" {
		v.unproven("sheet %d of %s was filed by %s in the player's place", s.Serial, s.Side, standIn)
		return nil
	}
	if line := v.unjoined(s, m.System); line != "" {
		return fmt.Errorf("it is joined from what the side's commanders wrote, and none of them wrote %q", line)
	}
	return nil
}

// notPlayed tells whether a sheet has had no part in the game by itself.
func (v *verifier) notPlayed(s Sheet, sheet *orders.Sheet) bool {
	switch {
	case s.Part > 0: // it was played as the joined sheet
		return true
	case s.Seq < v.migrated: // it cannot be read as it was
		return true
	case sheet.Command("WITHDRAW"):
		return false
	}
	return len(sheet.Commands) > 0 // a draw or a concession, no orders
}

// inItsPlace tells whether the text of a sheet names the game, side, turn and serial that
// the archive has it under.
func (v *verifier) inItsPlace(s Sheet, sheet *orders.Sheet) bool {
	turn, _ := sheet.Number("TURN")
	serial, _ := sheet.Number("SERIAL")
	switch {
	case !strings.EqualFold(sheet.Header("GAME"), v.m.Game), !strings.EqualFold(sheet.Header("SIDE"), s.Side):
		return false
	case serial != s.Serial, turn > s.Turn:
		return false
	case turn < s.Turn && !sheet.SettingsAlone():
		return false
	}
	return s.Digest == orders.Digest(s.Canonical)
}

// commands tells whether a key is of the commander whose part a sheet is, or of a
// deputy who signed in the player's place.
func (p archivePlayer) commands(part int, key seal.Key) bool {
	same := func(k string) bool { return store.KeyID(k) == key.ID() }
	for i, c := range p.Commanders {
		if !same(c.Key) && !slices.ContainsFunc(c.Former, same) {
			continue
		}
		if part == i+2 {
			return true
		}
		if c.Deputy && part <= 1 {
			return true
		}
	}
	return false
}

// unjoined is an order of a joined sheet that stands in no part that came until
// then, "" if there is none. Labels count for nothing: joining changes them.
func (v *verifier) unjoined(s Sheet, sys adjudicator.System) string {
	wrote := map[string]bool{"DONE": true}
	for _, p := range v.sheets {
		switch {
		case p.Side != s.Side, p.Turn != s.Turn, p.Seq > s.Seq:
			continue
		case p.Canonical == s.Canonical, strings.Contains(p.Canonical, "MODERATE: "+match.JoinedMark):
			continue // joined itself
		}
		for _, line := range match.Unlabelled(p.Canonical, sys) {
			wrote[line] = true
			if i := strings.Index(line, "MODE:"); i >= 0 {
				wrote[line[i:]] = true
			}
		}
	}
	lines := strings.Split(strings.TrimSuffix(s.Canonical, "\n"), "\n")
	for i, line := range match.Unlabelled(s.Canonical, sys)[:len(lines)] {
		if i > 4 && !wrote[line] { // the first five are the head
			return lines[i]
		}
	}
	return ""
}

// ring is every key that the archive holds: the players' first ones, and those
// that their sheets carry. Whether they had run out is asked of the time given.
func (v *verifier) ring(at time.Time, offered ...seal.Key) *seal.Ring {
	keys := offered
	add := func(text string) {
		if k, err := seal.ParseKey(text); err == nil {
			keys = append(keys, k)
		}
	}
	for _, p := range v.m.Players {
		add(p.Key)
		for _, c := range p.Commanders {
			add(c.Key)
			for _, k := range c.Former {
				add(k)
			}
		}
	}
	for _, s := range v.sheets {
		add(s.Key)
	}
	if at.IsZero() {
		at = time.Now()
	}
	return seal.NewRing(at, keys...)
}

// errNoProof says that neither a signature nor a mail of a sheet is kept.
var errNoProof = errors.New("nothing proves it")

// Signer is whose signature is under the sheet.
func (s Sheet) Signer(players *seal.Ring) (seal.Key, error) {
	switch {
	case s.Signature == "" && len(s.Mail) == 0:
		return nil, errNoProof
	case s.Signature == "":
		return s.signerInMail(players)
	case len(s.Signed) == 0:
		return seal.Verify([]byte(s.Canonical), s.Signature, seal.Namespace)
	}
	found, err := seal.VerifyDetached(s.Signed, s.Signature)
	if err == nil && found.Text != s.Canonical {
		err = errors.New("another text was signed")
	}
	return found.Key, err
}

// signerInMail is who signed the sheet in the mail that brought it.
func (s Sheet) signerInMail(players *seal.Ring) (seal.Key, error) {
	m, err := mailbox.Read(s.Mail)
	if err != nil {
		return nil, err
	}
	one, err := mailbox.SignedBy(m, players)
	sheets := []seal.Sealed{one}
	var several *mailbox.SeveralError
	if errors.As(err, &several) {
		sheets, err = several.Sheets, nil
	}
	if err != nil {
		return nil, err
	}
	for _, found := range sheets {
		if found.Text == s.Canonical {
			return found.Key, nil
		}
	}
	return nil, errors.New("its mail holds another sheet")
}
