package post

import (
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
	"fieldpost/report"
)

// Refusal says that something a mail asks for is not done. It is an error that the
// sender can do something about: it becomes an answer, and no entry in the log.
type Refusal struct {
	Kind    report.MessageKind // of the mail that answers it; "" is a notice
	About   string             // the subject of the mail that answers it; "" for what its kind says
	What    string             // what is not done: "your letter is not passed on"; "" for the sheet as a whole
	Why     string
	Clause  rule.Clause // of the rules, if it is they that forbid it
	Instead string      // what would be legal, or what to do now
	At      orders.Pos  // where in the sheet; zero for no place in particular
}

// Reason is why, with the place in the sheet and the clause.
func (r *Refusal) Reason() string {
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
		return r.Reason()
	}
	return r.What + ": " + r.Reason()
}
