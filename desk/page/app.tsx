// The order desk: a report, its map, and the sheet that answers it. The text of the sheet is
// all the state there is; every change goes through the engine and comes back as text.
import { h, render, Fragment } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ask, brought, oneFile, warm, type Actor, type Change, type Checked, type Choices, type Invitation, type Item, type Odds, type Opened, type Overview, type Placed, type Way } from "./engine";
import { Join } from "./join";
import { Layers, drawn as drawnLayers, hasSmall, wanted } from "./layers";
import { Map, type Sight } from "./map";
import { aims, attacksOf, olderThan, targets } from "./orders";
import { Asked, Chosen, Plot, Sheet, Tally } from "./panel";
import { Past } from "./past";
import { Lesson, Play, Practice, against, playOn } from "./practice";
import { Send, saveText } from "./send";
import { Marks, Story, placeOf } from "./story";

/** Drafts are kept in this browser, by game, side, turn and number. */
const drafts = {
  name: (o: Opened) => "fieldpost " + [o.game, ...(o.practice ? [o.practice.scenario, o.practice.seed] : []), o.side, o.turn, /SERIAL: *(\d+)/.exec(o.blank)?.[1]].join(" "),
  read(o: Opened) {
    try { return localStorage.getItem(this.name(o)) ?? o.blank; } catch { return o.blank; }
  },
  write(o: Opened, text: string) {
    if (o.past) return;
    try { localStorage.setItem(this.name(o), text); } catch { /* a browser that keeps nothing */ }
  },
};

/** A new code of the report takes the place of the one in a draft. */
function withCode(draft: string, blank: string): string {
  const code = /^CODE:.*$/m.exec(blank)?.[0];
  if (!code || draft.includes(code)) return draft;
  return /^\s*CODE:.*$/im.test(draft) ? draft.replace(/^\s*CODE:.*$/im, code) : draft.replace(/^(\s*SERIAL:.*)$/im, "$1\n" + code);
}

type Drawn = { report: Opened; board: string; position: string; text: string; number: number };
let opened = 0;

/** Has a report drawn that the engine has opened. */
async function drawnOf(report: Opened, board?: string): Promise<Drawn> {
  const text = withCode(drafts.read(report), report.blank);
  const printed = board ?? URL.createObjectURL(new Blob([await ask<string>("draw", { part: "board" })], { type: "image/svg+xml" }));
  const position = await ask<string>("draw", { part: "position", sheet: text, layers: drawnLayers(report, wanted.read()) });
  document.title = `${report.title}: ${report.side}, turn ${report.turn}`;
  return { report, text, position, board: printed, number: ++opened };
}

function App() {
  const [drawn, setDrawn] = useState<Drawn>();
  const [fault, setFault] = useState("");
  const [busy, setBusy] = useState("");
  const [joining, setJoining] = useState<{ invited?: Invitation }>();
  const open = useCallback(async (file: Uint8Array, name: string) => {
    setBusy(`Opening ${name} …`);
    setFault("");
    try {
      const next = await drawnOf(await ask<Opened>("open", {}, file));
      setJoining(undefined);
      setDrawn(next);
    } catch (e) {
      // What is no report may be an invitation.
      try { setJoining({ invited: await ask<Invitation>("invitation", {}, file) }); } catch { setFault((e as Error).message); }
    }
    setBusy("");
  }, []);
  // A practice game is set up or goes on, and is opened where it stops.
  const practise = useCallback(async (set: () => Promise<unknown>, board?: string) => {
    setFault("");
    setBusy("The staff is at work …");
    try {
      await set();
      setDrawn(await drawnOf(await playOn(setBusy), board));
    } catch (e) {
      setFault((e as Error).message);
    }
    setBusy("");
  }, []);
  // A turn of a finished game, as a side knew it.
  const look = useCallback(async (side: string, turn: number, board: string) => {
    setFault("");
    setBusy("The game is played again …");
    try { setDrawn(await drawnOf(await ask<Opened>("past", { past: { side, turn } }), board)); } catch (e) { setFault((e as Error).message); }
    setBusy("");
  }, []);
  useEffect(() => {
    const report = brought();
    if (report) void open(report.file, report.name);
    else warm();
    const drop = async (e: DragEvent) => {
      e.preventDefault();
      const file = e.dataTransfer?.files[0];
      if (file) await open(new Uint8Array(await file.arrayBuffer()), file.name);
    };
    addEventListener("dragover", (e) => e.preventDefault());
    addEventListener("drop", drop);
  }, []);
  if (joining) return <Join key={joining.invited?.code ?? ""} {...joining} back={() => setJoining(undefined)} />;
  if (drawn) return <Desk key={drawn.number} {...drawn} open={open} practise={practise} look={look} leave={() => setDrawn(undefined)} busy={busy} fault={fault} />;
  return (
    <main class="welcome">
      <h1>Fieldpost desk</h1>
      <p>Open the report that the umpire mailed you: the mail as you saved it (.eml), or its view.json; or the archive of a finished game (.tar). You may drop it here.</p>
      <div class="manners"><FileField open={open} /><button id="to-join" onClick={() => setJoining({})}>Join a game …</button></div>
      <p>Or drop an invitation, to join a game.</p>
      <p role="status">{busy}</p>
      {fault && <p class="why" role="alert">{fault}</p>}
      {!busy && <Practice start={practise} />}
      <p class="note">{oneFile.file ? "Nothing that you open or write here leaves this page." : "Nothing leaves this page: it is cut off from the network."} What you send goes from your own mail program.</p>
      {oneFile.file && <p class="note"><a href={oneFile.file} download>Save it as one file</a>, which works without a network. Its SHA-256 is <code class="sum">{oneFile.sum}</code>.</p>}
    </main>
  );
}

function FileField({ open }: { open(file: Uint8Array, name: string): void }) {
  const chosen = async (e: Event) => {
    const file = (e.target as HTMLInputElement).files?.[0];
    if (file) open(new Uint8Array(await file.arrayBuffer()), file.name);
  };
  return <label class="file button">Open a report<input type="file" id="report-file" accept=".eml,.json,.gz,.tar,message/rfc822,application/json" onChange={chosen} /></label>;
}

type DeskProps = Drawn & { open(f: Uint8Array, n: string): void; practise(set: () => Promise<unknown>, board?: string): void; look(side: string, turn: number, board: string): void; leave(): void; busy: string; fault: string };

function Desk({ report, board, position: first, text: draft, open, practise, look, leave, busy, fault: notOpened }: DeskProps) {
  const [past, setPast] = useState<string[]>([]);
  const [text, setText] = useState(draft);
  const [future, setFuture] = useState<string[]>([]);
  const [checked, setChecked] = useState<Checked>();
  const [position, setPosition] = useState(first);
  const [fault, setFault] = useState("");
  const [hex, setHex] = useState<string>();
  const [actor, setActor] = useState<string>();
  const [told, setTold] = useState<{ actor: string; choices: Choices }>();
  const [manner, setManner] = useState("");
  const [chit, setChit] = useState<string>();
  const [sending, setSending] = useState(false);
  const [item, setItem] = useState<Item>();
  const [taught, setTaught] = useState<string>();
  const [via, setVia] = useState<string[]>([]);
  const [byWay, setByWay] = useState(false);
  const [want, setWant] = useState(wanted.read);
  const [whole, setWhole] = useState<Overview>(); // the map drawn small, once the first verdict is there
  const [layering, setLayering] = useState(false);
  const [places, setPlaces] = useState<Placed[]>([]);
  const [odds, setOdds] = useState<Odds[]>([]);
  const [ground, setGround] = useState<{ of: string; says: string[] }>();
  const [older] = useState(() => report.practice || report.past ? "" : olderThan(report));
  const sight = useRef<Sight | undefined>(undefined);
  const asked = useRef(0);
  const latest = useRef(draft);
  const changes = useRef(Promise.resolve());

  // What was told of another unit is never offered for this one.
  const choices = told?.actor === actor ? told?.choices : undefined;

  const write = (now: string) => {
    if (now === latest.current) return;
    const before = latest.current;
    latest.current = now;
    setPast((p) => [...p.slice(-200), before]);
    setFuture([]);
    setText(now);
  };
  const show = (now: string) => { latest.current = now; setText(now); };
  const undo = () => { if (past.length) { setFuture([text, ...future]); show(past[past.length - 1]); setPast(past.slice(0, -1)); } };
  const redo = () => { if (future.length) { setPast([...past, text]); show(future[0]); setFuture(future.slice(1)); } };
  // One change after the other, each of the text that the one before it left.
  const change = (c: Change) => {
    changes.current = changes.current.then(async () => {
      try { write(await ask<string>("edit", { sheet: latest.current, ...c })); } catch (e) { setFault((e as Error).message); }
    });
  };

  // Every new text is judged and drawn; what is older than the newest is thrown away.
  useEffect(() => {
    const mine = ++asked.current;
    drafts.write(report, text);
    const judge = async () => {
      const current = () => mine === asked.current;
      try {
        const c = report.past ? undefined : await ask<Checked>("check", { sheet: text });
        if (!current()) return;
        setChecked(c);
        setFault("");
        const p = await ask<string>("draw", { part: "position", sheet: text, layers: drawnLayers(report, want) });
        if (!current()) return;
        setPosition(p);
        const s = report.set_up && !report.past ? await ask<Placed[] | null>("set-up", { sheet: text }) : null;
        if (current()) setPlaces(s ?? []);
      } catch (e) {
        if (current()) setFault((e as Error).message);
      }
      if (mine === 1) setWhole(await ask<Overview>("overview").catch(() => undefined));
      if (mine === 1) document.documentElement.dataset.ready = String(Math.round(performance.now()));
    };
    const later = setTimeout(judge, past.length ? 60 : 0);
    return () => clearTimeout(later);
  }, [text, want]);

  // What the unit may do is what a person waits for: it is asked before all else.
  useEffect(() => {
    let current = true;
    if (actor && !report.past) ask<Choices>("choices", { sheet: text, actor }).then((choices) => current && setTold({ actor, choices }), (e) => current && setFault((e as Error).message));
    return () => void (current = false);
  }, [actor, text]);

  // What the attacks of the sheet come to, and those that are offered.
  useEffect(() => {
    let current = true;
    const offers = attacksOf(choices?.verbs);
    const weighed = offers.length > 0 || /^\s*(ATTACK|OVERRUN)\b/im.test(text);
    const found = weighed && !report.past ? ask<Odds[] | null>("odds", { sheet: text, offers }) : Promise.resolve(null);
    found.then((o) => current && setOdds(o ?? []), () => current && setOdds([]));
    return () => void (current = false);
  }, [text, told]);

  useEffect(() => {
    let current = true;
    if (hex) ask<string[] | null>("ground", { sheet: text, hex }).then((says) => current && setGround({ of: hex, says: says ?? [] }), () => undefined);
    return () => void (current = false);
  }, [hex, text]);

  // Who may be ordered, where the orders leave them; until the sheet is judged, where the report has them.
  const actors = useMemo(
    () => checked?.actors ?? (report.units ?? []).map((u): Actor => ({ name: u.name, kind: "unit", hex: u.hex })),
    [report, checked],
  );
  const here = actors.filter((a) => (hex && a.hex === hex) || a.name === actor);
  const elsewhere = actors.filter((a) => !a.hex);
  const reach = choices?.reach?.find((r) => r.manner === manner) ?? choices?.reach?.[0];
  const ways = reach?.ways ?? [];

  const choose = (name?: string, manner = "") => { setActor(name); setManner(manner); setVia([]); setByWay(false); };
  const aimed = targets(choices?.verbs);
  // A way as the unit is sent: by the hexes that were chosen to go by, if any.
  const send = (w: Way) => {
    if (byWay) { if (w.hex !== via.at(-1)) setVia([...via, w.hex]); setByWay(false); return; }
    const goal = ` TO ${w.hex}`;
    change({ actor, section: w.section, order: via.length ? w.order.replace(goal, `${goal} VIA ${via.join(", ")}`) : w.order });
    setVia([]);
  };
  const chits = actors.filter((a) => a.kind === "chit");
  const range = chits.find((a) => a.name === actor)?.in_range ?? chits.find((a) => a.name === chit)?.in_range ?? [];
  const lit = actors.flatMap((a) => (a.hex && (range.includes(a.name) || range.includes(a.id ?? "-")) ? [a.hex] : []));
  if (taught) lit.push(taught);
  const replay = (shown?: Item) => {
    setItem(shown);
    const place = placeOf(shown);
    if (place) sight.current?.to(place);
  };
  const teach = (hex?: string) => {
    setTaught(hex);
    if (hex) sight.current?.to(hex);
  };
  const plot = (name: string, manner = "", from?: string) => {
    const unit = actors.find((a) => a.name === name);
    setChit(from);
    if (unit?.hex) { setHex(unit.hex); sight.current?.to(unit.hex); }
    choose(name, manner);
  };
  const pick = (to: string, more = false) => {
    const way = ways.find((w) => w.hex === to);
    const own = actors.filter((a) => a.hex === to);
    const [start, another] = choices?.verbs?.filter((o) => o.section === "SETUP" && !o.refused && aims(o).includes(to)) ?? [];
    if (start && !another && own.length === 0) { change({ actor, section: start.section, order: start.order }); return; }
    if (way && more) { setVia([...via, to]); return; }
    if (way && actor && (byWay || own.length === 0)) { send(way); return; }
    setHex(to);
    if (!way && !aimed.includes(to)) choose((own.find((a) => !a.ordered) ?? own[0])?.name);
  };
  const find = (a: Actor) => {
    if (a.hex) { setHex(a.hex); sight.current?.to(a.hex); }
    choose(a.name);
  };
  const go = (typed: string) => {
    const wanted = typed.trim().toUpperCase();
    const begins = actors.filter((a) => a.name.toUpperCase().startsWith(wanted));
    const unit = actors.find((a) => a.name.toUpperCase() === wanted) ?? (begins.length === 1 ? begins[0] : undefined);
    if (unit) find(unit);
    else if (report.map.at[wanted]) { sight.current?.to(wanted); pick(wanted); }
    else setFault(begins.length > 1 && wanted ? `${begins.length} units begin like that: ${begins.slice(0, 5).map((a) => a.name).join(", ")}.` : `The map has no hex, and you have no unit, called ${typed}.`);
  };

  useEffect(() => {
    const key = (e: KeyboardEvent) => {
      if (sending || e.altKey || e.metaKey || (e.target as Element).closest("input,textarea,dialog")) return;
      const move = (x: number, y: number) => () => sight.current?.shift(x, y);
      const keys: Record<string, () => void> = {
        ...((e.target as Element).matches(".map") && { ArrowLeft: move(90, 0), ArrowRight: move(-90, 0), ArrowUp: move(0, 90), ArrowDown: move(0, -90) }),
        u: undo, r: redo, Escape: () => { choose(); setHex(undefined); }, "+": () => sight.current?.by(1.3), "-": () => sight.current?.by(1 / 1.3),
        l: () => document.getElementById("to-layers")?.click(), n: () => (document.getElementById("place") ?? document.getElementById("next"))?.click(), "/": () => document.getElementById("find")?.focus(),
      };
      if (e.ctrlKey ? e.key === "z" : keys[e.key]) { e.preventDefault(); e.ctrlKey ? undo() : keys[e.key](); }
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  });

  return (
    <>
      <header>
        <h1>{report.title} <small>turn {report.turn} of {report.turns} · {report.date} · {report.side}</small></h1>
        <p class="due">{report.due?.length ? "Due: " + report.due.join(", ") : report.phase}{report.until ? `, until ${new Date(report.until).toLocaleString()}` : ""}</p>
        {actor && <p class="selected" role="status">Commanding <b>{actor}</b></p>}
        {busy && <p class="busy" role="status">{busy}</p>}
        {report.practice && <p class="note practised">Practice against {against(report.practice)}, dice number {report.practice.seed}</p>}
        {(report.practice || report.past) && <button id="leave" disabled={!!busy} onClick={leave}>Other games</button>}
        <FileField open={open} />
      </header>
      {(report.unjudged || notOpened || older) && (
        <div class="bar-other" role="alert">
          {report.unjudged && <p>No line is judged here: {report.unjudged}</p>}
          {older && <p>{older}</p>}
          {notOpened && <p>{notOpened}</p>}
        </div>
      )}
      <main class="field">
        <Map report={report} board={board} position={position} hex={hex} ways={ways} lit={lit} targets={aimed} via={via} odds={odds} small={hasSmall(want) ? whole : undefined} pick={pick} sight={(s) => (sight.current = s)}>
          {item?.marks && <Marks marks={item.marks} report={report} />}
        </Map>
        <div class="zoom"><button aria-label="Closer" onClick={() => sight.current?.by(1.3)}>+</button><button aria-label="Farther" onClick={() => sight.current?.by(1 / 1.3)}>−</button><button onClick={() => sight.current?.fit()}>Fit</button><button id="to-layers" aria-expanded={layering} aria-controls="layers" onClick={() => setLayering(!layering)}>Layers</button></div>
        {layering && <Layers report={report} want={want} change={(w) => { wanted.write(w); setWant(w); }} close={() => { setLayering(false); document.getElementById("to-layers")?.focus(); }} />}
      </main>
      <aside>
        {report.practice?.lesson && <Lesson report={report} seen={{ actor, checked }} show={teach} />}
        <div class="scroll">
        {report.past && <Past report={report} busy={!!busy} look={(side, turn) => look(side, turn, board)} />}
        {report.verdict && <section class="verdict" role="status"><h2>The game is over</h2><p>{report.verdict}</p></section>}
        {!!report.story?.length && <Story items={report.story} show={replay} />}
        {report.asked?.length ? <Asked asked={report.asked} checked={checked} change={change} /> : null}
        {chits.length > 0 && <Plot report={report} change={change} actors={actors} text={text} actor={actor} from={chit} choose={plot} />}
        <Chosen report={report} hex={hex} ground={ground?.of === hex ? ground?.says ?? [] : []} here={here} elsewhere={elsewhere} actor={actor} choices={choices} manner={reach?.manner ?? ""} setManner={setManner} choose={choose} go={go} change={change} via={via} byWay={byWay} setVia={(v, more) => { setVia(v); setByWay(more); }} send={send} />
        {!report.past && <Sheet text={text} checked={checked} fault={fault} edit={write} change={change} />}
        </div>
        {!report.past && <footer>
          <Tally checked={checked} turn={report.turn} places={places} actor={actor} find={find} look={() => { const r = document.getElementById("remarks") as HTMLDetailsElement | null; if (r) { r.open = true; r.scrollIntoView({ block: "nearest" }); r.querySelector("summary")?.focus(); } }} />
          {report.practice
            ? <Play sheet={() => changes.current.then(() => latest.current)} over={report.practice.over} busy={!!busy} write={write} start={(set) => practise(set, board)} />
            : <button class="main" id="send" onClick={() => void changes.current.then(() => setSending(true))}>Sign and send …</button>}
          <button id="undo" disabled={!past.length} onClick={undo}>Undo</button>
          <button disabled={!future.length} onClick={redo}>Redo</button>
          {!report.practice && <button onClick={() => saveText(text)}>Save</button>}
        </footer>}
      </aside>
      {sending && <Send sheet={text} checked={checked} close={() => setSending(false)} />}
    </>
  );
}

const place = document.getElementById("app")!;
place.replaceChildren();
render(<App />, place);
