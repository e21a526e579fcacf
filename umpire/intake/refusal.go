package intake

import (
	"cmp"
	"errors"
	"strings"

	"fieldpost/orders"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/post"
)

// refusal is a Refusal that a notice answers.
func refusal(why, instead string) *post.Refusal { return &post.Refusal{Why: why, Instead: instead} }

// stale is the Refusal of a sheet that is older than what is filed, or for another turn.
func stale(why, instead string) *post.Refusal {
	return &post.Refusal{Kind: report.Stale, Why: why, Instead: instead}
}

// faulty is the Refusal of a sheet for a line that cannot be read.
func faulty(err error, instead string) *post.Refusal {
	var fault *orders.Error
	if errors.As(err, &fault) {
		return &post.Refusal{Why: fault.Why(), At: fault.Pos, Instead: strings.TrimSpace(fault.Instead() + " " + instead)}
	}
	return refusal(err.Error(), instead)
}

// staleLine is a faulty line of those that say how new a sheet is.
func staleLine(err error, instead string) *post.Refusal {
	r := faulty(err, instead)
	r.Kind = report.Stale
	return r
}

// because says of a refusal what is not done. Another error stays as it is.
func because(what string, err error) error {
	var r *post.Refusal
	if !errors.As(err, &r) {
		return err
	}
	of := *r
	of.What = what
	return &of
}

// refuse gives a mail the outcome and the answer of a Refusal. Any other error it
// hands back.
func (l *incoming) refuse(err error) (store.Change, error) {
	var r *post.Refusal
	if !errors.As(err, &r) {
		return store.Change{}, err
	}
	c := l.outcome("refused: " + r.Reason())
	c.Mails = l.refused(r)
	return c, nil
}

// refused is the mail that tells the player of a Refusal: none where it is not known
// whose seat the mail is about.
func (l *incoming) refused(r *post.Refusal) []store.Mail {
	if l.player.Side == "" {
		return nil
	}
	return l.answer(cmp.Or(r.Kind, report.Notice), r.Error(), r.Instead)
}
