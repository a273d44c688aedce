/* What app.js leaves for the scripts of single pages. */
interface Window {
  facetwise: {
    csrfToken(): string;
    openDialog(id: string): void;
    /** Said once, politely, to screen readers. */
    say(sentence: string): void;
    /** A setting of how pages look, on this page at once and in the account. */
    setDisplay(key: string, value: string, isDefault: boolean): void;
    /** Milliseconds in which a form that was sent is not sent again. */
    SENDING: number;
  };
}

/* What a selector finds on our pages is HTML unless a script says otherwise. */
interface ParentNode {
  querySelector<E extends Element = HTMLElement>(selectors: string): E | null;
  querySelectorAll<E extends Element = HTMLElement>(selectors: string): NodeListOf<E>;
}
interface Element {
  closest<E extends Element = HTMLElement>(selectors: string): E | null;
}

/* The events of htmx. */
interface DocumentEventMap {
  "htmx:confirm": CustomEvent;
  "htmx:beforeSend": CustomEvent;
  "htmx:beforeSwap": CustomEvent;
  "htmx:afterSwap": CustomEvent;
  "htmx:historyCacheMiss": CustomEvent;
  "htmx:afterSettle": CustomEvent;
  "htmx:responseError": CustomEvent;
}
