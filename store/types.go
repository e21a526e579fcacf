package store

import (
	"encoding/json"
	"fmt"
	"time"
)

// Status is where a game is in its life.
type Status string

// The states of a game.
const (
	StatusOpen     Status = "open"     // players are joining
	StatusRunning  Status = "running"  // it is being played
	StatusFinished Status = "finished" // over; everything may be disclosed
	StatusFrozen   Status = "frozen"   // stopped for the moderator
	StatusPaused   Status = "paused"   // stopped by the moderator
)

// Secret is key material: 32 bytes, or whatever its owner needs. Printing it
// shows only its length; JSON holds it in base64.
type Secret []byte

// Format prints the length, whatever the verb, so that a Game in a log line
// gives nothing away.
func (s Secret) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "(secret of %d bytes)", len(s)) }

// Game is what is kept of a game besides its position. Its identifier, like
// every name here, has 1 to 128 bytes and no control characters.
type Game struct {
	ID           string `json:"id"`
	System       string `json:"system"`   // the rules system, for example "wb95"
	RulesVersion string `json:"rules"`    // the version that decides all of its phases
	Scenario     string `json:"scenario"` // the scenario's id
	// ScenarioHash is of the scenario's files as they were when the game was made.
	ScenarioHash string `json:"scenario_hash,omitempty"`
	Title        string `json:"title,omitempty"`
	// Seq counts the Changes of the game: 1 after the first. Commit sets it.
	Seq uint64 `json:"seq"`
	// Phases counts the complete phases; they are numbered from 1. Commit sets it.
	Phases  uint64            `json:"phases"`
	Status  Status            `json:"status"`
	Sides   []string          `json:"sides"`
	DiceKey Secret            `json:"dice_key,omitempty"` // the private seed, 32 bytes
	Root    []byte            `json:"root,omitempty"`     // of the dice; empty until all have joined
	Players []Player          `json:"players,omitempty"`
	Options map[string]string `json:"options,omitempty"`
	Created time.Time         `json:"created"`
	// Ended is when it was over; zero before, and of games that ended before that was kept.
	Ended time.Time `json:"ended,omitzero"`
	// Rollbacks is how often the game was set back: the dice depend on it.
	Rollbacks int `json:"rollbacks,omitempty"`
}

// Player is one seat at a game. One person may hold several.
type Player struct {
	Side    string `json:"side"`
	Address string `json:"address"` // the enrolled one: where mail goes
	// Second is where it goes when mail to Address comes back; may be empty.
	Second string `json:"second,omitempty"`
	// Encrypted says that reports go encrypted to the player's OpenPGP key.
	Encrypted bool `json:"encrypted,omitempty"`
	// Key is a public key: a line such as "ssh-ed25519 AAAA... comment", or
	// another method's name and fingerprint with the key's block below; see
	// KeyID. Empty if the key was revoked.
	Key  string `json:"key,omitempty"`
	Name string `json:"name,omitempty"`
	Zone string `json:"zone,omitempty"` // the player's, "Europe/Prague"; empty is UTC
	// Pictures is which pictures their reports bring; empty is close-ups.
	Pictures string `json:"pictures,omitempty"`
	// Answers is which sheets have an answer of their own; empty is all.
	Answers Answers `json:"answers,omitempty"`
	// Nonce are random bytes that the player chose. They go into the root of the
	// dice. Sealed is their SHA-256, given with the seat; the nonce itself follows
	// when all seats are taken, and NonceSignature is what it was signed with.
	Nonce          []byte `json:"nonce,omitempty"`
	Sealed         []byte `json:"sealed,omitempty"`
	NonceSignature string `json:"nonce_signature,omitempty"`
	Serial         int    `json:"serial"` // the highest serial accepted from this player
	// Staff is the seed of the key that the program signs with for a side that a
	// staff officer plays; empty for a person. Such a seat has no address.
	Staff Secret `json:"staff,omitempty"`
	// Away is when the player said they are away: that time does not count.
	Away []Span `json:"away,omitempty"`
	// Drawn is how much of their time in hand is used up, LateTurns how often a
	// deadline passed without their orders.
	Drawn     time.Duration `json:"drawn,omitempty"`
	LateTurns int           `json:"late_turns,omitempty"`
	// Commanders share the side with its player, or stand in for them. Places in the
	// list never change. Own is then the highest serial of the player's own part,
	// and Serial that of the sheets that are joined from the parts of all.
	Commanders []Commander `json:"commanders,omitempty"`
	Own        int         `json:"own,omitempty"`
	// Holder counts how often the seat went from one person to another: the codes of who
	// had it before count no longer.
	Holder int `json:"holder,omitempty"`

	// Commander tells, of a Player that As made, for whom it stands: 0 the player of the
	// seat, n the n-th of Commanders. It is not kept.
	Commander int `json:"-"`
}

// Answers is which sheets of a player have an answer of their own.
type Answers string

// The choices. A sheet without an answer of its own is answered by the head of the next mail.
const (
	AnswerAll    Answers = "ALL"
	AnswerFaults Answers = "FAULTS" // those with a refused line, in doubt, or not finished
)

// Commander is somebody who sends sheets for a side beside its player.
type Commander struct {
	Name    string `json:"name,omitempty"`
	Address string `json:"address,omitempty"`
	Key     string `json:"key,omitempty"` // as a Player's
	// Former are the keys that they signed with before.
	Former    []string `json:"former,omitempty"`
	Zone      string   `json:"zone,omitempty"`
	Pictures  string   `json:"pictures,omitempty"` // as a Player's
	Encrypted bool     `json:"encrypted,omitempty"`
	Serial    int      `json:"serial"` // the highest of their own sheets
	// Leads are the formations and units that are theirs.
	Leads []string `json:"leads,omitempty"`
	// Deputy: they lead nothing, but send sheets in the player's place, in the time of
	// Stands or, without one, while the player is away.
	Deputy bool `json:"deputy,omitempty"`
	Stands Span `json:"stands,omitzero"`
	// Left: a commander no more. Only the key is kept, for what it signed.
	Left bool `json:"left,omitempty"`
}

// As is the player of the seat as the person with the number: the player for 0, else
// one of the commanders, with that one's name, addresses, key and serial.
func (p Player) As(commander int) Player {
	switch {
	case commander > 0 && commander <= len(p.Commanders):
		c := p.Commanders[commander-1]
		p.Name, p.Address, p.Second, p.Key, p.Zone, p.Encrypted, p.Commander = c.Name, c.Address, "", c.Key, c.Zone, c.Encrypted, commander
		p.Pictures = c.Pictures
		if !c.Deputy {
			p.Serial = c.Serial
		} else if p.Shared() {
			p.Serial = p.Own
		}
	case p.Shared():
		p.Serial = p.Own
	}
	return p
}

// In is the key of what is kept of the person in their game.
func (p Player) In(game string) Person { return Person{Seat{game, p.Side}, p.Commander} }

// Shared tells whether others lead formations of the side beside its player.
func (p Player) Shared() bool {
	for _, c := range p.Commanders {
		if !c.Left && !c.Deputy {
			return true
		}
	}
	return false
}

// Span is time from one moment up to another.
type Span struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// Staffed tells whether the program plays the side itself.
func (p Player) Staffed() bool { return len(p.Staff) > 0 }

// Seat names a player's place.
type Seat struct{ Game, Side string }

// Migration begins the name of a phase that takes a game to other rules. Unlike all
// others it may come while a phase waits, which goes on after it.
const Migration = "migration "

// Phase is one complete phase (in chit-pull games: activation).
type Phase struct {
	Number uint64 `json:"number"` // from 1, without gaps. Commit sets it.
	Seq    uint64 `json:"seq"`    // the Change that brought it. Commit sets it.
	Phase  string `json:"phase"`  // its name, which the dice also use
	Turn   int    `json:"turn"`
	// Journal is the JSON array of the entries: dice and answers.
	Journal json.RawMessage `json:"journal,omitempty"`
	// Stops are where it waited for answers, in order.
	Stops []Stop `json:"stops,omitempty"`
	// Beacon holds the values of the public beacon that its dice are bound to, in
	// order; none in games without one.
	Beacon []Beacon `json:"beacon,omitempty"`
	// Hash is SHA-256 of the snapshot in hex. Commit sets it, and refuses
	// another one.
	Hash string `json:"hash"`
	// Snapshot is the position after the phase in its canonical encoding. It must
	// not be empty. Journal leaves it out.
	Snapshot []byte `json:"-"`
}

// OpenPhase is the phase that waits for players: what was rolled and answered in
// it so far, and what is asked.
type OpenPhase struct {
	Phase   string          `json:"phase"`
	Turn    int             `json:"turn"`
	Journal json.RawMessage `json:"journal,omitempty"` // JSON array; it can only grow
	Pending json.RawMessage `json:"pending,omitempty"` // the decisions, as JSON
	Stops   []Stop          `json:"stops,omitempty"`   // those that brought entries of the journal
	// Since is when it began to wait, Deadline when the umpire goes on without
	// answers; zero for never. Late tells that it has passed and the game waits on.
	Since    time.Time `json:"since,omitzero"`
	Deadline time.Time `json:"deadline,omitzero"`
	Reminded bool      `json:"reminded,omitempty"`
	Late     bool      `json:"late,omitempty"`
	// Closed is the Change from which no orders are taken: its dice wait for the
	// beacon's Round. Zero while orders are taken. Beacon is as in Phase.
	Closed uint64   `json:"closed,omitempty"`
	Round  uint64   `json:"round,omitempty"`
	Beacon []Beacon `json:"beacon,omitempty"`
}

// Beacon is a value of the public beacon that the dice of a phase are bound to,
// from the entry From of its journal on (counted from 0).
type Beacon struct {
	From      int    `json:"from,omitempty"`
	Closed    uint64 `json:"closed"` // the Change from which no orders were taken
	Round     uint64 `json:"round"`
	Signature []byte `json:"signature"`
}

// Stop is a pass over a phase that ended at a question: the Change that brought
// it, and how many entries the journal had then.
type Stop struct {
	Seq     uint64 `json:"seq"`
	Entries int    `json:"entries"`
}

// Sheet is one accepted order sheet.
type Sheet struct {
	Game      string `json:"game"` // Commit sets it
	Side      string `json:"side"`
	Turn      int    `json:"turn"`
	Serial    int    `json:"serial"`
	Canonical string `json:"canonical"` // the signed text in canonical form
	// Digest of the canonical text in the caller's notation.
	Digest string `json:"digest"`
	// Key is the public key line that signed it, Signature the armoured signature.
	// Signed are the bytes that it is over if these are not Canonical. Without a
	// Signature the mail in the spool is the only proof.
	Key       string `json:"key,omitempty"`
	Signature string `json:"signature,omitempty"`
	Signed    []byte `json:"signed,omitempty"`
	// Source is SHA-256 in hex of the incoming mail, empty when there was none.
	Source string `json:"source,omitempty"`
	// Part tells that this is one person's part of a side's joined sheet: 1 the
	// player's, n+1 that of the n-th of the commanders. It decides nothing by itself.
	Part int    `json:"part,omitempty"`
	Seq  uint64 `json:"seq"` // Commit sets it
}

// MaxSerial is the highest serial that a sheet is kept under: what people may write, and
// as much again for the sheets that the program files on top of theirs.
const MaxSerial = 2_000_000_000

// Name is unique in the sheet's game: its digest, and whose part it is where that is
// not the player's. Two commanders may well write the same.
func (s Sheet) Name() string {
	if s.Part > 1 {
		return fmt.Sprintf("%s/%d", s.Digest, s.Part)
	}
	return s.Digest
}

// Handled is the mark of an incoming mail that has had its effect.
type Handled struct {
	SHA256      string    `json:"sha256"`            // of the raw mail, 64 hex digits
	Mailbox     string    `json:"mailbox,omitempty"` // where it was found; empty for none
	UIDValidity uint32    `json:"uidvalidity,omitempty"`
	UID         uint32    `json:"uid,omitempty"`
	Received    time.Time `json:"received"` // when the server got it
	Outcome     string    `json:"outcome"`  // in words
	// Game and Seq are the Change of a game that it caused. Commit sets them.
	Game string `json:"game,omitempty"`
	Seq  uint64 `json:"seq,omitempty"`
	// Spooled tells that the raw mail is in the spool. Commit sets it.
	Spooled bool `json:"spooled,omitempty"`
	// Stranger says that nobody who is known here wrote the mail: its bytes are not kept
	// as long as those of others.
	Stranger bool `json:"stranger,omitempty"`
}

// Step is what one Change of a game brought: the log of the game.
type Step struct {
	Seq     uint64   `json:"seq"`
	Phases  []uint64 `json:"phases,omitempty"` // numbers
	Sheets  []string `json:"sheets,omitempty"` // names
	Mails   []string `json:"mails,omitempty"`  // ids
	Notes   []string `json:"notes,omitempty"`  // names
	Handled string   `json:"handled,omitempty"`
}

// Change is everything that happens at once: usually the effect of one incoming
// mail or of one deadline. All parts may be missing.
type Change struct {
	// Handled marks the incoming mail; ErrHandled when it was marked before.
	Handled *Handled
	// Unkept has the bytes of that mail removed from the spool.
	Unkept bool
	// Game is the new state of the game that the Change is about, and Expect the
	// Seq that the caller read before (0: the game is new). When they do not
	// fit, Commit returns ErrStale.
	Game   *Game
	Expect uint64
	// Phases are the phases that were completed, in order. They need a Game, as
	// do Open and Sheets.
	Phases []Phase
	// Open is the phase that now waits. Nil keeps the one there was, unless
	// Phases complete it. One without a name removes it, journal and all.
	Open   *OpenPhase
	Sheets []Sheet
	// Mails are put into the outbox. One whose ID is there already is left out.
	Mails []Mail
	// Replaces has mails that one of Mails makes needless, by the ID of the one that does:
	// they are taken out of the queue, unless one was tried before.
	Replaces map[string]string
	// Notes are records by name, as their Kind writes them. A nil value removes one.
	Notes map[string][]byte
	// Reads are what the Change was reckoned from. If any of it has changed since, Commit
	// returns ErrStale. See Reckoning.
	Reads Reads

	unkept error // of records that cannot be written
}

// Position is a game at one moment: everything with which the umpire goes on.
type Position struct {
	Game   Game
	Latest *Phase     // the last complete phase with its snapshot; nil before the first
	Open   *OpenPhase // nil when no phase waits
}
