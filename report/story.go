package report

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"fieldpost/adjudicator/view"
)

// Item is an event in words.
type Item struct {
	// Number counts the items of a report from 1; marks on the map carry it.
	Number int
	// Event is what it tells.
	Event view.Event
	// Head is the sentence, Detail what stands below it.
	Head   string
	Detail []string
	// Below are the events that Detail tells beside the first.
	Below []view.Event
	// Told are all events of the item with their words.
	Told []view.Said
}

// Items are the events of the report in words, in their order. An event that the
// wording says nothing about, by an empty text, is left out. An event whose text
// begins with two blanks is told below the item before it. Neighbours of a kind
// that has a wording KIND:all become one item: that heading, and their texts
// behind it as a list. The error joins all faults of the wording; an event with a
// fault still has an item that says its kind and facts, so that no player misses
// what happened.
func (r *Report) Items() ([]Item, error) {
	items, _, err := r.told()
	return items, err
}

// told are the items of the report and, for each event, the number of the item that tells
// it, 0 if none does.
func (r *Report) told() (out []Item, number []int, err error) {
	events := r.View.Story.Events()
	number = make([]int, len(events))
	parsed := map[string]wording{}
	var faults []error
	for i, e := range events {
		text, err := say(parsed, r.Wording, e)
		if err != nil {
			faults = append(faults, err)
			text = plain(e)
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		var last *Item
		if n := len(out); n > 0 && out[n-1].Event.Phase == e.Phase {
			last = &out[n-1]
		}
		heading, list := r.Wording[e.Kind+":all"]
		switch {
		case strings.HasPrefix(text, "  ") && last != nil:
			last.Detail = append(last.Detail, details(text)...)
			last.Below = append(last.Below, e)
		case list && last != nil && last.Event.Kind == e.Kind && events[i-1].Kind == e.Kind:
			last.Head = strings.TrimSuffix(last.Head, ".") + "; " + ends(text) + "."
			last.Event.Hexes = append(slices.Clip(last.Event.Hexes), e.Hexes...)
		case list:
			out = append(out, Item{Number: len(out) + 1, Event: e, Head: heading + " " + ends(text) + "."})
		default:
			head, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
			out = append(out, Item{Number: len(out) + 1, Event: e, Head: strings.TrimSpace(head), Detail: details(rest)})
		}
		number[i] = len(out)
		it := &out[len(out)-1]
		it.Told = append(it.Told, view.Said{Event: e, Text: text})
	}
	return out, number, errors.Join(faults...)
}

// way is a path of four hexes and more, hex by hex.
var way = regexp.MustCompile(`\b(\d{4})(?:-\d{4}){2,}-(\d{4})\b`)

// ends is an entry of a list, of each way its ends: the map draws the rest, and a
// list of forty marches is to be read in half a minute.
func ends(text string) string { return way.ReplaceAllString(strings.TrimSpace(text), "$1 to $2") }

// details are the lines below a headline.
func details(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, " \t\r\n"); strings.TrimSpace(line) != "" {
			out = append(out, strings.TrimPrefix(line, "  "))
		}
	}
	return out
}

// say puts an event into words.
func say(parsed map[string]wording, w view.Wording, e view.Event) (text string, err error) {
	defer func() {
		if p := recover(); p != nil {
			text, err = "", fmt.Errorf("wording of %q: %v", e.Kind, p)
		}
	}()
	t, known := parsed[e.Kind]
	if !known {
		src, ok := w[e.Kind]
		if !ok {
			return "", fmt.Errorf("no wording for an event of kind %q", e.Kind)
		}
		if t, err = parsedWording(e.Kind, src); err != nil {
			return "", fmt.Errorf("wording of %q: %w", e.Kind, err)
		}
		parsed[e.Kind] = t
	}
	if text, err = t.say(e.Facts); err != nil {
		return "", fmt.Errorf("wording of %q: %w", e.Kind, err)
	}
	return text, nil
}

// CheckWording lists every template of a wording that does not parse.
func CheckWording(w view.Wording) error {
	var faults []error
	for _, kind := range slices.Sorted(maps.Keys(w)) {
		if _, err := parsedWording(kind, w[kind]); err != nil {
			faults = append(faults, fmt.Errorf("wording of %q: %w", kind, err))
		}
	}
	return errors.Join(faults...)
}

// plain says an event that has no usable wording.
func plain(e view.Event) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s", e.Kind)
	for i, h := range e.Hexes {
		if i == 0 {
			b.WriteString(" at")
		}
		fmt.Fprintf(&b, " %v", h)
	}
	for _, k := range slices.Sorted(maps.Keys(e.Facts.Map())) {
		fmt.Fprintf(&b, "\n  %s: %s", k, e.Facts.Get(k))
	}
	return b.String()
}

// chapter is the items of one phase.
type chapter struct {
	phase string
	items []Item
}

// chapters groups the items by phase. A phase without items has no chapter.
func chapters(items []Item) []chapter {
	var out []chapter
	for _, it := range items {
		if n := len(out); n == 0 || out[n-1].phase != it.Event.Phase {
			out = append(out, chapter{phase: it.Event.Phase})
		}
		c := &out[len(out)-1]
		c.items = append(c.items, it)
	}
	return out
}

// acted says in a line a kind what was chosen for the reader without a question,
// and in which items: by their standing orders, by the default, and what was
// wished and could not be.
func acted(items []Item) []string {
	var lines []string
	for _, k := range []struct{ what, word string }{
		{"by a standing order", "standing"}, {"filled in by the default", "default"}, {"passed over, for a reason told there", "-skipped"}} {
		n := 0
		var at []string
		for _, it := range items {
			here := 0
			for _, e := range it.Below {
				source := e.Facts.Get("source")
				skipped := strings.HasSuffix(e.Kind, "-skipped")
				switch {
				case source == "", skipped != (k.word == "-skipped"):
				case skipped, strings.Contains(source, k.word):
					here++
				}
			}
			if here > 0 {
				at = append(at, fmt.Sprint(it.Number))
			}
			n += here
		}
		if n > 0 {
			item := "item "
			if len(at) > 1 {
				item = "items "
			}
			lines = append(lines, fmt.Sprintf("%d %s: %s", n, k.what, item+strings.Join(at, ", ")))
		}
	}
	return lines
}
