package club

import (
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"slices"

	"fieldpost/adjudicator/view"
	"fieldpost/report"
	"fieldpost/report/chart"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/scene"
)

// Write makes a folder that any browser shows, without a network: index.html, a
// map for each turn, and the animated one.
func (a *Album) Write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for i, p := range a.Pages {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d.png", i)), p.PNG, 0o644); err != nil {
			return err
		}
	}
	if len(a.Animation) > 0 {
		if err := os.WriteFile(filepath.Join(dir, post.FileCampaign), a.Animation, 0o644); err != nil {
			return err
		}
	}
	f, err := os.Create(filepath.Join(dir, "index.html"))
	if err != nil {
		return err
	}
	defer f.Close()
	if err := albumPage.Execute(f, a); err != nil {
		return err
	}
	return f.Close()
}

var albumPage = template.Must(template.New("album").Funcs(template.FuncMap{"file": func(i int) string { return fmt.Sprintf("%03d.png", i) }}).Parse(`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>{{.Title}}</title>
<style>
:root{color-scheme:light dark}
body{font:15px/1.45 system-ui,sans-serif;margin:0}
header{position:sticky;top:0;background:#3b3a32;color:#f4efdf;padding:8px 16px;display:flex;gap:12px;align-items:center;flex-wrap:wrap;z-index:1}
header h1{font-size:16px;margin:0}
button,select{font:inherit;padding:3px 10px}
section{display:none;padding:10px;max-width:1620px;margin:auto}
section.on{display:block}
img{max-width:100%;height:auto;display:block}
ol{padding-left:2.2em} li div{color:#8a8373;font-size:13px;margin-left:10px}
h2{font-size:18px;margin:6px 0}
</style></head><body>
<header><h1>{{.Title}}</h1><button id="prev">&#9664;</button><select id="pick">{{range $i, $p := .Pages}}<option value="{{$i}}">{{$p.Title}}</option>{{end}}{{if .Animation}}<option value="{{len .Pages}}">the whole campaign</option>{{end}}</select><button id="next">&#9654;</button><button id="back">before</button>
{{with .Verdict}}<span>{{.}}</span>{{end}}</header>
{{range $i, $p := .Pages}}<section><h2>{{$p.Title}}{{range $p.Score}} &middot; {{.Side}} {{.Points}}{{end}}</h2>
<a href="{{file $i}}"><img loading="lazy" src="{{file $i}}" alt="the map after {{$p.Title}}"></a>
<ol>{{range $p.Items}}<li value="{{.Number}}">{{.Head}}{{with .Detail}}<div>{{range .}}{{.}}<br>{{end}}</div>{{end}}</li>{{end}}</ol></section>
{{end}}{{if .Animation}}<section><h2>The whole campaign</h2><img loading="lazy" src="campaign.gif" alt="the campaign, turn by turn"></section>{{end}}
<script>
const all=[...document.querySelectorAll('section')],pick=document.getElementById('pick');let at=0;
function show(i){at=Math.max(0,Math.min(all.length-1,i));all.forEach((s,k)=>s.classList.toggle('on',k===at));pick.value=at;location.hash=at}
prev.onclick=()=>show(at-1);next.onclick=()=>show(at+1);pick.onchange=()=>show(+pick.value);
function swap(n){const a=all[at].querySelector('img');if(a&&at>0&&a.src.includes('.png'))a.src=String(n).padStart(3,'0')+'.png'}
back.onmousedown=back.ontouchstart=()=>swap(at-1);back.onmouseup=back.onmouseleave=back.ontouchend=()=>swap(at);
addEventListener('keydown',e=>{if(e.key==='ArrowLeft')show(at-1);if(e.key==='ArrowRight')show(at+1)});
show(+location.hash.slice(1)||0);
</script></body></html>
`))

// Album is a game turn by turn, for paging through.
type Album struct {
	Title, Verdict string
	Animation      []byte // GIF
	Pages          []AlbumPage
}

// AlbumPage is the end of a turn: its map and what happened.
type AlbumPage struct {
	Title string
	PNG   []byte
	Score []view.Score
	Items []report.Item
}

// PlayedTurn is a turn of a game that is over, with both sides open.
type PlayedTurn struct {
	AlbumPage
	Turn  int
	Turns []int // all that there are
}

// PlayedTurn tells of a turn of a game that is over; before, nothing of it is for everybody. The
// map is drawn only if it is asked for.
func (o *Observer) PlayedTurn(id string, turn int, drawn bool) (*PlayedTurn, error) {
	g, err := o.DB.Game(id)
	if err != nil {
		return nil, err
	}
	if g.Status != store.StatusFinished {
		return nil, fmt.Errorf("game %s is %s: %w", id, g.Status, scene.ErrNoTurn)
	}
	all, err := o.DB.Journal(id)
	if err != nil {
		return nil, err
	}
	t := &PlayedTurn{Turn: turn}
	for _, p := range match.Line(all) {
		if p.Turn > 0 && !slices.Contains(t.Turns, p.Turn) {
			t.Turns = append(t.Turns, p.Turn)
		}
	}
	if !slices.Contains(t.Turns, turn) {
		return nil, fmt.Errorf("turn %d of game %s: %w", turn, id, scene.ErrNoTurn)
	}
	sc, err := scene.At(&o.Games, id, "", turn)
	if err != nil {
		return nil, err
	}
	t.AlbumPage = AlbumPage{Title: fmt.Sprint("turn ", turn), Score: sc.View.Score, Items: sc.Items}
	if drawn {
		t.PNG, err = o.turnMap(sc)
	}
	return t, err
}

// turnMap is the whole map at the end of a turn.
func (o *Observer) turnMap(sc *scene.Scene) ([]byte, error) {
	pic, err := scene.Drawn(o.Share, "", "", sc.View, chart.Options{Scale: chart.FitScale(sc.View.Board, scene.MapWidth), Marks: sc.Marks, Note: sc.Note})
	return pic.Data, err
}

// Album tells a game up to now: as a side knew it, or with both sides open.
func (o *Observer) Album(id, side string) (*Album, error) {
	pos, err := o.DB.Load(id)
	if err != nil {
		return nil, err
	}
	all, err := o.DB.Journal(id)
	if err != nil {
		return nil, err
	}
	phases := match.Line(all)
	a := &Album{Title: pos.Game.Title + ", game " + id}
	var views []*view.View
	for i, p := range phases {
		if i+1 < len(phases) && phases[i+1].Turn == p.Turn {
			continue
		}
		if p.Turn == 0 {
			continue
		}
		sc, err := scene.At(&o.Games, id, side, p.Turn)
		if err != nil {
			return nil, err
		}
		png, err := o.turnMap(sc)
		if err != nil {
			return nil, err
		}
		views = append(views, sc.View)
		a.Verdict = sc.View.Verdict
		a.Pages = append(a.Pages, AlbumPage{Title: fmt.Sprint("turn ", p.Turn), PNG: png, Score: sc.View.Score, Items: sc.Items})
	}
	if len(views) > 1 {
		a.Animation, err = post.Campaign(views, 64<<20)
	}
	return a, err
}
