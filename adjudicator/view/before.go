package view

import "slices"

// Before is the view as it was written before facts had figures, assets a name of their own, and
// units and sights cards. Reports that were mailed then are proved byte for byte, so an
// archive's check needs it. The view itself stays as it is.
func (v *View) Before() *View {
	old := *v
	old.Facts = slices.Clone(v.Facts)
	for i := range old.Facts {
		old.Facts[i].Numbers = nil
	}
	old.Assets = slices.Clone(v.Assets)
	for i := range old.Assets {
		old.Assets[i].Name = ""
	}
	for _, units := range []*[]Unit{&old.Units, &old.Arrivals, &old.Lost, &old.Allies} {
		*units = slices.Clone(*units)
		for i := range *units {
			u := &(*units)[i]
			u.Waits, u.Left, u.Card = false, "", nil
		}
	}
	old.Enemy = slices.Clone(v.Enemy)
	for i := range old.Enemy {
		stack := &old.Enemy[i]
		stack.Units = slices.Clone(stack.Units)
		for j := range stack.Units {
			stack.Units[j].Card = nil
		}
	}
	return &old
}
