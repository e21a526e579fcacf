package umpire

import "testing"

func TestTheHostOfTheDeskIsAName(t *testing.T) {
	for name, good := range map[string]bool{"desk.example.org": true, "localhost": true, "https://desk.example.org": false, "desk.example.org:443": false, "desk.example.org/": false, "-": false} {
		if err := (WebConfig{Listen: "127.0.0.1:0", DeskHost: name}).check(); (err == nil) != good {
			t.Errorf("%s: %v", name, err)
		}
	}
}
