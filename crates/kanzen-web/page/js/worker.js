// Web worker of a static site: runs the WebAssembly reader and fetches the byte ranges that it reports as missing,
// all concurrently, then repeats the question.

const ROOT = new URL("../", import.meta.url);

/** Retry delays, in milliseconds. */
const PAUSES = [300, 900];
/** Maximum number of rounds per question. Best play takes one round per ply. */
const MOST_ROUNDS = 2000;

/** Maximum number of ranges per request: hosts limit it. */
const MOST_RANGES = 100;
/** Maximum size of a part header in a multipart response. */
const LONGEST_HEAD = 1000;

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
const refused = (status, text, words, parts) => Object.assign(new Error(text), { status, words, parts });

/** The site description, with the part length of split files. */
let site;
/** The WebAssembly instance, recreated after a panic. */
let reader;
/** Pending packs, pending ranges, and games whose files must bypass the cache. */
const opening = new Map();
const fetching = new Map();
const afresh = new Set();
/** Whether the host supports multi-range requests. If not, each range is a separate request. */
let several = true;
/** Fetch statistics, for measurements. */
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

/** Reads the bytes of a response. A broken connection counts as no response. */
async function bytesOf(response) {
  try {
    const bytes = new Uint8Array(await response.arrayBuffer());
    fetched.bytes += bytes.length;
    return bytes;
  } catch {
    throw refused(0, "the host broke off", "hostOffline");
  }
}

/** Throws on an error response: temporary for a busy host, permanent for a missing file. */
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
  const [description, code] = await Promise.all([whole("site.json", { cache: "no-cache" }), whole("kanzen.wasm")]);
  site = JSON.parse(new TextDecoder().decode(description));
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

/** Calls the WebAssembly module. */
function call(exports, question, bytes = NONE) {
  const text = new TextEncoder().encode(JSON.stringify(question));
  const [at, with_] = [text, bytes].map((part) => {
    const place = exports.kanzen_alloc(part.length);
    new Uint8Array(exports.memory.buffer, place, part.length).set(part);
    return place;
  });
  try {
    const answer = exports.kanzen_call(at, text.length, with_, bytes.length);
    const length = new DataView(exports.memory.buffer).getUint32(answer, true);
    return JSON.parse(new TextDecoder().decode(new Uint8Array(exports.memory.buffer, answer + 4, length)));
  } finally {
    exports.kanzen_free(at, text.length);
    exports.kanzen_free(with_, bytes.length);
  }
}

/** Deduplicates concurrent work by key. */
function once(shared, key, work) {
  if (!shared.has(key)) shared.set(key, work().finally(() => shared.delete(key)));
  return shared.get(key);
}

const folder = (game) => `data/${encodeURIComponent(game)}`;
const caching = (game) => (afresh.has(game) ? { cache: "reload" } : {});

/** Passes fetched bytes to the module and throws its errors. */
function keep(exports, question, bytes) {
  const { status, error } = call(exports, question, bytes);
  if (error) throw refused(status, error);
}

const open = (exports, game) =>
  once(opening, game, async () => {
    const pack = await whole(`${folder(game)}/open.pack`, caching(game));
    keep(exports, { ask: "open", game }, pack);
  });

/** Returns the part of a split file that contains a byte, and its offset; the file itself if it is not split. */
function part(file, at, size) {
  const { split } = site;
  if (!split || size <= split) return { name: file, from: 0, to: Infinity };
  const number = Math.floor(at / split);
  return { name: `${file}.${String(number).padStart(3, "0")}`, from: number * split, to: (number + 1) * split };
}

/** Fetches a range of a file, from one part or several. */
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

/** Parses a multipart response: the offset and the bytes of each part. */
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

/** Fetches several ranges of a file or part, in one request if the host supports it. */
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

/** Fetches all missing ranges concurrently, with one request per file. */
async function supply(exports, game, wanted) {
  fetched.rounds += 1;
  const keyOf = ({ file, from, to }) => `${game}/${file} ${from} ${to}`;
  const groups = new Map();
  for (const one of wanted.filter((range) => !fetching.has(keyOf(range)))) {
    const { name, from: begin, to: end } = part(one.file, one.from, site.files?.[game]?.[one.file] ?? 0);
    // A range across two parts needs separate requests.
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
  // Pending ranges, old and new.
  await Promise.all(wanted.map((one) => fetching.get(keyOf(one))));
}

async function answer(question) {
  if (question.ask === "fetched") return { ...fetched };
  const exports = await start();
  const { game } = question;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const result = call(exports, question);
    if (result.error !== undefined) {
      // Damaged in transit or on the host: bypass the cache next time.
      if (result.status === 500) afresh.add(game);
      throw refused(result.status, result.error, result.status === 500 ? "hostDamaged" : undefined, { error: result.error });
    }
    if (result.answer !== undefined) return result.answer;
    if (result.open) await open(exports, game);
    else await supply(exports, game, result.wanted);
  }
  throw refused(500, "the answer lacks bytes that were fetched");
}

onmessage = async ({ data: { id, question } }) => {
  try {
    postMessage({ id, answer: await answer(question) });
  } catch (trouble) {
    // Recreates a panicked module; its data is fetched again.
    if (trouble instanceof WebAssembly.RuntimeError) reader = undefined;
    const { status = 500, message, words, parts } = trouble;
    postMessage({ id, refusal: { status, text: message, words, parts } });
  }
};
