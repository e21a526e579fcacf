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

// Choice is a setting between values, the default first, with what each means.
func Choice(name string, clause rule.Clause, means string, values, meanings []string) Setting {
	for i, v := range values {
		means += fmt.Sprintf("; %s: %s", v, meanings[i])
	}
	return Setting{Name: name, Means: means, Values: values, Default: values[0], Clause: clause}
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

// Chosen are those of the values, given by name, that differ from the defaults of the
// settings; nil if there are none. Names that no setting has are passed over; a value
// that a setting does not have is an error.
func Chosen(settings []Setting, values map[string]string) (map[string]string, error) {
	var out map[string]string
	for _, s := range settings {
		v := values[s.Name]
		if v == "" || v == s.Default {
			continue
		}
		if err := s.Check(v); err != nil {
			return nil, err
		}
		if out == nil {
			out = map[string]string{}
		}
		out[s.Name] = v
	}
	return out, nil
}
