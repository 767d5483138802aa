import { promisify } from "node:util";
import { gunzip, type ZlibOptions } from "node:zlib";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { quote } from "../quote.js";
import { HttpError } from "./error-replies.js";
import type { HeldBody } from "./open-bodies.js";
import { requestValue } from "./request-value.js";

const GZIP = "gzip";

/** RFC 9110, section 12.5.3: in an answer, the encodings that requests to this resource may have. */
export const TAKES_GZIP = { "accept-encoding": GZIP };

const takesGzip = requestValue<true>();

/** Takes bodies that are compressed by gzip at the routes of `app`, and says so in each of their answers (G73). */
export const takeGzip = (app: FastifyInstance): void => {
  app.addHook("onRequest", (request, _reply, done) => {
    takesGzip.set(request, true);
    done();
  });
  app.addHook("onSend", (_request, reply, payload, done) => {
    reply.headers(TAKES_GZIP);
    done(null, payload);
  });
};

const encodingOf = ({ headers }: FastifyRequest): string => (headers["content-encoding"] ?? "identity").toLowerCase();

/** Whether the body is compressed, which only `takeGzip` lets through. */
export const isGzip = (request: FastifyRequest): boolean => encodingOf(request) === GZIP;

/** The error to answer to the encoding of a body; null if the route takes it. */
export const refusalOfEncoding = (request: FastifyRequest): HttpError | null => {
  const encoding = encodingOf(request);
  const takes = takesGzip.get(request) === true;
  if (encoding === "identity" || (encoding === GZIP && takes)) return null;
  const cure = takes
    ? "send the body uncompressed or compressed by gzip"
    : "send the body uncompressed; only uploads of telemetry may be compressed";
  return new HttpError(400, `Content-Encoding ${quote(encoding)} is not supported here: ${cure}`);
};

/** What to answer to a body that unpacks to more than its route takes. */
const unpackedTooLarge = (limitBytes: number): HttpError =>
  new HttpError(
    400,
    `the body unpacks to more than ${limitBytes} bytes, the maximum for this request; send less at a time`,
  );

/**
 * Unpacks a body of one gzip member, in one of the threads of Node. The memory it takes is counted before it is allocated, and it
 * stops at the limit: a body cannot cost more than an uncompressed one of the maximum size.
 */
export const unpacked = async (body: Buffer, limitBytes: number, held: HeldBody | null): Promise<Buffer> => {
  const roomBytes = Math.min(declaredBytes(body), MOST_RATIO * body.length, limitBytes);
  const refusal = held?.add(roomBytes) ?? null;
  held?.arrived();
  if (refusal !== null) throw refusal;
  try {
    // One piece more than is allowed shows that there is more; nothing is joined afterwards.
    const { buffer, engine } = await inflate(body, {
      chunkSize: Math.max(roomBytes + 1, LEAST_CHUNK_BYTES),
      maxOutputLength: Math.max(roomBytes, 1),
      info: true,
    });
    if (engine.bytesWritten !== body.length || buffer.length !== declaredBytes(body)) throw notOneMember;
    return buffer;
  } catch (error) {
    throw error instanceof HttpError ? error : unpackingRefused(error, roomBytes === limitBytes ? limitBytes : null);
  }
};

/** Deflate writes 258 bytes with two bits at best. */
const MOST_RATIO = 1032;
const LEAST_CHUNK_BYTES = 64;
const TRAILER_BYTES = 4;

/** The length that the last four bytes of a member declare (RFC 1952, ISIZE). */
const declaredBytes = (body: Buffer): number =>
  body.length < TRAILER_BYTES ? 0 : body.readUInt32LE(body.length - TRAILER_BYTES);

interface Inflated {
  readonly buffer: Buffer;
  /** Bytes of the body that were read. */
  readonly engine: { readonly bytesWritten: number };
}

// With `info`, Node returns both; its types do not know.
const inflate = promisify(gunzip) as unknown as (body: Buffer, options: ZlibOptions) => Promise<Inflated>;

/** @param limitBytes null: the body was stopped at the length that it declares */
const unpackingRefused = (error: unknown, limitBytes: number | null): HttpError => {
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case "ERR_BUFFER_TOO_LARGE":
      return limitBytes === null ? notOneMember : unpackedTooLarge(limitBytes);
    case "Z_BUF_ERROR":
      return new HttpError(400, "the body was cut: its gzip data has no end; compress all of it and send it again");
    case "Z_DATA_ERROR":
      return damaged;
    default:
      throw error;
  }
};

const damaged = new HttpError(
  400,
  "the body is not gzip, or was damaged: compress it again, or send it without Content-Encoding",
);

const notOneMember = new HttpError(
  400,
  "the body is not one gzip member: it was cut, or something comes after its end; compress all of it at once and add nothing",
);
