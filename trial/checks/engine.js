// The desk's engine for browsers in node: each line that comes is a question, each line that
// goes its answer.
const fs = require("fs"), path = require("path"), readline = require("readline");

require(path.join(__dirname, "wasm_exec.js"));
globalThis.fieldpostReady = () => {
  readline.createInterface({ input: process.stdin }).on("line", (line) => {
    const asked = JSON.parse(line);
    const file = asked.file ? new Uint8Array(Buffer.from(asked.file, "base64")) : null;
    fs.writeSync(1, JSON.stringify(globalThis.fieldpostDesk(asked.name, asked.question, file)) + "\n");
  }).on("close", () => process.exit(0));
};
const go = new Go();
const wasm = fs.readFileSync(path.join(__dirname, "engine.wasm"));
WebAssembly.instantiate(wasm, go.importObject).then((made) => go.run(made.instance));
