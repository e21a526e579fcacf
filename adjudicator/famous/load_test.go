package famous

import (
	"testing"

	"fieldpost/scenarios"
)

var ids = []string{"gd-kursk", "gd-akhtyrka", "gd-mischurin-rog", "gd-lutchessa"}

func load(t testing.TB, id string) *Scenario {
	t.Helper()
	pack, err := scenarios.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	sc, err := Load(pack)
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

func TestLoad(t *testing.T) {
	for _, id := range ids {
		sc := load(t, id)
		if len(sc.Counters) == 0 || len(sc.Track) == 0 {
			t.Errorf("%s: %d counters, %d turns", id, len(sc.Counters), len(sc.Track))
		}
	}
}
