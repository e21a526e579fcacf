//go:build js && wasm

// Command wasm is the desk in a browser. The worker that starts it finds the function
// fieldpostDesk(name, question, file), which answers with JSON.
package main

import (
	"syscall/js"

	"fieldpost/desk"
)

func main() {
	var open desk.Desk
	call := js.FuncOf(func(_ js.Value, args []js.Value) any {
		var file []byte
		if len(args) > 2 && args[2].Truthy() {
			file = make([]byte, args[2].Length())
			js.CopyBytesToGo(file, args[2])
		}
		return string(open.Call(args[0].String(), []byte(args[1].String()), file))
	})
	js.Global().Set("fieldpostDesk", call)
	js.Global().Call("fieldpostReady")
	select {}
}
