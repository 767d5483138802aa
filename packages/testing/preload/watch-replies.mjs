import { channel } from "node:diagnostics_channel";
import zlib from "node:zlib";

/** Text that has a schema. Files, pages and XML are recorded without their bodies. */
const HAS_SCHEMA = /^(application\/json|text\/event-stream)/;

/** The documentation has JSON files that are none of the contract's replies. */
const hasSchema = (url, headers) => !url.startsWith("/docs/") && HAS_SCHEMA.test(String(headers["content-type"] ?? ""));

/** Test servers that stand in for another service, and may answer what Curtail must not. */
export const strangers = new WeakSet();

/** Header of requests whose reply is not checked, which takes long: their test measures the steps of the service. */
const UNWATCHED = "x-reply-unwatched";

/**
 * Records every reply of every HTTP server of this process before its last byte is sent; of a stream, every chunk.
 * Plain JavaScript, because services that run as processes load it too.
 */
export const watchReplies = (note) => {
  channel("http.server.request.start").subscribe(({ request, response, server }) => {
    const isWatched = !strangers.has(server) && request.headers[UNWATCHED] === undefined;
    if (isWatched) watch(request, response, note);
  });
};

const watch = ({ method, url }, response, note) => {
  const { writeHead, write, end } = response;
  const given = {};
  const chunks = [];
  const headers = () => ({ ...given, ...response.getHeaders() });
  const noteBody = (body) => note({ method, url, status: response.statusCode, headers: headers(), body });
  const take = (chunk, encoding) => {
    if (typeof chunk !== "string" && !(chunk instanceof Uint8Array)) return;
    const type = String(headers()["content-type"] ?? "");
    const bytes = Buffer.from(chunk, typeof encoding === "string" ? encoding : "utf8");
    if (type.startsWith("text/event-stream")) noteBody(bytes.toString("utf8"));
    else chunks.push(hasSchema(url, headers()) ? bytes : bytes.subarray(0, 1));
  };
  response.writeHead = (...head) => {
    for (const each of head) if (typeof each === "object") Object.assign(given, lowerCased(each));
    return writeHead.apply(response, head);
  };
  response.write = (...chunk) => {
    take(...chunk);
    return write.apply(response, chunk);
  };
  response.end = (...chunk) => {
    take(...chunk);
    noteBody(textOf(url, headers(), chunks));
    return end.apply(response, chunk);
  };
};

/** Of an object, or of a list of names and values. */
const lowerCased = (headers) => {
  const entries = Array.isArray(headers) ? pairsOf(headers) : Object.entries(headers ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
};

const pairsOf = (list) => list.flatMap((name, at) => (at % 2 === 0 ? [[name, list[at + 1]]] : []));

const textOf = (url, headers, chunks) => {
  const bytes = Buffer.concat(chunks);
  if (!hasSchema(url, headers)) return bytes.toString("latin1");
  return decoders[headers["content-encoding"] ?? "identity"](bytes).toString("utf8");
};

const decoders = {
  identity: (bytes) => bytes,
  gzip: zlib.gunzipSync,
  br: zlib.brotliDecompressSync,
  zstd: zlib.zstdDecompressSync,
};
