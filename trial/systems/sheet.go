package systems

import (
	"bytes"
	"fmt"
	"slices"

	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// Order is one order of a sheet.
type Order struct {
	Section string // with its argument: "AIR 1"
	Text    string
	Kind    string // what the counts call it
}

func head(v *view.View, serial int) string {
	return fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: %d\nSERIAL: %d\n", v.Game, v.Side, v.Turn, serial)
}

// Compose writes a sheet, section by section in the order of their first orders.
// At tells which order stands on a line.
func Compose(v *view.View, serial int, list []Order) (text string, at map[int]Order) {
	var b bytes.Buffer
	at = map[int]Order{}
	b.WriteString(head(v, serial))
	line := 4
	var sections []string
	for _, o := range list {
		if !slices.Contains(sections, o.Section) {
			sections = append(sections, o.Section)
		}
	}
	for _, s := range sections {
		b.WriteString(s + "\n")
		line++
		for _, o := range list {
			if o.Section != s || line >= orders.MaxLines-len(sections)-2 || len(o.Text) > orders.MaxLine {
				continue
			}
			b.WriteString(o.Text + "\n")
			line++
			at[line] = o
		}
	}
	b.WriteString("DONE!\n")
	return b.String(), at
}
