package umpire

import "fieldpost/umpire/club"

// Club reckons the ladder and the results.
func (d *Desk) Club() (c club.Club, err error) {
	if d.client != nil {
		err = d.client.Call("Desk.Club", "", &c)
		return c, err
	}
	return d.u.Club()
}

// Club is Club over the socket.
func (s *service) Club(_ string, c *club.Club) (err error) {
	*c, err = s.u.Club()
	return err
}

// TournamentTables are all tournaments.
func (d *Desk) TournamentTables() (all []club.TournamentTable, err error) {
	if d.client != nil {
		err = d.client.Call("Desk.TournamentTables", "", &all)
		return all, err
	}
	return d.u.TournamentTables()
}

// TournamentTables is TournamentTables over the socket.
func (s *service) TournamentTables(_ string, all *[]club.TournamentTable) (err error) {
	*all, err = s.u.TournamentTables()
	return err
}

// MailWaits wakes the sender after an act that wrote mails.
func (u *Umpire) MailWaits() {
	select {
	case u.Wake <- struct{}{}:
	default:
	}
}

// Status is all games at one look.
func (d *Desk) Status() (s club.Status, err error) {
	if d.client != nil {
		err = d.client.Call("Desk.Status", false, &s)
		return s, err
	}
	if s, err = d.u.Status(); d.away.Why != "" {
		s.Troubles = append(s.Troubles, d.away.trouble())
	}
	return s, err
}

// Status is Status over the socket.
func (s *service) Status(_ bool, out *club.Status) (err error) {
	*out, err = s.u.Status()
	return err
}

// Desk is the desk of the umpire in its own process. It must not be closed.
func (u *Umpire) Desk() *Desk { return &Desk{u: u} }
