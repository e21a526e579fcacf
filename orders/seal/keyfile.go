package seal

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/binary"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/blowfish"
)

// A key file is as OpenSSH keeps one (PROTOCOL.key). It is read and written here, for in a
// browser the whole of golang.org/x/crypto/ssh would be a fifth of what is loaded.
const (
	keyFileType  = "OPENSSH PRIVATE KEY"
	keyFileMagic = "openssh-key-v1\x00"
)

// keyRounds is how often a passphrase of a new key file is hashed, as ssh-keygen does it;
// mostRounds is how often at most, for a file may ask for hours.
const (
	keyRounds  = 24
	mostRounds = 1 << 12
)

// lock is how the secret part of a key file is encrypted.
type lock struct {
	cipher string
	salt   []byte
	rounds uint32
}

// lockSizes are the bytes of the key of each cipher.
var lockSizes = map[string]int{"aes128-ctr": 16, "aes192-ctr": 24, "aes256-ctr": 32, "aes256-cbc": 32}

// ParsePrivateKey reads an OpenSSH private key file (PEM "OPENSSH PRIVATE
// KEY"). The passphrase is ignored if the file is not locked; if the file is
// locked and the passphrase is empty, the error wraps ErrPassphrase.
func ParsePrivateKey(file []byte, passphrase string) (PrivateKey, error) {
	key, err := readKeyFile(file, passphrase)
	if err != nil {
		return PrivateKey{}, fmt.Errorf("reading the signing key: %w", err)
	}
	return key, nil
}

var errOtherKey = fmt.Errorf("it is not of type %s: make one with ssh-keygen -t ed25519", keyType)

func readKeyFile(file []byte, passphrase string) (PrivateKey, error) {
	block, _ := pem.Decode(file)
	switch {
	case block == nil && bytes.HasPrefix(file, []byte(keyType)):
		return PrivateKey{}, errors.New("this is the public half of a key: choose the file without .pub")
	case block == nil:
		return PrivateKey{}, errors.New("it is not a key file of OpenSSH")
	case block.Type != keyFileType:
		return PrivateKey{}, errOtherKey
	}
	rest, ok := bytes.CutPrefix(block.Bytes, []byte(keyFileMagic))
	if !ok {
		return PrivateKey{}, errors.New("it is not a key file of OpenSSH")
	}
	u := &unwire{rest: rest}
	by, kdf, options := u.text(), u.text(), &unwire{rest: u.bytes()}
	if n := u.number(); u.err == nil && n != 1 {
		return PrivateKey{}, fmt.Errorf("it holds %d keys", n)
	}
	u.bytes() // the public key, which stands in the secret part once more
	secret := u.bytes()
	if u.err != nil {
		return PrivateKey{}, fmt.Errorf("it is damaged: %w", u.err)
	}
	if by == "none" {
		return readSecret(secret, errors.New("it is damaged"))
	}
	l := lock{cipher: by, salt: options.bytes(), rounds: options.number()}
	switch {
	case lockSizes[by] == 0, kdf != "bcrypt":
		return PrivateKey{}, fmt.Errorf("it is locked by %q, which is not read here", by)
	case options.err != nil, l.rounds == 0, len(l.salt) == 0, len(secret)%aes.BlockSize != 0:
		return PrivateKey{}, errors.New("it is damaged")
	case l.rounds > mostRounds:
		return PrivateKey{}, fmt.Errorf("its passphrase is hashed %d times, at most %d are done", l.rounds, mostRounds)
	case passphrase == "":
		return PrivateKey{}, ErrPassphrase
	}
	return readSecret(l.apply(secret, passphrase, false), errors.New("the passphrase is wrong"))
}

// readSecret reads the open secret part; wrong is said if it makes no sense.
func readSecret(secret []byte, wrong error) (PrivateKey, error) {
	u := &unwire{rest: secret}
	one, other := u.number(), u.number()
	if one != other || u.err != nil {
		return PrivateKey{}, wrong
	}
	if kind := u.text(); u.err == nil && kind != keyType {
		return PrivateKey{}, errOtherKey
	}
	public, private := u.bytes(), u.bytes()
	u.text() // the comment
	for i, b := range u.rest {
		if b != byte(i+1) {
			return PrivateKey{}, wrong
		}
	}
	if u.err != nil || len(private) != ed25519.PrivateKeySize {
		return PrivateKey{}, wrong
	}
	key := ed25519.NewKeyFromSeed(private[:ed25519.SeedSize])
	whole := subtle.ConstantTimeCompare(key, private) == 1
	if !whole || !bytes.Equal(public, key.Public().(ed25519.PublicKey)) {
		return PrivateKey{}, errors.New("its two halves do not belong together")
	}
	return PrivateKey{key}, nil
}

// apply encrypts or decrypts the secret part.
func (l lock) apply(secret []byte, passphrase string, closing bool) []byte {
	size := lockSizes[l.cipher]
	material := stretched([]byte(passphrase), l.salt, l.rounds, size+aes.BlockSize)
	block, err := aes.NewCipher(material[:size])
	if err != nil {
		panic(err) // the size is one of AES
	}
	out, iv := make([]byte, len(secret)), material[size:]
	switch {
	case strings.HasSuffix(l.cipher, "-ctr"):
		cipher.NewCTR(block, iv).XORKeyStream(out, secret)
	case closing:
		cipher.NewCBCEncrypter(block, iv).CryptBlocks(out, secret)
	default:
		cipher.NewCBCDecrypter(block, iv).CryptBlocks(out, secret)
	}
	return out
}

// Marshal writes the key as an unlocked OpenSSH private key file, which
// ssh-keygen and ParsePrivateKey read. Two calls differ in bytes, not in
// meaning: the format has a random check number.
func (k PrivateKey) Marshal(comment string) ([]byte, error) { return k.keyFile(comment, "") }

// MarshalLocked is Marshal with the file locked by a passphrase.
func (k PrivateKey) MarshalLocked(comment, passphrase string) ([]byte, error) {
	if passphrase == "" {
		return nil, errors.New("a locked key file needs a passphrase")
	}
	return k.keyFile(comment, passphrase)
}

func (k PrivateKey) keyFile(comment, passphrase string) ([]byte, error) {
	if k.key == nil {
		return nil, errors.New("there is no signing key to write")
	}
	random := make([]byte, 20)
	_, _ = rand.Read(random) // it never fails
	check, public := binary.BigEndian.Uint32(random), k.Public()
	secret := wire(nil).number(check).number(check).text(keyType).bytes(public[:]).bytes(k.key).text(comment)
	for i := byte(1); len(secret)%aes.BlockSize != 0; i++ {
		secret = append(secret, i)
	}
	head := wire(keyFileMagic)
	if passphrase == "" {
		head = head.text("none").text("none").text("")
	} else {
		l := lock{cipher: "aes256-ctr", salt: random[4:], rounds: keyRounds}
		head = head.text(l.cipher).text("bcrypt").bytes(wire(nil).bytes(l.salt).number(l.rounds))
		secret = l.apply(secret, passphrase, true)
	}
	whole := head.number(1).bytes(public.blob()).bytes(secret)
	return pem.EncodeToMemory(&pem.Block{Type: keyFileType, Bytes: whole}), nil
}

// stretched makes a key of a passphrase as OpenSSH does (bcrypt_pbkdf): each block is the sum
// of many rounds of bcrypt's key schedule, and the blocks' bytes are taken in turn.
func stretched(passphrase, salt []byte, rounds uint32, size int) []byte {
	const block = 32
	blocks := (size + block - 1) / block
	out := make([]byte, blocks*block)
	pass := sha512.Sum512(passphrase)
	for n := range blocks {
		seed := sha512.Sum512(wire(bytes.Clone(salt)).number(uint32(n + 1)))
		round := schedule(pass[:], seed[:])
		sum := round
		for range rounds - 1 {
			seed = sha512.Sum512(round[:])
			round = schedule(pass[:], seed[:])
			subtle.XORBytes(sum[:], sum[:], round[:])
		}
		for i, b := range sum {
			out[i*blocks+n] = b
		}
	}
	return out[:size]
}

// schedule is one round: a text encrypted by Blowfish with a schedule made of both.
func schedule(pass, salt []byte) (out [32]byte) {
	c, err := blowfish.NewSaltedCipher(pass, salt)
	if err != nil {
		panic(err) // the hash of a passphrase is never empty
	}
	for range 64 {
		blowfish.ExpandKey(salt, c)
		blowfish.ExpandKey(pass, c)
	}
	copy(out[:], "OxychromaticBlowfishSwatDynamite")
	for at := 0; at < len(out); at += blowfish.BlockSize {
		for range 64 {
			c.Encrypt(out[at:], out[at:])
		}
	}
	for at := 0; at < len(out); at += 4 { // words are written with their smallest byte first
		binary.LittleEndian.PutUint32(out[at:], binary.BigEndian.Uint32(out[at:]))
	}
	return out
}
