package main

import (
	"flag"
	"slices"

	"fieldpost/cmdline"
)

// command is a subcommand.
type command struct {
	name, args, brief string
	// acts are words that may follow beside those of args.
	acts []string
	// more is what its help tells below the usage.
	more string
	// examples are command lines to copy. A test holds their flags against those that
	// the command has.
	examples []string
	// setUp declares the command's flags; what it returns carries the command out.
	setUp func(*flag.FlagSet) cmdline.Action
}

// commands are all that fieldpost can do, in the order in which they are listed.
func commands() []command {
	return slices.Concat(umpireCommands, playerCommands, bookCommands, programCommands())
}

// umpireCommands are for those who run a daemon and its games.
var umpireCommands = []command{
	{
		name:  "demo",
		args:  "[--scenario ID] [--turns N] [--seed N] [--mode ASK] [--out DIR] [--store URL]",
		brief: "play a whole game by mail between two staff officers of the program",
		examples: []string{
			"fieldpost demo",
			"fieldpost demo --scenario star-and-gallop --mode ASK",
			"fieldpost demo --scenario gd-lutchessa --turns 2 --out tour",
		},
		setUp: playDemo,
	},
	{
		name:     "serve",
		args:     "--config config.toml [--store URL]",
		brief:    "run the daemon against a mail account",
		examples: []string{"fieldpost serve --config my.toml"},
		setUp:    serve,
	},
	{
		name:     "doctor",
		args:     "--config config.toml [--wait 2m]",
		brief:    "try the mail account and say in plain words what is wrong",
		examples: []string{"fieldpost doctor --config my.toml"},
		setUp:    doctor,
	},
	{
		name:     "ingest",
		args:     "--config config.toml < MESSAGE",
		brief:    "take one message from a mail server's pipe",
		examples: []string{"fieldpost ingest --config my.toml < message.eml"},
		setUp:    ingest,
	},
	{
		name:  "game",
		args:  "new|options|list|show|phases|resume|migrate|extend|pause|rollback|...",
		brief: "create games, look at them, correct them, resume a stopped or older one",
		acts:  gameVerbs(),
		more:  "what a moderator may do to a game:" + verbHelp(),
		examples: []string{
			"fieldpost game options kharkov-1942",
			"fieldpost game new --scenario kharkov-1942 --staff GERMAN --option fog=blind",
			"fieldpost game list",
			"fieldpost game extend K7QX2MPA 2d",
		},
		setUp: game,
	},
	{
		name:  "status",
		args:  "[--watch] [--all] [--format text|json|tsv]",
		brief: "show all games, the worst first",
		examples: []string{
			"fieldpost status",
			"fieldpost status --watch --every 10s",
			"fieldpost status --format json",
		},
		setUp: status,
	},
	{
		name:     "clock",
		args:     "go-on [--config config.toml]",
		brief:    "let deadlines run again after the clock was set",
		examples: []string{"fieldpost clock go-on"},
		setUp:    clockCommand,
	},
	{
		name:     "web",
		args:     "password|unlock",
		brief:    "make a password hash for the web page; forget wrong passwords",
		examples: []string{"fieldpost web password", "fieldpost web unlock"},
		setUp:    webCommand,
	},
	{
		name:  "audit",
		args:  "[GAME]",
		brief: "show what moderators did, and check that the log is complete",
		examples: []string{
			"fieldpost audit",
			"fieldpost audit K7QX2MPA",
		},
		setUp: audit,
	},
	{
		name:  "ladder",
		args:  "[--results] [--format text|csv|json]",
		brief: "show the club's ladder, how reliable its players are, and results",
		examples: []string{
			"fieldpost ladder",
			"fieldpost ladder --results --format csv",
		},
		setUp: ladder,
	},
	{
		name:  "player",
		args:  "invite|add|key|second|forget",
		brief: "invite a player to join by mail, seat one, enrol another key or a second address",
		examples: []string{
			"fieldpost player invite --game K7QX2MPA --side SOVIET --email ann@example.org",
			"fieldpost player add --game K7QX2MPA --side GERMAN --email bob@example.org --key bob.pub",
			"fieldpost player forget --email bob@example.org",
		},
		setUp: player,
	},
	{
		name:  "store",
		args:  "check|stats|compact|thin|prune|prepare|move [FOLDER] [FROM TO] [--config config.toml]",
		brief: "check the database, count, free space, pack sent mails, drop old ones",
		examples: []string{
			"fieldpost store check",
			"fieldpost store check backups",
			"fieldpost store prune --older 90",
			"fieldpost store move fieldpost-data postgres://fieldpost@db.example.org/fieldpost",
		},
		setUp: storeCommand,
	},
	{
		name:     "backup",
		args:     "FILE | --to FOLDER [--recipient age1...] [--config config.toml]",
		brief:    "copy everything, with or without the daemon running; into a folder of backups only what is new",
		examples: []string{"fieldpost backup friday.tar.zst", "fieldpost backup --to backups"},
		setUp:    backup,
	},
	{
		name:     "restore",
		args:     "FILE | --from FOLDER [--until TIME] [--identity KEYFILE] [--config config.toml]",
		brief:    "check a backup and put it into an empty data folder",
		examples: []string{"fieldpost restore friday.tar.zst", "fieldpost restore --from backups --until 2026-11-26T18:00:00Z"},
		setUp:    restore,
	},
	{
		name:  "replay",
		args:  "GAME|ARCHIVE [--dice] | --shadow",
		brief: "play a game again from its records and compare the positions",
		examples: []string{
			"fieldpost replay K7QX2MPA --dice",
			"fieldpost replay --shadow",
		},
		setUp: replay,
	},
	{
		name:     "archive",
		args:     "GAME [FILE]",
		brief:    "write a game as one signed file that anybody can verify",
		examples: []string{"fieldpost archive K7QX2MPA kharkov.tar"},
		setUp:    archiveCommand,
	},
	{
		name:     "album",
		args:     "GAME [--side S] [--out DIR]",
		brief:    "write a game as pages to look through, with an animated map",
		examples: []string{"fieldpost album K7QX2MPA --side SOVIET --out album"},
		setUp:    album,
	},
}

// playerCommands are for those who play.
var playerCommands = []command{
	{
		name:     "keygen",
		args:     "[--out FILE]",
		brief:    "make a signing key",
		examples: []string{"fieldpost keygen --out fieldpost.key"},
		setUp:    keygen,
	},
	{
		name:     "enrol",
		args:     "--game ID --side SIDE --code CODE",
		brief:    "make the signed mail by which you join a game, with a new key if you have none",
		examples: []string{"fieldpost enrol --game K7QX2MPA --side SOVIET --code ABCD-EFGH"},
		setUp:    enrol,
	},
	{
		name:  "desk",
		args:  "[REPORT.eml|view.json|GAME.tar] [--out FILE.html]",
		brief: "open the order desk: make a turn on the map, checked and signed in the browser",
		examples: []string{
			"fieldpost desk report.eml",
			"fieldpost desk view.json --listen 127.0.0.1:0 --open=false",
			"fieldpost desk --out desk.html",
			"fieldpost desk game.tar --out game.html",
		},
		setUp: deskCommand,
	},
	{
		name:  "orders",
		args:  "check FILE --view view.json [--filed FILE] | guide --view view.json [--unit NAME] [--orders FILE] | template --view view.json",
		brief: "check a sheet without sending it; list what may be ordered; print a sheet to fill in",
		examples: []string{
			"fieldpost orders template --view view.json",
			"fieldpost orders check sheet.txt --view view.json",
			"fieldpost orders guide --view view.json --unit \"13/XXII\" --orders sheet.txt",
			"fieldpost orders guide --view view.json --weigh \"ATTACK: 2505 WITH 124 INF\" --format json",
			"fieldpost orders check mail.eml --view report.eml --filed sheet.txt",
		},
		setUp: ordersCommand,
	},
	{
		name:     "press",
		args:     "LETTER [--to SIDE]",
		brief:    "write a letter to other players, for a sheet that you sign",
		examples: []string{"fieldpost press letter.txt --to GERMAN"},
		setUp:    press,
	},
	{
		name:  "sign",
		args:  "FILE [--press LETTER [--to SIDE]]",
		brief: "turn an order sheet into a signed block to mail",
		examples: []string{
			"fieldpost sign sheet.txt",
			"fieldpost sign sheet.txt --press letter.txt --to ALL",
		},
		setUp: sign,
	},
	{
		name:  "verify",
		args:  "FILE.eml|ARCHIVE [--invitation FILE.eml]",
		brief: "check a report or a game's archive",
		examples: []string{
			"fieldpost verify report.eml --invitation invitation.eml",
			"fieldpost verify K7QX2MPA.tar --invitation invitation.eml",
		},
		setUp: verify,
	},
}

// bookCommands look at maps, scenarios and rules, and try them out.
var bookCommands = []command{
	{
		name:  "map",
		args:  "--game ID|--scenario ID|--view FILE [--side S] [--turn N]",
		brief: "draw a map: SVG, PNG, PDF",
		examples: []string{
			"fieldpost map --scenario kharkov-1942 --out kharkov.png",
			"fieldpost map --view view.json --layers +zoc,-arrows --hexes 1800-2806 --out front.svg",
			"fieldpost map --scenario gd-kursk --side GERMAN --layers +sight --out sight.png",
		},
		setUp: drawMap,
	},
	{
		name:  "scenario",
		args:  "list|show|lint|units|charts|map|results [ID]",
		brief: "look at the scenarios, check them, try them out",
		examples: []string{
			"fieldpost scenario list",
			"fieldpost scenario lint --all",
			"fieldpost scenario units nysa-1945 --format tsv",
			"fieldpost scenario charts gd-kursk --format html --out charts.html",
			"fieldpost scenario results --scenario prokhorovka --games 30",
		},
		setUp: scenario,
	},
	{
		name:  "rules",
		args:  "coverage|rulings|cases [CLAUSE]|odds",
		brief: "list clauses, rulings and cases; show odds",
		examples: []string{
			"fieldpost rules coverage --system steppe",
			"fieldpost rules cases 5.3.7",
			"fieldpost rules odds --attack 17 --defend 8",
		},
		setUp: rulesCommand,
	},
}

// programCommands are about the program itself. Two of them tell of all commands, which
// a variable cannot name.
func programCommands() []command {
	return []command{
		{
			name:  "config",
			args:  "describe|check [--config config.toml]",
			brief: "print a commented configuration to fill in; say what is wrong with one",
			examples: []string{
				"fieldpost config describe > my.toml",
				"fieldpost config check --config my.toml",
			},
			setUp: configCommand,
		},
		{
			name:  "completion",
			args:  "bash|zsh|fish",
			brief: "print the completion of command lines for your shell",
			examples: []string{
				"fieldpost completion bash > /etc/bash_completion.d/fieldpost",
				"fieldpost completion fish > ~/.config/fish/completions/fieldpost.fish",
			},
			setUp: completion,
		},
		{
			name:     "man",
			brief:    "print the manual page",
			examples: []string{"fieldpost man > fieldpost.1"},
			setUp:    manual,
		},
		{
			name:     "docs",
			brief:    "write the documents as plain HTML, to read from the disk or to host on a club's site",
			examples: []string{"fieldpost docs --out site"},
			setUp:    documents,
		},
		{
			name:     "version",
			brief:    "print the version, or check a file of a release",
			examples: []string{"fieldpost version", "fieldpost version --check fieldpost-1.2.0-linux-amd64.tar.gz"},
			setUp:    version,
		},
	}
}
