import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyReply } from "fastify";
import { type Refusal, type Result, tooMany } from "../refusal.js";
import type { AnswerBudget } from "./answer-budget.js";

/** Smaller answers are built whole, which is faster than in pieces. */
const WHOLE_BYTES = 1_800_000;
/** Memory of an answer in pieces: a piece's rows, its bytes, and what the connection has not sent yet. */
const PIECES_BYTES = 6_000_000;
/** Readers that take longer than this for a piece (1 MB at most) are cut off. */
const PIECE_MS = 60_000;
/** Longest pause after a piece. */
const LONGEST_REST_MS = 50;
const LATER_SECONDS = 5;

/** An answer that is generated while it is sent. */
export interface LargeAnswer {
  readonly chunks: AsyncIterable<Buffer>;
  /** Upper bound of its size in bytes. */
  readonly mostBytes: number;
}

/** Returns the whole answer, or pieces at the reader's pace, within the memory for answers. */
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

/** Waits for the memory of an answer (in pieces unless given), which is held until the connection is done with it. */
export const roomFor = async (
  budget: AnswerBudget,
  reader: string,
  reply: FastifyReply,
  bytes = PIECES_BYTES,
): Promise<Refusal | null> => {
  const release = await budget.take(reader, bytes);
  if (release === null) return tooMany("too many large responses are being read at once", LATER_SECONDS);
  // The client may have left while it waited; its "close" event has already fired.
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
    // Leaves half of the time to everybody else, however fast the reader is.
    await sleep(Math.min(madeMs, LONGEST_REST_MS));
    beganMs = performance.now();
  }
}
