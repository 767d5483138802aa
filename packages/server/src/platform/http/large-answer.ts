import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyReply } from "fastify";
import { type Refusal, type Result, tooMany } from "../refusal.js";
import type { AnswerBudget } from "./answer-budget.js";

/** Up to here an answer is made whole: sooner there than in pieces. */
const WHOLE_BYTES = 1_800_000;
/** What an answer in pieces holds: the rows of a piece, its bytes, and what the connection has yet to take. */
const PIECES_BYTES = 6_000_000;
/** A piece is a megabyte at most: slower than that in this time, a reader is cut off. */
const PIECE_MS = 60_000;
/** After a piece. */
const LONGEST_REST_MS = 50;
const LATER_SECONDS = 5;

/** An answer that is made as it is sent. */
export interface LargeAnswer {
  readonly chunks: AsyncIterable<Buffer>;
  /** It has no more bytes than these. */
  readonly mostBytes: number;
}

/** What is sent: the whole, or pieces as fast as they are taken, within the memory for answers. */
export const madeWithin = async (
  budget: AnswerBudget,
  reader: string,
  { chunks, mostBytes }: LargeAnswer,
  reply: FastifyReply,
): Promise<Result<Buffer | Readable>> => {
  if (reply.request.method === "HEAD") return Buffer.alloc(0);
  const isWhole = mostBytes <= WHOLE_BYTES;
  const refusal = await roomFor(budget, reader, reply, isWhole ? mostBytes : PIECES_BYTES);
  if (refusal !== null) return refusal;
  return isWhole
    ? whole(chunks)
    : Readable.from(takenInTime(chunks, reply), { objectMode: false, highWaterMark: 65_536 });
};

/** Waits for the memory of an answer, in pieces unless said, which is held until the connection is done with it. */
export const roomFor = async (
  budget: AnswerBudget,
  reader: string,
  reply: FastifyReply,
  bytes = PIECES_BYTES,
): Promise<Refusal | null> => {
  const release = await budget.take(reader, bytes);
  if (release === null) return tooMany("too many large responses are being read at once", LATER_SECONDS);
  // Nothing is sent to a client that left while it waited; its "close" has already fired.
  if (reply.raw.destroyed) release();
  else reply.raw.once("close", release);
  return null;
};

const whole = async (chunks: AsyncIterable<Buffer>): Promise<Buffer> => {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  const [first] = all;
  return all.length === 1 && first !== undefined ? first : Buffer.concat(all);
};

async function* takenInTime(chunks: AsyncIterable<Buffer>, reply: FastifyReply): AsyncGenerator<Buffer> {
  let beganMs = performance.now();
  for await (const chunk of chunks) {
    const madeMs = performance.now() - beganMs;
    const timer = setTimeout(() => reply.raw.destroy(), PIECE_MS);
    try {
      yield chunk;
    } finally {
      clearTimeout(timer);
    }
    // Half of the time belongs to everybody else, however fast the reader is.
    await sleep(Math.min(madeMs, LONGEST_REST_MS));
    beganMs = performance.now();
  }
}
