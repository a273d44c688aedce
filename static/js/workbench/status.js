/* What the person is told: the status line, the banner, the line in the dock. */

const SLOW = 300; /* milliseconds after which a save under way is shown as such */
const ICONS = {
  saved: "circle-check",
  saving: "loader-circle",
  pending: "loader-circle",
  offline: "cloud-off",
  error: "cloud-off",
};

export class Status {
  #slow = 0;

  constructor(outbox, sender) {
    this.outbox = outbox;
    this.sender = sender;
    this.line = document.getElementById("sync");
    this.banner = document.getElementById("unsent");
    this.text = document.getElementById("unsent-text");
    for (const name of ["online", "offline", "storage"]) {
      window.addEventListener(name, () => this.refresh());
    }
    sender.addEventListener("change", () => this.refresh());
    sender.addEventListener("failed", () => this.refresh());
    this.refresh();
  }

  refresh() {
    const waiting = this.outbox.size;
    const unreachable = this.sender.isFailing || !navigator.onLine;
    if (waiting === 0) {
      if (navigator.onLine) this.#show("saved", "All saved");
      else this.#show("offline", "Offline");
    } else if (unreachable || !this.sender.isSending) {
      this.#show(navigator.onLine ? "error" : "offline", `${waiting} to send`);
    } else if (!["saving", "pending"].includes(this.line.dataset.state)) {
      /* Not "All saved" any more, and not yet worth a word. */
      this.#show("pending", "");
      this.#slow = window.setTimeout(() => this.#show("saving", "Saving…"), SLOW);
    }
    this.#warn(waiting, unreachable);
  }

  #show(state, text) {
    window.clearTimeout(this.#slow);
    const use = this.line.querySelector("use");
    use.setAttribute("href", use.getAttribute("href").replace(/#.*/, `#${ICONS[state]}`));
    this.line.dataset.state = state;
    this.line.querySelector("span").textContent = text;
  }

  #warn(waiting, unreachable) {
    const shown = waiting > 0 && unreachable;
    const ratings = waiting === 1 ? "1 rating is" : `${waiting} ratings are`;
    const sentence = shown
      ? `${this.sender.trouble} ${ratings} kept on this device until sent.`
      : "";
    if (this.text.textContent !== sentence) this.text.textContent = sentence;
    this.banner.hidden = !shown;
  }
}

const mid = () => document.getElementById("mid");

/* A line in the dock: text, and parts in bold or as keys, `["Pair 38: ", { b: "2 · Similar" }]`. */
export function tell(...parts) {
  const line = document.createElement("span");
  for (const part of parts) {
    if (typeof part === "string") {
      line.append(part);
      continue;
    }
    const [tag, text] = Object.entries(part)[0];
    const element = document.createElement(tag);
    if (tag === "kbd") element.className = "k";
    element.textContent = text;
    line.append(element);
  }
  mid().replaceChildren(line);
}
