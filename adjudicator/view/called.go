package view

import "fieldpost/adjudicator/phrase"

// Called is whom a unit of the side is called. Whatever prints a unit asks it for a form,
// so that orders take what is printed.
func (u *Unit) Called(side string) phrase.Called {
	return phrase.Called{ID: u.ID, Name: u.Name, Type: u.Type, Of: phrase.Formations(u.Parent, u.Formation), Side: side, Nation: u.Nation}
}

// Called is whom the unit is called, as far as that is known.
func (s *Sight) Called() phrase.Called {
	return phrase.Called{Name: s.Name, Type: s.Type, Nation: s.Nation}
}
