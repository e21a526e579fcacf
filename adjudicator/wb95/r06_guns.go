package wb95

import "fieldpost/adjudicator/rule"

// gunRange is how far guns fire, in hexes; nothing on the way stops them.
//
// WB-95 6.1.2
const gunRange = 3

// setupPrice is what a change of set-up costs.
//
// WB-95 6.2.4
const setupPrice = One

// hasSetup: the counter is in combat or in transport set-up.
//
// WB-95 6.1.1: artillery is towed or self-propelled
// WB-95 6.2.2: towed guns have a side of the counter for each set-up
// WB-95 6.1.6: and one step
// reading WB-95 6.2.2: only towed artillery has set-ups; towed anti-tank and
// anti-aircraft guns go, stay and fall back like other trucked units.
func (c *Counter) hasSetup() bool { return c.Type == ART && !c.SelfPro }

// rooted: a towed gun in combat set-up, which cannot move at all.
//
// WB-95 6.2.3
// reading WB-95 5.3.7: towed guns in combat set-up cannot fall back; they may be left behind
// without payment; the hex then counts as emptied, and who pursues into it destroys them.
func rooted(u *Unit) bool { return u.c.hasSetup() && u.Firing }

// setupFault says what is wrong with an order that changes the set-up of guns.
//
// WB-95 6.2.4
// reading WB-95 6.2.4: the change to transport comes before the movement of the
// order, the change to combat set-up after it.
func (o *moveOrder) setupFault() *rule.Violation {
	switch {
	case !o.changesSetup():
		return nil
	case o.entrench:
		return &rule.Violation{Clause: "WB-95 7.1.4", Why: "building field fortifications takes all movement points of the unit", Instead: "ENTRENCH stands alone."}
	case o.strategic:
		return &rule.Violation{Clause: "WB-95 6.2.4", Why: "guns change their set-up in the Movement Phase only, and then have no strategic movement",
			Instead: "Limber them now and move them strategically next turn."}
	}
	return nil
}

// setupOnly: the order changes the set-up of guns and moves nobody.
func (o *moveOrder) setupOnly() bool { return o.changesSetup() && !o.goes() }

// changesSetup: the order changes the set-up of guns, before a way or after it.
func (o *moveOrder) changesSetup() bool { return o.limber || o.unlimber }

// maySetOut judges what an order asks of a unit's set-up.
//
// WB-95 6.2.1: limbered guns move like other trucked units
func (u *Unit) maySetOut(o *moveOrder) *rule.Violation {
	named := len(o.units) == 1
	switch {
	case o.entrench:
		return nil
	case u.Barraged == silentPhases:
		return &rule.Violation{Clause: "WB-95 6.5.5", Why: "it has fired in the barrage and does not move in this phase"}
	case !u.c.hasSetup():
		if named && o.changesSetup() {
			return &rule.Violation{Clause: "WB-95 6.2.2", Why: "only towed artillery has a set-up to change"}
		}
	// WB-95 6.2.3: in combat set-up they stay
	case u.Firing:
		return o.faultForRooted()
	// WB-95 6.2.4: the change is made in the Movement Phase, for a point
	case o.limber && o.setupOnly():
		if named {
			return &rule.Violation{Clause: "WB-95 6.2.4", Why: "it is in transport set-up already"}
		}
	}
	return nil
}

// faultForRooted says why a gun in combat set-up cannot do what the order says.
func (o *moveOrder) faultForRooted() *rule.Violation {
	switch {
	case o.limber:
		return nil
	case o.setupOnly(): // UNLIMBER alone
		return &rule.Violation{Clause: "WB-95 6.2.4", Why: "it is in combat set-up already"}
	}
	// WB-95 6.2.3: nor can it move before it has changed
	return &rule.Violation{Clause: "WB-95 6.2.3", Why: "it is in combat set-up and cannot move", Instead: "Write LIMBER before the movement."}
}

// limber changes a gun to transport set-up, if the order says so.
//
// WB-95 6.2.4
func (m *march) limber(o *moveOrder) *rule.Violation {
	if !o.limber || !rooted(m.u) {
		return nil
	}
	if v := m.payForSetup(); v != nil {
		return v
	}
	m.u.Firing, m.limbered = false, true
	return nil
}

// unlimber changes a gun to combat set-up at the end of its movement.
//
// WB-95 6.2.4
func (m *march) unlimber(o *moveOrder) *rule.Violation {
	switch {
	case !o.unlimber, !m.u.c.hasSetup():
		return nil
	}
	if v := m.payForSetup(); v != nil {
		v.Instead = "Leave UNLIMBER out, or stop earlier."
		return v
	}
	m.u.Firing, m.unlimbered = true, true
	return nil
}

// payForSetup takes the price of a change; several in one phase are allowed.
//
// reading WB-95 6.2.4: a change counts as activity that bars strategic movement
// (12.1.2); it does not disturb a disorganized gun (5.6.5).
func (m *march) payForSetup() *rule.Violation {
	if v := m.pinned(); v != nil {
		return v
	}
	if m.spent+setupPrice > m.start {
		return &rule.Violation{Clause: "WB-95 6.2.4", Why: "the change of set-up costs " + setupPrice.String() + " MP, " +
			(m.start - m.spent).String() + " of " + m.start.String() + " are left"}
	}
	m.spent += setupPrice
	m.u.Active, m.pure = true, false
	return nil
}

// setupTold says which changes of set-up were made.
func (m *march) setupTold() string {
	switch {
	case m.limbered && m.unlimbered:
		return ", limbers and unlimbers"
	case m.limbered:
		return ", limbers"
	case m.unlimbered:
		return ", unlimbers: ready to fire"
	}
	return ""
}

// silentPhases is for how many Combat Phases a gun that fired in a barrage does
// not support (6.5.6).
const silentPhases = 2
