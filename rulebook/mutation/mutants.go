// Package mutation tries whether the numbered cases of a rules system notice what its code
// does: it changes a condition, a constant or a call of a function that cites a clause, and
// a case must fail. All changes are built into one test binary, each behind a switch.
package mutation

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// Mutant is a change of the code.
type Mutant struct {
	ID       int
	File     string // "r10_advance.go"
	Func     string // "combat.follow"
	Line     int
	Chapter  int
	Operator Operator
	Change   string // "a < b -> a <= b"
	Nth      int    // among those of the function that read alike, from 1
}

// Operator is a kind of change.
type Operator string

const (
	dropConjunct Operator = "conjunct" // a && b: b
	dropDisjunct Operator = "disjunct" // a || b: b
	negate       Operator = "negate"   // a condition, the other way round
	boundary     Operator = "boundary" // < and <=, > and >=
	equality     Operator = "equality" // == and !=
	dropCase     Operator = "case"     // of a switch: it never comes to it
	offByOne     Operator = "constant" // a number, one more or one less
	skipCall     Operator = "call"     // a statement that only calls, or counts
	emptyFunc    Operator = "function" // it returns at once
)

// Place is where the mutant is, as citations name it: "r10_advance.go combat.follow".
func (m Mutant) Place() string { return m.File + " " + m.Func }

// key tells a mutant from all others, whatever lines come before it.
func (m Mutant) key() string {
	return fmt.Sprintf("%s\t%s\t%s\t%d", m.Place(), m.Operator, m.Change, m.Nth)
}

// edit puts a text in the place of another.
type edit struct {
	from, to int // offsets
	text     string
}

// source is a file of the system while its mutants are sought.
type source struct {
	set     *token.FileSet
	file    *ast.File
	info    *types.Info
	pack    *types.Package
	name    string
	text    []byte
	next    func(Mutant) int // keeps a mutant and gives its id
	edits   []edit
	about   Mutant                   // what all mutants of the function at hand have in common
	wrapped map[ast.Node][]wrap      // what comes about an expression, the outermost first
	inChain map[*ast.BinaryExpr]bool // operands of the same operator: a && b of a && b && c
}

func newSource(set *token.FileSet, file *ast.File, text []byte, pack *types.Package, info *types.Info, next func(Mutant) int) *source {
	return &source{set: set, file: file, info: info, pack: pack, name: filepath.Base(set.Position(file.Pos()).Filename), text: text, next: next,
		wrapped: map[ast.Node][]wrap{}, inChain: map[*ast.BinaryExpr]bool{}}
}

// wrap is what comes before and after an expression.
type wrap struct{ before, after string }

// function finds the mutants of a function and makes the edits that put switches into a function.
func (s *source) function(f *ast.FuncDecl) {
	s.put(f.Body.Lbrace+1, " if %s { %s };", s.mutant(f.Body, emptyFunc, "returns at once"), s.returnNothing(f))
	var open []ast.Node
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if n == nil {
			last := open[len(open)-1]
			open = open[:len(open)-1]
			for _, w := range slices.Backward(s.wrapped[last]) {
				s.put(last.End(), "%s", w.after)
			}
			return true
		}
		if e, ok := n.(ast.Expr); ok && s.info.Types[e].Value != nil && s.wrapped[n] == nil {
			return false // it must stay a constant
		}
		s.visit(n)
		for _, w := range s.wrapped[n] {
			s.put(n.Pos(), "%s", w.before)
		}
		open = append(open, n)
		return true
	})
}

// visit finds the mutants of a node: those of its operands it lays about them.
func (s *source) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		s.binary(n)
	case *ast.IfStmt:
		s.condition(n.Cond)
	case *ast.ForStmt:
		if n.Cond != nil {
			s.condition(n.Cond)
		}
	case *ast.SwitchStmt:
		s.cases(n)
	case *ast.BlockStmt:
		s.statements(n.List)
	case *ast.CaseClause:
		s.statements(n.Body)
	case *ast.AssignStmt:
		counts := slices.Contains([]token.Token{token.ADD_ASSIGN, token.SUB_ASSIGN, token.MUL_ASSIGN, token.QUO_ASSIGN, token.REM_ASSIGN}, n.Tok)
		if counts && s.isNumber(n.Rhs[0]) {
			s.beside(n, n.Rhs[0], +1)
			s.beside(n, n.Rhs[0], -1)
		}
	}
}

// condition turns a condition round; == and != are turned where they stand.
func (s *source) condition(cond ast.Expr) {
	if b, ok := ast.Unparen(cond).(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) || !s.isBool(cond) {
		return
	}
	s.enclose(cond, "((", ") != "+s.mutant(cond, negate, "not ("+s.said(cond)+")")+")")
}

func (s *source) binary(b *ast.BinaryExpr) {
	switch b.Op {
	case token.LAND, token.LOR:
		if s.inChain[b] {
			return
		}
		for _, operand := range s.chain(b, b.Op) {
			s.leaveOut(operand, b.Op)
		}
	case token.EQL, token.NEQ:
		s.enclose(b, "((", ") != "+s.mutant(b, equality, s.said(b)+" -> "+s.saidWith(b, turned[b.Op]))+")")
		s.literals(b)
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		s.compare(b)
	case token.ADD, token.SUB, token.MUL, token.QUO, token.REM:
		for _, operand := range []ast.Expr{b.X, b.Y} {
			if s.isNumber(operand) {
				s.beside(b, operand, +1)
				s.beside(b, operand, -1)
			}
		}
	}
}

// turned is what an operator is changed to.
var turned = map[token.Token]token.Token{token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR}

// chain are the operands of a && b && c.
func (s *source) chain(e ast.Expr, op token.Token) []ast.Expr {
	b, ok := e.(*ast.BinaryExpr)
	if !ok || b.Op != op {
		return []ast.Expr{e}
	}
	s.inChain[b] = true
	return append(s.chain(b.X, op), s.chain(b.Y, op)...)
}

func (s *source) leaveOut(operand ast.Expr, op token.Token) {
	switch {
	case !s.isBool(operand):
	case op == token.LAND:
		s.enclose(operand, "((", ") || "+s.mutant(operand, dropConjunct, "without "+s.said(operand))+")")
	default:
		s.enclose(operand, "((", ") && !"+s.mutant(operand, dropDisjunct, "without "+s.said(operand))+")")
	}
}

var compares = map[token.Token]string{token.LSS: "mutantLess", token.LEQ: "mutantAtMost", token.GTR: "mutantMore", token.GEQ: "mutantAtLeast"}

// compare moves the bound of a comparison: by its operator one way, and where it is a
// number by one the other way.
func (s *source) compare(b *ast.BinaryExpr) {
	id := s.next(s.of(b, boundary, s.said(b)+" -> "+s.saidWith(b, turned[b.Op])))
	s.enclose(b, fmt.Sprintf("%s(%d, (", compares[b.Op], id), "))")
	at := s.offset(b.OpPos)
	s.edits = append(s.edits, edit{at, at + len(b.Op.String()), "), ("})
	wider := +1
	if b.Op == token.LSS || b.Op == token.GEQ {
		wider = -1 // the operator makes it x < 4 of x < 3, so the number makes it x < 2
	}
	switch {
	case s.isNumber(b.Y):
		s.beside(b, b.Y, wider)
	case s.isNumber(b.X):
		s.beside(b, b.X, -wider)
	}
}

// literals changes a number that something is compared with: names of numbers are often
// kinds, and one beside a kind is no near thing.
func (s *source) literals(b *ast.BinaryExpr) {
	for _, operand := range []ast.Expr{b.X, b.Y} {
		if _, ok := operand.(*ast.BasicLit); ok && s.isNumber(operand) {
			s.beside(b, operand, +1)
		}
	}
}

// beside makes a number of an expression or statement one more or less.
func (s *source) beside(whole ast.Node, number ast.Expr, by int) {
	kind, ok := s.kind(number)
	if !ok {
		return
	}
	value := constant.BinaryOp(constant.ToInt(s.info.Types[number].Value), token.ADD, constant.MakeInt64(int64(by)))
	text, at := s.raw(whole), s.offset(number.Pos())-s.offset(whole.Pos())
	change := plain(text) + " -> " + plain(text[:at]+value.String()+text[at+len(s.raw(number)):])
	id := s.next(s.of(number, offByOne, change))
	s.enclose(number, fmt.Sprintf("mutantOff[%s](%d, %d, ", kind, id, by), ")")
}

// cases leaves out cases of a switch. One on a value becomes one on conditions.
func (s *source) cases(sw *ast.SwitchStmt) {
	tag, ok := s.tag(sw)
	if !ok {
		return
	}
	for _, c := range sw.Body.List {
		for _, e := range c.(*ast.CaseClause).List {
			dropped := s.mutant(e, dropCase, "without case "+s.said(e))
			s.enclose(e, "(", " && !"+dropped+")")
			if tag == "" {
				s.enclose(e, "(", ")")
				s.condition(e)
				continue
			}
			s.enclose(e, "("+tag+" == (", "))")
		}
	}
}

// tag is the value that a switch compares, "" for one on conditions; not ok if that cannot
// be had under a name.
func (s *source) tag(sw *ast.SwitchStmt) (string, bool) {
	compares := slices.ContainsFunc(sw.Body.List, func(c ast.Stmt) bool { return len(c.(*ast.CaseClause).List) > 0 })
	switch {
	case sw.Tag == nil:
		return "", true
	case !compares || s.info.Types[sw.Tag].Value != nil:
		return "", false
	case isName(sw.Tag):
		s.edits = append(s.edits, edit{s.offset(sw.Tag.Pos()), s.offset(sw.Tag.End()), ""})
		return s.raw(sw.Tag), true
	case sw.Init == nil:
		s.enclose(sw.Tag, "mutantTag := ", ";")
		return "mutantTag", true
	}
	return "", false
}

// isName tells whether an expression only names something: u.Where.
func isName(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return isName(e.X)
	}
	return false
}

// statements skips calls whose results nobody wants, and counting.
func (s *source) statements(list []ast.Stmt) {
	for _, st := range list {
		switch st := st.(type) {
		case *ast.ExprStmt:
			call, ok := st.X.(*ast.CallExpr)
			if name, _ := callee(call).(*ast.Ident); !ok || name != nil && name.Name == "panic" {
				continue
			}
			s.enclose(st, "if !"+s.mutant(st, skipCall, "without "+s.said(st))+" { ", " }")
		case *ast.IncDecStmt:
			s.enclose(st, "if !"+s.mutant(st, skipCall, "without "+s.said(st))+" { ", " }")
		}
	}
}

func callee(c *ast.CallExpr) ast.Expr {
	if c == nil {
		return nil
	}
	return c.Fun
}

// returnNothing is a return with zero values.
func (s *source) returnNothing(f *ast.FuncDecl) string {
	if f.Type.Results == nil || len(f.Type.Results.List[0].Names) > 0 {
		return "return"
	}
	var decl, list []string
	for i, r := range f.Type.Results.List {
		decl = append(decl, fmt.Sprintf("var zero%d %s", i, s.raw(r.Type)))
		list = append(list, fmt.Sprintf("zero%d", i))
	}
	return strings.Join(decl, "; ") + "; return " + strings.Join(list, ", ")
}

func (s *source) isBool(e ast.Expr) bool {
	b, ok := s.info.Types[e].Type.(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// isNumber tells whether an expression is a whole number that the compiler knows.
func (s *source) isNumber(e ast.Expr) bool {
	t := s.info.Types[e]
	if t.Value == nil || constant.ToInt(t.Value).Kind() != constant.Int {
		return false
	}
	b, ok := t.Type.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0 && b.Info()&types.IsUntyped == 0
}

// kind is the type of an expression as the file names it.
func (s *source) kind(e ast.Expr) (string, bool) {
	ok := true
	name := types.TypeString(s.info.Types[e].Type, func(p *types.Package) string {
		if p == s.pack {
			return ""
		}
		for _, spec := range s.file.Imports {
			if spec.Name == nil && strings.Trim(spec.Path.Value, `"`) == p.Path() {
				return p.Name()
			}
		}
		ok = false
		return ""
	})
	return name, ok
}

// mutant is the question whether a new mutant is on.
func (s *source) mutant(at ast.Node, op Operator, change string) string {
	return fmt.Sprintf("mutant(%d)", s.next(s.of(at, op, change)))
}

func (s *source) of(at ast.Node, op Operator, change string) Mutant {
	m := s.about
	m.Line, m.Operator, m.Change = s.set.Position(at.Pos()).Line, op, change
	return m
}

func (s *source) enclose(n ast.Node, before, after string) {
	s.wrapped[n] = append(s.wrapped[n], wrap{before, after})
}

func (s *source) put(at token.Pos, format string, a ...any) {
	s.edits = append(s.edits, edit{s.offset(at), s.offset(at), fmt.Sprintf(format, a...)})
}

func (s *source) offset(at token.Pos) int { return s.set.Position(at).Offset }

// raw is the text of a node.
func (s *source) raw(n ast.Node) string {
	return string(s.text[s.offset(n.Pos()):s.offset(n.End())])
}

// said is the text of a node on one line.
func (s *source) said(n ast.Node) string { return plain(s.raw(n)) }

func (s *source) saidWith(b *ast.BinaryExpr, op token.Token) string {
	return s.said(b.X) + " " + op.String() + " " + s.said(b.Y)
}

// plain is a text on one line, and not a long one.
func plain(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > longest {
		return text[:longest] + "..."
	}
	return text
}

const longest = 120

// changed is the text of the file with all edits.
func (s *source) changed() []byte {
	slices.SortStableFunc(s.edits, func(a, b edit) int { return a.from - b.from })
	var out []byte
	at := 0
	for _, e := range s.edits {
		out = append(append(out, s.text[at:e.from]...), e.text...)
		at = e.to
	}
	return append(out, s.text[at:]...)
}
