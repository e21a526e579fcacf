package soak

var wb95Mutants []Mutation
