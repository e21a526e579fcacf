// Package realmail plays a game over a real Dovecot and a real Postfix, as a new
// user would: with the program's commands, and with sheets signed by the
// programs that players have. It is all tests:
//
//	go test -tags realmail -v ./trial/realmail
package realmail
