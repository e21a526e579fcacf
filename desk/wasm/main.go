//go:build js && wasm

// Command wasm is the desk in a browser. The worker that starts it finds the function
// fieldpostDesk(name, question, file), which answers with JSON, and brings
// fieldpostUnpack(packed, most), which unpacks zstd or tells a fault as a text.
package main

import (
	"errors"
	"runtime/debug"
	"syscall/js"

	"fieldpost/desk"
	"fieldpost/desk/past"
)

// A browser gives the engine one thread: while memory is collected nobody is answered. So it is
// collected seldom as long as there is little of it.
const (
	collectAt = 200 // per cent of what is in use
	muchInUse = 160 << 20
)

func main() {
	debug.SetGCPercent(collectAt)
	debug.SetMemoryLimit(muchInUse)
	past.Unpack = unpack
	var open desk.Desk
	call := js.FuncOf(func(_ js.Value, args []js.Value) any {
		var file []byte
		if len(args) > 2 && args[2].Truthy() {
			file = bytesOf(args[2])
		}
		return string(open.Call(args[0].String(), []byte(args[1].String()), file))
	})
	js.Global().Set("fieldpostDesk", call)
	js.Global().Call("fieldpostReady")
	select {}
}

func bytesOf(array js.Value) []byte {
	out := make([]byte, array.Length())
	js.CopyBytesToGo(out, array)
	return out
}

// unpack has the page unpack zstd.
func unpack(packed []byte, most int) ([]byte, error) {
	array := js.Global().Get("Uint8Array").New(len(packed))
	js.CopyBytesToJS(array, packed)
	out := js.Global().Call("fieldpostUnpack", array, most)
	if out.Type() == js.TypeString {
		return nil, errors.New(out.String())
	}
	return bytesOf(out), nil
}
