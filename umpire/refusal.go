package umpire

import (
	"cmp"
	"errors"

	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
	"fieldpost/report"
	"fieldpost/store"
)

// Refusal says that something a mail asks for is not done. It is an error that the
// sender can do something about: it becomes an answer, and no entry in the log.
type Refusal struct {
	Kind    report.LetterKind // of the letter that answers it; "" is a notice
	What    string            // what is not done: "your letter is not passed on"; "" for the sheet as a whole
	Why     string
	Clause  rule.Clause // of the rules, if it is they that forbid it
	Instead string      // what would be legal, or what to do now
	At      orders.Pos  // where in the sheet; zero for no place in particular
}

// refusal is a Refusal that a notice answers.
func refusal(why, instead string) *Refusal { return &Refusal{Why: why, Instead: instead} }

// stale is the Refusal of a sheet that is older than what is filed, or for another turn.
func stale(why, instead string) *Refusal {
	return &Refusal{Kind: report.Stale, Why: why, Instead: instead}
}

// faulty is the Refusal of a sheet for a line that cannot be read.
func faulty(err error, instead string) *Refusal {
	var fault *orders.Error
	if errors.As(err, &fault) {
		return &Refusal{Why: fault.Why(), At: fault.Pos, Instead: instead}
	}
	return refusal(err.Error(), instead)
}

// staleLine is a faulty line of those that say how new a sheet is.
func staleLine(err error, instead string) *Refusal {
	r := faulty(err, instead)
	r.Kind = report.Stale
	return r
}

// because says of a refusal what is not done. Another error stays as it is.
func because(what string, err error) error {
	var r *Refusal
	if !errors.As(err, &r) {
		return err
	}
	of := *r
	of.What = what
	return &of
}

// reason is why, with the place in the sheet and the clause.
func (r *Refusal) reason() string {
	why := r.Why
	if r.Clause != "" {
		why = string(r.Clause) + ": " + why
	}
	if r.At != (orders.Pos{}) {
		why = r.At.String() + ": " + why
	}
	return why
}

// Error is what is not done, and why.
func (r *Refusal) Error() string {
	if r.What == "" {
		return r.reason()
	}
	return r.What + ": " + r.reason()
}

// refuse gives a mail the outcome and the answer of a Refusal. Any other error it
// hands back.
func (l *letter) refuse(err error) (store.Change, error) {
	var r *Refusal
	if !errors.As(err, &r) {
		return store.Change{}, err
	}
	c := l.outcome("refused: " + r.reason())
	c.Mails = l.refused(r)
	return c, nil
}

// refused is the mail that tells the player of a Refusal: none where it is not known
// whose seat the mail is about.
func (l *letter) refused(r *Refusal) []store.Mail {
	if l.player.Side == "" {
		return nil
	}
	return l.answer(cmp.Or(r.Kind, report.Notice), r.Error(), r.Instead)
}
