package chart

import (
	"bytes"
	"fmt"
	"image/png"
	"io"
	"strings"
	"syscall"
	"testing"
	"time"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// bigBoard is a map of the size of the largest printed ones with as much on it.
func bigBoard(t testing.TB) *board.Board {
	t.Helper()
	b := &board.Board{ID: "big", Title: "Big", Grid: hex.Grid{ColMin: 1, ColMax: 64, RowMin: 0, RowMax: 36, OddLow: true},
		Compass: board.Compass{North: "top", East: "right", South: "bottom", West: "left"},
		Legend: []board.Terrain{{Code: ".", Kinds: []string{"clear"}}, {Code: "h", Kinds: []string{"hills"}}, {Code: "f", Kinds: []string{"forest"}},
			{Code: "t", Kinds: []string{"town"}}, {Code: "s", Kinds: []string{"swamp"}}}}
	for r := range 37 {
		row := []byte(strings.Repeat(".", 64))
		for c := range 64 {
			h := hex.New(c/4+1, r/3)
			switch hash(h, 1) % 9 {
			case 0:
				row[c] = 'f'
			case 1:
				row[c] = 'h'
			case 2:
				if r%2 == 0 {
					row[c] = 's'
				}
			}
			if hash(hex.New(c+1, r), 2)%28 == 0 {
				row[c] = 't'
				b.Places = append(b.Places, board.Place{Name: fmt.Sprintf("Ort %d%d", c, r), Hexes: []hex.Hex{hex.New(c+1, r)}, Size: "town"})
			}
		}
		b.Rows = append(b.Rows, string(row))
	}
	for i, row := range []int{5, 12, 19, 26, 33} {
		var road board.Road
		road.Kind = []string{"main road", "side road"}[i%2]
		var river board.River
		river.Kind, river.Name = []string{"river", "doniec", "stream"}[i%3], "River"
		for c := 1; c <= 64; c++ {
			road.Path = append(road.Path, hex.New(c, row))
			river.Edges = append(river.Edges, hex.Between(hex.New(c, row), hex.New(c, row+1)))
			if c < 64 && c%2 == 1 { // the low columns' lower right sides join those of the high ones
				river.Edges = append(river.Edges, hex.Between(hex.New(c, row), hex.New(c+1, row+1)))
			} else if c < 64 {
				river.Edges = append(river.Edges, hex.Between(hex.New(c, row+1), hex.New(c+1, row)))
			}
		}
		b.Roads, b.Rivers = append(b.Roads, road), append(b.Rivers, river)
	}
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	return b
}

// bigView is a front with 250 counters.
func bigView(t testing.TB) *view.View {
	v := &view.View{Title: "Big", Side: "GERMAN", Turn: 1, Turns: 9, Board: bigBoard(t)}
	types := []string{"INF", "INF", "ARM", "ART", "HQ", "CAV", "MOT"}
	for i := range 125 {
		h := hex.New(1+i%62, 14+int(hash(hex.Hex(i), 3)%4))
		v.Units = append(v.Units, view.Unit{ID: fmt.Sprint(i), Name: fmt.Sprintf("%d/294", i), Nation: "German", Type: types[i%7], Size: "R", Hex: h, Attack: 4, Defence: 4, Moves: 5, Steps: 1 + i%2, MaxSteps: 2})
		e := hex.New(1+i%62, 20+int(hash(hex.Hex(i), 4)%8))
		s := view.Stack{Hex: e, Side: "SOVIET"}
		if i%3 == 0 {
			s.Units, s.Closer = []view.Sight{{Nation: "Soviet", Type: types[i%7], Steps: 2}}, i%2 == 0
		}
		v.Enemy = append(v.Enemy, s)
	}
	for r := range 37 {
		v.Control = append(v.Control, strings.Repeat("SG"[btoi(r < 19):btoi(r < 19)+1], 64))
	}
	return v
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestSizeOfWholeMap(t *testing.T) {
	var b bytes.Buffer
	p := Render(bigView(t), Options{})
	if err := p.PNG(&b); err != nil {
		t.Fatal(err)
	}
	w, h := p.Size()
	if b.Len() > 560_000 || w < 1800 || w > 2600 {
		t.Errorf("%d x %d, %d bytes", w, h, b.Len())
	}
	t.Logf("%d x %d, %d bytes", w, h, b.Len())
}

// theatre is the map of a mail: 1,600 pixels wide with 250 counters.
func theatre(b *testing.B) (*view.View, Options) {
	v := bigView(b)
	o := Options{Scale: FitScale(v.Board, 1600)}
	if w, _ := Render(v, o).Size(); w < 1500 || w > 1600 {
		b.Fatalf("the map is %d pixels wide", w)
	}
	return v, o
}

// encode draws and writes a map again and again, each time from what fresh makes.
func encode(b *testing.B, write func(*Picture, io.Writer) error, fresh func() (*view.View, Options)) {
	var out bytes.Buffer
	n, began := 0, cpu()
	for b.Loop() {
		n++
		out.Reset()
		if err := write(Render(fresh()), &out); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric((cpu()-began).Seconds()*1000/float64(n), "cpu-ms/op")
	b.ReportMetric(float64(out.Len()), "bytes")
}

// cpu is the processor time used so far: on a busy machine it tells more than a clock.
func cpu() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// BenchmarkTheatrePNG draws the map with the board's layer kept. The bar is 60 ms.
func BenchmarkTheatrePNG(b *testing.B) {
	v, o := theatre(b)
	encode(b, (*Picture).PNG, func() (*view.View, Options) { return v, o })
}

// BenchmarkTheatrePNGCold draws it with nothing of the board kept. The bar is 150 ms.
func BenchmarkTheatrePNGCold(b *testing.B) {
	v, o := theatre(b)
	encode(b, (*Picture).PNG, func() (*view.View, Options) {
		copied := *v.Board
		v.Board = &copied
		return v, o
	})
}

// BenchmarkTheatrePNGFloor only writes the finished pixels as a file.
func BenchmarkTheatrePNGFloor(b *testing.B) {
	v, o := theatre(b)
	var file, out bytes.Buffer
	if err := Render(v, o).PNG(&file); err != nil {
		b.Fatal(err)
	}
	pixels, err := png.Decode(&file)
	if err != nil {
		b.Fatal(err)
	}
	n, began := 0, cpu()
	for b.Loop() {
		n++
		out.Reset()
		if err := (&png.Encoder{}).Encode(&out, pixels); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric((cpu()-began).Seconds()*1000/float64(n), "cpu-ms/op")
}

// BenchmarkTheatreSVG writes it as SVG. The bar is 15 ms.
func BenchmarkTheatreSVG(b *testing.B) {
	v, o := theatre(b)
	encode(b, (*Picture).SVG, func() (*view.View, Options) { return v, o })
}
