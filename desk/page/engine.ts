// What the page asks the engine, and the shapes of its answers (desk/call.go).

export type Unit = { id: string; name: string; hex: string; type: string; strength: string; steps: string; remarks?: string };
export type Question = { label: string; kind: string; clause?: string; options?: { answer: string; means: string }[]; proposal?: string; source?: string; why?: string };
export type Opened = {
  game: string; title: string; system: string; side: string; turn: number; turns: number; date: string; phase: string;
  due: string[] | null; until?: string; modes?: string[]; asked?: Question[]; unjudged?: string; blank: string; coded?: boolean; set_up?: boolean; units: Unit[] | null;
  foes: Record<string, string>; places: Record<string, string>;
  map: { width: number; height: number; q: number; h: number; at: Record<string, [number, number]>; layers: Layer[] };
  verdict?: string; winner?: string; story?: Item[]; practice?: Choice & { over?: boolean; lesson?: Step[]; kept: string };
  past?: { sides: string[]; turns: number[]; turn: number };
};
/** Something over the printed map; shown: unless somebody wants it otherwise. */
export type Layer = { name: string; says: string; shown?: boolean };
/** The board small and plain; a place of the map lies on it at x + across * its x, y + down * its y. */
export type Overview = { svg: string; width: number; height: number; x: number; y: number; across: number; down: number };
/** A unit whose place in the set-up is chosen, and whether the sheet chooses it. */
export type Placed = { unit: string; placed: boolean };
/** What an attack comes to; chance: how many throws of a hundred drive the enemy off. */
export type Odds = { hex: string; column: string; chance: number; offered?: boolean };
export type Mark = { kind: "combat" | "fire" | "move" | "retreat"; side?: string; hexes: string[] };
export type Item = { number: number; phase?: string; head: string; detail?: string[]; marks?: Mark[] };
export type Rolled = { phase: string; label: string; dice: number[]; sides: number; proof: "good" | "bad" | "none"; why?: string; round?: number };
export type Tally = { sides: number; seen: number[]; expected: number; chi: number; chance: number };
export type Dice = { rolls: Rolled[] | null; all: number; tally: Tally[] | null; key?: string };
/** strength: of the staff officers, a cadet's if there is none. */
export type Choice = { scenario: string; side: string; seed: number; strength?: string };
export type Step = { title: string; text: string; hex?: string; until: { chosen?: string; line?: string[]; actor?: string; done?: boolean; played?: boolean } };
export type Scenario = { id: string; title: string; system: string; taught?: Choice };
export type Moved = { state: "playing" | "waiting" | "over"; next: string; turn: number };
export type Refusal = { clause?: string; why: string; instead?: string };
export type Way = { hex: string; section: string; order: string; cost: string; of?: string; path: string[]; room: number; meets?: string[] };
export type Offer = { section: string; order?: string; verb: string; understood?: string; warning?: string; refused?: Refusal };
export type Actor = { name: string; id?: string; kind: string; hex?: string; ordered?: boolean; ways?: string[]; in_range?: string[] };
export type Choices = { actors?: Actor[]; verbs?: Offer[]; reach?: { manner: string; ways?: Way[]; refused?: Refusal }[]; given?: string[] };
export type Line = { line: number; text?: string; mark: "OK" | "XX" | "!!"; understood?: string; warning?: string; clause?: string; why?: string; instead?: string };
export type Checked = { lines: Line[] | null; stand: number; refused: number; next?: string[]; done?: boolean; actors?: Actor[] };
export type Signed = { text: string; to: string; subject: string; eml: string; fingerprint?: string };
export type Invitation = { game: string; side: string; code: string; to?: string; subject?: string; by_code?: boolean };
export type Joined = Signed & { key_file?: string };
export type Change = { actor?: string; section?: string; order?: string; take?: number; below?: boolean; done?: boolean; label?: string; head?: string };
export type Addition = { more: string; order: string; below?: boolean; says?: string };

const embedded = (id: string) => document.getElementById(id)?.textContent ?? "";
export const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

/** The report that the page came with, if any. */
export function brought(): { name: string; file: Uint8Array } | undefined {
  const report = document.getElementById("report");
  if (!report) return undefined;
  return { name: report.dataset.name ?? "report", file: bytesOf(report.textContent ?? "") };
}

/** Where a server has the page as one file, and its SHA-256. */
export const oneFile = { ...document.getElementById("engine")?.dataset };

let worker: Worker | undefined;
let last = 0;
const waiting = new Map<number, (answer: string) => void>();

/** A page that came from a server fetches the engine from there, and nothing else. */
async function fetched(w: Worker, from: string) {
  try {
    const answer = await fetch(new URL(from, document.baseURI));
    if (!answer.ok) throw new Error(answer.statusText);
    const engine = await answer.arrayBuffer();
    w.postMessage(engine, [engine]);
  } catch (e) {
    w.onerror?.(new ErrorEvent("error", { message: "it could not be fetched: " + (e as Error).message }));
  }
}

function start(): Worker {
  const loader = new TextDecoder().decode(bytesOf(embedded("loader")));
  const source = new Blob([loader, "\n", embedded("worker")], { type: "text/javascript" });
  const w = new Worker(URL.createObjectURL(source));
  w.onmessage = (e: MessageEvent<{ id: number; answer: string }>) => {
    waiting.get(e.data.id)?.(e.data.answer);
    waiting.delete(e.data.id);
  };
  w.onerror = (e) => {
    for (const answer of waiting.values()) answer(JSON.stringify({ error: "the engine stopped: " + e.message }));
    waiting.clear();
  };
  const engine = document.getElementById("engine");
  const from = engine?.dataset.from;
  if (from) void fetched(w, from);
  else w.postMessage(engine?.textContent ?? "");
  engine?.remove();
  return w;
}

/** Asks the engine; an error of its answer is thrown. */
export function ask<T>(name: string, question: object = {}, file?: Uint8Array): Promise<T> {
  worker ??= start();
  const id = ++last, since = performance.now();
  worker.postMessage({ id, name, question: JSON.stringify(question), file });
  return new Promise((done, fail) =>
    waiting.set(id, (text) => {
      const answer = JSON.parse(text) as { value: T; error?: string };
      performance.measure(name, { start: since });
      if (answer.error) fail(new Error(answer.error));
      else done(answer.value);
    }),
  );
}

/** Starts the engine before it is needed. */
export const warm = () => void (worker ??= start());
