package post

import (
	"encoding/json"
	"errors"
	"fmt"

	"fieldpost/adjudicator/view"
	"fieldpost/mailbox"
	"fieldpost/report/chart"
	"fieldpost/store"
	"fieldpost/umpire/proof"
	"fieldpost/umpire/scene"
	"fieldpost/umpire/share"
)

// recipe is what the pictures of a report are drawn from, beside the view in its mail.
type recipe struct {
	Marks  []chart.Mark `json:"marks,omitempty"`
	Choice scene.Choice `json:"choice,omitempty"`
	Room   int          `json:"room"`
}

// Redraw draws the pictures of a report again, as they stand in its mail: it is the
// store.Drawer of reports. The mail is a report with its view, with or without pictures.
func Redraw(in *share.Share, mail, from []byte) ([][]byte, error) {
	var r recipe
	if err := json.Unmarshal(from, &r); err != nil {
		return nil, fmt.Errorf("the recipe of the pictures: %w", err)
	}
	v, err := viewIn(mail)
	if err != nil {
		return nil, err
	}
	pictures, err := scene.Pictures(in, v, r.Marks, r.Choice, r.Room)
	if err != nil {
		return nil, err
	}
	var out [][]byte
	for _, p := range pictures {
		out = append(out, store.Base64Lines(p.Data))
	}
	return out, nil
}

// viewIn is the view that a report brings.
func viewIn(mail []byte) (*view.View, error) {
	m, err := mailbox.Read(mail)
	if err != nil {
		return nil, err
	}
	v, err := proof.View(m)
	if err == nil && v == nil {
		err = errors.New("the report has no view to draw its pictures from")
	}
	return v, err
}
