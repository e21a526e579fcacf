package archive

import (
	"errors"
	"regexp"
	"strings"

	"fieldpost/mailbox"
	"fieldpost/umpire/match"
	"fieldpost/umpire/proof"
)

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
		return t, errors.New("no keys found: this is not an invitation")
	}
	return t, nil
}
