package post

import (
	"bytes"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/mailbox"
	"fieldpost/report"
	"fieldpost/report/chart"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/scene"
)

// FileCampaign is the animated map of a whole game in the mail that ends it.
const FileCampaign = "campaign.gif"

// campaignRoom is what it may take of the mail, in bytes as they travel.
const campaignRoom = 220 << 10

// turnEnds are the positions at the beginning of a game and at the end of each of
// its turns; fresh are phases that are not in the store yet.
func (o *Office) turnEnds(id string, fresh []store.Phase) ([][]byte, error) {
	kept, err := o.DB.Journal(id)
	if err != nil {
		return nil, err
	}
	all := slices.Clone(kept)
	for i, p := range fresh {
		p.Number = uint64(len(kept) + i + 1)
		all = append(all, p)
	}
	all = match.Line(all)
	var out [][]byte
	for i, p := range all {
		if i > 0 && i+1 < len(all) && all[i+1].Turn == p.Turn {
			continue
		}
		if isFresh := p.Number > uint64(len(kept)); isFresh {
			out = append(out, p.Snapshot)
			continue
		}
		whole, err := o.DB.Phase(id, p.Number)
		if err != nil {
			return nil, err
		}
		out = append(out, whole.Snapshot)
	}
	return out, nil
}

// lookBack gives the report that ends a game its after-action summary, what staff officers
// thought, and the animated map.
func (o *Office) lookBack(c *store.Change, d *Draft, r *report.Report, game adjudicator.Game) error {
	ends, err := o.turnEnds(d.Game.ID, c.Phases)
	if err != nil {
		return err
	}
	if r.Staff, err = o.staffPlans(d.Game, r.View.Turn); err != nil {
		return err
	}
	var views []*view.View
	if r.History, views, err = history(game, ends); err != nil {
		return err
	}
	if !o.Drawn(d.Game.ID, d.Player.Side) {
		return nil
	}
	moving, err := Campaign(views, campaignRoom)
	if moving != nil {
		d.Files = append(d.Files, mailbox.File{Name: FileCampaign, Type: "image/gif", Data: moving})
	}
	return err
}

// staffPlans are what the staff officers of a game thought up to its last turn. Only who reports
// a game that is over may ask.
func (o *Office) staffPlans(g store.Game, last int) (all []report.StaffPlans, err error) {
	for _, p := range g.Players {
		if !p.Staffed() {
			continue
		}
		thought, err := o.Deliberations(g.ID, p.Side, last+1)
		if err != nil {
			return nil, err
		}
		of := report.StaffPlans{Side: p.Side}
		for _, d := range thought {
			if d.Plan.Name != "" {
				of.Turns = append(of.Turns, staffPlan(d))
			}
		}
		if len(of.Turns) > 0 {
			all = append(all, of)
		}
	}
	return all, nil
}

func staffPlan(d match.Deliberation) report.StaffPlan {
	out := report.StaffPlan{Turn: d.Turn, Plan: report.Weighed(d.Plan)}
	for _, w := range d.Others {
		out.Others = append(out.Others, report.Weighed(w))
	}
	return out
}

// history tells a game that is over turn by turn, with both sides open.
func history(game adjudicator.Game, ends [][]byte) ([]report.Moment, []*view.View, error) {
	var out []report.Moment
	var views []*view.View
	for i, position := range ends {
		v, err := match.SeenBy(game, position, "")
		if err != nil {
			return nil, nil, err
		}
		m := report.Moment{Turn: v.Turn, Date: v.Date, Score: v.Score}
		if i == 0 {
			m.Date = "at the start"
		} else if before := views[i-1]; v.Verdict == "" || v.Turn > before.Turn {
			m.Turn, m.Date = before.Turn, before.Date // the view is of the morning after
		}
		if i > 0 {
			m.Taken = report.Taken(views[i-1].Objectives, v.Objectives)
		}
		for _, s := range v.Score {
			own, err := game.View(position, adjudicator.Side(s.Side))
			if err != nil {
				return nil, nil, err
			}
			steps := 0
			for _, x := range own.Units {
				steps += x.Steps
			}
			m.Steps, m.Lost = append(m.Steps, steps), append(m.Lost, len(own.Lost))
		}
		out, views = append(out, m), append(views, v)
	}
	return out, views, nil
}

// Campaign animates the turns of a game on small maps: as many of them and as
// large as the room in bytes allows; nil if there is no room.
func Campaign(views []*view.View, room int) ([]byte, error) {
	for _, try := range []struct{ width, step int }{{1100, 1}, {800, 1}, {600, 1}, {600, 2}, {600, 3}, {600, 5}} {
		var pics []*chart.Picture
		for i, v := range views {
			if (len(views)-1-i)%try.step != 0 && i > 0 {
				continue
			}
			pics = append(pics, chart.Render(v, chart.Options{Scale: chart.FitScale(v.Board, try.width), Note: "both sides lie open", Bare: true,
				Layers: []chart.Layer{chart.LayerUnits, chart.LayerFront, chart.LayerObjectives}}))
		}
		var out bytes.Buffer
		if err := chart.Animate(&out, pics, 120); err != nil {
			return nil, err
		}
		if scene.Travels(out.Len()) <= room {
			return out.Bytes(), nil
		}
	}
	return nil, nil
}
