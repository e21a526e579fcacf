// From an invitation to the mail that joins: by the codes of the reports, or with a key, which
// may be made here.
import { h } from "preact";
import { useState } from "preact/hooks";
import { ask, type Invitation, type Joined } from "./engine";
import { Mail, hold, saveText } from "./send";

const empty: Invitation = { game: "", side: "", code: "" };
type Way = "code" | "new" | "own";

export function Join({ invited, back }: { invited?: Invitation; back(): void }) {
  const [seat, setSeat] = useState(invited ?? empty);
  const [way, setWay] = useState<Way>(invited && !invited.by_code ? "new" : "code");
  const [key, setKey] = useState<{ key: string; name: string }>();
  const [passphrase, setPassphrase] = useState("");
  const [again, setAgain] = useState("");
  const [joined, setJoined] = useState<Joined>();
  const [saved, setSaved] = useState(false);
  const [fault, setFault] = useState("");
  const change = (part: Partial<Invitation>) => { setSeat({ ...seat, ...part }); setJoined(undefined); };
  const by = (w: Way) => { setWay(w); setJoined(undefined); setFault(""); };
  const pasted = async (e: Event) => {
    const text = (e.target as HTMLTextAreaElement).value;
    if (!/JOIN:/.test(text)) return;
    try { change(await ask<Invitation>("invitation", {}, new TextEncoder().encode(text))); setFault(""); } catch (x) { setFault((x as Error).message); }
  };
  const make = async () => {
    setFault("");
    if (way === "new" && passphrase !== again) { setFault("The two passphrases are not the same."); return; }
    if (way === "own" && !key) { setFault("Choose your key file first."); return; }
    try {
      const made = await ask<Joined>("join", { join: { ...seat, make: way === "new", key: way === "own" ? key?.key : "", passphrase: way === "code" ? "" : passphrase } });
      setSaved(way !== "new");
      setJoined(made);
      if (way === "new") hold(made.key_file!, passphrase, name);
      if (way === "own") hold(key!.key, passphrase, key!.name);
    } catch (x) { setJoined(undefined); setFault((x as Error).message); }
  };
  const name = `fieldpost-${seat.game}-${seat.side}.key`.toLowerCase();
  const field = (label: string, part: "game" | "side" | "code" | "to", id: string) => (
    <label>{label} <input id={id} autocomplete="off" spellcheck={false} value={seat[part] ?? ""} onInput={(e) => change({ [part]: (e.target as HTMLInputElement).value.trim() })} /></label>
  );
  const ways: [Way, string][] = [["code", "By codes, without a key"], ["new", "Make me a key"], ["own", "With a key I have"]];
  return (
    <main class="welcome join">
      <div class="bar"><h1>Join a game</h1><button onClick={back}>Back</button></div>
      {!invited && <label class="paste">Paste the invitation here, or drop the mail on this page <textarea id="invitation" onInput={pasted} /></label>}
      <div class="fields seat">{field("Game", "game", "game")}{field("Side", "side", "side")}{field("Join code", "code", "code")}{field("The umpire's address", "to", "to")}</div>
      <div class="manners" role="group" aria-label="How you sign">{ways.map(([w, said]) => <button key={w} id={"by-" + w} aria-pressed={way === w} onClick={() => by(w)}>{said}</button>)}</div>
      {way === "code" && <p class="note">Each report brings a code that vouches for your next sheet. Anybody who can read your mail could use it.</p>}
      {way === "own" && <div class="fields">
        <label>Key file (OpenSSH, Ed25519) <input type="file" id="join-key" onChange={async (e) => { const f = (e.target as HTMLInputElement).files?.[0]; if (f) setKey({ key: await f.text(), name: f.name }); }} /></label>
        <label>Passphrase, if it has one <input type="password" id="join-pass" autocomplete="off" value={passphrase} onInput={(e) => setPassphrase((e.target as HTMLInputElement).value)} /></label>
      </div>}
      {way === "new" && <div class="fields">
        <label>Passphrase <input type="password" id="pass" autocomplete="new-password" value={passphrase} onInput={(e) => setPassphrase((e.target as HTMLInputElement).value)} /></label>
        <label>The passphrase again <input type="password" id="again" autocomplete="new-password" value={again} onInput={(e) => setAgain((e.target as HTMLInputElement).value)} /></label>
        <p class="note">The key is a file that you keep: every sheet is signed with it. It is an OpenSSH key, locked by your passphrase. This page keeps neither.</p>
      </div>}
      <button class="main" id="join" onClick={make}>{way === "new" ? "Make the key and the mail" : "Make the mail"}</button>
      {fault && <p class="why" role="alert">{fault}</p>}
      {joined?.key_file && <p><button class="main" id="save-key" onClick={() => { saveText(joined.key_file!, name); setSaved(true); }}>Save my key: {name}</button></p>}
      {joined && !saved && <p class="foe" role="status">Save the key first: nobody can make it again.</p>}
      {joined && saved && <Mail signed={joined} file="join" />}
      {joined && saved && <p>The umpire answers with your recovery code, and the first report comes when all sides have players. Open it here.</p>}
    </main>
  );
}
