/* Requests whose answers are fragments of pages. */

const TIMEOUT = 10_000; /* milliseconds */

export class SignedOut extends Error {}

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {boolean} ok
 * @property {boolean} signedOut The sign-in has ended.
 * @property {string} html
 * @property {number} retryAfter When a server that cannot answer now wants to be asked again, in
 *   seconds; 0 if it does not say.
 * @property {string} sentence Why it cannot answer.
 */

/** @param {string} html */
export function parse(html) {
  return new DOMParser().parseFromString(html, "text/html");
}

/* The token that forms carry; it changes when somebody signs in again in another tab. */
export const csrf = {
  token: "",
  /** @param {ParentNode} fragment */
  learn(fragment) {
    const field = fragment.querySelector("input[name=csrfmiddlewaretoken]");
    if (field) this.token = /** @type {HTMLInputElement} */ (field).value;
  },
};

/**
 * @param {string} url
 * @param {{method?: string, body?: URLSearchParams}} [options]
 * @returns {Promise<Answer>}
 */
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
