package desk

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/emersion/go-message"

	"fieldpost/adjudicator/view"
	"fieldpost/desk/past"
)

// contents is what the desk takes from a file.
type contents struct {
	view *view.View
	code string // that vouches for the next sheet, "" for none
	// archive is that of a finished game, nil for none.
	archive []byte
}

// Bounds of what is read: no report comes near them.
const (
	maxFile  = 64 << 20
	maxParts = 200
)

// errNoView says of a file that there is nothing in it for the desk.
var errNoView = errors.New("this is neither a report as a mail program saves it (.eml) nor its " + view.File + ", nor the archive of a game")

// read finds the view in a file.
func read(file []byte) (*contents, error) {
	if len(file) > maxFile {
		return nil, fmt.Errorf("a file of %d MB is not a report", len(file)>>20)
	}
	if view.IsPacked(file) || bytes.HasPrefix(bytes.TrimSpace(file), []byte("{")) {
		v, err := view.Parse(file)
		return &contents{view: v}, err
	}
	return inMail(file)
}

// codeLine is the line by which a report names its code.
var codeLine = regexp.MustCompile(`(?m)^[ \t]*CODE:[ \t]*([0-9A-Za-z-]{4,40})[ \t\r]*$`)

// inMail finds the view or an archive among the parts of a mail, and the code in its text.
func inMail(mail []byte) (*contents, error) {
	entity, err := message.Read(bytes.NewReader(mail))
	if err != nil && !message.IsUnknownCharset(err) {
		return nil, errNoView
	}
	out, parts := &contents{}, 0
	err = entity.Walk(func(_ []int, part *message.Entity, err error) error {
		if err != nil && !message.IsUnknownCharset(err) {
			return err
		}
		if parts++; parts > maxParts {
			return errors.New("the mail has too many parts")
		}
		return out.take(part)
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("the mail is damaged: %w", err)
	case out.view == nil && out.archive == nil:
		return nil, errNoView
	}
	return out, nil
}

// take looks at a part of a mail for what is missing still.
func (r *contents) take(part *message.Entity) error {
	kind, about, _ := part.Header.ContentType()
	_, place, _ := part.Header.ContentDisposition()
	name := place["filename"]
	if name == "" {
		name = about["name"]
	}
	brings := name == view.File || name == view.PackedFile
	switch {
	case kind == "multipart/encrypted":
		return errors.New("it is encrypted. Save its " + view.File + " from your mail program and open that")
	case brings && r.view == nil:
		text, err := io.ReadAll(io.LimitReader(part.Body, maxFile))
		if err != nil {
			return err
		}
		r.view, err = view.Parse(text)
		return err
	case strings.HasSuffix(name, ".tar") && r.archive == nil:
		file, err := io.ReadAll(io.LimitReader(part.Body, maxFile))
		if err != nil || !past.Is(file) {
			return err
		}
		r.archive = file
	case kind == "text/plain" && r.code == "":
		text, err := io.ReadAll(io.LimitReader(part.Body, maxFile))
		if err != nil {
			return err
		}
		if found := codeLine.FindSubmatch(text); found != nil {
			r.code = string(found[1])
		}
	}
	return nil
}
