package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"fieldpost/adjudicator/view"
	"fieldpost/mailbox"
	"fieldpost/umpire/proof"
)

// errNoView says of a file that there is no view in it.
var errNoView = errors.New("it is no " + view.File + ", packed or not, and no mail that brings one")

// readView reads what a side knows from a file: a view.json, packed or not, or a report as
// it was saved from a mail program. The packed one is read where the other is not there.
func readView(path string) (*view.View, error) {
	file, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if packed, gz := os.ReadFile(path + ".gz"); gz == nil {
			file, err = packed, nil
		}
	}
	if err != nil {
		return nil, err
	}
	v, err := viewIn(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return v, nil
}

func viewIn(file []byte) (*view.View, error) {
	if view.IsPacked(file) || bytes.HasPrefix(bytes.TrimSpace(file), []byte("{")) {
		return view.Parse(file)
	}
	m, err := mailbox.Read(file)
	if err != nil {
		return nil, errNoView
	}
	v, err := proof.View(m)
	if err == nil && v == nil {
		err = errNoView
	}
	return v, err
}
