package view_test

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"fieldpost/adjudicator/view"
)

// What travels packed is read as it was; what was never packed too.
func TestPackedIsReadBack(t *testing.T) {
	text := []byte(`{"format":1,"units":[` + strings.Repeat(`{"name":"13/XXII"},`, 500) + `]}`)
	packed, err := view.Packed(text)
	if err != nil {
		t.Fatal(err)
	}
	if len(packed) > len(text)/10 {
		t.Errorf("%d bytes of %d are left", len(packed), len(text))
	}
	again, err := view.Packed(text)
	if err != nil || !bytes.Equal(again, packed) {
		t.Errorf("packed twice it differs: %v", err)
	}
	for name, file := range map[string][]byte{"view.json.gz": packed, "view.json": text} {
		as, got, err := view.Contents(name, file)
		if err != nil || as != "view.json" || !bytes.Equal(got, text) {
			t.Errorf("%s is read as %s with %d bytes: %v", name, as, len(got), err)
		}
	}
	if as, got, err := view.Contents("orders.gz", packed); as != "orders.gz" || !bytes.Equal(got, packed) || err != nil {
		t.Errorf("another file is touched: %s, %v", as, err)
	}
}

// A file that unpacks without end, or that is cut off, is an error and no memory.
func TestPackedIsBounded(t *testing.T) {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	block := make([]byte, 1<<20)
	for range 64 {
		z.Write(block)
	}
	z.Close()
	if _, err := view.Unpacked(bomb.Bytes()); err == nil || !strings.Contains(err.Error(), "larger") {
		t.Errorf("64 MiB are unpacked: %v", err)
	}
	packed, _ := view.Packed([]byte(`{"format":1}`))
	if _, err := view.Unpacked(packed[:len(packed)-6]); err == nil {
		t.Error("a file that is cut off is read")
	}
	for file, want := range map[string]string{`{"format":99}`: "format is 99", `not json`: "not a view.json"} {
		if _, err := view.Parse([]byte(file)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", file, err)
		}
	}
}
