package rulebook

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Coverage prints the clauses: as a table for people, or with format "tsv" for
// programs. A chapter of 0 means all.
func (b *Book) Coverage(w io.Writer, format string, chapter int) error {
	links := slices.DeleteFunc(b.Links(), func(l Link) bool { return chapter > 0 && l.Chapter() != chapter })
	if format == "tsv" {
		return coverageTSV(w, links)
	}
	width := [6]int{}
	head := [6]string{"clause", "books", "status", "cited by", "exercised", "asserted by"}
	rows := make([][6]string, len(links))
	for i, l := range links {
		rows[i] = [6]string{l.Number, l.Books, string(l.Status), few(l.CitedBy, 1), l.exercised(), few(l.AssertedBy, 3)}
		for j, cell := range rows[i] {
			width[j] = max(width[j], len(head[j]), len([]rune(cell)))
		}
	}
	var p strings.Builder
	line := func(cells [6]string) {
		row := ""
		for j, cell := range cells {
			row += fmt.Sprintf("%-*s  ", width[j], cell)
		}
		p.WriteString(strings.TrimRight(row, " ") + "\n")
	}
	line(head)
	for i := range rows {
		if i > 0 && links[i].Chapter() != links[i-1].Chapter() {
			p.WriteString("\n")
		}
		line(rows[i])
	}
	p.WriteString("\n" + summary(links))
	_, err := io.WriteString(w, p.String())
	return err
}

func coverageTSV(w io.Writer, links []Link) error {
	var p strings.Builder
	p.WriteString("clause\tbooks\tstatus\tcited by\texercised\tasserted by\tfailing\twords\treason\n")
	for _, l := range links {
		fmt.Fprintf(&p, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", l.Number, l.Books, l.Status, strings.Join(l.CitedBy, ", "),
			l.exercised(), strings.Join(l.AssertedBy, ", "), strings.Join(l.Failing, ", "), l.Words, l.Reason)
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// exercised says whether a case comes through the code; nothing of what no code plays.
func (l Link) exercised() string {
	switch {
	case l.Status != Yes:
		return ""
	case l.Exercised:
		return "yes"
	}
	return "no"
}

// inBooks names the books of a wording that is not in all.
func (l Link) inBooks() string {
	if l.Books == "all" {
		return ""
	}
	return " (" + l.Books + ")"
}

// few is the beginning of a list and how many more there are.
func few(list []string, n int) string {
	if len(list) <= n {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:n], ", "), len(list)-n)
}

// summary counts the clauses and names what is played without a case.
func summary(links []Link) string {
	count := map[Status]int{}
	cited, exercised, asserted := 0, 0, 0
	var bare, failing []string
	for _, l := range links {
		count[l.Status]++
		failing = append(failing, l.Failing...)
		if l.Status != Yes {
			continue
		}
		if len(l.CitedBy) > 0 {
			cited++
		}
		if l.Exercised {
			exercised++
		}
		if len(l.AssertedBy) > 0 {
			asserted++
		} else {
			bare = append(bare, l.Number+l.inBooks())
		}
	}
	var p strings.Builder
	fmt.Fprintf(&p, "%d clauses: %d played, %d not yet, %d matters of cardboard\n", len(links), count[Yes], count[NotYet], count[Cardboard])
	fmt.Fprintf(&p, "of those played %d are cited by the code, %d exercised (a numbered case comes through that code) and %d asserted by a numbered case\n", cited, exercised, asserted)
	if len(bare) > 0 {
		p.WriteString(fold("played, and no case asserts it: "+strings.Join(bare, ", "), 100, "  "))
	}
	if slices.Sort(failing); len(failing) > 0 {
		p.WriteString(fold("cases known to fail: "+strings.Join(slices.Compact(failing), ", "), 100, "  "))
	}
	return p.String()
}

// title is what the clause asks for. Of one that was split into many duties it is
// the name of the chapter.
func (b *Book) title(number string) string {
	var words []string
	for _, c := range meant(b.Clauses, number) {
		words = append(words, c.Words)
	}
	if len(words) == 0 || len(words) > 2 {
		return b.Chapters[chapterOf(number)]
	}
	return strings.Join(words, " ")
}

// PrintCases prints the numbered cases that assert the clause, or all.
func (b *Book) PrintCases(w io.Writer, number string) error {
	var p strings.Builder
	for _, k := range b.Cases {
		if number != "" && !slices.ContainsFunc(k.Clauses, func(n string) bool { return standsFor(number, n) }) && k.Number != number {
			continue
		}
		fmt.Fprintf(&p, "CASE %s %q\n", k.Number, k.Title)
		if k.Known != "" {
			fmt.Fprintf(&p, "KNOWN %s\n", k.Known)
		}
		for _, l := range k.Body {
			if !l.Head {
				p.WriteString("  ")
			}
			p.WriteString(l.Text + "\n")
		}
		p.WriteString("\n")
	}
	if p.Len() == 0 {
		return fmt.Errorf("no case asserts %s", number)
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// fold breaks a text into lines; those after the first are indented.
func fold(text string, width int, indent string) string {
	lead := text[:len(text)-len(strings.TrimLeft(text, " "))]
	var out strings.Builder
	line := lead
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
			line += word
		case len(line)+1+len(word) > width:
			out.WriteString(line + "\n")
			line = indent + word
		default:
			line += " " + word
		}
	}
	return out.String() + line + "\n"
}
