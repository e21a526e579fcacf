package view

// Said is an event and the words for it.
type Said struct {
	Event
	Text string
}

// Brief is an item of a report told short. Nothing of it is lost: the whole stands below
// the line that parts what one reads from what one looks up.
type Brief struct {
	// Head is the headline, "" for an item that is told as in full. Detail stands below it.
	Head   string
	Detail []string
	// List is the heading of a line that holds all items of the report with it; Head is then
	// the item's entry there.
	List string
}
