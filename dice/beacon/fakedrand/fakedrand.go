// Package fakedrand is a beacon for tests: a chain of drand's format under a key of
// its own, and a server that gives its rounds as drand's servers do.
package fakedrand

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cloudflare/circl/sign/bls"

	"fieldpost/dice/beacon"
)

// Drand signs the rounds of Chain. As a server it gives each when its time has come.
type Drand struct {
	Chain *beacon.Chain
	// Now is the clock by which it serves.
	Now func() time.Time
	key *bls.PrivateKey[bls.KeyG2SigG1]
}

// New is a beacon with a key made of the seed, and Quicknet's rhythm.
func New(seed string, now func() time.Time) *Drand {
	ikm := sha256.Sum256([]byte(seed))
	key, err := bls.KeyGen[bls.KeyG2SigG1](ikm[:], nil, nil)
	if err != nil {
		panic(err)
	}
	public, err := key.PublicKey().MarshalBinary()
	if err != nil {
		panic(err)
	}
	name := sha256.Sum256(public)
	return &Drand{Now: now, key: key, Chain: &beacon.Chain{Hash: hex.EncodeToString(name[:]), Key: hex.EncodeToString(public),
		Genesis: beacon.Quicknet.Genesis, Period: beacon.Quicknet.Period}}
}

// Value signs a round.
func (d *Drand) Value(round uint64) beacon.Value {
	return beacon.Value{Round: round, Signature: bls.Sign(d.key, beacon.Message(round))}
}

// ServeHTTP answers GET /CHAIN/public/ROUND.
func (d *Drand) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, ok := strings.CutPrefix(r.URL.Path, "/"+d.Chain.Hash+"/public/")
	round, err := strconv.ParseUint(text, 10, 64)
	if !ok || err != nil || d.Now().Before(d.Chain.Time(round)) {
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	v := d.Value(round)
	randomness := sha256.Sum256(v.Signature)
	fmt.Fprintf(w, `{"round":%d,"randomness":"%x","signature":"%x"}`, round, randomness, v.Signature)
}
