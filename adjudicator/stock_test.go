package adjudicator_test

import (
	"strings"
	"sync"
	"testing"

	"fieldpost/adjudicator"
)

// What is taken by several at a time, and appended to beyond its room, stays apart.
func TestListsOfAStockStayApart(t *testing.T) {
	var stock adjudicator.Stock[int]
	var texts adjudicator.Texts
	var all sync.WaitGroup
	for who := range 4 {
		all.Go(func() {
			var lists [][]int
			var words []string
			for n := range 300 {
				list := stock.Take(n % 100)
				for len(list) <= n%100 {
					list = append(list, who)
				}
				lists = append(lists, list)
				words = append(words, texts.Keep([]byte(strings.Repeat(string(rune('a'+who)), n))))
			}
			for n, list := range lists {
				for _, v := range list {
					if v != who {
						t.Errorf("list %d of %d holds %d", n, who, v)
						return
					}
				}
				if want := strings.Repeat(string(rune('a'+who)), n); words[n] != want {
					t.Errorf("word %d of %d is %q", n, who, words[n])
				}
			}
		})
	}
	all.Wait()
}
