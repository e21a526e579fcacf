package seats

import (
	"strings"

	"fieldpost/mailbox"
	"fieldpost/orders/seal"
)

// maxSigned bounds what is kept beside a detached signature.
const maxSigned = 64 << 10

// Evidence finds the signature of an accepted sheet in its mail, so that it can
// be shown to others without the mail. Signed are the bytes under the signature
// when they are not the canonical text. Both are empty when the signature is of
// a kind that cannot be lifted out; the mail in the spool is then the evidence.
func Evidence(m *mailbox.Message, canonical string, key seal.Key) (signature string, signed []byte) {
	var texts []string
	for _, p := range m.Texts {
		texts = append(texts, p.Text, p.AsSent)
	}
	var files []string
	for _, a := range m.Attachments {
		if len(a.Data) <= maxSigned {
			files = append(files, string(a.Data))
		}
	}
	for _, text := range append(texts, files...) {
		for _, c := range seal.Extract(text) {
			if k, err := seal.Verify([]byte(canonical), c.Armor, seal.Namespace); err == nil && k == key {
				return c.Armor, nil
			}
		}
	}
	for _, armored := range files {
		if !strings.HasPrefix(strings.TrimSpace(armored), "-----BEGIN SSH SIGNATURE-----") {
			continue
		}
		for _, data := range append(files, texts...) {
			s, err := seal.VerifyDetached([]byte(data), armored)
			if err == nil && s.Text == canonical && s.Key == key {
				return armored, []byte(data)
			}
		}
	}
	return "", nil
}
