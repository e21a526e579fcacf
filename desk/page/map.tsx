// The map: the printed board as one picture, what lies on it as SVG, and over both what may be chosen.
import { h, Fragment, type ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { select } from "d3-selection";
import { zoom, zoomIdentity } from "d3-zoom";
import type { Odds, Opened, Overview, Way } from "./engine";
import { SmallMap, type Window } from "./layers";

/** Parses a drawing of the engine and takes nothing from it that could act. */
export function drawing(text: string): Element {
  const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  const acts = (e: Element) =>
    /^(script|foreignObject|a|use|image|animate|set)$/i.test(e.localName) ||
    [...e.attributes].some((a) => /^on|href$/i.test(a.name));
  if (svg.localName !== "svg" || [svg, ...svg.querySelectorAll("*")].some(acts)) throw new Error("the drawing is not one of ours");
  // Firefox paints the halo of a letter over the letter before it: the letters are painted once more.
  for (const text of svg.querySelectorAll("text[paint-order]")) {
    const halo = text.cloneNode(true) as Element;
    halo.setAttribute("aria-hidden", "true");
    text.before(halo);
    text.removeAttribute("stroke");
  }
  return document.importNode(svg, true);
}

const corners = [[-1, -1], [1, -1], [2, 0], [1, 1], [-1, 1], [-2, 0]];

export type Sight = { to(hex: string): void; by(factor: number): void; shift(x: number, y: number): void; fit(): void };

type Props = {
  report: Opened;
  board: string;
  position: string;
  hex?: string;
  ways: Way[];
  lit: string[];
  targets: string[];
  via: string[];
  odds: Odds[];
  /** The whole, to be shown small where the map is larger than its frame. */
  small?: Overview;
  /** more: the hex is one on the way. */
  pick(hex: string, more: boolean): void;
  sight(s: Sight): void;
  children?: ComponentChildren;
};

export function Map({ report, board, position, hex, ways, lit, targets, via, odds, small, pick, sight, children }: Props) {
  const { width, height, q, h: half, at } = report.map;
  const frame = useRef<HTMLDivElement>(null);
  const world = useRef<HTMLDivElement>(null);
  const over = useRef<HTMLDivElement>(null);
  const inSight = useRef<Window>({ x: 0, y: 0, width, height });
  const looked = useRef<(w: Window) => void>(() => undefined);
  const centre = useRef<(x: number, y: number) => void>(() => undefined);

  useEffect(() => {
    const f = frame.current!;
    const fitting = Math.min(f.clientWidth / width, f.clientHeight / height);
    const g = zoom<HTMLDivElement, unknown>()
      .scaleExtent([Math.min(fitting, 0.25), 2])
      .translateExtent([[-60, -60], [width + 60, height + 60]])
      .clickDistance(6)
      // While it is dragged the map is a layer that is moved as it is painted; at rest it is sharp again.
      .on("start", () => { world.current!.style.willChange = "transform"; })
      .on("end", () => { world.current!.style.willChange = ""; })
      .on("zoom", (e) => {
        world.current!.style.transform = `translate(${e.transform.x}px,${e.transform.y}px) scale(${e.transform.k})`;
        const { x, y, k } = e.transform;
        looked.current((inSight.current = { x: -x / k, y: -y / k, width: f.clientWidth / k, height: f.clientHeight / k }));
      });
    const s = select(f).call(g).on("dblclick.zoom", null);
    const to = (to: string, k: number) => {
      const [x, y] = at[to] ?? [width / 2, height / 2];
      s.call(g.transform, zoomIdentity.translate(f.clientWidth / 2 - x * k, f.clientHeight / 2 - y * k).scale(k));
    };
    centre.current = (x, y) => s.call(g.translateTo, x, y);
    const now = () => Number(/scale\(([\d.]+)\)/.exec(world.current!.style.transform)?.[1] ?? 1);
    sight({ to: (h) => to(h, Math.max(now(), 0.6)), by: (factor) => s.call(g.scaleBy, factor), shift: (x, y) => s.call(g.translateBy, x / now(), y / now()), fit: () => s.call(g.transform, zoomIdentity.scale(fitting)) });
    const first = report.units?.find((u) => report.foes[u.hex] === undefined && at[u.hex])?.hex;
    to(hex ?? front(report) ?? first ?? "", f.clientWidth < 700 ? 0.8 : 0.9);
    return () => s.on(".zoom", null);
  }, [report]);

  useEffect(() => {
    if (position) over.current!.replaceChildren(drawing(position));
  }, [position]);

  const click = (e: MouseEvent) => {
    const box = world.current!.getBoundingClientRect();
    const k = box.width / width;
    const x = (e.clientX - box.left) / k, y = (e.clientY - box.top) / k;
    let best = "", least = half * half * 1.4;
    for (const [name, [cx, cy]] of Object.entries(at)) {
      const d = (x - cx) ** 2 + (y - cy) ** 2;
      if (d < least) [best, least] = [name, d];
    }
    if (best) pick(best, e.shiftKey);
  };
  const shape = (name: string, k: number) => {
    const [x, y] = at[name];
    return corners.map(([i, j]) => `${x + i * q * k},${y + j * half * k}`).join(" ");
  };
  return (
    <>
    <div class="map" ref={frame} onClick={click} tabIndex={0} role="group" aria-label="Map: drag it or move it by the arrow keys, choose a hex by a click or by its number beside it">
      <div class="world" ref={world} style={{ width: `${width}px`, height: `${height}px` }}>
        <img class="board" src={board} width={width} height={height} alt="" draggable={false} />
        <div class="over" ref={over} />
        <svg class="marks" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          {targets.filter((name) => at[name]).map((name) => <polygon key={name} class="target" data-target={name} points={shape(name, 0.88)} />)}
          {via.filter((name) => at[name]).map((name) => <polygon key={name} class="via" data-via={name} points={shape(name, 0.7)} />)}
          {lit.filter((name) => at[name]).map((name) => <polygon key={name} class="lit" data-lit={name} points={shape(name, 0.97)} />)}
          {ways.filter((w) => at[w.hex]).map((w) => (
            <Fragment key={w.hex}>
              <polygon class={w.meets?.length ? "way meets" : "way"} data-way={w.hex} points={shape(w.hex, 0.93)} />
              <text class="price" x={at[w.hex][0]} y={at[w.hex][1] + half * 0.86} font-size={q * 0.85}>{w.cost.replace(" 1/2", "½").replace(" 1/4", "¼").replace(" 3/4", "¾")}</text>
            </Fragment>
          ))}
          {odds.filter((o) => at[o.hex]).map((o) => <Badge key={o.hex} odds={o} at={at[o.hex]} q={q} />)}
          {children}
          {hex && at[hex] && <Fragment><polygon class="ring" points={shape(hex, 1.02)} /><polygon class="ring inner" points={shape(hex, 1.02)} /></Fragment>}
        </svg>
      </div>
    </div>
    {small && <SmallMap report={report} whole={small} first={inSight} looks={(tell) => (looked.current = tell)} to={(x, y) => centre.current(x, y)} />}
    </>
  );
}

/** The odds of an attack on its hex, and how many throws of a hundred drive the enemy off. */
function Badge({ odds, at: [x, y], q }: { odds: Odds; at: [number, number]; q: number }) {
  const half = q * 1.5;
  return (
    <g class={odds.offered ? "odds offered" : "odds"} data-odds={odds.hex} transform={`translate(${x} ${y - q * 0.35})`}>
      <rect x={-half} y={-q * 0.8} width={2 * half} height={q * 1.6} rx={q * 0.3} />
      <text y={-q * 0.02} font-size={q * 0.78}>{odds.column}</text>
      <text y={q * 0.64} font-size={q * 0.64}>{odds.chance} %</text>
    </g>
  );
}

/** The own hex from which the enemy is nearest: where a turn begins. */
function front(report: Opened): string | undefined {
  const at = report.map.at, foes = Object.keys(report.foes).filter((f) => at[f]);
  let best: string | undefined, least = Infinity;
  for (const u of report.units ?? []) {
    if (!at[u.hex]) continue;
    for (const f of foes) {
      const d = (at[u.hex][0] - at[f][0]) ** 2 + (at[u.hex][1] - at[f][1]) ** 2;
      if (d < least) [best, least] = [u.hex, d];
    }
  }
  return best;
}
