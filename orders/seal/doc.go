// Package seal signs order sheets and finds signed sheets in mail.
//
// A signature is an OpenSSH signature (SSHSIG, PROTOCOL.sshsig of OpenSSH) by
// an Ed25519 key in the namespace Namespace, so ssh-keygen makes and checks
// them too. What is signed is the canonical form of the sheet (orders.Canonical).
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
// Nothing in this package knows which key belongs to whom: whoever calls
// compares the key that signed with the keys that are enrolled. The package
// does no input or output.
package seal
