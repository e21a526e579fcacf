// Package seal signs order sheets and finds signed sheets in mail.
//
// There are three methods. The first is an OpenSSH signature (SSHSIG,
// PROTOCOL.sshsig of OpenSSH) in the namespace Namespace, so ssh-keygen makes and
// checks it too; our own programs make it with Ed25519 keys. What is signed is
// the canonical form of the sheet (orders.Canonical).
// It travels in a block made by Block, built so that quoting, wrapping and
// retyping of blanks and dashes on the way do no harm: Extract undoes them as
// well as it can, and the signature decides whether it guessed right.
//
//	text := orders.Canonical(sheet)
//	armored, err := seal.Sign(key, seal.Namespace, []byte(text))
//	mail := seal.Block(text, armored)
//	...
//	for _, c := range seal.Extract(mail) {
//		sealed, err := c.Open()
//	}
//
// Files signed with ssh-keygen -Y sign -n orders@fieldpost go to VerifyDetached.
//
// The other two are OpenPGP and S/MIME, as mail programs make them. Their
// signatures do not carry the key, or prove nothing by it, so a Ring of the
// enrolled keys checks them. It returns the bytes that were signed, and only in
// those is a sheet looked for:
//
//	ring := seal.NewRing(now, keys...)
//	found, err := ring.Clearsigned(text)
//	verified, err := ring.Detached(seal.TextForms(file), signature)
//	sealed, err := verified.Sheet(string(verified.Content))
//
// They have no namespace: what binds a sheet to a game and a moment is its lines
// GAME, SIDE, TURN and SERIAL.
//
// A Key of any method has an ID for programs, a Fingerprint for people and a text
// form that ParseKey reads.
//
// Nothing in this package knows which key belongs to whom: whoever calls
// compares the key that signed with the keys that are enrolled. The package
// does no input or output.
package seal
