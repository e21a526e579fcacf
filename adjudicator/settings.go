package adjudicator

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/rule"
)

// Setting is an option that the players of a game agree on before it begins.
type Setting struct {
	Name    string
	Means   string // in a sentence
	Values  []string
	Default string
	Clause  rule.Clause // that it is a reading of, or empty
}

// Optional is a Game whose rules have options.
type Optional interface {
	// Settings lists them.
	Settings() []Setting
	// With is the game under these values by name; what is missing has its
	// default. Values are legal, and names of others are passed over.
	With(values map[string]string) (Game, error)
}

// SettingsOf are the options of a game's rules.
func SettingsOf(g Game) []Setting {
	if o, ok := g.(Optional); ok {
		return o.Settings()
	}
	return nil
}

// Under is the game under options.
func Under(g Game, values map[string]string) (Game, error) {
	if o, ok := g.(Optional); ok && len(values) > 0 {
		return o.With(values)
	}
	return g, nil
}

// Check tells what is wrong with a value of the setting.
func (s Setting) Check(value string) error {
	if len(s.Values) == 0 || slices.Contains(s.Values, value) {
		return nil
	}
	return fmt.Errorf("%s = %q is not understood: write one of %s", s.Name, value, strings.Join(s.Values, ", "))
}
