package scene

import "fieldpost/umpire/match"

// Opening is the opening of a scenario for a map, as OpeningView tells it.
func Opening(s *match.Library, id, side string) (*Scene, error) {
	v, err := s.OpeningView(id, side)
	if err != nil {
		return nil, err
	}
	game, _, err := s.Load(id)
	if err != nil {
		return nil, err
	}
	sc := &Scene{View: v, Note: match.OpenNote(side)}
	return sc, sc.Reckon(game, side)
}
