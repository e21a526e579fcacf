package guidance

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
)

// notNow opens the comment on a line that does not stand as things are.
const notNow = "not now: "

// Fill puts the sections from the guide into a plain sheet, in place of its own.
func Fill(plain string, game adjudicator.Game, v *view.View, standing []string) (string, error) {
	sections, err := Sections(game, v, standing)
	if err != nil {
		return "", err
	}
	head, _, _ := strings.Cut(plain, "\n\n")
	tail := ""
	if i := strings.LastIndex(plain, "\n# DONE"); i >= 0 {
		tail = plain[i:]
	}
	return head + "\n" + sections + tail, nil
}

// Sections are those of a sheet to fill in, below its head: every line is a comment that
// stands as soon as its # is taken away, or says why it does not. Standing are the sections
// that it has even if nothing is usual in them.
func Sections(game adjudicator.Game, v *view.View, standing []string) (string, error) {
	guide, err := adjudicator.GuideOf(game, v)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	list := guide.Usual()
	open := ""
	for _, o := range list {
		if o.Order == "" && o.Verb != "" {
			fmt.Fprintf(&b, "%s\n", commented(o.Section, o))
			continue
		}
		if o.Section != open {
			open = o.Section
			fmt.Fprintf(&b, "\n%s\n", open)
		}
		if o.Order != "" {
			fmt.Fprintf(&b, "  %s\n", commented(o.Order, o))
		}
	}
	for _, name := range standing {
		if !slices.ContainsFunc(list, func(o adjudicator.Offer) bool { return strings.Fields(o.Section)[0] == name }) {
			fmt.Fprintf(&b, "\n%s\n", name)
		}
	}
	b.WriteString(questions(v))
	return b.String(), nil
}

// commented is an order behind a #, and behind another what it comes to.
func commented(order string, o adjudicator.Offer) string {
	says := o.Understood
	switch {
	case o.Refused != nil:
		says = notNow + o.Refused.Error()
	case o.Warning != "":
		says = strings.TrimPrefix(says+"; "+o.Warning, "; ")
	}
	if says == "" {
		return "# " + order
	}
	return folded(fmt.Sprintf("# %-28s # %s", order, says))
}

// width is how long a line of a sheet may be below its section: a mail program folds longer
// ones, and the rest of a comment would then be read as an order.
const width = 76

// folded is a line in lines that no mail program folds. Those after the first begin with two
// #, so that nobody takes them for orders.
func folded(line string) string {
	var out []string
	for len(line) > width {
		at := strings.LastIndexByte(line[:width+1], ' ')
		if at <= strings.LastIndex(line, "# ")+1 {
			break // one long word, or an order that fills the line
		}
		out = append(out, strings.TrimRight(line[:at], " "))
		line = "##     # " + line[at+1:]
	}
	return strings.Join(append(out, line), "\n  ")
}

// questions are the lines that answer what is asked, each with what is proposed.
func questions(v *view.View) string {
	var b strings.Builder
	for _, q := range v.Asked {
		if len(q.Options) == 0 {
			continue
		}
		proposal := q.Proposal
		var others []string
		for _, o := range q.Options {
			if proposal == "" {
				proposal = o.Answer
			}
			others = append(others, o.Answer)
		}
		fmt.Fprintf(&b, "  # %-28s # one of: %s\n", strings.ToUpper(q.Label)+": "+proposal, strings.Join(others, " | "))
	}
	if b.Len() == 0 {
		return ""
	}
	return "\nANSWER\n" + b.String()
}
