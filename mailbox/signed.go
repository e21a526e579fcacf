package mailbox

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fieldpost/orders"
	"fieldpost/orders/seal"
)

// The reasons why a message yields no sheet. All are the sender's, or their mail
// program's; Advice has a text for each.
var (
	// ErrNoOrders: there is no signed block and no signature file.
	ErrNoOrders = errors.New("no signed orders in this mail")
	// ErrNoFit: there is one, but what it signs is not what arrived.
	ErrNoFit = errors.New("the signature does not fit the orders")
	// ErrDamaged: there is one, but the signature itself cannot be read.
	ErrDamaged = errors.New("the signature is damaged")
	// ErrUnknown: there is one, by an OpenPGP or S/MIME key that is not enrolled.
	ErrUnknown = errors.New("the signature is by a key that no game here knows")
	// ErrNoSheet: a text is well signed, but there is no sheet in it.
	ErrNoSheet = errors.New("what is signed in this mail is no single order sheet")
	// ErrSeveral: there is more than one and they differ.
	ErrSeveral = errors.New("more than one signed sheet in this mail")
	// ErrWinmail: Outlook packed the mail into a winmail.dat.
	ErrWinmail = errors.New("the mail is packed into a winmail.dat")
	// ErrExpired: it is signed with an enrolled key that is out of date.
	ErrExpired = errors.New("the key that signed has expired")
	// ErrPacked: it is signed, and packed so that only gpg shows the text.
	ErrPacked = errors.New("the signed text is packed and cannot be read")
	// ErrEncrypted: the mail is encrypted, and nobody here has a key for it.
	ErrEncrypted = errors.New("the mail is encrypted")
	// ErrHidden: the sheet stands where nobody who reads the mail sees it.
	ErrHidden = errors.New("the signed orders stand in a part of the mail that is not shown")
	// ErrPassedOn: another adjudicator wrote the mail, whatever its sender says.
	ErrPassedOn = errors.New("the mail is one that an adjudicator wrote")
	// ErrDoubt: the message can be read in two ways (Message.Doubt).
	ErrDoubt = errors.New("the mail has no clear meaning")
)

// SeveralError is ErrSeveral with the sheets, in the order they stand. Each was
// verified, so a caller that can tell the newer one may do so.
type SeveralError struct{ Sheets []seal.Sealed }

func (e *SeveralError) Error() string { return ErrSeveral.Error() }

// Is makes errors.Is(err, ErrSeveral) true.
func (e *SeveralError) Is(target error) bool { return target == ErrSeveral }

// maxSignatures is how many signature files of one message are tried.
const maxSignatures = 4

// SignedBy finds the sheet that was signed in a message: its canonical text and
// the key that signed it. OpenPGP and S/MIME signatures are checked with the keys
// of the ring. Those of OpenSSH carry their key; whose it is, is for the caller
// to find out. It looks for
//
//   - a block in the text parts and in attached text files,
//   - an attachment with its OpenSSH signature beside it,
//   - a block in HTML,
//   - a clearsigned text,
//   - multipart/signed, or what servers make of it, and files with an OpenPGP or
//     S/MIME signature beside them.
//
// The same sheet in several places counts once; two different ones, or one sheet
// by two keys, are ErrSeveral. Nothing that is not covered by a signature is ever
// returned.
func SignedBy(m *Message, ring *seal.Ring) (seal.Sealed, error) {
	if m.Doubt != nil {
		return seal.Sealed{}, fmt.Errorf("%w: %w", ErrDoubt, m.Doubt)
	}
	if len(m.Header(loopHeader)) > 0 {
		return seal.Sealed{}, ErrPassedOn // ours are told before: see Classify
	}
	byRing := func(place func(*Message, *seal.Ring) ([]seal.Sealed, error)) func(*Message) ([]seal.Sealed, error) {
		return func(m *Message) ([]seal.Sealed, error) { return place(m, ring) }
	}
	var sheets []seal.Sealed
	var worst error
	for _, place := range []func(*Message) ([]seal.Sealed, error){inText, inFiles, inHTML, byRing(inClearsigned), byRing(inMIME)} {
		found, err := place(m)
		sheets = collect(sheets, found)
		worst = graver(worst, err)
	}
	switch len(sheets) {
	case 0:
		return seal.Sealed{}, explain(m, worst)
	case 1:
		return sheets[0], nil
	}
	return seal.Sealed{}, &SeveralError{sheets}
}

// Latest chooses among several signed sheets in one mail, such as an answer that
// quotes an older one: the highest SERIAL, if all are for one game and by one key.
func Latest(sheets []seal.Sealed) (best seal.Sealed, err error) {
	if len(sheets) == 1 {
		return sheets[0], nil
	}
	highest := -1
	for _, s := range sheets {
		head, _ := orders.Parse(s.Text, orders.Vocabulary{})
		serial, bad := head.Number("SERIAL")
		if bad != nil || s.Key != sheets[0].Key || serial == highest {
			return seal.Sealed{}, &SeveralError{Sheets: sheets}
		}
		if serial > highest {
			highest, best = serial, s
		}
	}
	return best, nil
}

// graver keeps the error that says most: a good signature over something else, or by a key
// that is out of date, says more than one that does not fit, that more than one by a stranger, and
// that more than a damaged one.
func graver(a, b error) error {
	for _, kind := range []error{seal.ErrTwoSheets, seal.ErrNoSheet, seal.ErrExpired, seal.ErrMismatch, seal.ErrUnknownKey, seal.ErrSignature} {
		for _, err := range []error{a, b} {
			if errors.Is(err, kind) {
				return err
			}
		}
	}
	return nil
}

func explain(m *Message, err error) error {
	switch {
	case isNoSheet(err):
		return fmt.Errorf("%w: %w", ErrNoSheet, err)
	case errors.Is(err, seal.ErrUnknownKey):
		return fmt.Errorf("%w: %w", ErrUnknown, err)
	case errors.Is(err, seal.ErrMismatch):
		return fmt.Errorf("%w: %w", ErrNoFit, err)
	case errors.Is(err, seal.ErrExpired):
		return fmt.Errorf("%w: %w", ErrExpired, err)
	case errors.Is(err, seal.ErrSignature):
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if isPacked(m) {
		return ErrPacked
	}
	if slices.ContainsFunc(m.Attachments, isWinmail) {
		return ErrWinmail
	}
	if isEncrypted(m) {
		return ErrEncrypted
	}
	if slices.ContainsFunc(m.Texts, func(p Part) bool { return len(seal.Extract(p.Unseen)) > 0 }) {
		return ErrHidden
	}
	return ErrNoOrders
}

// isWinmail recognizes the package that Outlook makes of a mail.
func isWinmail(a Attachment) bool {
	switch a.Type {
	case "application/ms-tnef", "application/vnd.ms-tnef":
		return true
	}
	return strings.EqualFold(a.Name, "winmail.dat")
}

// isPacked recognizes what "gpg --sign" writes, in the text or in a file.
func isPacked(m *Message) bool {
	armoured := func(text string) bool { return strings.Contains(text, "-----BEGIN PGP MESSAGE-----") }
	inText := func(p Part) bool { return armoured(p.AsSent) && seal.SignedWhole(p.AsSent) }
	inFile := func(a Attachment) bool {
		name := strings.ToLower(a.Name)
		isGPG := strings.HasSuffix(name, ".gpg") || strings.HasSuffix(name, ".pgp")
		return (isGPG || armoured(string(a.Data))) && seal.SignedWhole(string(a.Data))
	}
	return slices.ContainsFunc(m.Texts, inText) || slices.ContainsFunc(m.Attachments, inFile)
}

// isEncrypted recognizes PGP/MIME, S/MIME and armour in the text.
func isEncrypted(m *Message) bool {
	smime := strings.HasSuffix(m.media, "/pkcs7-mime")
	switch {
	case m.media == "multipart/encrypted":
		return true
	case smime && strings.EqualFold(m.params["smime-type"], "enveloped-data"):
		return true
	}
	return slices.ContainsFunc(m.Texts, func(p Part) bool { return strings.Contains(p.AsSent, "-----BEGIN PGP MESSAGE-----") })
}

// collect adds sheets that are not in the list yet.
func collect(list, more []seal.Sealed) []seal.Sealed {
next:
	for _, s := range more {
		for _, have := range list {
			if have.Same(s) {
				continue next
			}
		}
		list = append(list, s)
	}
	return list
}

// openAll opens the blocks in each text.
func openAll(texts []string) (sheets []seal.Sealed, worst error) {
	for _, text := range texts {
		more, err := seal.Open(text)
		sheets = collect(sheets, more)
		worst = graver(worst, err)
	}
	return sheets, worst
}

// inText looks for blocks in the plain text parts and in attached text files.
func inText(m *Message) ([]seal.Sealed, error) {
	var sheets []seal.Sealed
	var worst error
	for _, p := range m.Texts {
		if p.Type != "text/plain" {
			continue
		}
		more, err := seal.Open(p.Text)
		if len(more) == 0 && p.AsSent != p.Text {
			// Blanks at the ends of lines are soft breaks for format=flowed,
			// but may have come in by other ways.
			more, err = seal.Open(p.AsSent)
		}
		sheets = collect(sheets, more)
		worst = graver(worst, err)
	}
	var files []string
	for _, a := range m.Attachments {
		if mayBeText(a) {
			files = append(files, clean(a.Data))
		}
	}
	more, err := openAll(files)
	return collect(sheets, more), graver(worst, err)
}

// mayBeText says whether it is worth looking for a block in an attachment.
// Archives and pictures are not opened.
func mayBeText(a Attachment) bool {
	switch {
	case strings.HasPrefix(a.Type, "text/"), a.Type == "application/octet-stream":
		return true
	case strings.HasPrefix(a.Type, "application/") && strings.Contains(a.Type, "fieldpost"):
		return true // a type that somebody has made up for our blocks
	}
	return strings.HasSuffix(strings.ToLower(a.Name), ".txt")
}

// inHTML looks for blocks in the text of HTML parts.
func inHTML(m *Message) ([]seal.Sealed, error) {
	var texts []string
	for _, p := range m.Texts {
		if p.Type == "text/html" {
			texts = append(texts, p.Text)
		}
	}
	return openAll(texts)
}

// inFiles looks for attachments with a signature beside them, as ssh-keygen -Y
// sign leaves them: orders.txt and orders.txt.sig. If the names do not tell,
// each signature is tried with every other attachment and text part.
func inFiles(m *Message) (sheets []seal.Sealed, worst error) {
	tried := 0
	for i, sig := range m.Attachments {
		if tried == maxSignatures || !isSignature(sig) {
			continue
		}
		tried++
		sealed, err := openDetached(m, i)
		if err != nil {
			worst = graver(worst, err)
			continue
		}
		sheets = collect(sheets, []seal.Sealed{sealed})
	}
	return sheets, worst
}

// isSignature looks at the content: the names and types of such files vary.
func isSignature(a Attachment) bool { return seal.MethodOf(a.Data) == seal.SSH }

func openDetached(m *Message, sig int) (seal.Sealed, error) {
	armored := string(m.Attachments[sig].Data)
	name := strings.ToLower(m.Attachments[sig].Name)
	var siblings, others [][]byte
	for i, a := range m.Attachments {
		if i == sig || isSignature(a) {
			continue
		}
		if a.Name != "" && strings.TrimSuffix(name, ".sig") == strings.ToLower(a.Name) {
			siblings = append(siblings, a.Data)
		} else {
			others = append(others, a.Data)
		}
	}
	for _, p := range m.Texts {
		// Some programs show an attached text file inline, without its name.
		if p.Type == "text/plain" {
			others = append(others, []byte(p.AsSent))
		}
	}
	err := error(fmt.Errorf("%w: there is no file beside the signature", seal.ErrMismatch))
	for _, data := range append(siblings, others...) {
		var sealed seal.Sealed
		if sealed, err = seal.VerifyDetached(data, armored); err == nil {
			return sealed, nil
		}
	}
	return seal.Sealed{}, err
}

// Advice is the text that tells a player what to do about an error of Read or
// SignedBy, in a few lines without the cause's details; "" for other errors.
func Advice(err error) string {
	var unreadable *ReadError
	switch {
	case errors.As(err, &unreadable):
		return "Your mail could not be read. Please send the orders again as plain text."
	case errors.Is(err, ErrWinmail):
		return "Your Outlook packed the mail into a file winmail.dat that only Outlook opens.\n" +
			"Please send it again as plain text: Format Text > Plain Text, or turn off \"Rich Text\" for this address."
	case errors.Is(err, ErrEncrypted):
		return "Your mail is encrypted, and nobody here can open it. Sheets need no secrecy on their way: what counts is the signature.\n" +
			"Please send it again signed and not encrypted."
	case errors.Is(err, ErrExpired):
		return "Your mail is signed with the key that you enrolled, but that key has expired, so its signature does not count.\n" +
			"Please set a later date for an OpenPGP key (gpg --edit-key, then: expire), or get a new certificate, and send the\n" +
			"public key or the certificate to the moderator, who enrols it."
	case errors.Is(err, ErrPacked):
		return "Your sheet is signed with \"gpg --sign\", which packs the text away. It is signed, but nobody can read it here.\n" +
			"Please sign it with \"gpg --clearsign\" and send what that prints, or let your mail program sign the mail."
	case errors.Is(err, ErrSeveral):
		return "There are several different signed sheets in your mail, maybe an older one in the quoted part.\n" +
			"Please send it again with only the sheet that is to count."
	case errors.Is(err, ErrNoFit):
		return "There are signed orders in your mail, but the signature does not fit them: something was changed after\n" +
			"signing, or on the way. Please sign again and paste the whole block, from BEGIN to END, without changing it.\n" +
			"If that does not help, attach it as a file."
	case errors.Is(err, ErrUnknown):
		return "Your mail is signed, but not with the key that you enrolled, so that the signature cannot be checked.\n" +
			"Please sign with that key; its fingerprint is in the roster of every report."
	case errors.Is(err, ErrNoSheet):
		return "Your mail is signed, but what is signed is not one order sheet: it begins with a line GAME: and ends with DONE.\n" +
			"If it holds an older sheet too, as replies do, please take that out and send it again."
	case errors.Is(err, ErrDamaged):
		return "There is a signature in your mail, but it is damaged, out of date or of a kind that is not accepted here.\n" +
			"Please sign again and paste the whole block, from BEGIN to END, or attach it as a file."
	case errors.Is(err, ErrHidden):
		return "There is a signed block in your mail, but in a part of it that mail programs do not show.\n" +
			"Please send the signed block as plain text, in a new mail."
	case errors.Is(err, ErrPassedOn):
		return "Your mail has the header line " + loopHeader + ", by which adjudicators know mail of their own: it was passed on as it came.\n" +
			"Please send the signed block as plain text, in a new mail."
	case errors.Is(err, ErrDoubt):
		return "Your mail program built this mail in a way that can be read in two ways.\n" +
			"Please send the signed block as plain text, in a new mail."
	case errors.Is(err, ErrNoOrders):
		return "There are no signed orders in your mail. Sign your sheet with \"fieldpost sign\" and paste what it prints,\n" +
			"or attach the sheet and the file that \"ssh-keygen -Y sign -n " + seal.Namespace + "\" made of it,\n" +
			"or sign the mail with the OpenPGP key or the certificate that you enrolled."
	}
	return ""
}
