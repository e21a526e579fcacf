package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

func TestMetricsAreRead(t *testing.T) {
	m := &machine{benches: map[string]string{"./x BenchmarkY": "BenchmarkY/floor  	  10	  1200 ns/op	  0.5 ms/op\nBenchmarkY/all-2  	  10	  1500000 ns/op	  12345.6 sheets/s	  3 B/op\n"}}
	for _, c := range []struct{ name, metric, want string }{
		{"BenchmarkY/all", "sheets/s", "12 346 sheets/s"},
		{"BenchmarkY/all", "ns/op", "1.5ms"},
		{"BenchmarkY/floor", "ms/op", "0.5 ms/op"},
	} {
		if got, err := metricOf(m, "./x", c.name, c.metric); err != nil || got != c.want {
			t.Errorf("%s of %s is %q, %v; want %q", c.metric, c.name, got, err, c.want)
		}
	}
	if _, err := metricOf(m, "./x", "BenchmarkY/all", "ms/op"); err == nil {
		t.Error("a metric of the floor is taken for that of the whole")
	}
}

func TestTrialsAreShortUnlessFull(t *testing.T) {
	args := []string{"random", "--games", "{1000}", "--days", "7", "--count", "{30}"}
	if got := strings.Join((&machine{}).sized(args), " "); got != "random --games 10 --days 7 --count 1" {
		t.Error(got)
	}
	if got := strings.Join((&machine{full: true}).sized(args), " "); got != "random --games 1000 --days 7 --count 30" {
		t.Error(got)
	}
}

// One line of the table, end to end, and one that cannot be had.
func TestATable(t *testing.T) {
	t.Chdir("../..")
	old := lines
	defer func() { lines = old }()
	lines = []line{
		{"forged mails", "none", tried("forgeries of", "forgeries", "--count", "{2000}")},
		{"clauses", "all", told("of those played", "rules", "coverage", "--system", "famous")},
		{"nothing", "", told("no such words", "version")},
	}
	var out bytes.Buffer
	err := show(t.Context(), &out, false, "")
	if err == nil || !strings.Contains(err.Error(), "no such words") {
		t.Errorf("the missing line is not named: %v", err)
	}
	if !strings.Contains(out.String(), "| forged mails | 20 forgeries of 20 kinds") || !regexp.MustCompile(`\| clauses \| of those played [0-9]+ are cited`).MatchString(out.String()) || !strings.Contains(out.String(), "| nothing | not had: ") {
		t.Error(out.String())
	}
}
