// Package seats is who may speak for a side: players, commanders and deputies,
// their keys, the statements by which keys change, and the nonces that bind the
// dice to the players. It knows neither games nor rules, and needs no store.
package seats
