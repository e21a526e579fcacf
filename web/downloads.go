package web

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"

	"fieldpost/packaging/sums"
)

// downloads lists the files of the release that the club gives away.
func (s *Server) downloads(w http.ResponseWriter, r *http.Request) {
	if s.config.Downloads == "" {
		s.fault(w, r, http.StatusNotFound, "This club offers no downloads.")
		return
	}
	entries, err := sums.Read(s.config.Downloads)
	if err != nil {
		s.missing(w, r, err)
		return
	}
	s.show(w, r, http.StatusOK, "downloads", page{Title: "Downloads", Files: entries})
}

// download is one of them, their list, or its signature; nothing else of the folder.
func (s *Server) download(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	entries, _ := sums.Read(s.config.Downloads)
	given := slices.ContainsFunc(entries, func(e sums.Entry) bool { return e.Name == name })
	if !given && name != sums.ListFile && name != sums.SignatureFile {
		s.fault(w, r, http.StatusNotFound, "There is no such file. The page of downloads lists those that there are.")
		return
	}
	file, err := os.Open(filepath.Join(s.config.Downloads, name))
	if err != nil {
		s.fault(w, r, http.StatusNotFound, "There is no such file at the moment.")
		return
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		s.missing(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	http.ServeContent(w, r, "", info.ModTime(), file)
}

// sizeWord is a size as people read it.
func sizeWord(n int64) string {
	if n < 1_000_000 {
		return fmt.Sprintf("%d kB", (n+999)/1000)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
