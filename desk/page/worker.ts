// The engine's worker. The page puts Go's loader in front of it, and sends the engine first.
declare const Go: new () => { importObject: WebAssembly.Imports; run(instance: WebAssembly.Instance): Promise<void> };

type Asked = { id: number; name: string; question: string; file?: Uint8Array };
type Scope = {
  fieldpostReady?: () => void;
  fieldpostDesk?: (name: string, question: string, file?: Uint8Array) => string;
  onmessage: ((e: MessageEvent) => void) | null;
  postMessage(message: unknown): void;
};
const scope = self as unknown as Scope;

async function start(packed: string): Promise<void> {
  const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const go = new Go();
  const ready = new Promise<void>((done) => (scope.fieldpostReady = done));
  const wasm = new Response(plain, { headers: { "content-type": "application/wasm" } });
  const { instance } = await WebAssembly.instantiateStreaming(wasm, go.importObject);
  void go.run(instance);
  await ready;
}

let started: Promise<void> | undefined;
scope.onmessage = async (e) => {
  if (!started) {
    started = start(e.data as string);
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
