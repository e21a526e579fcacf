// Package fieldpost is the root of the project: the files there that the binary carries.
package fieldpost

import _ "embed"

// Config is config.toml, the daemon's configuration with every setting explained.
//
//go:embed config.toml
var Config string
