package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"fieldpost/cmdline"
	"fieldpost/desk/dist"
	"fieldpost/desk/past"
)

func deskCommand(f *flag.FlagSet) cmdline.Action {
	out := f.String("out", "", "write the desk as one `FILE`, which a browser opens from the disk, and serve nothing")
	listen := f.String("listen", "127.0.0.1:7942", "loopback `ADDRESS` to serve at; with port 0 any that is free")
	show := f.Bool("open", true, "open it in the browser")
	return func(ctx context.Context, words []string) error {
		if len(words) > 1 {
			return cmdline.Usagef("name one report or archive, or none")
		}
		report, err := deskReport(words)
		if err != nil {
			return err
		}
		if *out != "" {
			return writeDesk(*out, report)
		}
		return serveDesk(ctx, *listen, report, *show)
	}
}

// deskReport is the file that the desk opens at once, nil for none: a report, or the archive of
// a game. It is looked at here, so that a wrong file is told where it was named.
func deskReport(words []string) (*dist.Report, error) {
	if len(words) == 0 {
		return nil, nil
	}
	file, err := os.ReadFile(words[0])
	if err != nil {
		return nil, err
	}
	report := &dist.Report{Name: filepath.Base(words[0]), File: file}
	if past.Is(file) {
		_, err = past.Open(file)
		return report, err
	}
	_, err = readView(words[0])
	return report, err
}

func writeDesk(name string, report *dist.Report) error {
	page, err := dist.Whole(report)
	if err != nil {
		return err
	}
	if err := os.WriteFile(name, []byte(page), 0o600); err != nil {
		return err
	}
	fmt.Printf("%s: %d bytes\n", name, len(page))
	return nil
}

// serveDesk serves until it is interrupted.
func serveDesk(ctx context.Context, address string, report *dist.Report, show bool) error {
	if host, _, err := net.SplitHostPort(address); err != nil || !net.ParseIP(host).IsLoopback() {
		return cmdline.Usagef("--listen is a loopback address such as 127.0.0.1:7942, not %q: the report is yours alone", address)
	}
	desk, err := dist.NewServer(report)
	if err != nil {
		return err
	}
	at, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("%w (choose another with --listen 127.0.0.1:0)", err)
	}
	url := "http://" + at.Addr().String() + desk.Path()
	fmt.Printf("The desk is at %s\nIt ends with Ctrl-C.\n", url)
	if show {
		openBrowser(url)
	}
	server := &http.Server{Handler: desk, ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	if err := server.Serve(at); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// openBrowser asks the system to open an address. Where it cannot, the address was printed.
func openBrowser(url string) {
	open := map[string][]string{"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}[runtime.GOOS]
	if open == nil {
		open = []string{"xdg-open"}
	}
	cmd := exec.Command(open[0], append(open[1:], url)...)
	if err := cmd.Start(); err == nil {
		go func() { _ = cmd.Wait() }()
	}
}
