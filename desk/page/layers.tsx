// What lies over the printed map, each to be shown or not, and the small map of the whole.
import { h } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Layer, Opened, Overview } from "./engine";

/** Layers that somebody wants otherwise than usual; this browser keeps them for the next report. */
export type Wanted = Record<string, boolean>;
const place = "fieldpost layers";

export const wanted = {
  read(): Wanted {
    try { return JSON.parse(localStorage.getItem(place) ?? "{}") as Wanted; } catch { return {}; }
  },
  write(w: Wanted) {
    try { localStorage.setItem(place, JSON.stringify(w)); } catch { /* a browser that keeps nothing */ }
  },
};

/** The small map is switched like a layer. */
const small: Layer = { name: "small", says: "Small map of the whole", shown: true };

const isShown = (l: Layer, w: Wanted) => w[l.name] ?? !!l.shown;

/** The layers to be drawn, or nothing where all are the usual ones. */
export function drawn(report: Opened, w: Wanted): string[] | undefined {
  const all = report.map.layers;
  if (all.every((l) => isShown(l, w) === !!l.shown)) return undefined;
  return all.filter((l) => isShown(l, w)).map((l) => l.name);
}

export const hasSmall = (w: Wanted) => isShown(small, w);

export function Layers({ report, want, change, close }: { report: Opened; want: Wanted; change(w: Wanted): void; close(): void }) {
  const box = useRef<HTMLFieldSetElement>(null);
  useEffect(() => box.current?.querySelector("input")?.focus(), []);
  return (
    <fieldset id="layers" class="layers" ref={box} onKeyDown={(e) => { if (e.key === "Escape") { e.stopPropagation(); close(); } }}>
      <legend>On the map</legend>
      {[...report.map.layers, small].map((l) => (
        <label key={l.name}><input type="checkbox" data-layer={l.name} checked={isShown(l, want)} onChange={(e) => change({ ...want, [l.name]: (e.target as HTMLInputElement).checked })} />{l.says}</label>
      ))}
      <div class="manners"><button type="button" onClick={() => change({})}>As usual</button><button type="button" onClick={close}>Close</button></div>
    </fieldset>
  );
}

export type Window = { x: number; y: number; width: number; height: number };

/** Whether so little of a map is in sight that one loses one's way on it. */
const isLarge = (inSight: Window, width: number, height: number) => inSight.width * inSight.height < 0.6 * width * height;

/** Where the overview lies, so that its hexes are those of the map of this size. */
function placed(o: Overview, width: number, height: number) {
  const part = (n: number, of: number) => `${(100 * n) / of}%`;
  const across = width * o.across, down = height * o.down;
  return { inset: "auto", left: part(-o.x, across), top: part(-o.y, down), width: part(o.width, across), height: part(o.height, down) };
}

type SmallProps = { report: Opened; whole: Overview; first: { current: Window }; looks(tell: (w: Window) => void): void; to(x: number, y: number): void };

/** The whole map, where it is larger than what is in sight, with that framed; a click goes there. The
 * arrow keys of the map do the same. */
export function SmallMap({ report, whole, first, looks, to }: SmallProps) {
  const { width, height, at, q } = report.map;
  const [large, setLarge] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const drawn = useMemo(() => URL.createObjectURL(new Blob([whole.svg], { type: "image/svg+xml" })), [whole]);
  // The frame follows each step of a drag: it is moved as it stands, without drawing anything anew.
  useEffect(() => {
    const look = (w: Window) => {
      setLarge(isLarge(w, width, height));
      if (!frame.current) return;
      const part = (n: number, of: number) => `${(100 * n) / of}%`;
      Object.assign(frame.current.style, { left: part(w.x, width), top: part(w.y, height), width: part(w.width, width), height: part(w.height, height) });
    };
    let next = 0;
    look(first.current);
    looks(() => { next ||= requestAnimationFrame(() => { next = 0; look(first.current); }); });
    return () => { looks(() => undefined); cancelAnimationFrame(next); };
  }, [large]);
  const pieces = useMemo(() => {
    const dots = (hexes: string[], side: string) => [...new Set(hexes)].filter((n) => at[n]).map((n) => <circle key={n} class={side} cx={at[n][0]} cy={at[n][1]} r={q * 1.7} />);
    return <g>{dots((report.units ?? []).map((u) => u.hex), "ours")}{dots(Object.keys(report.foes), "theirs")}</g>;
  }, [report]);
  if (!large) return null;
  const go = (e: MouseEvent) => {
    const box = (e.currentTarget as Element).getBoundingClientRect();
    to(((e.clientX - box.left) / box.width) * width, ((e.clientY - box.top) / box.height) * height);
  };
  const drag = (e: PointerEvent) => { if (e.buttons === 1) go(e); };
  return (
    <div class="small-map" aria-hidden="true" style={{ aspectRatio: `${width} / ${height}` }} onClick={go} onPointerMove={drag} onPointerDown={(e) => (e.currentTarget as Element).setPointerCapture(e.pointerId)}>
      <img class="board" src={drawn} alt="" draggable={false} style={placed(whole, width, height)} />
      <svg viewBox={`0 0 ${width} ${height}`}>
        {pieces}
      </svg>
      <div class="in-sight" ref={frame} />
    </div>
  );
}
