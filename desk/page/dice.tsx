// The dice of a report: what was thrown for what, how often each face came, and the proofs.
import { h, Fragment } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ask, type Dice as Found, type Rolled, type Tally } from "./engine";

const slice = 20;

export function Dice({ close }: { close(): void }) {
  const box = useRef<HTMLDialogElement>(null);
  const [key, setKey] = useState("");
  const [found, setFound] = useState<Found>();
  const [fault, setFault] = useState("");
  useEffect(() => box.current!.showModal(), []);
  // Slice by slice, so that the engine is free for others in between.
  useEffect(() => {
    let current = true;
    const check = async () => {
      let rolls: Rolled[] = [];
      for (let all = 1; rolls.length < all; ) {
        const got = await ask<Found>("dice", { dice: { from: rolls.length, count: slice, key: key.trim() } });
        if (!current) return;
        rolls = [...rolls, ...(got.rolls ?? [])];
        all = got.rolls?.length ? got.all : 0;
        setFound({ ...got, rolls });
      }
    };
    setFault("");
    check().catch((e: Error) => current && setFault(e.message));
    return () => void (current = false);
  }, [key]);
  const rolls = found?.rolls ?? [];
  const good = rolls.filter((r) => r.proof === "good").length, bad = rolls.filter((r) => r.proof === "bad").length, bare = rolls.length - good - bad;
  const round = rolls.find((r) => r.round)?.round;
  return (
    <dialog ref={box} class="dice" onClose={close} aria-labelledby="dice-title">
      <div class="bar"><h2 id="dice-title">Dice of this report</h2><button onClick={() => box.current!.close()}>Close</button></div>
      {fault && <p class="why" role="alert">{fault}</p>}
      {found && <Fragment>
        {rolls.length < found.all && <progress aria-label="Dice checked so far" max={found.all} value={rolls.length} />}
        <p id="proved" role="status">
          {good > 0 && `Proofs checked: ${good} of ${found.all} are good. `}
          {bad > 0 && <b class="why">{bad} are not good. </b>}
          {bare > 0 && `${bare} without a proof${found.key ? ": told again, or of an earlier report" : ": dice of a practice game prove nothing"}. `}
        </p>
        {found.key && <Fragment>
          <label class="fields">Dice key of your invitation <input id="dice-key" autocomplete="off" spellcheck={false} placeholder={found.key} onChange={(e) => setKey((e.target as HTMLInputElement).value)} /></label>
          <p class="note">{key.trim() ? "Checked with the key that you gave." : "Checked with the key that the report names. Paste the one in your invitation to be sure that it is the game's."}
            {round ? ` The dice are bound to round ${round} of a public beacon and others: fieldpost verify tells whether the values are the beacon's.` : ""}</p>
        </Fragment>}
        {found.tally?.map((t) => <Faces key={t.sides} t={t} />)}
        <table class="rolls"><thead><tr><th>Event</th><th>Dice</th><th>Proof</th></tr></thead>
          <tbody>{rolls.map((r) => (
            <tr key={r.phase + r.label} class={r.proof}><td>{r.label}<small>{r.phase}</small></td><td>{r.dice.join(" ")}<small>of {r.sides}</small></td><td>{r.proof === "good" ? "✓" : r.proof === "bad" ? "✗ " + r.why : "–"}</td></tr>
          ))}</tbody>
        </table>
      </Fragment>}
    </dialog>
  );
}

/** How often each face was seen, and how often it was to be expected. */
function Faces({ t }: { t: Tally }) {
  const thrown = t.seen.reduce((a, b) => a + b, 0), most = Math.max(t.expected, ...t.seen);
  const usual = t.chance >= 5 ? "as even as dice are" : t.chance >= 1 ? "less even than in most games; one in twenty is like this" : "less even than in all but one of a hundred honest games";
  return (
    <figure class="faces">
      <figcaption>{thrown} dice of {t.sides} sides: {t.expected.toFixed(1)} of each face were to be expected. Chi-square {t.chi.toFixed(1)}, {usual}.</figcaption>
      <ul>{t.seen.map((n, i) => (
        <li key={i} aria-label={`face ${i + 1}: seen ${n}`}><span class="column"><span class="seen" style={{ height: `${(100 * n) / most}%` }} /><span class="mean" style={{ bottom: `${(100 * t.expected) / most}%` }} /></span><b>{i + 1}</b><small>{n}</small></li>
      ))}</ul>
    </figure>
  );
}
