//go:build !js

package seal

import (
	"bytes"
	"crypto"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	pgparmor "github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/clearsign"
	pgperrors "github.com/ProtonMail/go-crypto/openpgp/errors"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
)

const (
	beginPGPKey       = "-----BEGIN PGP PUBLIC KEY BLOCK-----"
	beginPGPSignature = "-----BEGIN PGP SIGNATURE-----"
	beginClearsigned  = "-----BEGIN PGP SIGNED MESSAGE-----"
)

// maxClearsigned is how many clearsigned messages of one text are tried, and
// maxPackets how many signatures stand in one armour.
const (
	maxClearsigned = 4
	maxPackets     = 4
)

// skew is how far the clock of a signer may be ahead of ours.
const skew = 24 * time.Hour

// pgpHashes are those that nobody has found collisions for.
var pgpHashes = []crypto.Hash{crypto.SHA256, crypto.SHA384, crypto.SHA512, crypto.SHA3_256, crypto.SHA3_512}

// pgpKey is an OpenPGP key: the fingerprint of its primary key in capital hex
// digits, and its packets without anything private.
type pgpKey struct{ id, packets string }

func (k pgpKey) Method() Method      { return OpenPGP }
func (k pgpKey) ID() string          { return string(OpenPGP) + " " + k.id }
func (k pgpKey) IsZero() bool        { return k.id == "" }
func (k pgpKey) Fingerprint() string { return groups(k.id) }

func (k pgpKey) String() string {
	var b strings.Builder
	w, err := pgparmor.Encode(&b, openpgp.PublicKeyType, nil)
	if err == nil {
		_, err = io.WriteString(w, k.packets)
		_ = w.Close()
	}
	if err != nil {
		return ""
	}
	return k.ID() + "\n" + b.String() + "\n"
}

// entity is an OpenPGP key ready for use.
type entity struct {
	key  pgpKey
	read *openpgp.Entity
}

// parseStoredOpenPGP reads what String printed, behind its first word.
func parseStoredOpenPGP(text string) (Key, error) {
	id, block, _ := strings.Cut(strings.TrimSpace(text), "\n")
	key, err := parseOpenPGP(strings.TrimSpace(block))
	if err != nil {
		return nil, err
	}
	if key.ID() != string(OpenPGP)+" "+strings.TrimSpace(id) {
		return nil, errors.New("the OpenPGP key is not the one that its first line names")
	}
	return key, nil
}

func parseOpenPGP(block string) (key Key, err error) {
	defer func() {
		if p := recover(); p != nil {
			key, err = nil, fmt.Errorf("the OpenPGP key cannot be read: %v", p)
		}
	}()
	list, err := openpgp.ReadArmoredKeyRing(strings.NewReader(block))
	if err != nil {
		return nil, fmt.Errorf("the OpenPGP key cannot be read: %w", err)
	}
	if len(list) != 1 || strings.Count(block, beginPGPKey) > 1 {
		return nil, errors.New("there is more than one OpenPGP key: one is expected")
	}
	e := list[0]
	if e.PrivateKey != nil {
		return nil, errors.New("this is a private key: keep it to yourself and hand in the public one")
	}
	if !canSign(e) {
		return nil, fmt.Errorf("the OpenPGP key cannot sign, or only with a weak algorithm (RSA needs %d bits)", minRSA)
	}
	var packets bytes.Buffer
	if err := e.Serialize(&packets); err != nil {
		return nil, fmt.Errorf("the OpenPGP key cannot be written: %w", err)
	}
	return pgpKey{strings.ToUpper(hex.EncodeToString(e.PrimaryKey.Fingerprint)), packets.String()}, nil
}

// canSign tells whether a key, or a subkey of it, makes signatures that are
// accepted here. Revoked keys make none; whether one has run out is looked at
// when it signs.
func canSign(e *openpgp.Entity) bool {
	if len(e.Revocations) > 0 {
		return false
	}
	ids := []uint64{e.PrimaryKey.KeyId}
	for _, s := range e.Subkeys {
		ids = append(ids, s.PublicKey.KeyId)
	}
	for _, id := range ids {
		for _, k := range (openpgp.EntityList{e}).KeysByIdUsage(id, packet.KeyFlagSign) {
			if strong(k.PublicKey) {
				return true
			}
		}
	}
	return false
}

func strong(k *packet.PublicKey) bool {
	switch k.PubKeyAlgo {
	case packet.PubKeyAlgoRSA, packet.PubKeyAlgoRSASignOnly:
		bits, err := k.BitLength()
		return err == nil && bits >= minRSA
	case packet.PubKeyAlgoECDSA, packet.PubKeyAlgoEdDSA, packet.PubKeyAlgoEd25519, packet.PubKeyAlgoEd448:
		return true
	}
	return false
}

// entities are the OpenPGP keys of the ring, read once.
func (r *Ring) entities() []entity {
	if r == nil {
		return nil
	}
	if r.read {
		return r.pgp
	}
	r.read = true
	for _, k := range r.all() {
		key, ok := k.(pgpKey)
		if !ok {
			continue
		}
		if e, err := openpgp.ReadEntity(packet.NewReader(strings.NewReader(key.packets))); err == nil {
			r.pgp = append(r.pgp, entity{key, e})
		}
	}
	return r.pgp
}

// Clearsigned finds the clearsigned messages of a text that keys of the ring
// signed (RFC 9580 section 7). Only the text between their markers is returned,
// without the dashes it was escaped with: what stands around it is nobody's.
// Trailing blanks are not signed and not returned. Errors wrap ErrNoBlock,
// ErrSignature, ErrMismatch or ErrUnknownKey.
func (r *Ring) Clearsigned(text string) (found []Verified, err error) {
	err = ErrNoBlock
	text = stripTrailing(strings.ReplaceAll(text, "\r\n", "\n"))
	for range maxClearsigned {
		at := strings.Index(text, beginClearsigned)
		if at < 0 {
			break
		}
		start := strings.LastIndexByte(text[:at], '\n') + 1
		prefix := text[start:at]
		part := text[at:]
		if prefix != "" && strings.Trim(prefix, "> |") == "" {
			// A reply that quotes it. The signature decides whether the marks were
			// added on the way.
			part = strings.ReplaceAll(part, "\n"+strings.TrimRight(prefix, " ")+"\n", "\n\n")
			part = strings.ReplaceAll(part, "\n"+prefix, "\n")
		}
		text = text[at+len(beginClearsigned):]
		v, bad := r.clearsigned(part)
		if bad != nil {
			if len(found) == 0 && errors.Is(err, ErrNoBlock) {
				err = bad
			}
			continue
		}
		found = append(found, v)
	}
	if len(found) > 0 {
		err = nil
	}
	return found, err
}

func (r *Ring) clearsigned(text string) (v Verified, err error) {
	defer func() {
		if p := recover(); p != nil {
			v, err = Verified{}, fmt.Errorf("%w: reading it broke the reader: %v", ErrSignature, p)
		}
	}()
	block, _ := clearsign.Decode([]byte(text))
	if block == nil {
		return v, fmt.Errorf("%w: the clearsigned text is not complete", ErrSignature)
	}
	packets, err := io.ReadAll(io.LimitReader(block.ArmoredSignature.Body, MaxArmor))
	if err != nil {
		return v, fmt.Errorf("%w: %w", ErrSignature, err)
	}
	key, err := r.check(block.Bytes, packets)
	if err != nil {
		return v, err
	}
	return Verified{Content: block.Plaintext, Key: key}, nil
}

// openPGP checks a detached signature.
func (r *Ring) openPGP(forms [][]byte, signature []byte) (Verified, error) {
	packets := signature
	if !isPGPSignature(signature) {
		block, err := pgparmor.Decode(bytes.NewReader(signature))
		if err != nil {
			return Verified{}, fmt.Errorf("%w: %w", ErrSignature, err)
		}
		if block.Type != openpgp.SignatureType {
			return Verified{}, fmt.Errorf("%w: it is a %s", ErrSignature, block.Type)
		}
		if packets, err = io.ReadAll(io.LimitReader(block.Body, MaxArmor)); err != nil {
			return Verified{}, fmt.Errorf("%w: %w", ErrSignature, err)
		}
	}
	err := ErrMismatch
	for _, form := range forms {
		var key Key
		if key, err = r.check(form, packets); err == nil {
			return Verified{form, key}, nil
		}
		if !errors.Is(err, ErrMismatch) {
			break
		}
	}
	return Verified{}, err
}

// check verifies the first signature of some packets that a key of the ring
// made.
func (r *Ring) check(content, packets []byte) (Key, error) {
	reader := packet.NewReader(bytes.NewReader(packets))
	for range maxPackets {
		p, err := reader.Next()
		if err == io.EOF {
			return nil, ErrUnknownKey
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrSignature, err)
		}
		sig, ok := p.(*packet.Signature)
		switch {
		case !ok || sig.IssuerKeyId == nil:
			return nil, fmt.Errorf("%w: it does not say who signed", ErrSignature)
		case sig.SigType != packet.SigTypeBinary && sig.SigType != packet.SigTypeText:
			return nil, fmt.Errorf("%w: it is not a signature over a text", ErrSignature)
		case !slices.Contains(pgpHashes, sig.Hash):
			return nil, fmt.Errorf("%w: its hash %v is too weak", ErrSignature, sig.Hash)
		}
		bad := ErrUnknownKey
		for _, e := range r.entities() {
			list := openpgp.EntityList{e.read}
			keys := list.KeysByIdUsage(*sig.IssuerKeyId, packet.KeyFlagSign)
			if !slices.ContainsFunc(keys, func(k openpgp.Key) bool { return strong(k.PublicKey) }) {
				continue
			}
			var one bytes.Buffer
			if err := sig.Serialize(&one); err != nil {
				return nil, fmt.Errorf("%w: %w", ErrSignature, err)
			}
			// Two keys may share their short id, which is all that a signature tells.
			if bad = r.fits(list, content, one.Bytes(), sig); bad == nil {
				return e.key, nil
			}
		}
		if !errors.Is(bad, ErrUnknownKey) {
			return nil, bad
		}
	}
	return nil, ErrUnknownKey
}

func (r *Ring) fits(list openpgp.EntityList, content, packets []byte, sig *packet.Signature) error {
	now := r.now
	if ahead := sig.CreationTime.Sub(now); ahead > 0 && ahead < skew {
		now = sig.CreationTime
	}
	config := &packet.Config{Time: func() time.Time { return now }}
	_, _, err := openpgp.VerifyDetachedSignature(list, bytes.NewReader(content), bytes.NewReader(packets), config)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, pgperrors.ErrKeyExpired):
		return fmt.Errorf("%w: %w", ErrExpired, err)
	case errors.Is(err, pgperrors.ErrSignatureExpired), errors.Is(err, pgperrors.ErrKeyRevoked):
		return fmt.Errorf("%w: %w", ErrSignature, err)
	}
	return fmt.Errorf("%w: %w", ErrMismatch, err)
}

// ErrExpired says that a signature fits and is by a key that is enrolled, and out of date. It
// is an ErrSignature. Keys of OpenSSH have no end.
var ErrExpired = fmt.Errorf("%w: the key has expired", ErrSignature)

// SignedWhole tells whether a text holds a message as "gpg --sign" makes them: signed, and
// packed so that it cannot be read, but not encrypted (RFC 9580 section 10.3).
func SignedWhole(text string) (is bool) {
	defer func() {
		if recover() != nil {
			is = false
		}
	}()
	packets := io.Reader(strings.NewReader(text)) // without armour
	if at := strings.Index(text, "-----BEGIN PGP MESSAGE-----"); at >= 0 {
		block, err := pgparmor.Decode(strings.NewReader(strings.ReplaceAll(text[at:], "\r\n", "\n")))
		if err != nil {
			return false
		}
		packets = block.Body
	}
	p, err := packet.Read(io.LimitReader(packets, MaxArmor))
	if err != nil {
		return false
	}
	switch p.(type) {
	case *packet.Compressed, *packet.OnePassSignature, *packet.Signature, *packet.LiteralData:
		return true
	}
	return false
}

// isPGPSignature tells a signature that gpg wrote without armour.
func isPGPSignature(data []byte) (is bool) {
	defer func() {
		if recover() != nil {
			is = false
		}
	}()
	if len(data) < 20 || data[0]&0x80 == 0 {
		return false
	}
	p, err := packet.Read(bytes.NewReader(data))
	if err != nil {
		return false
	}
	_, is = p.(*packet.Signature)
	return is
}
