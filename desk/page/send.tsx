// From the sheet to a mail: signed with a key or by the report's code. The page itself sends nothing.
import { h } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ask, type Checked, type Signed } from "./engine";

function save(name: string, text: string, type: string) {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(new Blob([text], { type }));
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10_000);
}

export const saveText = (text: string, name = "orders.txt") => save(name, text, "text/plain");

/** The key stays in memory until the tab closes or it is forgotten. */
export let held: { key: string; passphrase: string; name: string } | undefined;

/** A key that was just made signs the first sheet, too. */
export const hold = (key: string, passphrase: string, name: string) => void (held = { key, passphrase, name });

const longest = 1800; // of a mailto address that every system opens

export function Send({ sheet, checked, close }: { sheet: string; checked?: Checked; close(): void }) {
  const box = useRef<HTMLDialogElement>(null);
  const coded = /^\s*CODE:/im.test(sheet);
  const [by, setBy] = useState(coded && !held ? "code" : "key");
  const [key, setKey] = useState(held);
  const [signed, setSigned] = useState<Signed>();
  const [fault, setFault] = useState("");
  useEffect(() => box.current!.showModal(), []);
  const make = async () => {
    setFault("");
    try {
      held = by === "key" ? key : held;
      setSigned(await ask<Signed>("sign", { sheet, with: by === "key" ? { key: key?.key ?? "", passphrase: key?.passphrase ?? "" } : {} }));
    } catch (e) {
      setSigned(undefined);
      setFault((e as Error).message);
    }
  };
  const choose = async (e: Event) => {
    const file = (e.target as HTMLInputElement).files?.[0];
    if (!file) return;
    const chosen = await file.text();
    setKey((k) => ({ key: chosen, passphrase: k?.passphrase ?? "", name: file.name }));
    setSigned(undefined);
  };
  return (
    <dialog ref={box} onClose={close} aria-labelledby="send-title">
      <div class="bar"><h2 id="send-title">Sign and send</h2><button onClick={() => box.current!.close()}>Close</button></div>
      {!!checked?.refused && <p class="why">{checked.refused === 1 ? "1 line" : checked.refused + " lines"} of the sheet would be refused.</p>}
      {checked?.next?.map((s) => <p class="foe" key={s}>{s}</p>)}
      <div class="manners">
        <button aria-pressed={by === "code"} onClick={() => { setBy("code"); setSigned(undefined); }}>By the code of my report</button>
        <button aria-pressed={by === "key"} onClick={() => { setBy("key"); setSigned(undefined); }}>With my key</button>
      </div>
      {by === "key" ? (
        <div class="fields">
          <label>Key file (OpenSSH, Ed25519) <input type="file" id="key" onChange={choose} /></label>
          {key && <p>{key.name} <button onClick={() => { held = undefined; setKey(undefined); setSigned(undefined); }}>Forget it</button></p>}
          <label>Passphrase, if it has one <input type="password" id="passphrase" autocomplete="off" value={key?.passphrase ?? ""} onInput={(e) => { const typed = (e.target as HTMLInputElement).value; setKey((k) => ({ key: k?.key ?? "", name: k?.name ?? "", passphrase: typed })); }} /></label>
          <p class="note">The key does not leave this page, and is kept nowhere.</p>
        </div>
      ) : (
        <p class="note">{coded ? "The line CODE: of the sheet vouches for it." : "The sheet has no line CODE:. Open the report as it was mailed, or write the line below SERIAL: in the text."}</p>
      )}
      <button class="main" id="make" onClick={make}>{by === "key" ? "Sign the sheet" : "Make the mail"}</button>
      {fault && <p class="why" role="alert">{fault}</p>}
      {signed && <Mail signed={signed} file="orders" />}
    </dialog>
  );
}

/** What goes into the mail, and the ways to get it there. */
export function Mail({ signed, file }: { signed: Signed; file: string }) {
  const [said, setSaid] = useState("");
  const address = `mailto:${encodeURIComponent(signed.to)}?subject=${encodeURIComponent(signed.subject)}`;
  const whole = `${address}&body=${encodeURIComponent(signed.text)}`;
  const copy = async () => {
    await navigator.clipboard.writeText(signed.text);
    setSaid("Copied. Paste it into the mail.");
  };
  return (
    <div class="fields">
      <p>To <b>{signed.to || "the umpire"}</b>, subject <b>{signed.subject}</b></p>
      {signed.fingerprint && <p class="note">Signed with {signed.fingerprint}</p>}
      <textarea id="block" readOnly aria-label="What goes into the mail" value={signed.text} />
      <div class="manners">
        <button id="copy" onClick={copy}>Copy</button>
        <button id="save" onClick={() => saveText(signed.text, file + ".txt")}>Save {file}.txt</button>
        <button id="eml" onClick={() => save(file + ".eml", signed.eml, "message/rfc822")}>Save a draft (.eml)</button>
        <a class="button" href={whole.length <= longest ? whole : address} onClick={() => void copy()}>Open my mail program</a>
        {"share" in navigator && <button onClick={() => void navigator.share({ title: signed.subject, text: signed.text })}>Share</button>}
      </div>
      <p role="status">{said}</p>
      <p class="note">This page sends nothing: the mail goes from your own mail program. A long sheet does not fit into the address that opens it, so it is copied as well: paste it.</p>
    </div>
  );
}
