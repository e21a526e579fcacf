package intake

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/store"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/judge"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/seats"
	"fieldpost/umpire/turns"
)

// Handler gives each incoming mail its effect: it reads, asks who signed, files, carries
// out, and answers. What it does to games beside filing sheets is in Executor.
type Handler struct {
	acts.Executor
	// LookupTXT asks the DNS; nil is the system's.
	LookupTXT func(domain string) ([]string, error)
	// Upgrading tells whether a node at work over the same store runs another program: to it are
	// left the games that this one may not go on with. Nil is no.
	Upgrading func() bool

	// attending are the games in which staff officers are at work: their sheets call for no
	// others.
	attending *sync.Map
	dns       *dnsAnswers
	ahead     *aheads
	mail      chan struct{} // mail has come into the queue
}

// NewHandler makes a Handler without any settings. What it has of the process its copies share.
func NewHandler() Handler {
	return Handler{Executor: acts.NewExecutor(), attending: &sync.Map{}, dns: &dnsAnswers{}, ahead: newAheads(), mail: make(chan struct{}, 1)}
}

// Mail says that mail has come into the queue from this process.
func (hd *Handler) Mail() <-chan struct{} { return hd.mail }

func (hd *Handler) tellOfMail() {
	select {
	case hd.mail <- struct{}{}:
	default:
	}
}

// Over is the Handler over another store, such as a store.Reckoning.
func (hd *Handler) Over(db store.Store) *Handler {
	on := *hd
	on.DB, on.Staff, on.Filing = db, &on, &on
	if _, own := hd.Staff.(*Handler); !own && hd.Staff != nil {
		on.Staff = hd.Staff.StaffOver(db)
	}
	return &on
}

// StaffOver and FilerOver are Over for those who know less of it.
func (hd *Handler) StaffOver(db store.Store) turns.Staff { return hd.Over(db) }

func (hd *Handler) FilerOver(db store.Store) acts.Filer { return hd.Over(db) }

// Anew takes all lanes and has a Change worked out and committed, again while it comes too
// late; see store.Anew.
func (hd *Handler) Anew(do func(on *Handler) error) error {
	hd.Writing.Lock()
	defer hd.Writing.Unlock()
	return hd.again(do)
}

// again is Anew for who has the lanes.
func (hd *Handler) again(do func(on *Handler) error) error {
	return store.Anew(hd.DB, func(db store.Store) error { return do(hd.Over(db)) })
}

// incoming is a mail on its way to its effect.
type incoming struct {
	h      *Handler
	raw    mailbox.Raw
	sha    string // SHA-256 of the raw mail in hex
	msg    *mailbox.Message
	digest string
	typed  string // the sheet in the letters of its writer, "" if they are not known
	key    seal.Key
	sheet  *orders.Sheet
	game   store.Game
	player store.Player
	turn   int      // the turn of the side's next sheet, once known
	late   []string // sides without whose orders the game goes on
	ahead  *readAhead
	next   string // what a part of a side's sheet waits for
	// dropped says which orders of the sheet before it has nothing for, "" for none.
	dropped string
	// takesBack tells that its orders take back that the side gives the game up.
	takesBack bool
	// letter is what a player who plays by codes writes to another one, "" for nothing.
	letter string
	// replaced is the number of the sheet that it takes the place of, 0 for none.
	replaced int
	// invited holds what lines of the sheet's head send to others: the invitation of a deputy,
	// the code for an address.
	invited store.Change
	// own are the readings of what the sender of an unsigned mail wrote themselves.
	own []mailbox.OwnText
	// guest is the invitation that waits for the sender, with its key.
	guest    *post.Invited
	guestKey post.InvitationKey
	// vouched tells that a signature by a key of the game, or a code, is on the mail.
	vouched bool
	// part tells sheets of one mail apart that are given their effect one by one: from 1; 0
	// is the only one.
	part int
	// stranger says that nobody who is known here wrote the mail.
	stranger bool
	// enclosed goes along with the answer to a moderator.
	enclosed []mailbox.File
}

// number makes an answer unique among those of its kind.
func (l *incoming) number() string {
	if l.part == 0 {
		return l.sha[:16]
	}
	return fmt.Sprintf("%s.%d", l.sha[:16], l.part)
}

// readAhead is what could be done about a mail while those before it were committed:
// it is in the spool, and judged. Nothing of it depends on when that was: what the
// mail says follows from its bytes, and the verdict on its orders from them and from
// the position, which is named here. Receive takes only what still fits, and decides
// the rest.
type readAhead struct {
	Done   chan struct{} // closed when all is said
	bytes  []byte        // of the mail
	sha    string        // the mail is in the spool under this hash; "" if it is not, because of unspooled
	msg    *mailbox.Message
	sheets []seal.Sealed // at least one, if a signature fitted

	text      string // of the sheet that counts, and what is read from it
	head      *orders.Sheet
	strange   []*orders.Error // what is no part of a head
	sheet     *orders.Sheet   // in the words of the game
	faults    []*orders.Error
	signature string // see evidence
	signed    []byte

	game     store.Game // the verdict is on this game
	position string     // after the phase with this hash
	side     string
	verdict  *adjudicator.Filing
	date     string

	unspooled error
	queued    bool // the mail is in the store's queue; held with the lock of all
}

// outcome begins the Change of a mail: in words, what became of it.
func (l *incoming) outcome(words string) store.Change {
	return store.Change{Handled: &store.Handled{SHA256: l.sha, Mailbox: l.raw.Box, UIDValidity: l.raw.UIDValidity, UID: l.raw.UID,
		Received: l.raw.InternalDate, Outcome: words}}
}

// unread notes that the store could not be read, and returns the error if the mail
// must come again. Damage does not pass by waiting: then it returns nil, and the mail
// has the outcome that follows.
func (l *incoming) unread(err error) error {
	if err == nil {
		return nil
	}
	l.h.Log.Error("the store cannot be read", "mail", l.sha, "error", err)
	if post.KindOf(err) == post.Damaged {
		return nil
	}
	return err
}

// unreadable is the outcome of a mail that nothing can be done about because what it
// needs cannot be read.
func (l *incoming) unreadable(what string, err error) (store.Change, error) {
	return l.outcome(what + " cannot be read: " + err.Error()), l.unread(err)
}

// class says what kind of mail it is.
func (l *incoming) class() mailbox.Class {
	return mailbox.Classify(l.msg, mailbox.Self{Instance: l.h.Instance, Addresses: []string{l.h.Address}})
}

// verified are the sheets in a mail whose signatures fit, at least one. Whose
// keys they are by is not looked at here.
func (l *incoming) verified() ([]seal.Sealed, error) {
	if l.ahead != nil && len(l.ahead.sheets) > 0 {
		return l.ahead.sheets, nil
	}
	sealed, err := mailbox.SignedBy(l.msg, l.h.ring(mailbox.OfferedKeys(l.msg)))
	var several *mailbox.SeveralError
	switch {
	case errors.As(err, &several):
		return several.Sheets, nil
	case err != nil:
		return nil, err
	}
	return []seal.Sealed{sealed}, nil
}

// ring is the enrolled keys that signatures do not carry themselves, and those
// offered in the mail at hand. An enrolled key cannot be replaced by an offer.
// They are read only for a signature that needs them: it takes a look at all games.
func (hd *Handler) ring(offered []seal.Key) *seal.Ring {
	return seal.LazyRing(hd.Now(), func() []seal.Key {
		keys, err := hd.enrolled()
		if err != nil {
			hd.Log.Error("the games cannot be read", "error", err)
			return nil
		}
		return append(keys, offered...)
	})
}

// enrolled are the keys of all who may sign, players, commanders, deputies and moderators,
// that are of other methods than OpenSSH's.
func (hd *Handler) enrolled() (keys []seal.Key, err error) {
	games, err := hd.DB.Games()
	if err := hd.Readable(err); err != nil {
		return nil, err
	}
	add := func(public string) {
		if public == "" {
			return
		}
		if key, err := seal.ParseKey(public); err == nil && key.Method() != seal.SSH {
			keys = append(keys, key)
		}
	}
	for _, m := range hd.Moderators {
		add(m.Key)
	}
	for _, g := range games {
		for _, p := range g.Players {
			add(p.Key)
			for _, c := range p.Commanders {
				if !c.Left {
					add(c.Key)
				}
			}
		}
	}
	return keys, nil
}

// judged tells whether a sheet of this very text was judged ahead; nil if nothing was.
func (f *readAhead) judged(canonical string) bool {
	return f != nil && f.verdict != nil && f.text == canonical
}

// inGame tells whether the sheet was read in the words of this game.
func (f *readAhead) inGame(g store.Game) bool {
	return f.game.ID == g.ID && f.game.Scenario == g.Scenario
}

// sees tells whether the sheet was judged in the View that a side has of a position.
func (f *readAhead) sees(side string, pos store.Position) bool {
	switch {
	case f.side != side, f.position != pos.Latest.Hash, !f.inGame(pos.Game):
		return false
	}
	return maps.Equal(f.game.Options, pos.Game.Options)
}

// parsed reads a sheet in the words of its game, unless that was done ahead: of this
// very sheet and game. Nobody writes to what it returns.
func (l *incoming) parsed(m match.Match, canonical string) (*orders.Sheet, []*orders.Error) {
	if a := l.ahead; a.judged(canonical) && a.inGame(m.Game) {
		return a.sheet, a.faults
	}
	return orders.Parse(canonical, m.System.Vocabulary())
}

// headOf reads the head of a sheet, before it is known of which game it is.
func (l *incoming) headOf(canonical string) (*orders.Sheet, []*orders.Error) {
	if a := l.ahead; a != nil && a.head != nil && a.text == canonical {
		return a.head, a.strange
	}
	return orders.Parse(canonical, orders.Vocabulary{})
}

// evidence is the signature of the mail's sheet: see the function.
func (l *incoming) evidence(canonical string) (signature string, signed []byte) {
	if a := l.ahead; a.judged(canonical) && len(a.sheets) == 1 {
		return a.signature, a.signed
	}
	return seats.Evidence(l.msg, canonical, l.key)
}

// verdict judges the sheet of a mail in its side's View, unless that was done
// ahead: on this very sheet, side and position. Date is the position's.
func (l *incoming) verdict(m match.Match, canonical string, faults []*orders.Error) (f *adjudicator.Filing, date string, err error) {
	if a := l.ahead; a.judged(canonical) && a.sees(l.player.Side, m.Position) {
		again := *a.verdict
		return &again, a.date, nil
	}
	v, err := m.View(l.player.Side)
	if err != nil {
		return nil, "", err
	}
	return judged(m, v, l.sheet, faults), v.Date, nil
}

// judged judges a sheet in the View of its side.
func judged(m match.Match, v *view.View, s *orders.Sheet, faults []*orders.Error) (f *adjudicator.Filing) {
	m.Share.Do(func() { f = judge.Judged(m.Rules, v, s, faults) })
	return f
}

// errUnknownKey says that a good signature is of nobody who plays here.
var errUnknownKey = errors.New("the signature is good, but no game here knows its key")

// ByAddress finds a seat by its enrolled address: of a game that is under way, if
// there is one.
func (hd *Handler) ByAddress(address string) (game store.Game, player store.Player, ok bool, err error) {
	found, err := hd.DB.SeatsAt(address)
	for _, s := range found {
		g, bad := hd.DB.Game(s.Game)
		if bad != nil {
			err = bad
			continue
		}
		if ok && g.Status != store.StatusRunning {
			continue
		}
		for _, p := range g.Players {
			if p.Side == s.Side {
				game, player, ok = g, p.As(seats.WrittenFrom(p, address)), true
			}
		}
		if game.Status == store.StatusRunning {
			break
		}
	}
	return game, player, ok, err
}

// seat finds the player of a seat.
func (l *incoming) seat(s store.Seat) bool {
	g, err := l.h.DB.Game(s.Game)
	if err != nil {
		return false
	}
	for _, p := range g.Players {
		if p.Side == s.Side {
			l.game, l.player = g, p.As(seats.SignedBy(p, l.key))
			return true
		}
	}
	return false
}

func seatFor(seats []store.Seat, game, side string) (store.Seat, bool) {
	for _, s := range seats {
		if s.Game == game && s.Side == side {
			return s, true
		}
	}
	return store.Seat{}, false
}

// ofPart tells whether the sheet at hand is one person's part of their side's sheet.
func (l *incoming) ofPart() bool {
	return l.player.Shared() && l.sheet.Header("MODERATE") == ""
}

// commander is whose part the sheet at hand is: a deputy writes the player's.
func (l *incoming) commander() int {
	if seats.Deputy(l.player) {
		return 0
	}
	return l.player.Commander
}

// byCodes tells whether the player signs nothing, but plays by codes.
func (l *incoming) byCodes() bool { return seal.IsCode(l.player.Key) }

// staysSilent tells of a mail that is not answered, whoever sent it: junk with a player's
// address for its sender is not rare, lists have many readers, and some programs do not say
// that they are programs.
func (l *incoming) staysSilent() bool {
	return l.raw.Junk || l.class() == mailbox.Bulk || mailbox.SoundsAway(l.msg.Subject)
}

// now loads the game and its place in the sequence of play.
func (l *incoming) now() (m match.Match, at adjudicator.Phase, err error) {
	m, err = l.h.Load(l.game.ID)
	if err != nil || m.Latest == nil {
		return m, at, err
	}
	at, err = m.At()
	return m, at, err
}

// playable tells whether sheets for a game can be read and judged now.
func (hd *Handler) playable(pos store.Position) bool {
	switch {
	case pos.Latest == nil, pos.Game.Status != store.StatusRunning:
		return false
	}
	return hd.CheckVersion(pos.Game) == nil
}

// codeNow is the code of a seat in the phase that waits, and the phase's label.
func (hd *Handler) codeNow(seat store.Seat) (code, label string, err error) {
	pos, err := hd.DB.Load(seat.Game)
	if err != nil {
		return "", "", err
	}
	if pos.Latest == nil {
		return "", "", errNotBegun
	}
	game, _, err := hd.RulesOf(pos.Game)
	if err != nil {
		return "", "", err
	}
	at, err := game.At(pos.Latest.Snapshot)
	return post.PhaseCode(pos.Game, seat.Side, at.Label), at.Label, err
}

var errNotBegun = errors.New("the game has not begun")

// ownTexts are the readings of what the sender wrote themselves.
func (l *incoming) ownTexts() []mailbox.OwnText {
	if l.own == nil {
		l.own = mailbox.OwnTexts(l.msg)
	}
	return l.own
}

var tag = regexp.MustCompile(`\[([A-Z2-7]{8})\]`)

// taggedGame is the game that the mail's subject names in brackets, "" for none.
func (l *incoming) taggedGame() string {
	if m := tag.FindStringSubmatch(strings.ToUpper(l.msg.Subject)); m != nil {
		return m[1]
	}
	return ""
}

// counted is the game with the serial as the highest of its player.
func (l *incoming) counted(g store.Game, serial int) store.Game {
	g.Players = append([]store.Player(nil), g.Players...)
	for i := range g.Players {
		p := &g.Players[i]
		if p.Side != l.player.Side {
			continue
		}
		encrypted := &p.Encrypted
		if n := l.player.Commander; n > 0 {
			p.Commanders = slices.Clone(p.Commanders)
			encrypted = &p.Commanders[n-1].Encrypted
			p.Commanders[n-1].Serial = serial
		}
		switch {
		case !l.ofPart():
			p.Serial = serial
		case l.commander() == 0:
			p.Own = serial
			fallthrough
		default:
			p.Serial++
		}
		if l.sheet.Command("ENCRYPT") || l.sheet.Command("PLAINTEXT") {
			*encrypted = l.sheet.Command("ENCRYPT")
			l.player.Encrypted = *encrypted // the acknowledgement too
		}
	}
	return g
}
