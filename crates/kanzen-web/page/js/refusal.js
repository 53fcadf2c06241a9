// The error of a failed query to a server or to the files of a static site.

export class Refusal extends Error {
  /**
   * `status` is that of the HTTP API, or 0 without a response; `text` is the message. `words` is the key of a phrase
   * of the page that replaces the message.
   */
  constructor(status, text, { wait, words, parts, code } = {}) {
    super(text);
    Object.assign(this, { status, wait, words, parts, code });
  }

  /** Whether a retry may succeed. Errors of a static host count, since it may be repaired at any time. */
  get passing() {
    return this.status === 0 || this.status === 503 || Boolean(this.words?.startsWith("host"));
  }
}
