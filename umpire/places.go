package umpire

import (
	"fmt"
	"regexp"
	"strings"
)

// places are the lines where the keys and tables of a TOML file stand, by their paths: "mail.imap.host", or
// "club[1].name" of the second [[club]].
type places map[string]int

// placesOf finds the keys of a file that was understood as TOML.
func placesOf(text string) places {
	at, tables, table := places{}, map[string]int{}, ""
	var value multiline
	for n, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case value.open():
			value.read(line)
		case trimmed == "" || trimmed[0] == '#':
		case strings.HasPrefix(trimmed, "[["):
			name, _, _ := strings.Cut(trimmed[2:], "]]")
			table = within(name, tables)
			tables[table]++
			table = fmt.Sprintf("%s[%d]", table, tables[table]-1)
			at.add(table, n+1)
		case trimmed[0] == '[':
			name, _, _ := strings.Cut(trimmed[1:], "]")
			table = within(name, tables)
			at.add(table, n+1)
		default:
			key, rest, _ := strings.Cut(trimmed, "=")
			path := unquoted(key)
			if table != "" {
				path = table + "." + path
			}
			at.add(path, n+1)
			value.read(rest)
		}
	}
	return at
}

func (at places) add(path string, line int) {
	if at[path] == 0 {
		at[path] = line
	}
}

// within is the path of a table's name: of a table in one of several, that is the last so far.
func within(name string, tables map[string]int) string {
	path := ""
	parts := strings.Split(unquoted(name), ".")
	for i, part := range parts {
		if i > 0 {
			path += "."
		}
		path += part
		if n := tables[path]; n > 0 && i < len(parts)-1 {
			path = fmt.Sprintf("%s[%d]", path, n-1)
		}
	}
	return path
}

func unquoted(key string) string {
	return strings.NewReplacer(" ", "", "\t", "", `"`, "", "'", "").Replace(key)
}

// of is the line of a key, or of the nearest table around it that is there; 0 for none.
func (at places) of(path string) int {
	for path != "" {
		if n := at[path]; n > 0 {
			return n
		}
		path = path[:max(0, strings.LastIndexAny(path, ".["))]
	}
	return 0
}

var index = regexp.MustCompile(`\[[0-9]+\]`)

// all are the places of a key in whichever of several tables.
func (at places) all(key string) (paths []string) {
	for path := range at {
		if index.ReplaceAllString(path, "") == key {
			paths = append(paths, path)
		}
	}
	return paths
}

// multiline is a value that may go on over several lines: an array, or a text in three quotes.
type multiline struct {
	quotes string // what ends the text, "" outside of one
	depth  int    // of arrays
}

func (v *multiline) open() bool { return v.quotes != "" || v.depth > 0 }

// read goes on through the value's next line.
func (v *multiline) read(line string) {
	for line != "" {
		if v.quotes != "" {
			line = v.inText(line)
			continue
		}
		switch {
		case strings.HasPrefix(line, `"""`), strings.HasPrefix(line, "'''"):
			v.quotes, line = line[:3], line[3:]
			continue
		case line[0] == '"', line[0] == '\'':
			v.quotes = line[:1]
		case line[0] == '#':
			return
		case line[0] == '[', line[0] == '{':
			v.depth++
		case line[0] == ']', line[0] == '}':
			v.depth--
		}
		line = line[1:]
	}
	if len(v.quotes) == 1 {
		v.quotes = ""
	}
}

// inText reads the next piece of a text, and returns the rest of the line.
func (v *multiline) inText(line string) (rest string) {
	switch {
	case line[0] == '\\' && v.quotes[0] == '"':
		return line[min(2, len(line)):]
	case strings.HasPrefix(line, v.quotes):
		line, v.quotes = line[len(v.quotes):], ""
		return line
	}
	return line[1:]
}
