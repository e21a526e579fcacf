package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// line is one line of the table.
type line struct {
	what, bar string
	read      reading
}

// reading is how a figure and its floor are had.
type reading func(*machine) (figure, floor string, err error)

// timed is a metric of a benchmark, and the metric of another that is its floor.
// names are of the benchmark and of the floor, "" for none.
func timed(pkg, name, metric, floor, floorMetric string) reading {
	return func(m *machine) (string, string, error) {
		figure, err := metricOf(m, pkg, name, metric)
		if err != nil || floor == "" {
			return figure, "", err
		}
		least, err := metricOf(m, pkg, floor, floorMetric)
		return figure, least, err
	}
}

// over gives a figure the floor of another package's benchmark.
func (r reading) over(pkg, name, metric string) reading {
	return func(m *machine) (string, string, error) {
		figure, _, err := r(m)
		if err != nil {
			return "", "", err
		}
		least, err := metricOf(m, pkg, name, metric)
		return figure, least, err
	}
}

// alone is a metric of a sub-benchmark that is run without those beside it, which take long.
func alone(pkg, name, metric string) reading {
	return func(m *machine) (string, string, error) {
		text, err := m.bench(pkg, strings.ReplaceAll(name, "/", "$/^"))
		if err != nil {
			return "", "", err
		}
		figure, err := metricIn(text, name, metric)
		return figure, "", err
	}
}

// metricOf reads one metric; name may have a "/" before the sub-benchmark's.
func metricOf(m *machine, pkg, name, metric string) (string, error) {
	top, _, _ := strings.Cut(name, "/")
	text, err := m.bench(pkg, top)
	if err != nil {
		return "", err
	}
	figure, err := metricIn(text, name, metric)
	if err != nil {
		return "", fmt.Errorf("%s %w", pkg, err)
	}
	return figure, nil
}

// metricIn reads one metric from what benchmarks printed.
func metricIn(text, name, metric string) (string, error) {
	at := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + `(?:-\d+)?\s.*?([0-9.e+]+) ` + regexp.QuoteMeta(metric) + `(?:\s|$)`).FindStringSubmatch(text)
	if at == nil {
		return "", fmt.Errorf("%s printed no %s", name, metric)
	}
	n, err := strconv.ParseFloat(at[1], 64)
	if err != nil {
		return "", err
	}
	if metric == "ns/op" {
		return time.Duration(n).Round(time.Duration(max(n/1000, 1))).String(), nil
	}
	return round(n) + " " + metric, nil
}

// round is a number with three digits that tell something, thousands apart.
func round(n float64) string {
	if n < 1000 {
		return strconv.FormatFloat(n, 'g', 3, 64)
	}
	s := strconv.FormatFloat(n, 'f', 0, 64)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// told is the line of what fieldpost prints that holds the words.
func told(words string, args ...string) reading { return printed("fieldpost", words, args) }

// tried is the line of what fieldpost-trial prints that holds the words. A number in the
// arguments written as {N} is N with -full and a hundredth of it otherwise.
func tried(words string, args ...string) reading { return printed("fieldpost-trial", words, args) }

func printed(program, words string, args []string) reading {
	return func(m *machine) (string, string, error) {
		text, err := m.program(program, m.sized(args)...)
		if err != nil {
			return "", "", err
		}
		return find(text, words)
	}
}

// ran is the line of what a program of the sources prints that holds the words.
func ran(words, program string, args ...string) reading {
	return func(m *machine) (string, string, error) {
		text, err := m.run("go", append([]string{"run", program}, args...)...)
		if err != nil {
			return "", "", err
		}
		return find(text, words)
	}
}

// tested is the line of a test's log that holds the words.
func tested(words, pkg, test string) reading {
	return func(m *machine) (string, string, error) {
		text, err := m.run("go", "test", pkg, "-run", "^"+test+"$", "-count", "1", "-v", "-timeout", "60m")
		if err != nil {
			return "", "", err
		}
		return find(text, words)
	}
}

func find(text, words string) (string, string, error) {
	for l := range strings.Lines(text) {
		if strings.Contains(l, words) {
			l = strings.TrimSpace(l)
			if _, rest, ok := strings.Cut(l, "_test.go:"); ok {
				_, l, _ = strings.Cut(rest, ": ")
			}
			return strings.ReplaceAll(l, "|", "/"), "", nil
		}
	}
	return "", "", fmt.Errorf("nothing printed holds %q", words)
}

var sizeWord = regexp.MustCompile(`^\{(\d+)\}$`)

func (m *machine) sized(args []string) []string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = a
		if at := sizeWord.FindStringSubmatch(a); at != nil {
			n, _ := strconv.Atoi(at[1])
			if !m.full {
				n = max(n/100, 1)
			}
			out[i] = strconv.Itoa(n)
		}
	}
	return out
}
