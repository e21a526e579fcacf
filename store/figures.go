package store

import (
	"bytes"
	"encoding/base64"
)

// Stats are the figures of a store.
type Stats struct {
	Path    string
	File    int64 // bytes of the database on the disk
	Free    int64 // of them in pages that are not used now
	Buckets []BucketStats
	Games   map[Status]int
	Mails   map[MailState]int
	Phases  int   // of all games
	Kept    int64 // bytes of outgoing mails in files
	Thin    int   // of these files, those of mails without pictures that can be drawn again
	Spooled int64 // bytes of incoming mails in files
}

// BucketStats are the figures of one bucket.
type BucketStats struct {
	Name    string
	Entries int
	Bytes   int64 // of keys and values
	Pages   int64 // bytes of the pages that hold them; 0 when they share a page with others
}

// Size is what the database holds, keys and values, without mails' files.
func (s Stats) Size() (n int64) {
	for _, b := range s.Buckets {
		n += b.Bytes
	}
	return n
}

// InUse are the bytes of the pages that hold something. The file grows by
// doubling, so it can be twice that; Compact makes it fit.
func (s Stats) InUse() (n int64) {
	for _, b := range s.Buckets {
		n += b.Pages
	}
	return n
}

// Pruned is what Prune came to.
type Pruned struct {
	Sent, Received int // mails whose files were removed
	Bytes          int64
}

// Drawer draws the pictures of a mail again. It is given the mail, whole or without the
// pictures, and the mail's recipe. What it returns are passages as they stand in the
// mail, in their order; equal input must give equal passages.
type Drawer func(mail, recipe []byte) (passages [][]byte, err error)

// Thinned is what Thin came to.
type Thinned struct {
	Mails    int // kept thin now
	Pictures int // not kept any more
	Differ   int // pictures that are kept: they are drawn otherwise than they were
	Bytes    int64
}

// Add adds what another mail came to.
func (t *Thinned) Add(o Thinned) {
	t.Mails, t.Pictures, t.Differ, t.Bytes = t.Mails+o.Mails, t.Pictures+o.Pictures, t.Differ+o.Differ, t.Bytes+o.Bytes
}

// base64Length is the length of a line of base64 in a mail (RFC 2045 section 6.8).
const base64Length = 76

// Base64Lines is a file as a mail holds it: base64 in lines, without the last line's end.
func Base64Lines(data []byte) []byte {
	text := base64.StdEncoding.EncodeToString(data)
	var out bytes.Buffer
	for at := 0; at < len(text); at += base64Length {
		if at > 0 {
			out.WriteString("\r\n")
		}
		out.WriteString(text[at:min(at+base64Length, len(text))])
	}
	return out.Bytes()
}
