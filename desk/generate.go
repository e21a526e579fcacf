package desk

//go:generate go run ./build
