/* What the device keeps for a user until the server has it: saves that are not confirmed (the
   outbox), and answers and seconds that are not saved yet (drafts).

   Everything is keyed by user, because computers are shared, and cleared at sign-out (app.js). Where
   the browser refuses storage, memory holds it for as long as the page lives. */

/** @type {Map<string, string>} */
const memory = new Map();

/**
 * @param {string} key
 * @param {unknown} value
 */
function write(key, value) {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(key, text);
    memory.delete(key);
  } catch {
    memory.set(key, text);
  }
}

/** @param {string} key */
function read(key) {
  try {
    return JSON.parse(memory.get(key) ?? localStorage.getItem(key) ?? "null");
  } catch {
    return null; /* Refused, or not ours: as if it were not there. */
  }
}

/** @param {string} key */
function erase(key) {
  memory.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    /* Refused: then it was never there. */
  }
}

/** @param {string} prefix */
function keysWith(prefix) {
  const keys = new Set(memory.keys());
  try {
    for (let i = 0; i < localStorage.length; i += 1) keys.add(localStorage.key(i) ?? "");
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

/**
 * @typedef {object} Save One save, as it is to be sent and told about.
 * @property {string} seat
 * @property {number | string} position
 * @property {string | number} number What people call the pair.
 * @property {string} url
 * @property {string} words What is saved, for people: "2 · Similar".
 * @property {{save_id: string, [field: string]: string}} body The fields of the form.
 * @property {string} [topic]
 */
/** @typedef {Save & {order: number}} Entry A save in the outbox. */

export class Outbox {
  /**
   * @param {string} user
   * @param {string} [kind] Decisions are kept apart from a person's ratings, whose pages know
   *   nothing of them.
   */
  constructor(user, kind = "outbox") {
    this.prefix = `facetwise.${kind}.${user}.`;
  }

  /** @param {Save} save */
  #key({ seat, position, body }) {
    return `${this.prefix}${seat}.${position}.${body.save_id}`;
  }

  /**
   * All saves that wait, of every seat of this user and every tab, oldest first.
   * @returns {Entry[]}
   */
  entries() {
    return keysWith(this.prefix)
      .map(read)
      .filter((entry) => entry?.body?.save_id)
      .sort((a, b) => a.order - b.order);
  }

  get size() {
    return this.entries().length;
  }

  /** @param {Save} save */
  add(save) {
    const last = this.entries().at(-1)?.order ?? 0;
    const entry = { ...save, order: Math.max(Date.now(), last + 1) };
    write(this.#key(entry), entry);
    return entry;
  }

  /** @param {Save} entry */
  remove(entry) {
    erase(this.#key(entry));
  }
}

export class Drafts {
  /**
   * @param {string} user
   * @param {string} seat
   */
  constructor(user, seat) {
    this.prefix = `facetwise.draft.${user}.${seat}.`;
  }

  /** @param {number | string} position */
  get(position) {
    return read(this.prefix + position);
  }

  /**
   * @param {number | string} position
   * @param {object} draft
   */
  set(position, draft) {
    write(this.prefix + position, draft);
  }

  /** @param {number | string} position */
  remove(position) {
    erase(this.prefix + position);
  }
}
