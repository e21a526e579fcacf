// Package records lists every kind of record that the daemon keeps beside games, sheets and mails.
// Each is declared where its type is, and used by nothing but its declaration.
package records

import (
	"fieldpost/store"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/audit"
	"fieldpost/umpire/club"
	"fieldpost/umpire/door"
	"fieldpost/umpire/intake"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/seats"
	"fieldpost/umpire/turns"
)

// All are they.
var All = store.Kinds{
	// Of a game: how it goes.
	match.ClockRecords, match.PlayedRecords, match.ThoughtRecords, match.ConcessionRecords, match.FilingRecords,
	match.UnreportedRecords, match.HeardRecords, match.UnansweredRecords, match.DeliberationRecords,
	match.DrawRecords, match.FrozenRecords, match.AboutRecords, acts.PausedRecords, turns.DisclosureRecords, turns.WakeRecords, turns.AwaitRecords,
	// Of a game: who plays it.
	post.InvitationRecords, acts.MovingRecords, seats.KeyRecords, seats.RecoveringRecords, seats.LeftSeatRecords,
	intake.SpareRecords, intake.ProviderRecords, intake.TriesRecords, intake.ModeratorRecords,
	// Of a game: what was written to whom.
	post.ReportRecords, post.ToTellRecords, intake.LetterRecords, intake.PressRecords, intake.PressCountRecords,
	intake.WordsRecords, intake.TroubleRecords,
	// Of the house.
	audit.Records, audit.HeadRecord, club.BackupRecord, match.TournamentRecords, turns.BeaconRecords,
	turns.JumpRecord, turns.TrustedRecord, post.AlarmRecords, post.HealthRecords, post.FirstMailRecords,
	intake.AnsweredRecord, intake.StrangerRecord, door.VisitRecords, door.GuesserRecords, door.MinuteRecord,
}

// Check audits a store: what its engine finds, and its records.
func Check(db store.Store) []error { return append(db.Check(), All.Check(db)...) }
