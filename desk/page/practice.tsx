// Practice: a game against a staff officer in this page, and the guided first turn.
import { h, Fragment } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ask, type Checked, type Choice, type Moved, type Opened, type Scenario, type Step } from "./engine";

const place = "fieldpost practice";

/** The practice game that this browser keeps, as the engine wrote it. */
export const keptGame = {
  read(): string | undefined {
    try { return localStorage.getItem(place) ?? undefined; } catch { return undefined; }
  },
  write(text: string) {
    try { localStorage.setItem(place, text); } catch { /* a browser that keeps nothing */ }
  },
};

/** Plays on, phase by phase, until the game waits for its player; the staff thinks meanwhile. */
export async function playOn(say: (words: string) => void): Promise<Opened> {
  for (let moved: Moved | undefined; moved?.state !== "waiting" && moved?.state !== "over"; ) {
    moved = await ask<Moved>("practice/next");
    say(`Turn ${moved.turn}: ${moved.next} …`);
  }
  const report = await ask<Opened>("practice/report");
  keptGame.write(report.practice!.kept);
  return report;
}

export const resumed = (text: string) => ask("practice/resume", {}, new TextEncoder().encode(text));
export const begun = (practice: Choice) => ask("practice/begin", { practice });

const systems: Record<string, string> = { wb95: "WB-95: moves and attacks of a whole army", steppe: "Duel on the Steppe: drawn chits", famous: "Famous Divisions: drawn chits, battalions" };

/** The staff officers, the weakest first: what each does, and how long that takes in a browser. */
const officers = [
  { strength: "cadet", does: "writes the orders that come to mind, and looks at nothing beyond them", takes: "Answers at once" },
  { strength: "officer", does: "tries some plans against your likely replies, and takes the best", takes: "Thinks two to ten seconds a turn" },
  { strength: "chief", does: "tries more plans, looks on to the turn after, and improves the best piece by piece", takes: "Thinks ten seconds to a minute a turn" },
];

/** Against whom a practice game is played, in words. */
export const against = ({ strength }: Choice) => (strength === "officer" ? "an officer" : "a " + (strength || "cadet"));

/** The choice of whom to play against. */
function Officers({ strength, choose }: { strength: string; choose(strength: string): void }) {
  return (
    <fieldset class="officers">
      <legend>Your staff officer</legend>
      {officers.map((o) => (
        <label key={o.strength}><input type="radio" name="strength" value={o.strength} checked={o.strength === strength} onChange={() => choose(o.strength)} /><span><b>{o.strength}</b> {o.does}. <small>{o.takes}.</small></span></label>
      ))}
    </fieldset>
  );
}

/** What can be played, where no report is open. */
export function Practice({ start }: { start(set: () => Promise<unknown>): void }) {
  const [all, setAll] = useState<Scenario[]>([]);
  const [id, setId] = useState("");
  const [sides, setSides] = useState<{ of: string; sides: string[] }>();
  const [kept] = useState(keptGame.read);
  const [strength, setStrength] = useState("cadet");
  useEffect(() => void ask<Scenario[]>("scenarios").then(setAll, () => setAll([])), []);
  useEffect(() => {
    let current = true;
    if (id) ask<string[]>("sides", { practice: { scenario: id } }).then((sides) => current && setSides({ of: id, sides }), () => undefined);
    return () => void (current = false);
  }, [id]);
  const taught = all.find((s) => s.taught);
  const by = (system: string) => all.filter((s) => s.system === system);
  return (
    <section class="practice" aria-label="Practice">
      <h2>Or play here, against a staff officer</h2>
      <p>A practice game needs no report, no key and no mail. Both sides are played in this page; its dice come from a plain number and prove nothing.</p>
      <div class="manners">
        {taught && <button id="lesson" class="main" onClick={() => start(() => begun(taught.taught!))}>Learn it in ten minutes: {taught.title}</button>}
        {kept && <button id="resume" onClick={() => start(() => resumed(kept))}>Go on with my practice game</button>}
      </div>
      <label>Scenario <select id="scenario" value={id} onChange={(e) => setId((e.target as HTMLSelectElement).value)}>
        <option value="">choose one</option>
        {Object.keys(systems).map((s) => <optgroup key={s} label={systems[s]}>{by(s).map((x) => <option key={x.id} value={x.id}>{x.title}</option>)}</optgroup>)}
      </select></label>
      <Officers strength={strength} choose={setStrength} />
      {id && sides?.of === id && (
        <div class="manners" role="group" aria-label="Your side">{sides.sides.map((side) => (
          <button key={side} data-side={side} onClick={() => start(() => begun({ scenario: id, side, strength, seed: Math.floor(Math.random() * 1e6) + 1 }))}>Lead the {side}</button>
        ))}</div>
      )}
    </section>
  );
}

type Seen = { actor?: string; checked?: Checked };

/** Whether what a step waits for has come. */
function over(step: Step, { actor, checked }: Seen): boolean {
  const { chosen, line, done } = step.until;
  if (chosen) return actor === chosen;
  if (line) return !!checked?.lines?.some((l) => l.mark !== "XX" && line.every((words) => l.text?.includes(words)));
  return !!done && !!checked?.done;
}

/** The guided first turn, a step at a time. It watches what its reader does. */
export function Lesson({ report, seen, show }: { report: Opened; seen: Seen; show(hex?: string): void }) {
  const steps = report.practice?.lesson ?? [];
  const played = report.story?.length ? steps.findIndex((s) => s.until.played) + 1 : 0;
  const [at, setAt] = useState(played);
  const step = steps[at];
  useEffect(() => { if (step && over(step, seen)) setAt(at + 1); });
  useEffect(() => { show(step?.hex); }, [at]);
  if (!step) return null;
  const reads = Object.keys(step.until).length === 0;
  return (
    <section class="lesson" aria-label="Guided turn">
      <div role="status">
        <h2>{at + 1} of {steps.length}: {step.title}</h2>
        <p>{step.text}</p>
      </div>
      {reads
        ? <button id="lesson-next" class="main" onClick={() => setAt(at + 1)}>{at + 1 < steps.length ? "Next" : "Done"}</button>
        : <button class="leave" aria-label="Leave the lesson" onClick={() => setAt(steps.length)}>×</button>}
    </section>
  );
}

type PlayProps = { sheet(): Promise<string>; over?: boolean; write(text: string): void; start(set: () => Promise<unknown>): void; busy: boolean };

/** What stands where a report of the umpire has Sign and send. */
export function Play({ sheet, over, write, start, busy }: PlayProps) {
  const [said, setSaid] = useState("");
  const [sure, setSure] = useState("");
  const [thinking, setThinking] = useState(false);
  const play = async () => {
    const text = await sheet();
    const { done, refused } = await ask<Checked>("check", { sheet: text });
    if (!done && !/^\s*ANSWER\b/m.test(text)) setSaid("Tick first that these are all your orders (DONE).");
    else if (refused && sure !== text) {
      setSaid(`${refused === 1 ? "1 line" : refused + " lines"} would be refused. Correct the sheet, or press again to play without them.`);
      setSure(text);
    } else start(() => ask("practice/file", { sheet: text }));
  };
  // Whoever rehearses takes a while: nothing is played meanwhile.
  const propose = async () => {
    setThinking(true);
    try { write((await ask<string>("practice/proposal")).replace(/^DONE!?\s*$/m, "").trimEnd() + "\n"); } catch (e) { setSaid((e as Error).message); }
    setThinking(false);
  };
  return (
    <Fragment>
      {said && <p class="said-here" role="alert">{said}</p>}
      <button class="main" id="play" disabled={busy || thinking || over} onClick={() => void play().catch((e: Error) => setSaid(e.message))}>{over ? "The game is over" : "Play the turn"}</button>
      <button id="propose" disabled={busy || thinking || over} title="The sheet that a staff officer would write for you" onClick={() => void propose()}>{thinking ? "Thinking …" : "Proposal"}</button>
    </Fragment>
  );
}
