// The engine's worker. The page puts Go's loader in front of it, and sends the engine first.
import { Decompress, decompress } from "fzstd";

declare const Go: new () => { importObject: WebAssembly.Imports; run(instance: WebAssembly.Instance): Promise<void> };

type Asked = { id: number; name: string; question: string; file?: Uint8Array };
type Scope = {
  fieldpostReady?: () => void;
  fieldpostUnpack?: (packed: Uint8Array, most: number) => Uint8Array | string;
  fieldpostDesk?: (name: string, question: string, file?: Uint8Array) => string;
  onmessage: ((e: MessageEvent) => void) | null;
  postMessage(message: unknown): void;
};
const scope = self as unknown as Scope;

/** Seven bits a letter, as desk/dist writes the engine into the page. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array((text.length * 7) >> 3);
  let held = 0, bits = 0, at = 0;
  for (let i = 0; i < text.length; i++) {
    held = (held << 7) | (text.charCodeAt(i) & 127);
    bits += 7;
    if (bits < 8) continue;
    bits -= 8;
    out[at++] = held >> bits;
    held &= (1 << bits) - 1;
  }
  return out;
}

/** What is packed by zstd, for the engine: the content of at most so many bytes, or what is wrong with it. */
scope.fieldpostUnpack = (packed, most) => {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    new Decompress((piece) => {
      size += piece.length;
      if (size > most) throw new Error("unpacked it is larger than any part of an archive");
      pieces.push(piece);
    }).push(packed, true);
  } catch (fault) {
    return (fault as Error).message;
  }
  const out = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) { out.set(piece, at); at += piece.length; }
  return out;
};

/** The engine comes as the text in the page, packed, or plain as the browser fetched it. */
async function start(engine: string | ArrayBuffer): Promise<void> {
  const plain = typeof engine === "string" ? decompress(bytesOf(engine)) : engine;
  const go = new Go();
  const ready = new Promise<void>((done) => (scope.fieldpostReady = done));
  const { instance } = await WebAssembly.instantiate(plain as BufferSource, go.importObject);
  void go.run(instance);
  await ready;
}

let come: (engine: string | ArrayBuffer) => void;
const started = new Promise<string | ArrayBuffer>((done) => (come = done)).then(start);
scope.onmessage = async (e) => {
  if (typeof e.data === "string" || e.data instanceof ArrayBuffer) {
    come(e.data);
    return;
  }
  const asked = e.data as Asked;
  let answer: string;
  try {
    await started;
    answer = scope.fieldpostDesk!(asked.name, asked.question, asked.file);
  } catch (fault) {
    answer = JSON.stringify({ error: "the engine does not run in this browser: " + fault });
  }
  scope.postMessage({ id: asked.id, answer });
};
