package rulebook

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Citation is a comment in the code that cites a clause.
type Citation struct {
	Number string // as cited
	Kind   string // "clause", "reading" or "deviation"
	File   string
	Where  string // the function, type or value: "State.entrench"
	Text   string // of a reading or deviation
}

// Sources is what the Go files of a system say about clauses.
type Sources struct {
	Citations []Citation
	// Named are the clauses that the code gives as the reason for something, in
	// strings such as "WB-95 3.1.4", with where.
	Named map[string]string
	// Lines are the last lines of the comments that hold a citation.
	Lines map[Citation][]int
}

// forms are the shapes of a comment and a string that cite the book.
type forms struct{ begins, clause, ruling, named *regexp.Regexp }

func formsOf(book string) forms {
	b := regexp.QuoteMeta(book)
	return forms{
		begins: regexp.MustCompile(`^// ?(reading |deviation )?` + b + `\b`),
		clause: regexp.MustCompile(`^// ` + b + ` (\d+(?:\.\d+)*(?:/\w+)?)(?:: .+)?$`),
		ruling: regexp.MustCompile(`^// (reading|deviation) ` + b + ` (\d+(?:\.\d+)*(?:/\w+)?): (.+)$`),
		named:  regexp.MustCompile(`^` + b + ` (\d+(?:\.\d+)*(?:/\w+)?)$`),
	}
}

// ReadSources reads the citations of a book in the Go files of a folder, tests
// left aside. Its error lists all comments that are not of the three forms.
func ReadSources(dir fs.FS, book string) (Sources, error) {
	names, err := fs.Glob(dir, "*.go")
	if err != nil {
		return Sources{}, err
	}
	s := Sources{Named: map[string]string{}, Lines: map[Citation][]int{}}
	var errs []error
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := fs.ReadFile(dir, name)
		if err != nil {
			return Sources{}, err
		}
		if err := s.file(name, text, formsOf(book)); err != nil {
			errs = append(errs, err)
		}
	}
	slices.SortFunc(s.Citations, func(a, b Citation) int {
		return cmp.Or(compareNumbers(a.Number, b.Number), strings.Compare(a.Kind, b.Kind), strings.Compare(a.File, b.File),
			strings.Compare(a.Where, b.Where), strings.Compare(a.Text, b.Text))
	})
	s.Citations = slices.Compact(s.Citations)
	return s, errors.Join(errs...)
}

func (s *Sources) file(name string, text []byte, f forms) error {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	var errs []error
	first, at := len(s.Citations), []int{}
	defer func() {
		for i, c := range s.Citations[first:] {
			s.Lines[c] = append(s.Lines[c], at[i])
		}
	}()
	for _, group := range file.Comments {
		where := whereIs(file, group)
		open := -1 // the ruling that the next lines go on with
		for _, c := range group.List {
			m, r := f.clause.FindStringSubmatch(c.Text), f.ruling.FindStringSubmatch(c.Text)
			switch {
			case m != nil:
				at = append(at, set.Position(group.End()).Line)
				s.Citations, open = append(s.Citations, Citation{m[1], "clause", name, where, ""}), -1
			case r != nil:
				at = append(at, set.Position(group.End()).Line)
				s.Citations, open = append(s.Citations, Citation{r[2], r[1], name, where, strings.TrimSpace(r[3])}), len(s.Citations)
			case f.begins.MatchString(c.Text):
				errs = append(errs, fmt.Errorf("%v: %q cites in none of the three forms", set.Position(c.Pos()), c.Text))
			case open >= 0:
				line := strings.TrimSpace(strings.TrimPrefix(c.Text, "//"))
				if line == "" {
					open = -1
					continue
				}
				s.Citations[open].Text += " " + line
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				if m := f.named.FindStringSubmatch(text); m != nil {
					s.Named[m[1]] = set.Position(lit.Pos()).String()
				}
			}
		}
		return true
	})
	return errors.Join(errs...)
}

// whereIs names the declaration that a comment belongs to.
func whereIs(file *ast.File, group *ast.CommentGroup) string {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Doc == group || inside(group, d) {
				return FuncName(d)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				name, doc := "", (*ast.CommentGroup)(nil)
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					name, doc = spec.Name.Name, spec.Doc
				case *ast.ValueSpec:
					name, doc = spec.Names[0].Name, spec.Doc
				}
				about := doc == group || d.Doc == group || inside(group, spec)
				if about && name != "" {
					return name
				}
			}
		}
	}
	return "package"
}

// inside tells whether a comment stands inside a declaration.
func inside(group *ast.CommentGroup, n ast.Node) bool {
	return n.Pos() <= group.Pos() && group.Pos() < n.End()
}

// FuncName is a function as citations name it: "combat.leave".
func FuncName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "." + d.Name.Name
	}
	return d.Name.Name
}

const citationsHead = "# Where the code cites the rulebook. Made by go generate ./rulebook; do not edit.\n# number\tkind\tfile\twhere\ttext\n"

// WriteCitations writes the index of citations.
func WriteCitations(list []Citation) string {
	var b strings.Builder
	b.WriteString(citationsHead)
	for _, c := range list {
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%s\n", c.Number, c.Kind, c.File, c.Where, c.Text)
	}
	return b.String()
}

// ReadCitations reads what WriteCitations has written.
func ReadCitations(text string) ([]Citation, error) {
	var out []Citation
	for i, l := range strings.Split(text, "\n") {
		if l == "" || strings.HasPrefix(l, "#") {
			continue
		}
		f := strings.Split(l, "\t")
		if len(f) != 5 {
			return nil, fmt.Errorf("citations.tsv:%d: %d columns, want 5", i+1, len(f))
		}
		out = append(out, Citation{f[0], f[1], f[2], f[3], f[4]})
	}
	return out, nil
}
