package wb95

// OddsTable is an attack read off the Combat Table: its column and what each throw brings.
type OddsTable struct {
	Attack, Defence int
	Ratio           string // first column
	Column          string // after both sides' modifiers
	Rows            []OddsLine
	// Of the 36 ways two dice can fall, in how many ...
	Retreats int // the defender must retreat
	Repulsed int // the attacker must retreat
	Tests    int // the attacker must test their organization
	// Sums over the 36 ways: by 36 they are what is to be expected.
	AttackerSteps, DefenderSteps, RetreatHexes int
}

// OddsLine is what a throw of two dice brings.
type OddsLine struct {
	Thrown int // 2 to 12
	Row    int // of the table, after the modifier of the dice
	Ways   int // of 36
	Result CombatResult
}

// Odds reads an attack off the table: strengths after every halving, column
// modifiers of both sides, and what is added to the dice.
func (t *CombatTable) Odds(attack, defence, cmAttack, cmDefence, drm int) OddsTable {
	first := t.ratio(attack, defence)
	column := t.shift(first, cmAttack, cmDefence)
	o := OddsTable{Attack: attack, Defence: defence, Ratio: t.Columns[first], Column: t.Columns[column]}
	for thrown := 2; thrown <= 12; thrown++ {
		r := OddsLine{Thrown: thrown, Row: min(12, max(2, thrown+drm)), Ways: 6 - abs(thrown-7), Result: t.cell(thrown+drm, column)}
		o.Rows = append(o.Rows, r)
		o.Retreats += r.Ways * btoi(r.Result.DRetreat > 0)
		o.Repulsed += r.Ways * btoi(r.Result.ARetreat > 0)
		o.Tests += r.Ways * btoi(r.Result.ATest)
		o.AttackerSteps += r.Ways * r.Result.ALoss
		o.DefenderSteps += r.Ways * r.Result.DLoss
		o.RetreatHexes += r.Ways * r.Result.DRetreat
	}
	return o
}
