import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { Tally } from "../tally.js";
import { BodyPace } from "./body-pace.js";
import { placeOf } from "./client-place.js";

/** How much of a refused body is still read. */
const MOST_BYTES = 16 * 1024 * 1024;
const LEAST_MS = 5000;
const SPREAD_MS = 4000;
/**
 * Some 5 MB a second for all of them: a single body is read to its end, and the senders of hundreds wait instead of
 * retrying immediately. Each chunk is a new buffer: at 50 MB a second, collecting them took a sixth of the time.
 */
const pace = new BodyPace(65_536, (next) => setTimeout(next, 20));

/**
 * Refuses at once, reads on for a moment, then closes the connection. Closing at once would reset it while the client
 * still writes: many clients then report a broken pipe and never read the answer. A sender of very many has them closed
 * at once: 750 a second that stay open for seconds took 600 MB.
 */
export const readOnAfterRefusal = (app: FastifyInstance): void => {
  const budget = new ReadOnBudget();
  app.addHook("onSend", (request, reply, payload, done) => {
    if (request.raw.complete || !isText(payload)) {
      done(null, payload);
      return;
    }
    reply.header("connection", "close").header("content-length", Buffer.byteLength(payload));
    const release = budget.take(placeOf(request.ip));
    if (release === null) {
      done(null, payload);
      return;
    }
    reply.raw.once("close", release);
    done(null, Readable.from(answerThenReadOn(payload, request.raw), { objectMode: false }));
  });
};

/** Nothing without a body is sent while its request is still arriving; the body of a redirect is empty. */
const isText = (payload: unknown): payload is string | Buffer =>
  typeof payload === "string" || Buffer.isBuffer(payload);

async function* answerThenReadOn(payload: string | Buffer, request: IncomingMessage) {
  if (payload.length > 0) yield payload;
  await readOn(request);
}

const readOn = (request: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    let bytes = 0;
    // Senders that were refused together do not come back together.
    const timer = setTimeout(() => end(), LEAST_MS + Math.random() * SPREAD_MS);
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) end();
      else pace.took(request, chunk.length);
    };
    const end = (): void => {
      clearTimeout(timer);
      pace.leave(request);
      request.off("data", onData).off("end", end).off("close", end).off("error", end).pause();
      resolve();
    };
    request.pause().on("data", onData).on("end", end).on("close", end).on("error", end);
    pace.enter(request);
  });

/** Refused bodies of one address that are read on at a time, and of all addresses. */
const MOST_OF_ADDRESS = 16;
const MOST = 128;

/** Limits connections that stay open only because a refused body still arrives: each takes some 100 KB. */
export class ReadOnBudget {
  private readonly ofAddress = new Tally();
  private count = 0;

  /** Call the result when the body is no longer read; null: close the connection with the answer. */
  take(address: string): (() => void) | null {
    if (this.ofAddress.of(address) === MOST_OF_ADDRESS || this.count === MOST) return null;
    this.add(address, 1);
    return () => this.add(address, -1);
  }

  private add(address: string, count: 1 | -1): void {
    this.ofAddress.add(address, count);
    this.count += count;
  }
}
