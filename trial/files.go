package trial

import (
	"fieldpost/adjudicator/table"
	"fieldpost/umpire/match"
)

// Open opens the files of a scenario and names its system.
type Open func(id string) (system string, src table.Source, err error)

// Files opens the scenarios of a library.
func Files(l *match.Library) Open {
	return func(id string) (string, table.Source, error) {
		pack, _, err := l.Open(id)
		if err != nil {
			return "", nil, err
		}
		return pack.System, pack, nil
	}
}
