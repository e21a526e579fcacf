// What may be ordered, and how an order of the sheet is changed.
import { h, Fragment } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ask, type Addition, type Change, type Line, type Offer, type Opened, type Refusal } from "./engine";

export const reason = (r: Refusal) => [r.clause, r.why].filter(Boolean).join(": ") + (r.instead ? ". " + r.instead : "");

/** The hexes that an order is about. */
export const aims = (o: Offer): string[] => o.order?.match(/\b\d{4}\b/g) ?? [];

/** What answers the enemy later is folded, and no target on the map. */
const later = (o: Offer) => o.section === "STANDING";

/** The hexes at which what is offered aims. */
export const targets = (all: Offer[] = []): string[] => [...new Set(all.filter((o) => !o.refused && !later(o)).flatMap(aims))];

/** The attacks among what is offered, to be weighed. */
export const attacksOf = (all: Offer[] = []) => all.filter((o) => o.verb === "ATTACK" && !o.refused && !later(o)).map((o) => ({ section: o.section, order: o.order }));

/** Orders that differ in their hex alone are one kind. */
const kind = (o: Offer) => o.section + " " + (o.order ?? "").replace(/\b\d{4}\b.*/, "…");
const many = 3;

export function Offers({ all, hex, put }: { all: Offer[]; hex?: string; put(o: Offer): void }) {
  const can = all.filter((o) => !o.refused), not = all.filter((o) => o.refused);
  const now = can.filter((o) => !later(o)), standing = can.filter(later);
  const here = hex ? now.filter((o) => aims(o).includes(hex)) : [];
  const kinds: Record<string, Offer[]> = {};
  for (const o of now) if (!here.includes(o)) (kinds[kind(o)] ??= []).push(o);
  const list = (offers: Offer[]) => (
    <ul class="offers">{offers.map((o) => (
      <li key={o.section + o.order}><button onClick={() => put(o)}><code>{o.section} {o.order}</code><small>{[o.understood, o.warning].filter(Boolean).join("; ")}</small></button></li>
    ))}</ul>
  );
  const few = Object.values(kinds).filter((offers) => offers.length <= many).flat();
  return (
    <>
      {list([...here, ...few])}
      {Object.entries(kinds).filter(([, offers]) => offers.length > many).map(([name, offers]) => (
        <details key={name}><summary><code>{name}</code> {offers.length}, ringed on the map</summary>{list(offers)}</details>
      ))}
      {standing.length > 0 && <details><summary>Standing orders: {standing.length}</summary>{list(standing)}</details>}
      {not.length > 0 && (
        <details><summary>Not now: {not.length}</summary>
          <ul class="not">{not.map((o) => <li key={o.section + o.order}><code>{o.section} {o.order}</code><small>{reason(o.refused!)}</small></li>)}</ul>
        </details>
      )}
    </>
  );
}

/** A line of the sheet as it is judged, which can be changed and taken out. */
export function Verdict({ l, text, change }: { l: Line; text?: string; change?(c: Change): void }) {
  const [open, setOpen] = useState(false);
  const said = [l.understood, l.warning, l.why && (l.clause ? l.clause + ": " : "") + l.why, l.instead].filter(Boolean).join("; ");
  return (
    <li class={{ OK: "ok", XX: "xx", "!!": "look" }[l.mark]}>
      <span class="mark">{l.mark}</span>
      <div class="said">
        {change
          ? <button class="order" aria-expanded={open} title="Change it" onClick={() => setOpen(!open)}><code>{l.text}</code><small>{said}</small></button>
          : <Fragment>{l.text && <code>{l.text}</code>}<small>{said}</small></Fragment>}
        {open && text !== undefined && change && <Editor line={l.line} text={text} change={change} />}
      </div>
      {change && <button class="take" aria-label={"Take out " + l.text} onClick={() => change({ take: l.line })}>×</button>}
    </li>
  );
}

/** An order as it is typed, and what may be added to it: conditions, limits, strengths. */
function Editor({ line, text, change }: { line: number; text: string; change(c: Change): void }) {
  const written = text.split("\n")[line - 1]?.trim() ?? "";
  const [typed, setTyped] = useState(written);
  const [can, setCan] = useState<Addition[]>();
  useEffect(() => {
    let current = true;
    setTyped(written);
    ask<Addition[] | null>("additions", { sheet: text, take: line }).then((a) => current && setCan(a ?? []), () => current && setCan([]));
    return () => void (current = false);
  }, [text, line]);
  return (
    <form class="editor" onSubmit={(e) => { e.preventDefault(); if (typed.trim()) change({ take: line, order: typed.trim() }); }}>
      <label>The order as text <input value={typed} spellcheck={false} autocomplete="off" onInput={(e) => setTyped((e.target as HTMLInputElement).value)} /></label>
      <button>Put</button>
      <div class="chips" role="group" aria-label="What may be added">
        {!can?.length && <p class="note">{can ? "Nothing more can be added by a click." : "Trying what may be added …"}</p>}
        {can?.map((a) => <button type="button" key={a.more} title={a.says} onClick={() => change({ take: line, order: a.order, below: a.below })}>{a.below ? "below: " : ""}{a.more.replace(/^[;, ]+/, "")}</button>)}
      </div>
    </form>
  );
}

/** Whether the umpire asks about chits, in games in which that can be chosen. */
export function Modes({ report, text, change }: { report: Opened; text: string; change(c: Change): void }) {
  if (!report.modes?.includes("ASK")) return null;
  const mode = /^\s*MODE:\s*([A-Z-]+)/im.exec(text)?.[1].toUpperCase() ?? "";
  const choices: [string, string][] = [["PLOT", "Play as written"], ["ASK", "Ask me at each chit"]];
  return (
    <div class="manners modes" role="group" aria-label="What the umpire asks">
      {choices.map(([m, said]) => <button key={m} aria-pressed={mode === m} onClick={() => change({ head: "MODE", order: mode === m ? "" : m })}>{said}</button>)}
    </div>
  );
}

/** Notes that a report was opened, and says so if it is older than the newest of its game. */
export function olderThan(report: Opened): string {
  const serial = Number(/SERIAL: *(\d+)/.exec(report.blank)?.[1] ?? 0);
  const name = `fieldpost newest ${report.game} ${report.side}`;
  try {
    const [turn, number] = (localStorage.getItem(name) ?? "0 0").split(" ").map(Number);
    if (turn > report.turn || (turn === report.turn && number > serial)) return `A newer report of this game was opened here before, of turn ${turn}: what you write now may come too late.`;
    localStorage.setItem(name, `${report.turn} ${serial}`);
  } catch { /* a browser that keeps nothing */ }
  return "";
}
