package judge

import (
	"strings"
	"testing"

	"fieldpost/adjudicator"
)

// An answer is taken as names in orders are: in any spelling that leaves no doubt, and what
// fits nothing is answered with what is near.
func TestAnswersAreTakenAsNamesAre(t *testing.T) {
	losses := adjudicator.Decision{Label: "loss 2505", Options: []adjudicator.Option{
		{Answer: "81 INF", Means: "81 INF loses a step"}, {Answer: "36/XXII", Means: "36/XXII loses a step"},
		{Answer: "38 ARM"}, {Answer: "38 INF"}}}
	for answer, want := range map[string]string{
		"81 INF": "81 INF", "81 inf.": "81 INF", "INF 81": "81 INF", "81": "81 INF", "36 / XXII": "36/XXII", "36/XX": "36/XXII", "ARM 38": "38 ARM",
		"38": "", "82 INF": "", "": "", "STAY": "",
	} {
		text, _, bad := losses.Reply(answer)
		if text != want || (bad == nil) != (want != "") {
			t.Errorf("%q is taken for %q, want %q: %v", answer, text, want, bad)
		}
	}
	retreats := adjudicator.Decision{Label: "loss 3224", Options: []adjudicator.Option{{Answer: "524/297"}, {Answer: "524/298"}, {Answer: "38 ARM"}, {Answer: "STAY"}}}
	for answer, want := range map[string]string{
		"524/297 INF": "524/297", "inf. 524/297": "524/297", "524/298 ARM": "524/298", "38 ARM": "38 ARM", "38 ARM INF": "", "38 INF": "",
		"524/297 NOT": "", "524/297 524/298 INF": "", "INF": "", "524 INF": "", "STAY": "STAY",
	} {
		if text, _, _ := retreats.Reply(answer); text != want {
			t.Errorf("%q is taken for %q, want %q", answer, text, want)
		}
	}
	if _, _, bad := losses.Reply("82 INF"); bad == nil || !strings.HasPrefix(bad.Instead, "Did you mean 81 INF") || !strings.Contains(bad.Instead, "Legal are: 81 INF | ") {
		t.Errorf("a near answer is answered %+v", bad)
	}
	if instead := awaited([]adjudicator.Decision{losses}, "LOS 2505"); instead != "Did you mean LOSS 2505? Asked are: LOSS 2505" {
		t.Errorf("a near label is answered %q", instead)
	}
}
