package dist

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Server shows the desk to whoever knows its path: a loopback address alone is open to
// everybody on the machine, and to pages of others by a name that leads there.
type Server struct {
	path string
	page string
}

// NewServer serves the page with a report in it, or with none.
func NewServer(r *Report) (*Server, error) {
	page, err := Whole(r)
	return &Server{path: "/" + strings.ToLower(rand.Text()) + "/", page: page}, err
}

// Path is where the page is.
func (s *Server) Path() string { return s.path }

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != s.path {
		http.NotFound(w, r)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "the desk is only read", http.StatusMethodNotAllowed)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", Policy()+"; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store") // the report is the reader's alone
	_, _ = w.Write([]byte(s.page))
}

// site is the desk as a public server has it: the page, which fetches the engine by a name that
// changes with it, and the one file.
type site struct {
	name  string // of the engine
	small []byte // the engine by brotli
	whole []byte
	sum   string
}

var public = sync.OnceValues(func() (*site, error) {
	whole, err := Whole(nil)
	if err != nil {
		return nil, err
	}
	out := &site{whole: []byte(whole), sum: fmt.Sprintf("%x", sha256.Sum256([]byte(whole)))}
	if out.small, err = fs.ReadFile(engine, "engine/"+ServedFile); err != nil {
		return nil, ErrNoEngine
	}
	out.name = fmt.Sprintf("engine.%.16x.wasm", sha256.Sum256(out.small))
	return out, nil
})

// OneFile is the name under which the whole desk is served, to be kept.
const OneFile = "desk.html"

// Sum is the SHA-256 of the desk as one file without a report, in hexadecimal digits.
func Sum() (string, error) {
	s, err := public()
	if err != nil {
		return "", err
	}
	return s.sum, nil
}

// ServePage shows the page without a report. It fetches its engine from the folder.
func ServePage(w http.ResponseWriter, r *http.Request, folder string) error {
	s, err := public()
	if err != nil {
		return err
	}
	loader, err := script("loader", LoaderFile)
	if err != nil {
		return err
	}
	from := html.EscapeString(folder + s.name)
	page := strings.Replace(Page, Slot, loader+`<script type="application/octet-stream" id="engine" data-from="`+from+`" data-file="`+html.EscapeString(folder+OneFile)+`" data-sum="`+s.sum+`"></script>`, 1)
	policy := strings.Replace(Policy(), "connect-src 'none'", "connect-src 'self'", 1)
	page = strings.Replace(page, Policy(), policy, 1)
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy+"; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", `"`+s.sum+`"`)
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(page))
	return nil
}

// ServeFile sends the engine, packed as the browser takes it, or the one file.
func ServeFile(w http.ResponseWriter, r *http.Request, name string) error {
	s, err := public()
	if err != nil {
		return err
	}
	h := w.Header()
	switch name {
	case OneFile:
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Disposition", `attachment; filename="`+OneFile+`"`)
		h.Set("Cache-Control", "no-cache")
		h.Set("ETag", `"`+s.sum+`"`)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(s.whole))
		return nil
	case s.name:
		h.Set("Content-Type", "application/wasm")
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
		h.Set("Vary", "Accept-Encoding")
		return s.send(w, r.Header.Get("Accept-Encoding"))
	}
	return fs.ErrNotExist
}

// gzipped is the engine for browsers that do not take brotli, as from a club without https. It
// is packed when the first one asks.
var gzipped = sync.OnceValues(func() ([]byte, error) {
	plain, _, err := Engine()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err = w.Write(plain)
	return b.Bytes(), errors.Join(err, w.Close())
})

// send writes the engine in the smallest form that is taken.
func (s *site) send(w http.ResponseWriter, taken string) error {
	content, form := s.small, "br"
	var err error
	switch {
	case accepts(taken, "br"):
	case accepts(taken, "gzip"):
		form = "gzip"
		content, err = gzipped()
	default:
		form = ""
		content, _, err = Engine()
	}
	if err != nil {
		return err
	}
	if form != "" {
		w.Header().Set("Content-Encoding", form)
	}
	_, _ = w.Write(content)
	return nil
}

// accepts tells whether a browser takes an encoding. One with a quality of 0 is refused.
func accepts(taken, encoding string) bool {
	for part := range strings.SplitSeq(taken, ",") {
		name, quality, _ := strings.Cut(strings.TrimSpace(part), ";")
		refused := strings.Trim(strings.TrimPrefix(strings.TrimSpace(quality), "q="), "0.") == "" && quality != ""
		if strings.EqualFold(strings.TrimSpace(name), encoding) {
			return !refused
		}
	}
	return false
}
