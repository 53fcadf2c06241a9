// The reader of databases: WebAssembly that answers questions, and tells which bytes it lacks. They are fetched all at
// once, and the same question is asked again.

const ROOT = new URL("../", import.meta.url);

/** A host that does not answer is asked again after these pauses, in milliseconds. */
const PAUSES = [300, 900];
/** A question that still lacks bytes after so many rounds will not be answered: best play takes one for each ply. */
const MOST_ROUNDS = 2000;

/** Ranges of one request: hosts refuse very many. */
const MOST_RANGES = 100;
/** Bytes before a part of an answer, at most. */
const LONGEST_HEAD = 1000;

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
const refused = (status, text, words, parts) => Object.assign(new Error(text), { status, words, parts });

/** How the site was written: the length of parts, if files are cut into some. */
let site;
/** The module; made anew if it breaks. */
let reader;
/** Games whose pack is on its way, ranges that are, and games whose files are to be fetched past the cache. */
const opening = new Map();
const fetching = new Map();
const afresh = new Set();
/** Whether the host sends several ranges of a file at once: most do; one that does not is asked for each. */
let several = true;
/** What this worker has fetched, for those who measure. */
const fetched = { requests: 0, bytes: 0, rounds: 0 };

async function get(path, options) {
  for (let tried = 0; ; tried += 1) {
    try {
      const response = await fetch(new URL(path, ROOT), options);
      fetched.requests += 1;
      return response;
    } catch {
      if (tried === PAUSES.length) throw refused(0, "the host does not answer", "hostOffline");
      await pause(PAUSES[tried]);
    }
  }
}

/** The bytes of an answer; a connection that breaks on the way is like none. */
async function bytesOf(response) {
  try {
    const bytes = new Uint8Array(await response.arrayBuffer());
    fetched.bytes += bytes.length;
    return bytes;
  } catch {
    throw refused(0, "the host broke off", "hostOffline");
  }
}

/** Refuses an answer that is none: busy hosts are asked again later, files that are gone are told. */
function check(response, path) {
  if (response.ok) return;
  const text = `${path}: ${response.status} ${response.statusText}`.trim();
  if (response.status === 429 || response.status >= 500) throw refused(503, text, "hostBusy", { error: text });
  throw refused(500, text, "hostLacks", { file: path });
}

async function whole(path, options) {
  const response = await get(path, options);
  check(response, path);
  return bytesOf(response);
}

async function load() {
  const [told, code] = await Promise.all([whole("site.json", { cache: "no-cache" }), whole("kanzen.wasm")]);
  site = JSON.parse(new TextDecoder().decode(told));
  const { instance } = await WebAssembly.instantiate(code, {});
  return instance.exports;
}

function start() {
  reader ??= load().catch((trouble) => {
    reader = undefined;
    throw trouble;
  });
  return reader;
}

const NONE = new Uint8Array(0);

/** Asks the module. */
function call(exports, question, bytes = NONE) {
  const text = new TextEncoder().encode(JSON.stringify(question));
  const [at, with_] = [text, bytes].map((part) => {
    const place = exports.kanzen_alloc(part.length);
    new Uint8Array(exports.memory.buffer, place, part.length).set(part);
    return place;
  });
  try {
    const told = exports.kanzen_call(at, text.length, with_, bytes.length);
    const length = new DataView(exports.memory.buffer).getUint32(told, true);
    return JSON.parse(new TextDecoder().decode(new Uint8Array(exports.memory.buffer, told + 4, length)));
  } finally {
    exports.kanzen_free(at, text.length);
    exports.kanzen_free(with_, bytes.length);
  }
}

/** The same work for whoever asks while it is being done. */
function once(shared, key, work) {
  if (!shared.has(key)) shared.set(key, work().finally(() => shared.delete(key)));
  return shared.get(key);
}

const folder = (game) => `data/${encodeURIComponent(game)}`;
const caching = (game) => (afresh.has(game) ? { cache: "reload" } : {});

/** Keeps what was fetched; what the module refuses is told like any other refusal. */
function keep(exports, question, bytes) {
  const { status, error } = call(exports, question, bytes);
  if (error) throw refused(status, error);
}

const open = (exports, game) =>
  once(opening, game, async () => {
    const pack = await whole(`${folder(game)}/open.pack`, caching(game));
    keep(exports, { ask: "open", game }, pack);
  });

/** The part of a file that a byte is in, and where it begins; the file itself if it is not cut. */
function part(file, at, size) {
  const { split } = site;
  if (!split || size <= split) return { name: file, from: 0, to: Infinity };
  const number = Math.floor(at / split);
  return { name: `${file}.${String(number).padStart(3, "0")}`, from: number * split, to: (number + 1) * split };
}

/** Some bytes of a file, from one part or several. */
async function range(game, { file, from, to }) {
  const size = site.files?.[game]?.[file] ?? 0;
  const pieces = [];
  for (let at = from; at < to; ) {
    const { name, from: begin, to: end } = part(file, at, size);
    const until = Math.min(to, end);
    pieces.push(ranged(game, name, at - begin, until - begin, file));
    at = until;
  }
  const all = await Promise.all(pieces);
  const bytes = new Uint8Array(to - from);
  let at = 0;
  for (const piece of all) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

async function ranged(game, name, from, to) {
  const path = `${folder(game)}/${name}`;
  const headers = { Range: `bytes=${from}-${to - 1}` };
  const response = await get(path, { headers, ...caching(game) });
  if (response.status === 416) throw refused(500, `${path} is cut short`, "hostCut", { file: path });
  check(response, path);
  if (response.status !== 206) {
    response.body?.cancel();
    throw refused(501, "the host does not answer Range requests", "hostNoRanges");
  }
  const bytes = await bytesOf(response);
  if (bytes.length !== to - from) throw refused(500, `${path} is cut short`, "hostCut", { file: path });
  return bytes;
}

/** The parts of an answer to several ranges: where each begins, and its bytes. */
function parts(bytes) {
  const found = [];
  for (let at = 0; ; ) {
    const head = new TextDecoder("latin1").decode(bytes.subarray(at, at + LONGEST_HEAD));
    const end = head.indexOf("\r\n\r\n");
    const [, first, last] = /content-range: *bytes (\d+)-(\d+)/i.exec(head.slice(0, Math.max(end, 0))) ?? [];
    if (first === undefined) return found;
    const [begin, from] = [at + end + 4, Number(first)];
    at = begin + Number(last) + 1 - from;
    found.push({ from, bytes: bytes.subarray(begin, at) });
  }
}

/** The bytes of several ranges of a file or of a part of one, by one request if the host can. */
async function gathered(game, name, ranges) {
  const each = () => Promise.all(ranges.map(({ from, to }) => ranged(game, name, from, to)));
  if (!several || ranges.length === 1) return each();
  const path = `${folder(game)}/${name}`;
  const headers = { Range: `bytes=${ranges.map(({ from, to }) => `${from}-${to - 1}`).join(", ")}` };
  const response = await get(path, { headers, ...caching(game) });
  if (response.status === 416) throw refused(500, `${path} is cut short`, "hostCut", { file: path });
  check(response, path);
  if (response.status !== 206 || !/^multipart\/byteranges/i.test(response.headers.get("content-type") ?? "")) {
    response.body?.cancel();
    several = false;
    return each();
  }
  const found = parts(await bytesOf(response));
  return ranges.map(({ from, to }) => {
    const holder = found.find((one) => one.from <= from && one.from + one.bytes.length >= to);
    if (!holder) throw refused(500, `${path} is cut short`, "hostCut", { file: path });
    return holder.bytes.subarray(from - holder.from, to - holder.from);
  });
}

/** Fetches what a question lacks, all at once, and what lies in one file by one request. */
async function supply(exports, game, wanted) {
  fetched.rounds += 1;
  const keyOf = ({ file, from, to }) => `${game}/${file} ${from} ${to}`;
  const groups = new Map();
  for (const one of wanted.filter((range) => !fetching.has(keyOf(range)))) {
    const { name, from: begin, to: end } = part(one.file, one.from, site.files?.[game]?.[one.file] ?? 0);
    // What lies in two parts of a file is asked for by itself.
    const key = one.to <= end ? name : keyOf(one);
    if (!groups.has(key)) groups.set(key, { name, begin, ranges: [], whole: one.to <= end });
    groups.get(key).ranges.push(one);
  }
  for (const { name, begin, ranges, whole: within } of groups.values()) {
    for (let first = 0; first < ranges.length; first += MOST_RANGES) {
      const some = ranges.slice(first, first + MOST_RANGES);
      const inside = some.map(({ from, to }) => ({ from: from - begin, to: to - begin }));
      const all = within ? gathered(game, name, inside) : Promise.all(some.map((one) => range(game, one)));
      for (const [at, one] of some.entries())
        once(fetching, keyOf(one), async () => {
          keep(exports, { ask: "keep", game, file: one.file, from: one.from }, (await all)[at]);
        });
    }
  }
  // Those that were on their way already, and those that are now.
  await Promise.all(wanted.map((one) => fetching.get(keyOf(one))));
}

async function answer(question) {
  if (question.ask === "fetched") return { ...fetched };
  const exports = await start();
  const { game } = question;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const told = call(exports, question);
    if (told.error !== undefined) {
      // Damaged on its way, or on the host: next time it is not taken from a cache.
      if (told.status === 500) afresh.add(game);
      throw refused(told.status, told.error, told.status === 500 ? "hostDamaged" : undefined, { error: told.error });
    }
    if (told.answer !== undefined) return told.answer;
    if (told.open) await open(exports, game);
    else await supply(exports, game, told.wanted);
  }
  throw refused(500, "the answer lacks bytes that were fetched");
}

onmessage = async ({ data: { id, question } }) => {
  try {
    postMessage({ id, answer: await answer(question) });
  } catch (trouble) {
    // A module that broke down is made anew; what it knew is fetched again.
    if (trouble instanceof WebAssembly.RuntimeError) reader = undefined;
    const { status = 500, message, words, parts } = trouble;
    postMessage({ id, refusal: { status, text: message, words, parts } });
  }
};
