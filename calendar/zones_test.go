package calendar

import (
	"strings"
	"testing"
)

// Every name of the time zone database is found whatever letters it is written in, and
// names a zone that can be loaded.
func TestZoneNamesAreReadCaseBlind(t *testing.T) {
	names := strings.Fields(zoneNames)
	if len(names) < 590 {
		t.Fatalf("%d names", len(names))
	}
	for _, name := range names {
		for _, written := range []string{name, strings.ToUpper(name), strings.ToLower(name)} {
			if got := ZoneName(written); got != name {
				t.Errorf("%s is %s, want %s", written, got, name)
			}
		}
		if zone, err := ParseZone(name); err != nil || zone.String() != name {
			t.Errorf("%s: %v, %v", name, zone, err)
		}
	}
	if got := ZoneName("Nowhere/Land"); got != "Nowhere/Land" {
		t.Errorf("an unknown name becomes %s", got)
	}
}
