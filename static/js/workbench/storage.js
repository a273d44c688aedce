/* What the device keeps for a user until the server has it: saves that are not confirmed (the
   outbox), and answers and seconds that are not saved yet (drafts).

   Everything is keyed by user, because computers are shared, and cleared at sign-out (app.js). Where
   the browser refuses storage, memory holds it for as long as the page lives. */

const memory = new Map();

function write(key, value) {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(key, text);
    memory.delete(key);
  } catch {
    memory.set(key, text);
  }
}

function read(key) {
  try {
    return JSON.parse(memory.get(key) ?? localStorage.getItem(key));
  } catch {
    return null; /* Refused, or not ours: as if it were not there. */
  }
}

function erase(key) {
  memory.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    /* Refused: then it was never there. */
  }
}

function keysWith(prefix) {
  const keys = new Set(memory.keys());
  try {
    for (let i = 0; i < localStorage.length; i += 1) keys.add(localStorage.key(i));
  } catch {
    /* Refused: memory is all there is. */
  }
  return [...keys].filter((key) => key.startsWith(prefix));
}

/* A version 4 UUID. `crypto.randomUUID` exists only on https and localhost. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

export class Outbox {
  constructor(user) {
    this.prefix = `facetwise.outbox.${user}.`;
  }

  #key({ seat, position, body }) {
    return `${this.prefix}${seat}.${position}.${body.save_id}`;
  }

  /* All saves that wait, of every seat of this user and every tab, oldest first. */
  entries() {
    return keysWith(this.prefix)
      .map(read)
      .filter((entry) => entry?.body?.save_id)
      .sort((a, b) => a.order - b.order);
  }

  get size() {
    return this.entries().length;
  }

  /* `entry`: seat, position, url, words for people, and body, the fields of the form. */
  add(entry) {
    const last = this.entries().at(-1)?.order ?? 0;
    const kept = { ...entry, order: Math.max(Date.now(), last + 1) };
    write(this.#key(kept), kept);
    return kept;
  }

  remove(entry) {
    erase(this.#key(entry));
  }
}

export class Drafts {
  constructor(user, seat) {
    this.prefix = `facetwise.draft.${user}.${seat}.`;
  }

  get(position) {
    return read(this.prefix + position);
  }

  set(position, draft) {
    write(this.prefix + position, draft);
  }

  remove(position) {
    erase(this.prefix + position);
  }
}
