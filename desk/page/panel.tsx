// Beside the map: what is chosen with all that it may do, and the sheet.
import { h, Fragment } from "preact";
import { useState } from "preact/hooks";
import type { Actor, Change, Checked, Choices, Opened, Placed, Question, Way } from "./engine";
import { Modes, Offers, Verdict, reason } from "./orders";

type ChosenProps = {
  report: Opened;
  hex?: string;
  /** What the layers of the map show of it, in words. */
  ground: string[];
  here: Actor[];
  elsewhere: Actor[];
  actor?: string;
  choices?: Choices;
  manner: string;
  setManner(m: string): void;
  choose(actor: string): void;
  go(hex: string): void;
  change(c: Change): void;
  /** The hexes by way of which the unit is sent, and whether the next hex is one of them. */
  via: string[];
  byWay: boolean;
  setVia(via: string[], more: boolean): void;
  send(w: Way): void;
};

export function Chosen(p: ChosenProps) {
  const { report, hex, actor, choices } = p;
  const unit = (name: string) => report.units?.find((u) => u.name === name);
  const reach = choices?.reach?.find((r) => r.manner === p.manner) ?? choices?.reach?.[0];
  const sent = reach?.ways?.find((w) => w.hex === hex);
  const order = (w: Way) => p.send(w);
  const air = p.elsewhere.filter((a) => a.kind === "air"), away = p.elsewhere.filter((a) => a.kind !== "air");
  return (
    <section aria-label="Chosen">
      <form class="go" onSubmit={(e) => { e.preventDefault(); p.go(new FormData(e.currentTarget as HTMLFormElement).get("find") as string); }}>
        <h2>{hex ? `Hex ${hex}` : "Choose a hex"}{hex && report.places[hex] ? `, ${report.places[hex]}` : ""}</h2>
        <label>Hex or unit <input name="find" id="find" size={8} autocomplete="off" list="names" /></label>
      </form>
      <datalist id="names">{[...p.here, ...(report.units ?? [])].map((u) => <option key={u.name} value={u.name} />)}</datalist>
      {hex && report.foes[hex] && <p class="foe">Enemy here: {report.foes[hex]}</p>}
      {p.ground.length > 0 && <p class="ground note">{p.ground.join("; ")}</p>}
      {sent && actor && hex !== p.here.find((a) => a.name === actor)?.hex && (
        <button class="main" onClick={() => order(sent)}>{sent.order}: {sent.cost}{sent.of ? ` of ${sent.of}` : ""}</button>
      )}
      <div class="stack">
        {p.here.map((a) => {
          const u = unit(a.name);
          return (
            <button key={a.name} class="unit" aria-pressed={a.name === actor} onClick={() => p.choose(a.name)}>
              <b>{a.name}</b><span>{u ? [u.type, u.strength, u.steps && u.steps + " steps", u.remarks].filter(Boolean).join(" · ") : a.kind}</span>
              {a.ordered && <span class="tick" title="has an order">✓</span>}
            </button>
          );
        })}
      </div>
      {air.map((a) => <button key={a.name} class="aircraft" aria-pressed={a.name === actor} onClick={() => p.choose(a.name)}>Aircraft{a.ordered ? " ✓" : ""}</button>)}
      {away.length > 0 && (
        <details class="elsewhere"><summary>Not on the map: {away.length}</summary>
          <div class="manners">{away.map((a) => <button key={a.name} aria-pressed={a.name === actor} onClick={() => p.choose(a.name)}>{a.name}{a.ordered ? " ✓" : ""}</button>)}</div>
        </details>
      )}
      {actor && <h3 id="actor">Orders for {actor}</h3>}
      {choices?.given?.map((g) => <p class="given" key={g}>Now: <code>{g}</code></p>)}
      {choices?.reach && choices.reach.length > 1 && (
        <div class="manners">{choices.reach.map((r) => (
          <button key={r.manner} aria-pressed={r.manner === p.manner} onClick={() => p.setManner(r.manner)}>{r.manner || "Move"} {r.ways?.length ?? 0}</button>
        ))}</div>
      )}
      {reach?.refused && <p class="why">{reason(reach.refused)}</p>}
      {!!reach?.ways?.length && (
        <div class="manners via"><button aria-pressed={p.byWay} onClick={() => p.setVia(p.via, !p.byWay)}>By way of …</button>
          {p.via.map((v) => <button key={v} aria-label={"Not by way of " + v} onClick={() => p.setVia(p.via.filter((o) => o !== v), false)}>{v} ×</button>)}
          {p.byWay && <span class="note" role="status">Choose a hex to go by.</span>}
        </div>
      )}
      {!!reach?.ways?.length && (
        <details class="ways"><summary>{reach.ways.length} hexes in reach, on the map and here</summary>
          <ul>{reach.ways.map((w) => (
            <li key={w.hex}><button onClick={() => order(w)}><b>{w.hex}</b> {report.places[w.hex] ?? ""} <span>{w.cost}{w.of ? ` of ${w.of}` : ""}{w.meets?.length ? " · " + w.meets.join("; ") : ""}</span></button></li>
          ))}</ul>
        </details>
      )}
      <Offers all={choices?.verbs ?? []} hex={hex} put={(o) => p.change({ actor: o.verb === "ATTACK" ? undefined : actor, section: o.section, order: o.order })} />
    </section>
  );
}

type SheetProps = {
  text: string;
  checked?: Checked;
  fault: string;
  edit(text: string): void;
  change(c: Change): void;
};

/** A chit as sections of a sheet name it. */
const chitOf = (a: Actor) => a.name.replace(/^CHIT /i, "").toUpperCase();

/** The orders of a sheet for a chit: what stands below its section's line. */
export function programme(text: string, chit: Actor): string[] {
  let inside = false;
  const out: string[] = [];
  for (const line of text.split("\n")) {
    const plain = line.replace(/#.*/, "").trim();
    if (/^\S/.test(line) && plain) {
      const [word, name] = plain.toUpperCase().split(/\s+/);
      inside = word === "CHIT" && name === chitOf(chit);
      const manner = plain.split(/\s+/).slice(2).join(" ");
      if (inside && manner) out.push(manner);
    } else if (inside && plain) out.push(plain);
  }
  return out;
}

/** Games with chits: the own ones, each with its programme and the units that it would reach now. */
export function Plot(p: { report: Opened; change(c: Change): void; actors: Actor[]; text: string; actor?: string; from?: string; choose(name: string, manner?: string, from?: string): void }) {
  const chits = p.actors.filter((a) => a.kind === "chit");
  const chit = chits.find((c) => c.name === p.actor) ?? chits.find((c) => c.name === p.from);
  return (
    <section aria-label="Chits" class="plot">
      <h2>Chits <span>as things stand: which comes next is drawn by lot</span></h2>
      <Modes report={p.report} text={p.text} change={p.change} />
      <div class="manners">{chits.map((c) => {
        const orders = programme(p.text, c).length;
        return <button key={c.name} aria-pressed={c === chit} onClick={() => p.choose(c.name, "", c.name)}>{chitOf(c)}<small>{orders ? ` ${orders} ✓` : ""}</small></button>;
      })}</div>
      {chit && <Fragment>
        <ol class="programme" aria-label={"Programme of " + chitOf(chit)}>{programme(p.text, chit).map((o) => <li key={o}><code>{o}</code></li>)}</ol>
        <p class="note">{chit.in_range?.length ? "In range now, ringed on the map:" : "No unit is in range now."}</p>
        <div class="manners range">{chit.in_range?.map((name) => {
          const unit = p.actors.find((a) => a.name === name);
          const manner = unit?.ways?.find((w) => w.toUpperCase().startsWith("CHIT " + chitOf(chit)));
          return <button key={name} aria-pressed={name === p.actor} onClick={() => p.choose(name, manner, chit.name)}>{name}</button>;
        })}</div>
      </Fragment>}
    </section>
  );
}

/** What the umpire asks in the midst of a phase, with the answers that are legal. */
export function Asked({ asked, checked, change }: { asked: Question[]; checked?: Checked; change(c: Change): void }) {
  const given = (q: Question) => checked?.lines?.find((l) => l.text?.toUpperCase().startsWith(q.label.toUpperCase() + ":"))?.text?.slice(q.label.length + 1).trim();
  return (
    <section aria-label="Questions" class="asked">
      <h2>The umpire asks</h2>
      {asked.map((q) => (
        <fieldset key={q.label}>
          <legend>{q.label} <small>{[q.clause, q.why].filter(Boolean).join(": ")}</small></legend>
          {q.options?.map((o) => (
            <button key={o.answer} aria-pressed={given(q)?.toUpperCase() === o.answer.toUpperCase()} onClick={() => change({ label: q.label, order: o.answer })}>
              <b>{o.answer}</b><small>{o.means}{q.proposal === o.answer ? " · holds if you do not answer" + (q.source ? ", " + q.source : "") : ""}</small>
            </button>
          ))}
          {!q.options && <p class="note">{/^orders /i.test(q.label) ? "Write the programme of this chit below, as things stand now; without orders it does what its programme says." : "Its answer is written into the text, below ANSWER, as the report says."}</p>}
        </fieldset>
      ))}
    </section>
  );
}

export function Sheet({ text, checked, fault, edit, change }: SheetProps) {
  const [typed, setTyped] = useState(false);
  const orders = checked?.lines?.filter((l) => l.line > 0) ?? [];
  const remarks = checked?.lines?.filter((l) => l.line === 0) ?? [];
  return (
    <section aria-label="Order sheet" class="sheet">
      <div class="bar">
        <h2>Order sheet </h2>
        <button aria-pressed={typed} onClick={() => setTyped(!typed)}>Text</button>
      </div>
      {fault && <p class="why" role="alert">{fault}</p>}
      {typed ? <textarea id="text" aria-label="The sheet as text" spellcheck={false} value={text} onInput={(e) => edit((e.target as HTMLTextAreaElement).value)} /> : null}
      <ol class="lines">{orders.map((l) => <Verdict key={l.line} l={l} text={text} change={change} />)}</ol>
      {orders.length === 0 && !fault && <p>No orders yet. Choose a unit on the map, then where it goes.</p>}
      <label class="done"><input type="checkbox" id="done" checked={!!checked?.done} onChange={(e) => change({ done: (e.target as HTMLInputElement).checked })} /><span>These are all my orders for this turn (<code>DONE</code>)</span></label>
      {remarks.length > 0 && <details id="remarks" open={orders.length > 0}><summary>To look at: {remarks.length}</summary><ol class="lines">{remarks.map((l, i) => <Verdict key={i} l={l} />)}</ol></details>}
      {checked?.next?.map((s) => <p class="next" key={s}>{s}</p>)}
    </section>
  );
}

/** The first unit after another, in a round, that is not placed yet. */
function nextToPlace(places: Placed[], after?: string): string | undefined {
  const at = places.findIndex((p) => p.unit === after) + 1;
  return [...places.slice(at), ...places.slice(0, at)].find((p) => !p.placed)?.unit;
}

type TallyProps = { checked?: Checked; turn: number; places: Placed[]; actor?: string; find(actor: Actor): void; look(): void };

/** What is always in sight: how the sheet stands, what there is to look at, who waits for a place or an order. */
export function Tally({ checked, turn, places, actor, find, look }: TallyProps) {
  const [next, setNext] = useState(0);
  const unplaced = places.filter((p) => !p.placed).length;
  const place = () => {
    const unit = checked?.actors?.find((a) => a.name === nextToPlace(places, actor));
    if (unit) find(unit);
  };
  const placing = turn === 0 && places.length > 0; // nobody moves yet
  const idle = placing ? [] : checked?.actors?.filter((a) => !a.ordered && a.kind !== "air") ?? [];
  const open = checked?.lines?.filter((l) => l.line === 0 && l.mark === "!!").length ?? 0;
  return (
    <div class="tally">
      <span id="count" role="status">{checked ? `${checked.stand} OK · ${checked.refused} XX` : ""}</span>
      {open > 0 && <button id="duties" onClick={look}>{open} !! to look at</button>}
      {unplaced > 0 && <button id="place" onClick={place} title="Goes to the next unit that the sheet does not place; a unit that is not placed stays where it is now">Next of {unplaced} to place</button>}
      {places.length > 0 && unplaced === 0 && <span id="placed">All {places.length} placed</span>}
      {idle.length > 0 && <button id="next" onClick={() => { find(idle[next % idle.length]); setNext(next + 1); }} title="Goes to the next unit without an order">Next of {idle.length} idle</button>}
    </div>
  );
}
