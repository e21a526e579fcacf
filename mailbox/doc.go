// Package mailbox gets mail in and out and finds the signed sheet in it. It
// knows no rules of any game, no store and no players.
//
//	Poller   brings every new message of an IMAP mailbox, once or more often,
//	         never less; what is already handled is asked of the store (Seen)
//	Read     turns the bytes of a message into a Message, whatever they are
//	Classify says what kind of mail it is and whether it may be answered
//	SignedBy finds the one order sheet that a key has signed
//	Compose  renders a mail to its final bytes, the same for the same input
//	Sender   hands rendered bytes to an SMTP server and says what became of it
//
// Errors say whose fault they are: a *ReadError and the errors of SignedBy are
// the sender's, and Advice gives the text that helps them; the errors of Poller
// are the server's or the network's and pass with time, except ErrLogin.
package mailbox
