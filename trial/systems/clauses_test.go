package systems

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fieldpost/adjudicator/systems"
)

// unmutated are the clauses that refuse orders and have no mutation, and why.
var unmutated = map[string]string{
	"WB-95 2.1.1":  "units that a scenario's notes hold back: the View does not list them",
	"WB-95 2.1.3":  "an Air Phase after the last one: it has no number left to write",
	"WB-95 5.1.3":  "guns that must attack themselves: towed guns never must, a View does not tell self-propelled ones",
	"WB-95 5.1.7":  "a set of attacks that a game's option sends back: the option is off, and no order is illegal by itself",
	"WB-95 6.3.2":  "supporting guns out of range fall out of an attack that stands: a remark, not a refusal",
	"WB-95 6.5.5":  "guns that fired in the barrage: their sheet holds both orders, and the barrage comes first",
	"WB-95 6.5.7":  "more guns than ammunition: wants a barrage and more guns in range than there are units of it",
	"WB-95 7.1.9":  "fixed positions: the View draws them on the map only",
	"WB-95 8.2.12": "the strength of a mission against movement is the book's profile, not in the View",
	"WB-95 8.2.15": "the strength that counts on one hex is the book's profile, not in the View",
	"WB-95 11.1.5": "room at the edge of the map: which hexes a stack may come on in is for the rules to say",
	"WB-95 12.1.4": "a mark for strategic movement that is missing: said in the phase, not on receipt",
	"WB-95 12.2.1": "strategic movement out of an enemy zone: said in a remark beforehand, refused in the phase",
	"WB-95 21.1.2": "air counters over one hex: how strong a counter is the View does not say",
	"WB-95 14.3.3": "a headquarters that builds two bridges: wants two big rivers beside one hex",
}

// Every clause by which the engine refuses an order has a mutation, or a reason why not.
func TestEveryProhibitionHasAMutation(t *testing.T) {
	have := map[string]bool{}
	for _, m := range wb95Mutants {
		have[string(m.Clause)] = true
	}
	files, err := filepath.Glob("../../adjudicator/wb95/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	refuses := map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			if sel, ok := lit.Type.(*ast.SelectorExpr); !ok || sel.Sel.Name != "Violation" {
				return true
			}
			for _, e := range lit.Elts {
				kv, ok := e.(*ast.KeyValueExpr)
				if !ok {
					continue
				}
				if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "Clause" {
					if c, ok := kv.Value.(*ast.BasicLit); ok {
						clause, _ := strconv.Unquote(c.Value)
						refuses[clause] = true
					}
				}
			}
			return true
		})
	}
	if len(refuses) < 40 {
		t.Fatalf("only %d clauses refuse orders: the search finds too little", len(refuses))
	}
	for _, c := range slices.Sorted(maps.Keys(refuses)) {
		if c != "" && !have[c] && unmutated[c] == "" {
			t.Errorf("%s refuses orders, and no mutation breaks it", c)
		}
	}
	for c := range unmutated {
		if have[c] || !refuses[c] {
			t.Errorf("%s is listed as without a mutation, but has one or refuses nothing", c)
		}
	}
}

// Every system that the product plays has its entry, complete.
func TestEverySystemIsTried(t *testing.T) {
	for _, rules := range systems.All {
		s, err := Get(rules.ID())
		if err != nil {
			t.Error(err)
			continue
		}
		if s.Rules.ID() != rules.ID() || s.Orders == nil || len(s.Mutations) == 0 || s.Feelers == nil || s.Law == nil {
			t.Errorf("the entry of %s is not complete", rules.ID())
		}
	}
}
