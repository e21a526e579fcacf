package pictures

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/image/draw"

	"fieldpost/report/chart"
	"fieldpost/umpire/scene"
)

// Reading counts what tesseract read of the texts of pictures.
type Reading struct {
	Texts, Read int
	Wrong       []string // what was read otherwise
}

// Add counts what another reading counted.
func (r *Reading) Add(o Reading) {
	r.Texts, r.Read, r.Wrong = r.Texts+o.Texts, r.Read+o.Read, append(r.Wrong, o.Wrong...)
}

// Percent is how much of all was read.
func (r Reading) Percent() float64 {
	if r.Texts == 0 {
		return 0
	}
	return 100 * float64(r.Read) / float64(r.Texts)
}

// LeastRead is how much of the names and numbers of close-ups must be read, in percent.
const LeastRead = 95

// Labels are the names and numbers of the report's close-ups.
func (r Report) Labels(where string) ([]Label, error) {
	return Labels(where, scene.Plan(r.View, r.Story.Marks(), scene.ChoiceClose, Room))
}

// HasReader tells whether tesseract is installed.
func HasReader() bool {
	_, err := exec.LookPath("tesseract")
	return err == nil
}

// Label is a text as it stands in a picture as it is mailed.
type Label struct {
	chart.Text
	where string
	in    image.Image
}

// Labels are the names and numbers of the close-ups of a report: of units, their strength, hexes,
// places, fights.
func Labels(where string, plans []scene.Planned) ([]Label, error) {
	var out []Label
	for _, p := range plans {
		if p.Scale == 0 {
			continue // an overview
		}
		pic := p.Draw()
		var file bytes.Buffer
		if err := pic.PNG(&file); err != nil {
			return nil, err
		}
		img, err := png.Decode(&file)
		if err != nil {
			return nil, err
		}
		for _, t := range pic.Texts() {
			if readable[t.Group] && !signs.MatchString(t.Text) && t.Room.In(img.Bounds()) {
				out = append(out, Label{t, where + ", " + p.Name, img})
			}
		}
	}
	return out, nil
}

// signs are letters that say something by being there: D on a unit that is disorganised, U2 on
// one that is out of supply, HQ as a symbol, the number of counters in a hex.
var signs = regexp.MustCompile(`^([A-Z0-9?]|U[0-9]|HQ)$`)

// readable are the groups of texts that a player reads a close-up for.
var readable = map[string]bool{"counters": true, "numbers-now": true, "names": true, "marks": true, "stacks": true}

// letterHeight is how high letters are enlarged before they are read, in pixels.
const letterHeight = 32

// Read has tesseract read labels, each cut out of its picture and enlarged.
func Read(ctx context.Context, labels []Label) (Reading, error) {
	var got Reading
	var words, numbers []Label
	for _, l := range labels {
		if figures.MatchString(l.Text.Text) {
			numbers = append(numbers, l)
		} else {
			words = append(words, l)
		}
	}
	for _, batch := range []struct {
		labels []Label
		args   []string
	}{{words, nil}, {numbers, []string{"-c", "tessedit_char_whitelist=0123456789-x+ "}}} {
		read, err := tesseract(ctx, batch.labels, batch.args)
		if err != nil {
			return got, err
		}
		for i, l := range batch.labels {
			got.Texts++
			if squeezed(read[i]) == squeezed(l.Text.Text) {
				got.Read++
			} else {
				got.Wrong = append(got.Wrong, fmt.Sprintf("%s: %s %q is read as %q", l.where, l.Group, l.Text.Text, read[i]))
			}
		}
	}
	return got, nil
}

// figures are numbers, of hexes and of strength.
var figures = regexp.MustCompile(`^[0-9][-0-9x+ ]*$`)

// squeezed is a text without blanks, which narrow letters do not show.
func squeezed(text string) string { return strings.Join(strings.Fields(text), "") }

// tesseract reads labels in one run, a line each.
func tesseract(ctx context.Context, labels []Label, args []string) ([]string, error) {
	if len(labels) == 0 {
		return nil, nil
	}
	dir, err := os.MkdirTemp("", "labels")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var list strings.Builder
	for i, l := range labels {
		name := filepath.Join(dir, fmt.Sprintf("%06d.png", i))
		var file bytes.Buffer
		if err := png.Encode(&file, l.Enlarged()); err != nil {
			return nil, err
		}
		if err := os.WriteFile(name, file.Bytes(), 0o600); err != nil {
			return nil, err
		}
		fmt.Fprintln(&list, name)
	}
	all := filepath.Join(dir, "list.txt")
	if err := os.WriteFile(all, []byte(list.String()), 0o600); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "tesseract", append([]string{all, "-", "--psm", "7", "-c", "load_system_dawg=0", "-c", "load_freq_dawg=0"}, args...)...)
	cmd.Env = append(os.Environ(), "OMP_THREAD_LIMIT=1")
	var out, wrong bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &wrong
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("tesseract: %w: %s", err, wrong.String())
	}
	read := strings.Split(out.String(), "\f")
	if len(read) < len(labels) {
		return nil, fmt.Errorf("tesseract read %d labels of %d", len(read), len(labels))
	}
	return read[:len(labels)], nil
}

// Enlarged is a label as an eye takes it in: in grey, from its darkest to its lightest, with
// room around.
func (l Label) Enlarged() image.Image {
	room := l.Room
	k := letterHeight / (l.Size * 0.72)
	const margin = 24
	w, h := int(float64(room.Dx())*k), int(float64(room.Dy())*k)
	grey := image.NewGray(image.Rect(0, 0, room.Dx(), room.Dy()))
	draw.Draw(grey, grey.Bounds(), l.in, room.Min, draw.Src)
	ground, ink := extremes(grey)
	for i, y := range grey.Pix {
		grey.Pix[i] = uint8(max(0, min(255, 255*(int(y)-ink)/(ground-ink))))
	}
	out := image.NewGray(image.Rect(0, 0, w+2*margin, h+2*margin))
	draw.Draw(out, out.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.CatmullRom.Scale(out, image.Rect(margin, margin, margin+w, margin+h), grey, grey.Bounds(), draw.Src, nil)
	return out
}

// extremes are the grey that most of a label lies on, and the one farthest from it.
func extremes(grey *image.Gray) (ground, ink int) {
	var count [256]int
	for _, y := range grey.Pix {
		count[y]++
	}
	for y, n := range count {
		if n > count[ground] {
			ground = y
		}
	}
	ink = ground
	for y, n := range count {
		if n > 0 && abs(y-ground) > abs(ink-ground) {
			ink = y
		}
	}
	if ink == ground {
		ink = ground - 1
	}
	return ground, ink
}

func abs(n int) int { return max(n, -n) }
