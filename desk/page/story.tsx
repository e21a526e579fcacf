// What happened: a replay in order, item by item, with its arrows and fights on the map.
import { h, Fragment } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Dice } from "./dice";
import type { Item, Mark, Opened } from "./engine";

export function Story({ items, show }: { items: Item[]; show(item?: Item): void }) {
  const [dice, setDice] = useState(false);
  const [at, setAt] = useState(-1);
  const item = items[at];
  useEffect(() => show(item), [at]);
  const go = (to: number) => setAt(Math.max(-1, Math.min(items.length - 1, to)));
  return (
    <section class="story" aria-label="What happened">
      <div class="bar">
        <h2>What happened <span>{item ? `${at + 1} of ${items.length}` : `${items.length} items`}</span></h2>
        <div class="steps">
          <button id="story-back" aria-label="The one before" disabled={at < 0} onClick={() => go(at - 1)}>◀</button>
          <button id="story-on" aria-label="The next one" disabled={at + 1 >= items.length} onClick={() => go(at + 1)}>▶</button>
          {item && <button id="story-end" onClick={() => go(-1)}>Close</button>}
        </div>
      </div>
      <input type="range" id="story-at" aria-label="Item of the report" min={0} max={items.length} value={at + 1} onInput={(e) => go(Number((e.target as HTMLInputElement).value) - 1)} />
      {item && <div class="item" role="status">
        <p class="note">{item.phase}</p>
        <p><b>{item.number}. {item.head}</b></p>
        {item.detail?.map((d, i) => <p class="detail" key={i}>{d}</p>)}
      </div>}
      <p><button id="dice" onClick={() => setDice(true)}>Dice and their proofs</button></p>
      {dice && <Dice close={() => setDice(false)} />}
      <details><summary>All of it</summary>
        <ol>{items.map((x, i) => <li key={x.number}><button aria-pressed={i === at} onClick={() => go(i)}>{x.number}. {x.head}</button></li>)}</ol>
      </details>
    </section>
  );
}

/** Where an item of the story is looked at. */
export const placeOf = (item?: Item) => item?.marks?.find((m) => m.kind === "combat")?.hexes[0] ?? item?.marks?.[0]?.hexes.at(-1);

type At = Opened["map"]["at"];

/** The arrows and fights of the story, for the SVG over the map. */
export function Marks({ marks, report }: { marks: Mark[]; report: Opened }) {
  const { at, q } = report.map;
  return <Fragment>{marks.map((m, i) => <OneMark key={i + m.hexes.join()} mark={m} at={at} q={q} ours={m.side === report.side} />)}</Fragment>;
}

function OneMark({ mark, at, q, ours }: { mark: Mark; at: At; q: number; ours: boolean }) {
  const way = mark.hexes.map((name) => at[name]).filter(Boolean);
  const end = way[way.length - 1];
  if (!end) return null;
  const side = ours ? "ours" : "theirs";
  if (mark.kind === "combat" || way.length < 2) return <polygon class={"burst " + side} points={burst(end, q)} />;
  const [head, neck] = arrow(way, q);
  const points = [...way.slice(0, -1), neck].map((p) => p.join(",")).join(" ");
  return (
    <g class={`trail ${mark.kind} ${side}`} data-mark={mark.kind}>
      <polyline class="halo" points={points} /><polyline class="shaft" points={points} />
      <circle cx={way[0][0]} cy={way[0][1]} r={q * 0.22} />
      <polygon points={head} />
      {mark.kind === "fire" ? <polygon class={"burst " + side} points={burst(end, q * 0.7)} /> : <Marching way={way} q={q} side={side} />}
    </g>
  );
}

/** How long a counter takes for a hex, and for a whole way at most, in milliseconds. */
const hexTime = 260, wayTime = 1600;

/** A counter that goes its way once, hex by hex, and is gone when it has come to where it stands. Who
 * wants no motion sees the arrow alone. */
function Marching({ way, q, side }: { way: [number, number][]; q: number; side: string }) {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const [gone, setGone] = useState(still ? 1 : 0); // 0 at the beginning of the way, 1 at its end
  useEffect(() => {
    if (still) return;
    const began = performance.now(), lasts = Math.min(wayTime, hexTime * (way.length - 1));
    let next = requestAnimationFrame(function step(now) {
      // The frame may have begun before the counter was put on the map.
      const done = Math.min(1, Math.max(0, (now - began) / lasts));
      setGone(done);
      if (done < 1) next = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(next);
  }, []);
  if (gone >= 1) return null;
  const hexes = gone * (way.length - 1), i = Math.floor(hexes), [a, b] = way[i], [x, y] = way[i + 1], part = hexes - i, half = q * 0.8;
  return <rect class={"marching " + side} x={a + (x - a) * part - half} y={b + (y - b) * part - half} width={2 * half} height={2 * half} rx={q * 0.15} />;
}

function arrow(way: [number, number][], q: number): [string, [number, number]] {
  const [x, y] = way[way.length - 1], [a, b] = way[way.length - 2];
  const d = Math.hypot(x - a, y - b) || 1, i = (x - a) / d, j = (y - b) / d, l = q * 1.1, w = q * 0.6;
  const neck: [number, number] = [x - i * l, y - j * l];
  return [`${x},${y} ${neck[0] - j * w},${neck[1] + i * w} ${neck[0] + j * w},${neck[1] - i * w}`, neck];
}

function burst([x, y]: [number, number], q: number): string {
  return Array.from({ length: 16 }, (_, i) => {
    const r = q * (i % 2 ? 1 : 1.75), a = (i * Math.PI) / 8;
    return `${x + r * Math.cos(a)},${y + r * Math.sin(a)}`;
  }).join(" ");
}
