package wb95

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
)

// Whatever the fields of units and contacts hold, those that are added one day included, what is
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
	var fill func(v reflect.Value)
	fill = func(v reflect.Value) {
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
			case reflect.Uint8:
				f.SetUint(uint64(random.IntN(min(len(wheres), len(repairStates)))))
			case reflect.Int8:
				f.SetInt(int64(random.IntN(99)))
			case reflect.Bool:
				f.SetBool(random.IntN(2) == 0)
			case reflect.Struct:
				fill(f)
			case reflect.Slice:
				f.Set(reflect.MakeSlice(f.Type(), random.IntN(3), 3))
				for k := range f.Len() {
					fill(f.Index(k))
				}
			default:
				t.Fatalf("%s has a field %s of a kind that this test does not know", v.Type(), v.Type().Field(i).Name)
			}
		}
	}
	for range 500 {
		var u Unit
		var c Contact
		fill(reflect.ValueOf(&u).Elem())
		fill(reflect.ValueOf(&c).Elem())
		s.Units, s.Contact = append(s.Units, u), append(s.Contact, c)
	}
	same()
}
