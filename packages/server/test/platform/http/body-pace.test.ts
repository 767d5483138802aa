import { Readable } from "node:stream";
import { setImmediate as immediately } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { BodyPace } from "../../../src/platform/http/body-pace.js";

const CHUNK_BYTES = 65_536;
const TURN_BYTES = 4 * CHUNK_BYTES;

let nextTurn: () => void;
let pace: BodyPace;
/** In the current turn. */
let takenBytes = 0;

beforeEach(() => {
  takenBytes = 0;
  pace = new BodyPace(TURN_BYTES, (next) => {
    nextTurn = next;
  });
});

/** A body with this many chunks available at once, which counts what is read. */
const flowing = (chunks: number) => {
  const body = Readable.from(
    Array.from({ length: chunks }, () => Buffer.alloc(CHUNK_BYTES)),
    { objectMode: false, highWaterMark: CHUNK_BYTES },
  );
  const seen = { bytes: 0, isEnded: false, body };
  body.on("data", (chunk: Buffer) => {
    seen.bytes += chunk.length;
    takenBytes += chunk.length;
    pace.took(body, chunk.length);
  });
  body.on("end", () => {
    seen.isEnded = true;
  });
  return seen;
};

/** Lets the streams do what they can without another turn. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await immediately();
};

test("however many send, a turn takes no more than its share, and all arrive whole", async () => {
  const bodies = Array.from({ length: 20 }, () => flowing(8));
  await settled();
  // The first chunk of each comes with the head of its request.
  expect(takenBytes).toBeLessThanOrEqual(20 * CHUNK_BYTES + TURN_BYTES);
  for (let turn = 0; turn < 200 && bodies.some(({ isEnded }) => !isEnded); turn++) {
    takenBytes = 0;
    nextTurn();
    await settled();
    // A resumed body delivers a chunk before it can be paused.
    expect(takenBytes).toBeLessThanOrEqual(2 * TURN_BYTES);
  }
  expect(bodies.map(({ bytes }) => bytes)).toEqual(bodies.map(() => 8 * CHUNK_BYTES));
});

test("who waits longest goes on first", async () => {
  const greedy = flowing(100);
  const modest = flowing(8);
  await settled();
  for (let turn = 0; turn < 8; turn++) {
    nextTurn();
    await settled();
  }
  expect(modest.isEnded).toBe(true);
  expect(greedy.isEnded).toBe(false);
});

test("a body that is no longer needed is not resumed", async () => {
  const body = flowing(20);
  await settled();
  const before = body.bytes;
  expect(body.body.isPaused()).toBe(true);
  pace.leave(body.body);
  nextTurn();
  await settled();
  expect(body.bytes).toBe(before);
});

test("a body that comes while others use all of the turn is not read before the next turn", async () => {
  for (let index = 0; index < 6; index++) flowing(2);
  await settled();
  const late = flowing(1);
  late.body.pause();
  pace.enter(late.body);
  await settled();
  expect(late.bytes).toBe(0);
  for (let turn = 0; turn < 6; turn++) {
    nextTurn();
    await settled();
  }
  expect(late.isEnded).toBe(true);
});

test("a body that comes alone is read at once", async () => {
  const body = flowing(1);
  body.body.pause();
  pace.enter(body.body);
  await settled();
  expect(body.isEnded).toBe(true);
});
