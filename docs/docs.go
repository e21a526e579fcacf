// Package docs carries the documents in the binary and makes a site of them, plain HTML that any
// web server can hand out and a browser opens from the disk.
package docs

import (
	"bytes"
	"embed"
	"html/template"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

//go:embed *.md *.png site.html
var files embed.FS

// Root are the files above the documents that belong to them, by their names: README.md, which
// becomes the first page, and those that it links to.
type Root map[string]string

const first = "README.md"

// Write makes the site in a folder, which it makes if it is not there. Pages of its names are written anew.
func Write(folder string, root Root) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	layout, err := template.ParseFS(files, "site.html")
	if err != nil {
		return err
	}
	put := func(name string, content []byte) error {
		if path.Ext(name) == ".md" {
			if content, err = page(content, layout); err != nil {
				return err
			}
			name = pageName(name)
		}
		return os.WriteFile(filepath.Join(folder, name), content, 0o644)
	}
	for name, content := range root {
		if err := put(name, []byte(content)); err != nil {
			return err
		}
	}
	return fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == "site.html" {
			return err
		}
		content, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		return put(name, content)
	})
}

// pageName is where a document stands on the site.
func pageName(name string) string {
	if name == first {
		return "index.html"
	}
	return strings.ToLower(strings.TrimSuffix(name, ".md")) + ".html"
}

// markdown is as the documents are written: with tables, and headings that can be linked to.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()))

// page is a document as a page of the site.
func page(source []byte, layout *template.Template) ([]byte, error) {
	document := markdown.Parser().Parse(text.NewReader(source))
	title := "Fieldpost"
	// The walk ends with no error: its function has none.
	_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			if n.Level == 1 && title == "Fieldpost" {
				title = string(n.Lines().Value(source))
			}
		case *ast.Link:
			n.Destination = []byte(onSite(string(n.Destination)))
		case *ast.Image:
			n.Destination = []byte(onSite(string(n.Destination)))
		}
		return ast.WalkContinue, nil
	})
	var body, whole bytes.Buffer
	if err := markdown.Renderer().Render(&body, source, document); err != nil {
		return nil, err
	}
	// The documents are ours, and hold no HTML that goldmark would let through.
	err := layout.Execute(&whole, map[string]any{"Title": title, "Body": template.HTML(body.String())})
	return whole.Bytes(), err
}

// onSite is where a link of a document leads on the site, whose pages lie side by side.
func onSite(link string) string {
	if strings.Contains(link, "://") || strings.HasPrefix(link, "#") {
		return link
	}
	name, anchor, anchored := strings.Cut(link, "#")
	name = path.Base(name)
	if path.Ext(name) == ".md" {
		name = pageName(name)
	}
	if anchored {
		return name + "#" + anchor
	}
	return name
}
