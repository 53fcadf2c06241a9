// A static file server with range requests, and simulated host failures.

import { closeSync, createReadStream, openSync, readFileSync, readSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";

const KINDS = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

const BOUNDARY = "between-the-ranges";

/** Parses the ranges of a request that lie in the file, as first and last byte. */
function severalRanges(header, size) {
  const listed = /^bytes=([\d\s,-]+)$/.exec(header ?? "")?.[1].split(",") ?? [];
  const ranges = listed.map((text) => text.trim().split("-").map(Number));
  return ranges.filter(([first]) => first < size).map(([first, last]) => [first, Math.min(last, size - 1)]);
}

/** Builds a multipart body; with `flip`, inverts one bit of each part. */
function multipart(file, ranges, size, flip) {
  const opened = openSync(file);
  const pieces = ranges.flatMap(([first, last]) => {
    const bytes = Buffer.alloc(last + 1 - first);
    readSync(opened, bytes, 0, bytes.length, first);
    if (flip) bytes[bytes.length >> 1] ^= 16;
    return [
      Buffer.from(`\r\n--${BOUNDARY}\r\nContent-Type: application/octet-stream\r\n`),
      Buffer.from(`Content-Range: bytes ${first}-${last}/${size}\r\n\r\n`),
      bytes,
    ];
  });
  closeSync(opened);
  return Buffer.concat([...pieces, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}

/**
 * Serves a folder below `/anywhere/`, so that nothing may rely on being at the top. What is wrong with the host can be
 * changed while it runs: `ranges: false`, `several: false` (one range at a time), `cut` and `flip` (parts of names),
 * `down: true`, `busy: true`.
 */
export async function serveFolder(folder) {
  const host = { ranges: true, several: true, cut: undefined, flip: undefined, down: false, busy: false };
  /** Counters of requests: all, and those for databases. */
  const seen = { requests: 0, bytes: 0, data: 0, ranges: 0 };
  const server = createServer((request, response) => {
    if (host.down) return request.socket.destroy();
    const path = decodeURIComponent(new URL(request.url, "http://host").pathname);
    const inside = normalize(path.replace(/^\/anywhere\//, "/"));
    const file = join(folder, inside.endsWith(sep) ? `${inside}index.html` : inside);
    let size;
    try {
      if (!path.startsWith("/anywhere/")) throw new Error("elsewhere");
      size = statSync(file).size;
    } catch {
      response.writeHead(404).end();
      return undefined;
    }
    const data = inside.includes(`${sep}data${sep}`);
    if (data && host.busy) return response.writeHead(503).end();
    if (host.cut && inside.includes(host.cut)) size = Math.floor(size / 2);
    const headers = { "content-type": KINDS[extname(file)] ?? "application/octet-stream", "cache-control": "no-store" };
    const ranges = severalRanges(request.headers.range, size);
    if (host.ranges && ranges.length > 1) {
      // A host without multi-range support sends the whole file.
      if (!host.several) return response.writeHead(200, { ...headers, "content-length": size }).end(readFileSync(file));
      const body = multipart(file, ranges, size, host.flip && inside.includes(host.flip));
      seen.requests += 1;
      seen.bytes += body.length;
      seen.data += body.length;
      seen.ranges += 1;
      headers["content-type"] = `multipart/byteranges; boundary=${BOUNDARY}`;
      return response.writeHead(206, { ...headers, "content-length": body.length }).end(body);
    }
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    const ranged = host.ranges && first !== undefined;
    const [from, to] = ranged ? [Number(first), Math.min(Number(last) + 1, size)] : [0, size];
    if (from >= to && ranged) return response.writeHead(416, { "content-range": `bytes */${size}` }).end();
    headers["content-length"] = to - from;
    if (ranged) headers["content-range"] = `bytes ${from}-${to - 1}/${size}`;
    seen.requests += 1;
    seen.bytes += to - from;
    if (data) seen.data += to - from;
    if (data && ranged) seen.ranges += 1;
    response.writeHead(ranged ? 206 : 200, headers);
    if (host.flip && inside.includes(host.flip)) {
      const bytes = Buffer.from(readFileSync(file).subarray(from, to));
      bytes[bytes.length >> 1] ^= 16;
      return response.end(bytes);
    }
    if (to === from) return response.end();
    return createReadStream(file, { start: from, end: to - 1 }).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${server.address().port}/anywhere/`;
  return { address, host, seen, close: () => (server.closeAllConnections(), server.close()) };
}
