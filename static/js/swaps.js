/* The parts of pages that htmx changes, on any line. */

/* --- answers in the order of the questions: a newer question about a part gives up the older one.
   htmx would let it wait, and forget it where the older answer takes away what asked. --- */
/** @type {Map<string, XMLHttpRequest>} The latest of each part, by the part's id. */
const questions = new Map();
/** @param {XMLHttpRequest} [xhr] */
const giveUp = (xhr) => {
  if (xhr && xhr.readyState !== XMLHttpRequest.DONE) xhr.abort();
};
document.addEventListener("htmx:confirm", (event) => {
  const { verb, target } = event.detail;
  if (verb === "get") giveUp(questions.get(target.id));
});
document.addEventListener("htmx:beforeSend", (event) => {
  const { detail } = event;
  const { xhr, requestConfig, target } = detail;
  if (!target.id) return;
  if (requestConfig.verb === "get") {
    questions.set(target.id, xhr);
    return;
  }
  /* A change is never given up. If another answer has replaced its part, its own goes there too. */
  xhr.addEventListener("readystatechange", () => {
    if (xhr.readyState !== XMLHttpRequest.DONE || target.isConnected) return;
    detail.target = document.getElementById(target.id) ?? target;
  });
});
/* Whoever goes back wants none of them any more. The page that comes back is the question about "",
   which any link or form without a part of its own gives up. */
document.addEventListener("htmx:historyCacheMiss", (event) => {
  for (const xhr of questions.values()) giveUp(xhr);
  questions.clear();
  questions.set("", event.detail.xhr);
});

/* --- an answer that refuses with a fragment is shown where the fragment goes; a sentence, a whole
   error page, a server error or silence is told in a banner instead --- */
/** @param {XMLHttpRequest} xhr */
const isSentence = (xhr) => xhr.getResponseHeader("Content-Type")?.startsWith("text/plain");
document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr } = event.detail;
  const refused = [409, 422, 423, 429].includes(xhr.status);
  const isFragment = !isSentence(xhr) && !/^\s*<!doctype/i.test(xhr.responseText);
  if (refused && xhr.responseText && isFragment) {
    event.detail.shouldSwap = true;
    event.detail.isError = false;
  }
});
/** @param {string} sentence */
const trouble = (sentence) => {
  const banner = document.getElementById("trouble");
  if (!banner) return;
  banner.hidden = false;
  banner.querySelector("span").textContent = sentence;
};
document.addEventListener("htmx:responseError", (event) => {
  const { xhr } = event.detail;
  if (isSentence(xhr)) {
    const next = xhr.status === 503 ? "Try again in a few seconds." : "Reload the page.";
    trouble(`${xhr.responseText} ${next}`);
    return;
  }
  trouble(
    xhr.status === 403
      ? "You are not allowed to do that. Reload the page to see what has changed."
      : "That did not work. Reload the page and try again.",
  );
});
for (const name of ["htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(name, () =>
    trouble("The server did not answer. Check your connection and try again."),
  );
}

/* --- whose control went with the part that was replaced goes on in what took its place; parts that
   ask by themselves, as for the progress of a job, draw nobody in --- */
let left = "";
document.addEventListener("htmx:beforeSwap", (event) => {
  const { target, requestConfig } = event.detail;
  const isInside = requestConfig.elt !== target && target.contains(document.activeElement);
  left = isInside ? target.id : "";
});
document.addEventListener("htmx:afterSwap", () => {
  const part = left && document.activeElement === document.body && document.getElementById(left);
  if (!part) return;
  part.tabIndex = -1;
  part.focus({ preventScroll: true });
});
