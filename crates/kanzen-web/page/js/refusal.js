// Why a question was not answered, whoever was asked: a server, or the files of a host.

export class Refusal extends Error {
  /**
   * `status` is that of the HTTP API, 0 if nobody answered at all; `text` says what is the matter. `words` names a
   * phrase of the page that says it instead, where the page knows better than whoever was asked.
   */
  constructor(status, text, { wait, words, parts } = {}) {
    super(text);
    Object.assign(this, { status, wait, words, parts });
  }

  /** Whether the same question may be answered later: hosts of files are mended without a word. */
  get passing() {
    return this.status === 0 || this.status === 503 || Boolean(this.words?.startsWith("host"));
  }
}
