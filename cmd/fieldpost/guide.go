package main

import (
	"encoding/json"
	"flag"
	"os"

	"fieldpost/adjudicator/guidance"
	"fieldpost/cmdline"
	"fieldpost/umpire/judge"
)

// guideFlags are the flags of orders guide.
type guideFlags struct{ unit, manner, given, weigh, format string }

func (g *guideFlags) add(f *flag.FlagSet) {
	f.StringVar(&g.unit, "unit", "", "with guide: the `NAME` of a unit or chit, or AIR; else all are listed")
	f.StringVar(&g.manner, "way", "", "with guide: one `MANNER` of moving, such as STRATEGIC or ENTER R")
	f.StringVar(&g.given, "orders", "", "with guide: the `FILE` of the orders given so far")
	f.StringVar(&g.weigh, "weigh", "", "with guide: an `ORDER` to weigh, behind its section, such as \"ATTACK: 2505 WITH 124 INF\"")
	f.StringVar(&g.format, "format", "text", "with guide: text or json")
}

// guideOrders prints what may be ordered after the orders given so far.
func guideOrders(bench *judge.Bench, g guideFlags) error {
	q := guidance.Question{Actor: g.unit, Manner: g.manner, Weigh: g.weigh}
	if g.given != "" {
		sheet, err := sheetIn(g.given, "", bench.View)
		if err != nil {
			return err
		}
		q.Sheet = sheet.Text
	}
	told, err := guidance.Ask(bench.Game, bench.System.Vocabulary(), bench.View, q)
	if err != nil {
		return err
	}
	switch g.format {
	case "text":
		_, err = os.Stdout.WriteString(told.Text())
	case "json":
		out := json.NewEncoder(os.Stdout)
		out.SetIndent("", "  ")
		err = out.Encode(told)
	default:
		return cmdline.Usagef("--format is text or json, not %q", g.format)
	}
	return err
}
