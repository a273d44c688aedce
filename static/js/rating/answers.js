/* What stands for each pair: as the server knows it, as it was saved here since, and what is chosen
   or typed and not saved yet. */

import { Drafts } from "../core/storage.js";
import * as components from "./components.js";
import * as dock from "./dock.js";
import { ActiveTime } from "./timer.js";

/** @typedef {import("./pairs.js").Answer} Answer */
/** @typedef {import("./pairs.js").Pair} Pair */
/** @typedef {import("./pairs.js").Standing} Standing */
/** @typedef {import("./pairs.js").Stored} Stored */
/** @typedef {{seconds: number, answer?: Answer}} Draft */

const LONGEST = 86_400; /* seconds */
/** @param {number} seconds */
const rounded = (seconds) => Math.round(seconds * 10) / 10;

export class Answers {
  /** @type {Map<number, Stored>} By position, what is newer than what was fetched. */
  #saved = new Map();
  /** @type {Map<string, string[]>} By topic, the components its aspect was split into last. */
  #splits = new Map();
  /** @type {Standing} What stands for the pair on show. */
  stored;
  #carried = 0; /* unsaved seconds of earlier visits to the pair on show */

  /**
   * @param {string} user
   * @param {string} seat
   * @param {boolean} isReadOnly
   */
  constructor(user, seat, isReadOnly) {
    this.drafts = new Drafts(user, seat);
    this.isReadOnly = isReadOnly;
    this.time = new ActiveTime();
  }

  /**
   * @param {Pair} pair
   * @returns {Standing}
   */
  standing(pair) {
    const stored = this.#saved.get(pair.position) ?? pair.standing;
    const { schemeVersion } = pair.standing;
    return { ...stored, answer: this.#withSplit(stored.answer, pair), schemeVersion };
  }

  /**
   * An aspect that was split for an earlier document is offered with the same components.
   * @param {Answer} answer
   * @param {Pair} pair
   */
  #withSplit(answer, pair) {
    const parts = this.#splits.get(pair.dataset.topic);
    const isMarked = components.kept(answer.components).length > 0;
    return parts && !isMarked && !this.isReadOnly
      ? { ...answer, components: components.unmarked(parts) }
      : answer;
  }

  /**
   * What was chosen or written while the script was on its way is a draft.
   * @param {Pair} pair
   */
  begin({ position, standing: { answer: given } }) {
    const { components: _shown, ...fields } = dock.read();
    const touched = Object.entries(fields).filter(
      ([name, value]) => value !== given[/** @type {keyof typeof fields} */ (name)],
    );
    if (this.isReadOnly || !touched.length) return;
    const { seconds = 0, answer = given } = this.drafts.get(position) ?? {};
    this.drafts.set(position, { seconds, answer: { ...answer, ...Object.fromEntries(touched) } });
  }

  /**
   * Show in the dock how the pair stands, or what was begun.
   * @param {Pair} pair
   * @returns {Answer | undefined} What was begun.
   */
  takeUp(pair) {
    this.stored = this.standing(pair);
    /** @type {Draft | null} */
    const draft = this.isReadOnly ? null : this.drafts.get(pair.position);
    this.#carried = draft?.seconds ?? 0;
    this.time.reset();
    dock.fill(draft?.answer ?? this.stored.answer);
    return draft?.answer;
  }

  get #unsavedSeconds() {
    return rounded(this.#carried + this.time.seconds);
  }

  /* All seconds of the pair on show, saved or not. */
  get seconds() {
    return Math.min(LONGEST, rounded(this.stored.seconds + this.#unsavedSeconds));
  }

  /**
   * Seconds and answers that are not saved survive a reload and a visit to another pair.
   * @param {number} position
   */
  keepDraft(position) {
    if (this.isReadOnly) return;
    const answer = dock.read();
    /** @type {Draft} */
    const draft = { seconds: this.#unsavedSeconds };
    if (!dock.untouched(answer, this.stored.answer)) draft.answer = answer;
    if (draft.answer || draft.seconds >= 1) this.drafts.set(position, draft);
    else this.drafts.remove(position);
  }

  /**
   * The pair on show was saved.
   * @param {number} position
   * @param {string} topic
   * @param {Answer} answer
   * @param {number} seconds
   */
  save(position, topic, answer, seconds) {
    const version = this.stored.version + 1;
    this.stored = { ...this.stored, answer, version, seconds };
    this.know(position, topic, { answer, version, seconds });
    this.drafts.remove(position);
    this.#carried = 0;
    this.time.reset();
  }

  /**
   * @param {number} position
   * @param {string} topic
   * @param {Stored} stored
   */
  know(position, topic, stored) {
    this.#saved.set(position, stored);
    const kept = components.kept(stored.answer.components);
    if (topic && kept.length)
      this.#splits.set(
        topic,
        kept.map(({ text }) => text),
      );
  }

  /** @param {number} position */
  forget(position) {
    this.#saved.delete(position);
    this.drafts.remove(position);
  }
}

/**
 * The answer that a save carries.
 * @param {import("../core/storage.js").Entry} entry
 * @returns {Answer}
 */
export const answerOf = ({ body }) => ({
  choice: body.answer,
  own_reason: body.own_reason,
  note: body.note,
  is_flagged: "is_flagged" in body,
  components: components.fromFields(body),
});

/**
 * The same the other way round: the fields of a save.
 * @param {Answer} answer
 * @returns {Record<string, string>}
 */
export const fieldsOf = (answer) => ({
  answer: answer.choice,
  own_reason: answer.own_reason,
  note: answer.note,
  ...(answer.is_flagged && { is_flagged: "on" }),
  ...components.toFields(answer.components),
});
