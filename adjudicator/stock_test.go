package adjudicator_test

import (
	"strings"
	"testing"

	"fieldpost/adjudicator"
)

// What is taken, and appended to beyond its room, stays apart.
func TestListsOfAStockStayApart(t *testing.T) {
	var stock adjudicator.Stock[int]
	var texts adjudicator.Texts
	var lists [][]int
	var words []string
	for n := range 300 {
		list := stock.Take(n % 100)
		for len(list) <= n%100 {
			list = append(list, n)
		}
		lists = append(lists, list)
		words = append(words, texts.Keep([]byte(strings.Repeat(string(rune('a'+n%26)), n))))
	}
	for n, list := range lists {
		for _, v := range list {
			if v != n {
				t.Fatalf("list %d holds %d", n, v)
			}
		}
		if want := strings.Repeat(string(rune('a'+n%26)), n); words[n] != want {
			t.Fatalf("word %d is %q", n, words[n])
		}
	}
}
