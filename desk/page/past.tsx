// A finished game from its archive: each side, every turn.
import { h } from "preact";
import type { Opened } from "./engine";

export function Past({ report, busy, look }: { report: Opened; busy: boolean; look(side: string, turn: number): void }) {
  const { sides, turns, turn } = report.past!;
  const at = turns.indexOf(turn);
  const name = (t: number) => (t === 0 ? "Set-up" : `Turn ${t}`);
  return (
    <section class="past" aria-label="Finished game">
      <div class="manners" role="group" aria-label="What is seen">
        {sides.map((s) => <button key={s} data-seen={s} aria-pressed={s === report.side} disabled={busy} onClick={() => look(s, turn)}>As {s} saw it</button>)}
      </div>
      <div class="bar">
        <button id="past-back" aria-label="The turn before" disabled={busy || at === 0} onClick={() => look(report.side, at < 0 ? turns[turns.length - 1] : turns[at - 1])}>◀</button>
        <label>Shown <select id="past-turn" value={turn} disabled={busy} onChange={(e) => look(report.side, Number((e.target as HTMLSelectElement).value))}>
          {turns.map((t) => <option key={t} value={t}>{name(t)}</option>)}
          <option value={-1}>The whole game</option>
        </select></label>
        <button id="past-on" aria-label="The turn after" disabled={busy || at < 0 || at + 1 >= turns.length} onClick={() => look(report.side, turns[at + 1])}>▶</button>
      </div>
    </section>
  );
}
