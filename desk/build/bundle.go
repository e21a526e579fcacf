package main

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"fieldpost/desk/dist"
)

// policy is what the page may do: run its own script and the engine, and show pictures that it
// drew itself. Nothing reaches a network.
const policy = "default-src 'none'; script-src %s 'wasm-unsafe-eval'; worker-src blob:; style-src %s; img-src blob:; " +
	"connect-src 'none'; form-action 'none'; base-uri 'none'"

// bundle makes the page of a folder of sources: one file with script, style and worker in it.
func bundle(folder string) ([]byte, error) {
	shell, err := os.ReadFile(filepath.Join(folder, "index.html"))
	if err != nil {
		return nil, err
	}
	app, err := bundled(folder, "app.tsx")
	if err != nil {
		return nil, err
	}
	worker, err := bundled(folder, "worker.ts")
	if err != nil {
		return nil, err
	}
	style, err := bundled(folder, "style.css")
	if err != nil {
		return nil, err
	}
	notices, err := licences(filepath.Join(folder, "vendor"))
	if err != nil {
		return nil, err
	}
	fill := strings.NewReplacer(
		"{{policy}}", fmt.Sprintf(policy, hashed(app), hashed(style)),
		"{{licences}}", notices,
		"{{style}}", "<style>"+style+"</style>",
		"{{worker}}", `<script type="text/plain" id="worker">`+worker+"</script>",
		"{{slot}}", dist.Slot,
		"{{script}}", "<script>"+app+"</script>",
	)
	return []byte(fill.Replace(string(shell))), nil
}

// hashed names a text as a policy does.
func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// bundled is a source with all that it imports, as one short text.
func bundled(folder, source string) (string, error) {
	root, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	made := api.Build(api.BuildOptions{
		EntryPoints: []string{filepath.Join(root, source)}, AbsWorkingDir: root, NodePaths: []string{filepath.Join(root, "vendor")},
		Bundle: true, Format: api.FormatIIFE, Target: api.ES2022, Charset: api.CharsetASCII,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, LegalComments: api.LegalCommentsNone,
		JSX: api.JSXTransform, JSXFactory: "h", JSXFragment: "Fragment", TsconfigRaw: "{}",
	})
	for _, e := range made.Errors {
		err = errors.Join(err, fmt.Errorf("%v: %s", e.Location, e.Text))
	}
	if err != nil {
		return "", err
	}
	if len(made.OutputFiles) != 1 {
		return "", fmt.Errorf("%s gives %d files", source, len(made.OutputFiles))
	}
	text := strings.TrimSpace(string(made.OutputFiles[0].Contents))
	if strings.Contains(strings.ToLower(text), "</s") {
		return "", fmt.Errorf("%s would end the script that it stands in", source)
	}
	return text, nil
}

// licences are the texts under which the libraries in the page are given on.
func licences(vendor string) (string, error) {
	files, err := filepath.Glob(filepath.Join(vendor, "*", "LICENSE"))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "\n%s\n\n%s", filepath.Base(filepath.Dir(name)), strings.ReplaceAll(string(text), "--", "- -"))
	}
	return b.String(), nil
}
