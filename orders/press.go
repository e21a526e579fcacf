package orders

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// The markers of press: a letter from player to player. It stands beside the sheet
// that sends it, never in it, and is bound to it by its digest in the sheet's line
// PRESS-SHA256.
const (
	beginPress = "-----BEGIN FIELDPOST PRESS-----"
	endPress   = "-----END FIELDPOST PRESS-----"
)

// MaxPress is the longest letter, in bytes.
const MaxPress = 16 << 10

// Press wraps a letter for sending, with the digest that the sheet names it by.
func Press(letter string) (part, digest string) {
	letter = strings.Trim(Fold(letter), "\n")
	return beginPress + "\n" + letter + "\n" + endPress + "\n", PressDigest(letter)
}

// PressDigest is the SHA-256, in hex, of the words of a letter with one blank
// between them: line breaks and quote marks that mail programs add do not count,
// capitals do.
func PressDigest(letter string) string {
	var words []string
	for line := range strings.SplitSeq(norm.NFC.String(Fold(letter)), "\n") {
		words = append(words, strings.Fields(strings.TrimLeft(line, " >|"))...)
	}
	sum := sha256.Sum256([]byte(strings.Join(words, " ")))
	return hex.EncodeToString(sum[:])
}

var (
	pressOpening = regexp.MustCompile(`(?i)-{2,} *BEGIN +FIELDPOST +PRESS *-{2,}`)
	pressClosing = regexp.MustCompile(`(?i)-{2,} *END +FIELDPOST +PRESS *-{2,}`)
)

// CutPress parts a text from the letters in it. Nothing of a letter is ever read
// as orders; one without an end goes on to the end of the text.
func CutPress(text string) (rest string, letters []string) {
	if !strings.Contains(strings.ToUpper(text), "PRESS") {
		return text, nil
	}
	var out []string
	var letter []string
	open := false
	for _, line := range strings.Split(text, "\n") {
		folded := Fold(line)
		switch {
		case !open && pressOpening.MatchString(folded):
			open, letter = true, nil
		case open && pressClosing.MatchString(folded):
			open, letters = false, append(letters, strings.Join(letter, "\n"))
		case open:
			letter = append(letter, line)
		default:
			out = append(out, line)
		}
	}
	if open {
		letters = append(letters, strings.Join(letter, "\n"))
	}
	return strings.Join(out, "\n"), letters
}
