package view

// Chart is a table that lies beside the map, as players read it.
type Chart struct {
	Title  string     `json:"title"`
	Clause string     `json:"clause,omitempty"` // where the book has it, "" for what the scenario lays down
	Head   []string   `json:"head"`
	Rows   [][]string `json:"rows"`            // each as long as Head
	Notes  []string   `json:"notes,omitempty"` // below it, a sentence each
}

// Add appends a row.
func (c *Chart) Add(cells ...string) { c.Rows = append(c.Rows, cells) }
