package demo

import (
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fieldpost/adjudicator/view"
	"fieldpost/mailbox"
	"fieldpost/umpire/proof"
)

// album is the folder that a demo leaves: every mail, every map and an index.
type album struct {
	dir   string
	count int
	seen  map[string]bool // Message-IDs of reports
	pages []*page
	mails []kept
}

// page is a report in the album.
type page struct {
	file, html, picture string // relative to the folder
	side                string
	view                *view.View
	raw                 []byte
}

// kept is a line of the list of mails.
type kept struct{ File, From, To, Subject string }

const marker = ".fieldpost-demo"

// newAlbum makes the folder, or empties that of an earlier demo.
func newAlbum(dir string) (*album, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if len(entries) > 0 {
		if _, err := os.Stat(filepath.Join(dir, marker)); err != nil {
			return nil, fmt.Errorf("%s: %w", dir, errOccupied)
		}
		if err := os.RemoveAll(dir); err != nil {
			return nil, err
		}
	}
	for _, sub := range []string{"mail", "report", "map"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			return nil, err
		}
	}
	return &album{dir: dir, seen: map[string]bool{}}, os.WriteFile(filepath.Join(dir, marker), nil, 0o644)
}

// keep files a mail. It returns a page if it is a report that is new.
func (a *album) keep(rcpt, from string, raw []byte) (*page, error) {
	a.count++
	name := fmt.Sprintf("%04d-to-%s.eml", a.count, strings.SplitN(rcpt, "@", 2)[0])
	if err := os.WriteFile(filepath.Join(a.dir, "mail", name), raw, 0o644); err != nil {
		return nil, err
	}
	m, err := mailbox.Read(raw)
	if err != nil {
		return nil, err
	}
	a.mails = append(a.mails, kept{"mail/" + name, m.From, rcpt, m.Subject})
	v, err := proof.View(m)
	if err != nil || v == nil || a.seen[m.MessageID] {
		return nil, err
	}
	a.seen[m.MessageID] = true
	stem := fmt.Sprintf("%03d-%s", len(a.pages)+1, strings.ToLower(v.Side))
	p := &page{file: "mail/" + name, html: "report/" + stem + ".html", picture: "map/" + stem + ".png", side: v.Side, view: v, raw: raw}
	files := map[string]string{} // of the pictures, by Content-ID
	for _, f := range m.Attachments {
		if f.Type != "image/png" {
			continue
		}
		file := p.picture
		if f.Name != "map.png" {
			file = "map/" + stem + "-" + filepath.Base(f.Name)
		}
		files["cid:"+mailbox.ContentID(m.MessageID, f.Name)] = file
		if err := os.WriteFile(filepath.Join(a.dir, file), f.Data, 0o644); err != nil {
			return nil, err
		}
	}
	for _, t := range m.Texts {
		if t.Type == "text/html" {
			body := cid.ReplaceAllStringFunc(t.AsSent, func(id string) string { return "../" + cmp.Or(files[id], p.picture) })
			if err := os.WriteFile(filepath.Join(a.dir, p.html), []byte(body), 0o644); err != nil {
				return nil, err
			}
		}
	}
	a.pages = append(a.pages, p)
	return p, nil
}

// spread is two reports of one moment, side by side.
type spread struct {
	Title string
	Pages []spreadPage
}

type spreadPage struct{ Side, HTML, Map, Mail string }

// index writes index.html.
func (a *album) index(r Result) error {
	byKey := map[string]*spread{}
	var order []string
	for _, p := range a.pages {
		key := fmt.Sprintf("turn %d, %s: %s", p.view.Turn, p.view.Date, p.view.Phase)
		if byKey[key] == nil {
			byKey[key] = &spread{Title: key}
			order = append(order, key)
		}
		s := byKey[key]
		s.Pages = append(s.Pages, spreadPage{p.side, p.html, p.picture, p.file})
		slices.SortFunc(s.Pages, func(x, y spreadPage) int { return strings.Compare(x.Side, y.Side) })
	}
	var spreads []spread
	for _, key := range order {
		spreads = append(spreads, *byKey[key])
	}
	f, err := os.Create(filepath.Join(a.dir, "index.html"))
	if err != nil {
		return err
	}
	defer f.Close()
	if err := indexPage.Execute(f, struct {
		Result  Result
		Spreads []spread
		Mails   []kept
	}{r, spreads, a.mails}); err != nil {
		return err
	}
	return f.Close()
}

var indexPage = template.Must(template.New("index").Parse(`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A campaign by mail</title>
<style>
body{font:15px/1.45 system-ui,sans-serif;margin:0;background:#ece8dc;color:#222}
header{position:sticky;top:0;background:#3b3a32;color:#f4efdf;padding:8px 16px;display:flex;gap:14px;align-items:center;z-index:2;flex-wrap:wrap}
header h1{font-size:17px;margin:0;font-weight:600}
button,select{font:inherit;padding:3px 10px;max-width:100%;box-sizing:border-box}
header a{color:#ffe9a8}
.spread{display:none;gap:10px;padding:10px}
.spread.on{display:flex}
.side{flex:1 1 0;min-width:0;background:#fff;border:1px solid #bbb3a0}
.side h2{margin:0;padding:6px 10px;font-size:15px;background:#dcd5c0;display:flex;justify-content:space-between}
.side h2 a{font-weight:400;font-size:13px}
.side img{width:100%;display:block}
.side iframe{width:100%;height:75vh;border:0;border-top:1px solid #ccc}
details{padding:0 16px 16px} td{padding:1px 10px 1px 0;white-space:nowrap}
@media(max-width:900px){.spread.on{flex-direction:column}}
</style></head><body>
<header><h1>A campaign by mail</h1>
<button id="prev" title="left arrow">&#9664;</button><select id="pick">{{range $i, $s := .Spreads}}<option value="{{$i}}">{{$s.Title}}</option>{{end}}</select><button id="next" title="right arrow">&#9654;</button>
{{if .Result.Desk}}<a href="desk.html">{{if .Result.Archive}}The game{{else}}The last report{{end}} at the order desk</a>
{{end}}<span>{{.Result.Mails}} mails, {{.Result.Dice}} dice events proved{{with .Result.Verdict}} &mdash; {{.}}{{end}}</span></header>
{{range .Spreads}}<div class="spread">{{range .Pages}}<div class="side"><h2>{{.Side}} <span><a href="{{.Mail}}">mail</a> &middot; <a href="{{.HTML}}">report</a> &middot; <a href="{{.Map}}">map</a></span></h2>
<a href="{{.Map}}"><img loading="lazy" src="{{.Map}}" alt="map as {{.Side}} sees it"></a><iframe loading="lazy" src="{{.HTML}}" title="report to {{.Side}}"></iframe></div>{{end}}</div>
{{end}}
<details><summary>all {{len .Mails}} mails</summary><table>{{range .Mails}}<tr><td><a href="{{.File}}">{{.File}}</a></td><td>{{.From}}</td><td>{{.To}}</td><td>{{.Subject}}</td></tr>{{end}}</table></details>
<script>
const all=[...document.querySelectorAll('.spread')],pick=document.getElementById('pick');let at=0;
function show(i){at=Math.max(0,Math.min(all.length-1,i));all.forEach((s,k)=>s.classList.toggle('on',k===at));pick.value=at;location.hash=at}
document.getElementById('prev').onclick=()=>show(at-1);document.getElementById('next').onclick=()=>show(at+1);
pick.onchange=()=>show(+pick.value);
addEventListener('keydown',e=>{if(e.key==='ArrowLeft')show(at-1);if(e.key==='ArrowRight')show(at+1)});
show(+location.hash.slice(1)||0);
</script></body></html>
`))
