/* Sends the outbox: one save at a time, in order, until the server has confirmed each.

   A save is confirmed only by a 2xx that names it. Whatever else happens it stays in the outbox; the
   server knows a save that comes twice by its UUID. */

const RETRY_SECONDS = [2, 5, 10, 20];
const LONGEST_RETRY_SECONDS = 120; /* more is not waited for, whatever a server asks */
const TIMEOUT = 10_000; /* milliseconds */

export function parse(html) {
  return new DOMParser().parseFromString(html, "text/html");
}

/* A request whose answer is a fragment; `signedOut` tells that the sign-in has ended. `retryAfter` is
   when a server that cannot answer now wants to be asked again, in seconds, and `sentence` why. */
export async function ask(url, { method = "GET", body } = {}) {
  const response = await fetch(url, {
    method,
    body,
    redirect: "manual",
    cache: "no-store",
    headers: { "HX-Request": "true", "X-CSRFToken": csrf.token },
    signal: AbortSignal.timeout(TIMEOUT),
  });
  const signedOut =
    response.type === "opaqueredirect" ||
    response.status === 401 ||
    response.headers.has("HX-Redirect");
  const html = await response.text();
  const isSentence = response.headers.get("Content-Type")?.startsWith("text/plain");
  return {
    status: response.status,
    ok: response.ok,
    signedOut,
    html,
    retryAfter: Number(response.headers.get("Retry-After")) || 0,
    sentence: response.status === 503 && isSentence ? html.trim() : "",
  };
}

/* The token that forms carry; it changes when somebody signs in again in another tab. */
export const csrf = {
  token: "",
  learn(fragment) {
    const field = fragment.querySelector("input[name=csrfmiddlewaretoken]");
    if (field) this.token = field.value;
  },
};

export class Sender extends EventTarget {
  #sending = false;
  #timer = 0;
  #failures = 0;
  #sentence = "";
  #signedOut = false;
  #held = new Set(); /* saves that wait for a person's decision, by save_id */

  /* `fieldsFor(entry)`: what a save asks for beside what is kept. */
  constructor(outbox, fieldsFor = () => ({})) {
    super();
    this.outbox = outbox;
    this.fieldsFor = fieldsFor;
    window.addEventListener("online", () => this.send());
    /* A sign-in or a repaired connection is often found on coming back to the tab. */
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && this.#failures) this.send();
    });
    window.addEventListener("focus", () => {
      if (this.#failures) this.send();
    });
  }

  get isFailing() {
    return this.#failures > 0;
  }

  /* Why nothing can be sent, as a sentence. */
  get trouble() {
    if (!navigator.onLine) return "You are offline.";
    if (this.#signedOut) return "You are signed out.";
    return this.#sentence || "The server does not answer.";
  }

  get isSignedOut() {
    return this.#signedOut;
  }

  get isSending() {
    return this.#sending;
  }

  /* Send what waits, now. */
  async send() {
    if (this.#sending) return;
    window.clearTimeout(this.#timer);
    this.#sending = true;
    this.#tell("change");
    try {
      let entry;
      while ((entry = this.#next())) {
        if (!(await this.#sendOne(entry))) break;
        this.#tell("change");
      }
    } finally {
      this.#sending = false;
      this.#tell("change");
    }
  }

  /* The person has decided about a save that the server did not take. */
  drop(entry) {
    this.#held.delete(entry.body.save_id);
    this.outbox.remove(entry);
    this.#tell("change");
  }

  /* ... or wants to try it once more, signed in as the right person. */
  release(entry) {
    this.#held.delete(entry.body.save_id);
    this.send();
  }

  #next() {
    return this.outbox.entries().find((entry) => !this.#held.has(entry.body.save_id));
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  async #sendOne(entry, { again = false } = {}) {
    const body = new URLSearchParams({ ...entry.body, ...this.fieldsFor(entry) });
    let answer;
    try {
      answer = await ask(entry.url, { method: "POST", body });
    } catch {
      return this.#failed(entry);
    }
    if (answer.signedOut) return this.#expired(entry);
    this.#signedOut = false;
    if (answer.status === 403 && !again) return this.#renewToken(entry);

    const fragment = parse(answer.html);
    if (answer.ok) {
      const saved = fragment.getElementById("saved");
      if (saved?.dataset.saveId !== entry.body.save_id) return this.#failed(entry);
      this.#failures = 0;
      this.outbox.remove(entry);
      this.#tell("saved", { entry, saved, fragment });
      return true;
    }
    if (answer.status === 429 || answer.status >= 500) return this.#failed(entry, answer);
    return this.#hold(entry, fragment, answer.status);
  }

  #failed(entry, { retryAfter = 0, sentence = "" } = {}) {
    const usual = RETRY_SECONDS[Math.min(this.#failures, RETRY_SECONDS.length - 1)];
    const seconds = Math.min(retryAfter, LONGEST_RETRY_SECONDS) || usual;
    this.#failures += 1;
    this.#sentence = sentence;
    this.#timer = window.setTimeout(() => this.send(), seconds * 1000);
    this.#tell("failed", { entry });
    return false;
  }

  #expired(entry) {
    this.#failures += 1;
    this.#signedOut = true;
    this.#tell("expired", { entry });
    return false;
  }

  /* 409, 422, 423, or the seat is no longer this person's: somebody has to look at it. */
  #hold(entry, fragment, status) {
    this.#failures = 0;
    this.#held.add(entry.body.save_id);
    this.#tell("held", { entry, fragment, status });
    return true;
  }

  async #renewToken(entry) {
    let answer;
    try {
      answer = await ask(entry.url);
    } catch {
      return this.#failed(entry);
    }
    if (answer.signedOut) return this.#expired(entry);
    const fragment = parse(answer.html);
    if (answer.status >= 500) return this.#failed(entry, answer);
    if (!answer.ok) return this.#hold(entry, fragment, answer.status);
    csrf.learn(fragment);
    return this.#sendOne(entry, { again: true });
  }
}
