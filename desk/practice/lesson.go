package practice

import "fieldpost/adjudicator/hex"

// Step is one thing that a newcomer does in their first turn.
type Step struct {
	Title string `json:"title"`
	Text  string `json:"text"`
	// Hex is where the map shows it, none if nowhere.
	Hex hex.Hex `json:"hex,omitempty"`
	// Until says what ends the step.
	Until Until `json:"until"`
}

// Until is what ends a step; an empty one ends when its reader has read it.
type Until struct {
	// Chosen is the unit that is to be chosen.
	Chosen string `json:"chosen,omitempty"`
	// Line is what one order of the sheet that stands has in it, all of it.
	Line []string `json:"line,omitempty"`
	// Actor is who is offered that order.
	Actor string `json:"actor,omitempty"`
	// Done is that the sheet is finished, Played that it was handed in.
	Done   bool `json:"done,omitempty"`
	Played bool `json:"played,omitempty"`
}

// lessons are the guided first turns, by what they begin with.
var lessons = map[Choice][]Step{
	{Scenario: "kharkov-1942", Side: "SOVIET", Seed: 1942}: {
		{Title: "This is your army", Text: "You lead the Soviets. Drag the map, and zoom with the wheel or two fingers. " +
			"Two numbers on a counter count most: the first is its strength, the last how far it goes."},
		{Title: "Choose a division", Text: "Hex 2206 is ringed. Click it, then 124 INF in the list: an infantry division, 5 strength points, 4 movement points.",
			Hex: hex.New(22, 6), Until: Until{Chosen: "124 INF"}},
		{Title: "See where it can go", Text: "Blue hexes are in reach, each with its price in movement points. A dashed edge is an enemy zone of control: whoever ends there must attack. That is what we want. Click hex 2406.",
			Hex: hex.New(24, 6), Until: Until{Actor: "124 INF", Line: []string{"124 INF TO 2406"}}},
		{Title: "Bring up its neighbour", Text: "The order stands on the sheet, marked OK. Now hex 2306: choose 81 INF, and send it to 2406 as well. You have a unit there now, so after the click on 2406 the order is a button in the list.",
			Hex: hex.New(23, 6), Until: Until{Actor: "81 INF", Line: []string{"81 INF TO 2406"}}},
		{Title: "And the tanks", Text: "133/XXII stands in 2306, too: a tank brigade, 4 points, and twice as fast. Send it to 2406.",
			Hex: hex.New(23, 6), Until: Until{Actor: "133/XXII", Line: []string{"133/XXII TO 2406"}}},
		{Title: "Attack", Text: "A German regiment is dug in at 2505. Choose 300 INF in 2405: the list has what it may do, attacks with their odds. Alone it is 5 against 4, and would lose. Take ATTACK 2505 all the same; others join in.",
			Hex: hex.New(24, 5), Until: Until{Actor: "300 INF", Line: []string{"2505 WITH", "300 INF"}}},
		{Title: "Join in: infantry", Text: "Choose 124 INF, which you have sent to 2406, and take its attack on 2505: it joins the one on the sheet. Watch the odds there.",
			Hex: hex.New(24, 6), Until: Until{Actor: "124 INF", Line: []string{"2505 WITH", "300 INF", "124 INF"}}},
		{Title: "Join in: the second division", Text: "The same for 81 INF. Who stands beside the enemy must fight, so leave nobody there idle.",
			Hex: hex.New(24, 6), Until: Until{Actor: "81 INF", Line: []string{"2505 WITH", "300 INF", "124 INF", "81 INF"}}},
		{Title: "Join in: tanks", Text: "And 133/XXII. The line says what it comes to: strength against strength, what shifts the odds, and how often the enemy falls back or we do.",
			Hex: hex.New(24, 6), Until: Until{Actor: "133/XXII", Line: []string{"2505 WITH", "300 INF", "124 INF", "81 INF", "133/XXII"}}},
		{Title: "Look the sheet over", Text: "OK is an order that the umpire takes, XX one that a rule forbids, !! something to look at: here enemies beside your army. " +
			"They must be attacked. If you leave some, the rules attack them with whatever stands there. Leave that for today. Tick These are all my orders.",
			Until: Until{Done: true}},
		{Title: "Hand it in", Text: "By mail you would sign and send the sheet now. Here press Play the turn: the dice are thrown, and a staff officer answers for the Germans.",
			Until: Until{Played: true}},
		{Title: "Read what happened", Text: "The report tells it in order. Step through it with the arrows: each item is drawn on the map. Your attack on 2505 is there with its dice, and what the Germans did. " +
			"Now it is your turn again. Play on, or take another scenario."},
	},
}

// Lesson is the guided first turn of a choice, nil where there is none. It is the same against staff
// officers of any strength.
func Lesson(c Choice) []Step {
	return lessons[Choice{Scenario: c.Scenario, Side: c.Side, Seed: c.Seed}]
}

// Taught is with which choice the guided first turn of a scenario begins.
func Taught(scenario string) (c Choice, is bool) {
	for c := range lessons {
		if c.Scenario == scenario {
			return c, true
		}
	}
	return Choice{}, false
}
