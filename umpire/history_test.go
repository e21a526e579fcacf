package umpire

import (
	"bytes"
	"image/gif"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fieldpost/umpire/post"
)

// The report that ends a game looks back on it, with an animated map; the album
// has a page for each turn and needs no network.
func TestTheLastReportLooksBack(t *testing.T) {
	g, _, _ := firstReport(t)
	g.outbox("GERMAN")
	g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 2\nSERIAL: 9\n\nCONCEDE\n")))
	g.concessionCounts()
	found := false
	for _, m := range g.outbox("GERMAN") {
		if !strings.HasPrefix(m.MessageID, "report.") {
			continue
		}
		found = true
		text := m.Texts[0].AsSent
		for _, want := range []string{"THE GAME IS OVER", "AFTER-ACTION SUMMARY   Soviet : German", "at the start", "12 May 1942"} {
			if !strings.Contains(text, want) {
				t.Errorf("the last report says nothing of %q:\n%s", want, text[:min(len(text), 2000)])
			}
		}
		moving := false
		for _, f := range m.Attachments {
			if f.Name == post.FileCampaign {
				moving = true
				if pics, err := gif.DecodeAll(bytes.NewReader(f.Data)); err != nil || len(pics.Image) < 2 {
					t.Errorf("the animated map: %v", err)
				}
			}
		}
		if !moving {
			t.Error("no animated map")
		}
	}
	if !found {
		t.Fatal("no report came")
	}
	a, err := g.u.Album(g.game, "")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := a.Write(dir); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil || len(a.Pages) == 0 || len(a.Pages[0].Items) == 0 || bytes.Contains(page, []byte("http")) {
		t.Errorf("the album: %v, %d pages", err, len(a.Pages))
	}
	for i := range a.Pages {
		if _, err := os.Stat(filepath.Join(dir, "00"+string(rune('0'+i))+".png")); err != nil {
			t.Error(err)
		}
	}
}
