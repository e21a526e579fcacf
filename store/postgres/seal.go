package postgres

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"filippo.io/age"

	"fieldpost/store"
)

// ErrSealed: the secrets of games are sealed, and the identity that opens them is not at hand, or
// another one.
var ErrSealed = errors.New("the dice keys in the database are sealed for an identity that is not here: name its file as store_identity")

// seals seal the secrets of games in the database, so that who reads a dump of it can foresee no
// throw. Each of them is sealed once and opened once, and then known. A nil seals leaves secrets
// as they are.
type seals struct {
	identities []age.Identity
	recipient  age.Recipient

	mu     sync.Mutex
	opened map[string]store.Secret // by what is sealed
	closed map[string]store.Secret // the other way
}

// sealsOf are those of an identity as age-keygen writes it to a file; nil for "".
func sealsOf(identity string) (*seals, error) {
	if identity == "" {
		return nil, nil
	}
	all, err := age.ParseIdentities(strings.NewReader(identity))
	if err != nil {
		return nil, fmt.Errorf("%w identity of the store: it is a file as age-keygen writes it: %w", store.ErrInvalid, err)
	}
	first, is := all[0].(*age.X25519Identity)
	if !is {
		return nil, fmt.Errorf("%w identity of the store: AGE-SECRET-KEY-1... is expected", store.ErrInvalid)
	}
	return &seals{identities: all, recipient: first.Recipient(), opened: map[string]store.Secret{}, closed: map[string]store.Secret{}}, nil
}

// isSealed tells a sealed secret from one that is as it was.
func isSealed(s store.Secret) bool { return bytes.HasPrefix(s, []byte("age-encryption.org/")) }

func (s *seals) seal(secret store.Secret) (store.Secret, error) {
	if s == nil || len(secret) == 0 {
		return secret, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.closed[string(secret)]; known != nil {
		return known, nil
	}
	var text bytes.Buffer
	w, err := age.Encrypt(&text, s.recipient)
	if err == nil {
		_, err = w.Write(secret)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, err
	}
	s.remember(secret, text.Bytes())
	return text.Bytes(), nil
}

func (s *seals) open(secret store.Secret) (store.Secret, error) {
	if !isSealed(secret) {
		return secret, nil
	}
	if s == nil {
		return nil, ErrSealed
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.opened[string(secret)]; known != nil {
		return known, nil
	}
	r, err := age.Decrypt(bytes.NewReader(secret), s.identities...)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSealed, err)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%w: a sealed secret: %w", store.ErrDamaged, err)
	}
	s.remember(plain, secret)
	return plain, nil
}

func (s *seals) remember(plain, closed store.Secret) {
	s.opened[string(closed)], s.closed[string(plain)] = plain, closed
}

// each does something to all secrets of a game; the game that was given stays as it is.
func each(g store.Game, f func(store.Secret) (store.Secret, error)) (_ store.Game, err error) {
	if g.DiceKey, err = f(g.DiceKey); err != nil {
		return g, err
	}
	g.Players = slices.Clone(g.Players)
	for i := range g.Players {
		if g.Players[i].Staff, err = f(g.Players[i].Staff); err != nil {
			return g, err
		}
	}
	return g, nil
}

// opened are games with their secrets as they are.
func (t tx) opened(games []store.Game, err error) ([]store.Game, error) {
	for i := range games {
		if err == nil {
			games[i], err = each(games[i], t.seals.open)
		}
	}
	return games, err
}
