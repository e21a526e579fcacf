package checks

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"fieldpost/adjudicator/view"
	"fieldpost/desk"
	"fieldpost/desk/dist"
	"fieldpost/trial"
)

// ErrNoNode says that there is no node to run the desk's engine with.
var ErrNoNode = errors.New("the desk's engine runs in node here, and there is none (Debian: nodejs)")

//go:embed engine.js
var script []byte

// RunWasm has the sheets of checks judged by the order desk as well, by its engine of this
// program and by the one for browsers, which node runs. Both answers must be the same bytes.
func RunWasm(ctx context.Context, t *trial.Trial) error {
	began := time.Now()
	e, err := startEngine(ctx)
	if err != nil {
		return err
	}
	defer e.stop()
	tally := &twins{engine: e, most: t.Count}
	for number := t.Seed; tally.pairs < t.Count; number++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		turns := t.Turns
		if turns == 0 {
			turns = 5
		}
		id := t.Scenario(number - t.Seed)
		share := min(t.Count-tally.pairs, max(1, t.Count/len(t.Scenarios)))
		before := tally.pairs
		if _, err := inFolder(ctx, Game{Scenario: id, Number: number, Limit: share, Turns: turns, Options: t.Options, also: tally.compare}); err != nil {
			return fmt.Errorf("%s, --seed %d: %w", id, number, err)
		}
		fmt.Fprintf(t.Progress, "%s %d: %d sheets\n", id, number, tally.pairs-before)
	}
	fmt.Fprintf(t.Out, "%d sheets on %d views judged by the desk's engine here and in wasm: %d bytes of answers, 0 answers differ (%v)\n", tally.pairs, tally.views, tally.bytes, time.Since(began).Round(time.Second))
	return nil
}

// twins are the desk here and in wasm.
type twins struct {
	here                      desk.Desk
	engine                    *inNode
	on                        *view.View // that both have open
	most, pairs, views, bytes int
}

// compare has both judge a sheet. The first answer that differs ends the trial.
func (w *twins) compare(v *view.View, sheet string) error {
	if w.on != v {
		file, err := json.Marshal(v)
		if err != nil {
			return err
		}
		if _, err := w.same("open", "{}", file); err != nil {
			return err
		}
		w.on, w.views = v, w.views+1
	}
	question, err := json.Marshal(map[string]string{"sheet": sheet})
	if err != nil {
		return err
	}
	w.pairs++
	_, err = w.same("check", string(question), nil)
	return err
}

// same has both answer a question, and is their answer.
func (w *twins) same(name, question string, file []byte) ([]byte, error) {
	here := w.here.Call(name, []byte(question), file)
	there, err := w.engine.call(name, question, file)
	if err != nil {
		return nil, err
	}
	w.bytes += len(here)
	if !bytes.Equal(here, there) {
		return nil, fmt.Errorf("%s %.300s\nis answered here\n%s\nand in wasm\n%s", name, question, here, there)
	}
	return here, nil
}

// inNode is the desk's engine for browsers, in a process of node.
type inNode struct {
	folder string
	node   *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
}

func startEngine(ctx context.Context) (*inNode, error) {
	path, err := exec.LookPath("node")
	if err != nil {
		return nil, ErrNoNode
	}
	wasm, loader, err := dist.Engine()
	if err != nil {
		return nil, err
	}
	e := &inNode{}
	if e.folder, err = os.MkdirTemp("", "fieldpost-engine"); err != nil {
		return nil, err
	}
	for name, content := range map[string][]byte{"engine.wasm": wasm, "wasm_exec.js": loader, "engine.js": script} {
		if err := os.WriteFile(filepath.Join(e.folder, name), content, 0o600); err != nil {
			return nil, errors.Join(err, os.RemoveAll(e.folder))
		}
	}
	e.node = exec.CommandContext(ctx, path, filepath.Join(e.folder, "engine.js"))
	e.node.Stderr = os.Stderr
	out, err := e.node.StdoutPipe()
	if err == nil {
		e.in, err = e.node.StdinPipe()
	}
	if err == nil {
		err = e.node.Start()
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(e.folder))
	}
	e.out = bufio.NewReader(out)
	return e, nil
}

// call asks the engine as the page does.
func (e *inNode) call(name, question string, file []byte) ([]byte, error) {
	asked, err := json.Marshal(map[string]any{"name": name, "question": question, "file": file})
	if err != nil {
		return nil, err
	}
	if _, err := e.in.Write(append(asked, '\n')); err != nil {
		return nil, err
	}
	line, err := e.out.ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("the engine in node has stopped: %w", err)
	}
	var answer string
	err = json.Unmarshal(line, &answer)
	return []byte(answer), err
}

func (e *inNode) stop() {
	e.in.Close()
	e.node.Wait()
	os.RemoveAll(e.folder)
}
