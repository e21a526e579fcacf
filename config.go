// Package fieldpost is the root of the project: the files there that the binary carries.
package fieldpost

import _ "embed"

// Config is config.toml, the daemon's configuration with every setting explained.
//
//go:embed config.toml
var Config string

// Readme, Licence and Notice are the first page of the documents, and the two that it names.
var (
	//go:embed README.md
	Readme string
	//go:embed LICENSE
	Licence string
	//go:embed NOTICE
	Notice string
)
