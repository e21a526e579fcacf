package report

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// browser is a headless Chromium, or the test is skipped.
func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium here: the width of the HTML part is not measured")
	return ""
}

var scrollWidth = regexp.MustCompile(`width (\d+) of (\d+)`)

// The HTML part fits a telephone and a desktop: nothing stands out to the right.
func TestHTMLNeedsNoSidewaysScrolling(t *testing.T) {
	chromium := browser(t)
	r := wideReport(t)
	page, err := r.HTML()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "report.html"), []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	var frames, script strings.Builder
	for _, w := range []int{360, 900} {
		fmt.Fprintf(&frames, `<iframe src="report.html" style="width:%dpx;height:2000px;border:0"></iframe>`, w)
	}
	script.WriteString(`onload=()=>{for(const f of document.querySelectorAll("iframe"))document.getElementById("o").textContent+="width "+f.contentDocument.documentElement.scrollWidth+" of "+f.clientWidth+"\n"}`)
	outer := filepath.Join(dir, "frames.html")
	if err := os.WriteFile(outer, fmt.Appendf(nil, `<!DOCTYPE html><body>%s<pre id="o"></pre><script>%s</script>`, &frames, &script), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), chromium, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+filepath.Join(dir, "profile"),
		"--allow-file-access-from-files", "--virtual-time-budget=2000", "--dump-dom", "file://"+outer).Output()
	if err != nil {
		t.Fatal(err)
	}
	found := scrollWidth.FindAllStringSubmatch(string(out), -1)
	if len(found) != 2 {
		t.Fatalf("measured %v", found)
	}
	for _, m := range found {
		if need, have := number(m[1]), number(m[2]); need > have {
			t.Errorf("a page %s pixels wide needs %s", m[2], m[1])
		}
	}
}

func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}
