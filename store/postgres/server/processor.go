package server

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// Used is what a server has used so far.
type Used struct {
	Processor time.Duration // of its sessions that are open, and of its own processes; only Linux tells
	Log       int64         // bytes written ahead
	Rows      int64         // written
}

// Since is what was used since before.
func (u Used) Since(before Used) Used {
	return Used{u.Processor - before.Processor, u.Log - before.Log, u.Rows - before.Rows}
}

// counted is how long a session waits at most before it tells what it has counted.
const counted = 1200 * time.Millisecond

// Used tells what the server has used.
func (s *Server) Used(ctx context.Context) (u Used, err error) {
	time.Sleep(counted)
	db, err := pgx.Connect(ctx, s.address(""))
	if err != nil {
		return u, err
	}
	defer db.Close(ctx)
	if err := db.QueryRow(ctx, `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint,
		(select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::bigint from pg_stat_user_tables)`).Scan(&u.Log, &u.Rows); err != nil {
		return u, err
	}
	u.Processor, err = s.processor()
	return u, err
}

// tick is the unit of processor time in /proc.
const tick = 10 * time.Millisecond

// processor is the processor time of the server's processes.
func (s *Server) processor() (sum time.Duration, err error) {
	text, err := os.ReadFile(filepath.Join(s.data(), "postmaster.pid"))
	if err != nil {
		return 0, err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(stats) == 0 {
		return 0, fmt.Errorf("this machine does not tell the processor time of other processes: %w", err)
	}
	for _, file := range stats {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue // it has just ended
		}
		_, rest, _ := bytes.Cut(stat, []byte(") ")) // the name before may have spaces
		fields := strings.Fields(string(rest))
		isOurs := len(fields) > 13 && (fields[1] == first || strings.HasPrefix(string(stat), first+" "))
		if !isOurs {
			continue
		}
		for _, field := range fields[11:13] {
			n, err := strconv.ParseInt(field, 10, 64)
			if err != nil {
				return 0, err
			}
			sum += time.Duration(n) * tick
		}
	}
	return sum, nil
}
