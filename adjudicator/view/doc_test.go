package view

import (
	"encoding"
	"os"
	"reflect"
	"strings"
	"testing"

	"fieldpost/adjudicator/board"
)

// docs/VIEW.md explains every field of view.json.
func TestTheDocumentKnowsEveryField(t *testing.T) {
	doc, err := os.ReadFile("../../docs/VIEW.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string]string{}
	for _, section := range strings.Split(string(doc), "\n## ")[1:] {
		head, text, _ := strings.Cut(section, "\n")
		sections[head] = text
	}
	seen := map[reflect.Type]bool{}
	var walk func(x reflect.Type)
	walk = func(x reflect.Type) {
		for x.Kind() == reflect.Pointer || x.Kind() == reflect.Slice {
			x = x.Elem()
		}
		if x.Kind() != reflect.Struct || seen[x] || x.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
			return
		}
		seen[x] = true
		head := x.Name()
		if x.PkgPath() == reflect.TypeFor[board.Board]().PkgPath() && head != "Board" {
			head = "Board." + head
		} else if head == "View" {
			head = "The file"
		}
		for i := range x.NumField() {
			f := x.Field(i)
			if !f.IsExported() {
				continue
			}
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "" {
				name = f.Name
			}
			if name != "-" && !strings.Contains(sections[head], "| `"+name+"` |") {
				t.Errorf("%s.%s: docs/VIEW.md says nothing of %q under %q", x.Name(), f.Name, name, head)
			}
			walk(f.Type)
		}
	}
	walk(reflect.TypeFor[View]())
	if len(seen) < 15 {
		t.Errorf("only %d kinds of things were looked at", len(seen))
	}
}
