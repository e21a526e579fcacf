// Beside the map: what is chosen with all that it may do, and the sheet.
import { h, Fragment } from "preact";
import { useState } from "preact/hooks";
import type { Actor, Change, Checked, Choices, Line, Offer, Opened, Question, Refusal, Way } from "./engine";

const reason = (r: Refusal) => [r.clause, r.why].filter(Boolean).join(": ") + (r.instead ? ". " + r.instead : "");

type ChosenProps = {
  report: Opened;
  hex?: string;
  here: Actor[];
  elsewhere: Actor[];
  actor?: string;
  choices?: Choices;
  manner: string;
  setManner(m: string): void;
  choose(actor: string): void;
  go(hex: string): void;
  change(c: Change): void;
};

export function Chosen(p: ChosenProps) {
  const { report, hex, actor, choices } = p;
  const unit = (name: string) => report.units?.find((u) => u.name === name);
  const reach = choices?.reach?.find((r) => r.manner === p.manner) ?? choices?.reach?.[0];
  const sent = reach?.ways?.find((w) => w.hex === hex);
  const order = (w: Way) => p.change({ actor, section: w.section, order: w.order });
  return (
    <section aria-label="Chosen">
      <form class="go" onSubmit={(e) => { e.preventDefault(); p.go(new FormData(e.currentTarget as HTMLFormElement).get("find") as string); }}>
        <h2>{hex ? `Hex ${hex}` : "Choose a hex"}{hex && report.places[hex] ? `, ${report.places[hex]}` : ""}</h2>
        <label>Hex or unit <input name="find" id="find" size={8} autocomplete="off" list="names" /></label>
      </form>
      <datalist id="names">{[...p.here, ...(report.units ?? [])].map((u) => <option key={u.name} value={u.name} />)}</datalist>
      {hex && report.foes[hex] && <p class="foe">Enemy here: {report.foes[hex]}</p>}
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
      {p.elsewhere.length > 0 && (
        <details class="elsewhere"><summary>Not on the map: {p.elsewhere.length}</summary>
          <div class="manners">{p.elsewhere.map((a) => <button key={a.name} aria-pressed={a.name === actor} onClick={() => p.choose(a.name)}>{a.kind === "air" ? "Aircraft" : a.name}{a.ordered ? " ✓" : ""}</button>)}</div>
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
        <details class="ways"><summary>{reach.ways.length} hexes in reach, on the map and here</summary>
          <ul>{reach.ways.map((w) => (
            <li key={w.hex}><button onClick={() => order(w)}><b>{w.hex}</b> {report.places[w.hex] ?? ""} <span>{w.cost}{w.of ? ` of ${w.of}` : ""}{w.meets?.length ? " · " + w.meets.join("; ") : ""}</span></button></li>
          ))}</ul>
        </details>
      )}
      <Offers all={choices?.verbs ?? []} put={(o) => p.change({ actor: o.verb === "ATTACK" ? undefined : actor, section: o.section, order: o.order })} />
    </section>
  );
}

/** What is done now stands open; what answers the enemy later, and what is forbidden, is folded. */
const folded = ["STANDING"];

function Offers({ all, put }: { all: Offer[]; put(o: Offer): void }) {
  const can = all.filter((o) => !o.refused), not = all.filter((o) => o.refused);
  const later = can.filter((o) => folded.includes(o.section));
  const list = (offers: Offer[]) => (
    <ul class="offers">{offers.map((o) => (
      <li key={o.section + o.order}><button onClick={() => put(o)}><code>{o.section} {o.order}</code><small>{[o.understood, o.warning].filter(Boolean).join("; ")}</small></button></li>
    ))}</ul>
  );
  return (
    <>
      {list(can.filter((o) => !later.includes(o)))}
      {later.length > 0 && <details><summary>Standing orders: {later.length}</summary>{list(later)}</details>}
      {not.length > 0 && (
        <details><summary>Not now: {not.length}</summary>
          <ul class="not">{not.map((o) => <li key={o.section + o.order}><code>{o.section} {o.order}</code><small>{reason(o.refused!)}</small></li>)}</ul>
        </details>
      )}
    </>
  );
}

type SheetProps = {
  text: string;
  checked?: Checked;
  fault: string;
  edit(text: string): void;
  change(c: Change): void;
  find(actor: Actor): void;
};

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
              <b>{o.answer}</b><small>{o.means}{q.proposal === o.answer ? " · holds without an answer" + (q.source ? ", " + q.source : "") : ""}</small>
            </button>
          ))}
          {!q.options && <p class="note">Its answer is written into the text, below ANSWER, as the report says.</p>}
        </fieldset>
      ))}
    </section>
  );
}

export function Sheet({ text, checked, fault, edit, change, find }: SheetProps) {
  const [typed, setTyped] = useState(false);
  const [next, setNext] = useState(0);
  const orders = checked?.lines?.filter((l) => l.line > 0) ?? [];
  const remarks = checked?.lines?.filter((l) => l.line === 0) ?? [];
  const idle = checked?.actors?.filter((a) => !a.ordered && a.kind !== "air") ?? [];
  return (
    <section aria-label="Order sheet" class="sheet">
      <div class="bar">
        <h2>Order sheet <span id="count" role="status">{checked ? `${checked.stand} OK · ${checked.refused} XX · ${remarks.filter((l) => l.mark === "!!").length} !!` : ""}</span></h2>
        <button aria-pressed={typed} onClick={() => setTyped(!typed)}>Text</button>
      </div>
      {fault && <p class="why" role="alert">{fault}</p>}
      {typed ? <textarea id="text" aria-label="The sheet as text" spellcheck={false} value={text} onInput={(e) => edit((e.target as HTMLTextAreaElement).value)} /> : null}
      <ol class="lines">{orders.map((l) => <Verdict key={l.line + (l.text ?? "")} l={l} take={() => change({ take: l.line })} />)}</ol>
      {orders.length === 0 && !fault && <p>No orders yet. Choose a unit on the map, then where it goes.</p>}
      <label class="done"><input type="checkbox" id="done" checked={!!checked?.done} onChange={(e) => change({ done: (e.target as HTMLInputElement).checked })} /><span>These are all my orders for this turn (<code>DONE</code>)</span></label>
      {idle.length > 0 && <p class="idle"><span>Without an order: {idle.length}</span> <button id="next" onClick={() => { find(idle[next % idle.length]); setNext(next + 1); }}>Next unit</button></p>}
      {remarks.length > 0 && <details open={orders.length > 0}><summary>To look at: {remarks.length}</summary><ol class="lines">{remarks.map((l, i) => <Verdict key={i} l={l} />)}</ol></details>}
      {checked?.next?.map((s) => <p class="next" key={s}>{s}</p>)}
    </section>
  );
}

function Verdict({ l, take }: { l: Line; take?: () => void }) {
  const said = [l.understood, l.warning, l.why && (l.clause ? l.clause + ": " : "") + l.why, l.instead].filter(Boolean).join("; ");
  return (
    <li class={{ OK: "ok", XX: "xx", "!!": "look" }[l.mark]}>
      <span class="mark">{l.mark}</span>
      <span class="said">{l.text && <code>{l.text}</code>}<small>{said}</small></span>
      {take && <button class="take" aria-label={"Take out " + l.text} onClick={take}>×</button>}
    </li>
  );
}
