package wb95

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
)

// Whatever the fields of a unit hold, those that are added one day included, what is
// written by hand are the bytes of encoding/json.
func TestPositionsAreWrittenAsByEncodingJSON(t *testing.T) {
	random := rand.New(rand.NewPCG(95, 1))
	texts := []string{"", "124 INF", "13/XXII", `1"2\3`, "a<b>&c", "Größe", "\u2028", "\x00\x7f\xff", "map"}
	s := &State{Format: 1, Units: []Unit{}}
	same := func() {
		t.Helper()
		want, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Encoding(); string(got) != string(want) {
			t.Fatalf("written\n%s, by encoding/json\n%s", got, want)
		}
	}
	same()
	s.Units = nil
	same()
	for range 500 {
		var u Unit
		v := reflect.ValueOf(&u).Elem()
		for i := range v.NumField() {
			f := v.Field(i)
			if !f.CanSet() || random.IntN(3) == 0 {
				continue
			}
			switch f.Kind() {
			case reflect.String:
				f.SetString(texts[random.IntN(len(texts))])
			case reflect.Int, reflect.Int16:
				f.SetInt(int64(random.IntN(9999)))
			case reflect.Bool:
				f.SetBool(random.IntN(2) == 0)
			case reflect.Pointer:
				f.Set(reflect.ValueOf(&Clock{random.IntN(20), random.IntN(12)}))
			default:
				t.Fatalf("a unit has a field %s of a kind that this test does not know", v.Type().Field(i).Name)
			}
		}
		s.Units = append(s.Units, u)
	}
	same()
}
