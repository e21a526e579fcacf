// Command release makes all that a release gives away, in one folder: archives for each machine,
// Debian packages, images for containers, the order desk as one file, and the signed list of their
// checksums. Equal sources, version and key give equal files.
//
//	go run ./packaging/release --version 1.2.0 --key release.key
//	go run ./packaging/release --version 1.2.0 --twice    # are two of them equal?
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"fieldpost/orders/seal"
	"fieldpost/packaging/sums"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "packaging/release:", err)
		os.Exit(1)
	}
}

// release is what is being made.
type release struct {
	out     string
	version string
	signer  string    // the public key that goes into the binaries
	moment  time.Time // of the last change of the sources: the date of every file
	work    string    // a folder that goes away
}

func run(args []string) error {
	f := flag.NewFlagSet("release", flag.ContinueOnError)
	out := f.String("out", "release", "`FOLDER` that gets the files; it must be empty or not there yet")
	version := f.String("version", "", "version, such as 1.2.0")
	keyFile := f.String("key", "", "`FILE` with the private key that signs the release (OpenSSH, Ed25519, without passphrase); without it nothing is signed")
	only := f.String("only", "", "make these alone, parted by commas: "+strings.Join(names(), ", "))
	again := f.Bool("twice", false, "make it two times, from copies of the last commit in two folders, compare them, and keep neither")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *again {
		list, err := twice([]string{"--version", *version, "--only", *only})
		if err == nil {
			fmt.Printf("equal in two folders:\n%s", list)
		}
		return err
	}
	if *version == "" {
		return fmt.Errorf("name the version: --version 1.2.0")
	}
	chosen, err := choose(*only)
	if err != nil {
		return err
	}
	var key *seal.PrivateKey
	if *keyFile != "" {
		if key, err = readKey(*keyFile); err != nil {
			return err
		}
	}
	r, err := begin(*out, *version, key)
	if err != nil {
		return err
	}
	defer os.RemoveAll(r.work)
	for _, p := range chosen {
		if err := p.make(r, p); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		fmt.Println(p.name)
	}
	return sums.Write(r.out, key)
}

// begin makes the folders and the engine of the order desk, which is the same on every machine.
func begin(out, version string, key *seal.PrivateKey) (*release, error) {
	if files, err := os.ReadDir(out); err == nil && len(files) > 0 {
		return nil, fmt.Errorf("%s is not empty", out)
	}
	moment, err := lastChange()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp("", "fieldpost-release")
	if err != nil {
		return nil, err
	}
	r := &release{out: out, version: version, moment: moment, work: work}
	if key != nil {
		r.signer = key.Public().String()
	}
	return r, command(nil, "go", "generate", "./desk")
}

// lastChange is when the sources were changed last: SOURCE_DATE_EPOCH, else the last commit.
func lastChange() (time.Time, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		out, err := exec.Command("git", "log", "-1", "--format=%ct").Output()
		if err != nil {
			return time.Time{}, fmt.Errorf("neither SOURCE_DATE_EPOCH nor git tells the date of the sources: %w", err)
		}
		text = strings.TrimSpace(string(out))
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	return time.Unix(seconds, 0).UTC(), err
}

func readKey(file string) (*seal.PrivateKey, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	key, err := seal.ParsePrivateKey(text, "")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return &key, nil
}

// product is one file of a release.
type product struct {
	name       string // as --only takes it
	os, arch   string
	make       func(*release, product) error
	executable string // name of the binary in an archive
}

var products = []product{
	{name: "linux-amd64", os: "linux", arch: "amd64", make: archived, executable: "fieldpost"},
	{name: "linux-arm64", os: "linux", arch: "arm64", make: archived, executable: "fieldpost"},
	{name: "darwin-amd64", os: "darwin", arch: "amd64", make: archived, executable: "fieldpost"},
	{name: "darwin-arm64", os: "darwin", arch: "arm64", make: archived, executable: "fieldpost"},
	{name: "windows-amd64", os: "windows", arch: "amd64", make: archived, executable: "fieldpost.exe"},
	{name: "windows-arm64", os: "windows", arch: "arm64", make: archived, executable: "fieldpost.exe"},
	{name: "deb-amd64", os: "linux", arch: "amd64", make: debian},
	{name: "deb-arm64", os: "linux", arch: "arm64", make: debian},
	{name: "container-amd64", os: "linux", arch: "amd64", make: container},
	{name: "container-arm64", os: "linux", arch: "arm64", make: container},
	{name: "desk", make: deskFile},
}

func names() (names []string) {
	for _, p := range products {
		names = append(names, p.name)
	}
	return names
}

// choose is the products that are asked for, all of them for none.
func choose(only string) (chosen []product, err error) {
	if only == "" {
		return products, nil
	}
	for _, name := range strings.Split(only, ",") {
		i := slices.IndexFunc(products, func(p product) bool { return p.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no %q to make: %s", name, strings.Join(names(), ", "))
		}
		chosen = append(chosen, products[i])
	}
	return chosen, nil
}

// command runs a program of the sources, in their folder.
func command(env []string, name string, args ...string) error {
	c := exec.Command(name, args...)
	c.Env = append(os.Environ(), env...)
	c.Stderr = os.Stderr
	return c.Run()
}

// binary is the program for a machine, built once.
func (r *release) binary(system, arch string) (file string, err error) {
	file = filepath.Join(r.work, system+"-"+arch)
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	env := []string{"ENGINE=kept", "GOOS=" + system, "GOARCH=" + arch}
	return file, command(env, "packaging/build", file, r.version, r.signer)
}

// deskFile is the order desk as one file that a browser opens from the disk.
func deskFile(r *release, _ product) error {
	program, err := r.binary(runtime.GOOS, runtime.GOARCH)
	if err != nil {
		return err
	}
	return command(nil, program, "desk", "--out", filepath.Join(r.out, "fieldpost-"+r.version+"-desk.html"))
}
