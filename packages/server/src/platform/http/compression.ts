import { pipeline, Readable, type Transform } from "node:stream";
import { promisify } from "node:util";
import zlib from "node:zlib";
import type { FastifyInstance } from "fastify";

/** Compressing smaller answers does not pay off. */
export const LEAST_COMPRESSED_BYTES = 16_384;
const COMPRESSIBLE = /^(application\/json|text\/csv)/;

interface Encoding {
  readonly whole: (body: Buffer) => Promise<Buffer>;
  readonly stream: () => Transform;
}

// The lowest level shrinks readings to a tenth; higher ones take several times as long.
const gzip: Encoding = {
  whole: (body) => promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gzip)(body, { level: 1 }),
  stream: () => zlib.createGzip({ level: 1 }),
};

// Of the levels that take no longer than gzip, the one that shrinks readings most. A window of 256 kB bounds the memory of a stream.
const brotliOptions: zlib.BrotliOptions = {
  params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1, [zlib.constants.BROTLI_PARAM_LGWIN]: 18 },
};

const brotli: Encoding = {
  whole: (body) => promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliCompress)(body, brotliOptions),
  stream: () => zlib.createBrotliCompress(brotliOptions),
};

/** Only in newer versions of Node. */
interface Zstd {
  readonly zstdCompress?: (body: Buffer, done: (error: Error | null, result: Buffer) => void) => void;
  readonly createZstdCompress?: () => Transform;
}

const { zstdCompress, createZstdCompress } = zlib as Zstd;

/** The best first: it is taken if a client wants several as much. */
const encodings: ReadonlyMap<string, Encoding> = new Map([
  ...(zstdCompress !== undefined && createZstdCompress !== undefined
    ? [["zstd", { whole: promisify(zstdCompress), stream: createZstdCompress }] as const]
    : []),
  ["br", brotli] as const,
  ["gzip", gzip] as const,
]);

/** Compresses large answers for clients that accept it. */
export const compressAnswers = (app: FastifyInstance): void => {
  app.addHook("onSend", async (request, reply, payload) => {
    const type = reply.getHeader("content-type");
    if (typeof type !== "string" || !COMPRESSIBLE.test(type) || reply.hasHeader("content-encoding")) return payload;
    const isStream = payload instanceof Readable;
    if (!isStream && !isLarge(payload)) return payload;
    const vary = reply.getHeader("vary");
    reply.header("vary", vary === undefined ? "accept-encoding" : `${String(vary)}, accept-encoding`);
    const name = chosenEncoding(request.headers["accept-encoding"]);
    const encoding = name === null ? undefined : encodings.get(name);
    if (encoding === undefined || request.method === "HEAD") return payload;
    reply.header("content-encoding", name);
    reply.removeHeader("content-length");
    if (!isStream) return encoding.whole(typeof payload === "string" ? Buffer.from(payload) : payload);
    // A failure of either stream ends both, and with them the connection.
    return pipeline(payload, encoding.stream(), () => {});
  });
};

const isLarge = (payload: unknown): payload is string | Buffer =>
  (typeof payload === "string" || Buffer.isBuffer(payload)) && payload.length >= LEAST_COMPRESSED_BYTES;

/** The client's preferred encoding among ours; null for none. */
export const chosenEncoding = (accepted: string | undefined): string | null => {
  if (accepted === undefined) return null;
  const weights = new Map(accepted.split(",").map(weighted));
  let best: string | null = null;
  for (const name of encodings.keys())
    if ((weights.get(name) ?? 0) > (best === null ? 0 : (weights.get(best) ?? 0))) best = name;
  return best;
};

const weighted = (part: string): readonly [name: string, weight: number] => {
  const [name = "", ...parameters] = part.split(";").map((each) => each.trim().toLowerCase());
  const q = parameters.find((each) => each.startsWith("q="));
  const weight = q === undefined ? 1 : Number(q.slice(2));
  return [name, Number.isNaN(weight) ? 0 : weight];
};
