package calendar

import (
	_ "embed"
	"strings"
	"sync"
)

// zoneNames are the names in the time zone database that Go carries, a line each.
//
//go:embed zones.txt
var zoneNames string

var zonesByName = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	for _, name := range strings.Fields(zoneNames) {
		names[strings.ToUpper(name)] = name
	}
	return names
})

// ZoneName is the name of a time zone in the letters of the database, whatever letters
// it is written in: "us/eastern" is US/Eastern. A name that is not there stays as it is.
func ZoneName(text string) string {
	if name, ok := zonesByName()[strings.ToUpper(text)]; ok {
		return name
	}
	return text
}
