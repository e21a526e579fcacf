package report

import (
	"fieldpost/adjudicator/view"
	"fmt"
	"strings"
	"text/template/parse"
)

// wording is how an event of a kind is said: a text/template of fields, conditions and
// comparisons. It is carried out here and not by text/template, which looks up methods by
// their names: a program that can do that keeps every method that it has, and the order desk
// would be a fifth larger.
type wording struct{ tree *parse.Tree }

// compares are the functions of text/template that a wording may use.
var compares = map[string]any{"eq": true, "ne": true, "or": true, "and": true, "not": true}

// parsedWording reads a template.
func parsedWording(kind, text string) (wording, error) {
	trees, err := parse.Parse(kind, text, "", "", compares)
	if err != nil {
		return wording{}, err
	}
	w := wording{trees[kind]}
	if w.tree == nil {
		return w, nil // an empty text
	}
	s := sayer{all: true}
	s.list(w.tree.Root)
	return w, s.err
}

// say puts facts into words. A fact that is missing is empty.
func (w wording) say(facts view.Pairs) (string, error) {
	if w.tree == nil {
		return "", nil
	}
	s := sayer{facts: facts}
	s.list(w.tree.Root)
	return s.text.String(), s.err
}

// sayer carries out a template. What is true is a text that is not empty.
type sayer struct {
	facts view.Pairs
	all   bool // whatever the facts are: to find faults
	text  strings.Builder
	err   error
}

func (s *sayer) list(l *parse.ListNode) {
	if l == nil {
		return
	}
	for _, n := range l.Nodes {
		switch n := n.(type) {
		case *parse.TextNode:
			s.text.Write(n.Text)
		case *parse.ActionNode:
			s.text.WriteString(s.pipe(n.Pipe))
		case *parse.IfNode:
			is := s.pipe(n.Pipe) != ""
			if is || s.all {
				s.list(n.List)
			}
			if !is || s.all {
				s.list(n.ElseList)
			}
		default:
			s.fault(n)
		}
	}
}

func (s *sayer) fault(n parse.Node) string {
	if s.err == nil {
		s.err = fmt.Errorf("%q is no field, condition or comparison", n)
	}
	return ""
}

// pipe is the value of a field, or of a comparison.
func (s *sayer) pipe(p *parse.PipeNode) string {
	if len(p.Decl) > 0 || len(p.Cmds) != 1 {
		return s.fault(p)
	}
	args := p.Cmds[0].Args
	name, isCall := args[0].(*parse.IdentifierNode)
	if !isCall {
		if len(args) != 1 {
			return s.fault(p)
		}
		return s.value(args[0])
	}
	var values []string
	for _, a := range args[1:] {
		values = append(values, s.value(a))
	}
	return s.call(name, values)
}

func (s *sayer) value(n parse.Node) string {
	switch n := n.(type) {
	case *parse.FieldNode:
		if len(n.Ident) == 1 {
			return s.facts.Get(n.Ident[0])
		}
	case *parse.StringNode:
		return n.Text
	case *parse.PipeNode:
		return s.pipe(n)
	}
	return s.fault(n)
}

// call is a comparison of two values, or the and, or, not of some.
func (s *sayer) call(name *parse.IdentifierNode, v []string) string {
	holds := func(is bool) string {
		if is {
			return "true"
		}
		return ""
	}
	switch {
	case name.Ident == "not" && len(v) == 1:
		return holds(v[0] == "")
	case len(v) < 2:
		return s.fault(name)
	case name.Ident == "eq" && len(v) == 2:
		return holds(v[0] == v[1])
	case name.Ident == "ne" && len(v) == 2:
		return holds(v[0] != v[1])
	}
	empty := func(is bool) string { // the first value that is so, or the last
		for _, x := range v[:len(v)-1] {
			if (x == "") == is {
				return x
			}
		}
		return v[len(v)-1]
	}
	switch name.Ident {
	case "and":
		return empty(true)
	case "or":
		return empty(false)
	}
	return s.fault(name)
}
