import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { openSpool } from "@curtail/spool";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { begin, linesOf, looksLikeLines, untilAborted, wholeOf } from "../src/participant/input.js";
import { keepInput, keptInputs, readInput } from "../src/participant/kept-input.js";
import { appendAll } from "../src/participant/reading-spool.js";

const MEBIBYTE = 1024 * 1024;

async function* piecesOf(...pieces: ReadonlyArray<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield typeof piece === "string" ? new TextEncoder().encode(piece) : piece;
}

const collected = async (input: AsyncIterable<Uint8Array>): Promise<readonly string[]> => {
  const lines: string[] = [];
  for await (const some of linesOf(input)) lines.push(...some);
  return lines;
};

const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "curtail-input-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
};

describe("lines of an input", () => {
  test("are the same, wherever its pieces end", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: "grapheme" })), fc.array(fc.nat()), async (texts, cuts) => {
        const bytes = new TextEncoder().encode(texts.join("\n"));
        const places = cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b);
        const pieces = [0, ...places].map((from, at) => bytes.subarray(from, places[at] ?? bytes.length));
        const whole = texts.join("\n").replace(/^\uFEFF/, "");
        const expected = whole.split("\n").flatMap((line) => line.trim() || []);
        expect(await collected(piecesOf(...pieces))).toEqual(expected);
      }),
    );
  });

  test("have no carriage returns, and none is blank", async () => {
    expect(await collected(piecesOf('{"a":1}\r\n\r\n  \n{"b', '":2}'))).toEqual(['{"a":1}', '{"b":2}']);
  });

  test("are whole up to the longest record of a spool; of a longer one, its beginning is left", async () => {
    const [longest, tooLong] = ["x".repeat(MEBIBYTE), "é".repeat(MEBIBYTE / 2 + 1)];
    const endless = Array.from({ length: 40 }, () => "y".repeat(100_000));
    const lines = await collected(piecesOf(longest, "\n", tooLong, "\n", ...endless, "\nlast"));
    expect(lines.map(({ length }) => length)).toEqual([MEBIBYTE, 1000, 1000, 4]);
    expect(lines.map((line) => line[0])).toEqual(["x", "é", "y", "l"]);
  });
});

describe("an input", () => {
  test("is looked at and still has its beginning", async () => {
    const input = await begin(piecesOf("\uFEFF \n", "", ' {"a"', ":1}\n", "rest"), () => {});
    expect(input.isLines).toBe(true);
    expect(Buffer.from(await wholeOf(input.all)).toString()).toBe('\uFEFF \n {"a":1}\nrest');
  });

  test("that is empty has no beginning", async () => {
    expect(await begin(piecesOf(), () => {})).toMatchObject({ isEmpty: true });
    expect(await begin(piecesOf(" \n"), () => {})).toMatchObject({ isEmpty: true });
  });

  test("is in doubt from its first line that is no reading until another one decides", async () => {
    let doubts = 0;
    const source = piecesOf("meter reader 1.2\n", "listening\n", '{"a":1}\n', "never read");
    expect(await begin(source, () => void (doubts += 1))).toMatchObject({ isLines: true });
    expect(doubts).toBe(2);
  });

  test.for([
    ["a reading in the second line", 'starting\n{"a":1}\n', false, true],
    ["a reading whose line has not ended", 'starting\n{"a":1', false, null],
    ["a first line that is not whole", '{"a"', false, true],
    ["a brace that begins no object", "starting\n{no\n", false, null],
    ["the same at its end", "starting\n{no\n", true, false],
    ["a table", "timestamp,kW\n2026-07-01T00:00:00Z,1\n", true, false],
    ["a hundred lines without a reading", "line\n".repeat(101), false, false],
    ["XML", "<?xml", false, false],
  ] as const)("with %s", ([, text, isOver, isLines]) => {
    expect(looksLikeLines(text, isOver)).toBe(isLines);
  });

  test("ends when it is aborted, though nothing comes", async () => {
    const stopping = new AbortController();
    const source = new PassThrough();
    source.write("first");
    const read: string[] = [];
    const reading = (async () => {
      for await (const chunk of untilAborted<Buffer>(source, stopping.signal)) {
        read.push(chunk.toString());
        setImmediate(() => stopping.abort(new Error("stopped")));
      }
    })();
    await expect(reading).rejects.toThrow("stopped");
    expect(read).toEqual(["first"]);
  });
});

test("an input is kept whole, in order, and what a crash left half written is removed", async () => {
  const folder = join(await temporaryFolder(), "inputs");
  const options = { meter: ["mtr_1"], timezone: "+10:00" };
  for (const [hour, text] of [
    ["09", "first"],
    ["10", "second"],
  ] as const)
    await keepInput(folder, { content: Buffer.from(text), options, now: new Date(`2026-07-01T${hour}:00:00Z`) });
  await mkdir(join(folder, "2026-07-01T080000.000Z-0.unfinished"));
  await writeFile(join(folder, "2026-07-01T080000.000Z-0.unfinished", "content"), "ha");
  const inputs = await Promise.all((await keptInputs(folder)).map(readInput));
  expect(inputs.map(({ content }) => Buffer.from(content).toString())).toEqual(["first", "second"]);
  expect(inputs[0]?.options).toEqual(options);
  expect(await readdir(folder)).toHaveLength(2);
});

test("records wait for room in a spool that is full, and keep their order", async () => {
  const spool = await openSpool(await temporaryFolder(), { maxBytes: 500, whenFull: "refuse" });
  onTestFinished(() => spool.close());
  const sent: string[] = [];
  const records = Array.from({ length: 20 }, (_, at) => `${at}`.padEnd(60));
  const sendSome = async () => {
    const some = await spool.take(3);
    sent.push(...some.map(({ payload }) => Buffer.from(payload).toString()));
    await spool.retire(some.at(-1)?.position ?? -1);
  };
  const first: number[] = [];
  await appendAll(spool, records, { waitForRoom: sendSome, onFirst: (position) => void first.push(position) });
  expect(first).toEqual([0]);
  while (spool.state.waiting > 0) await sendSome();
  expect(sent).toEqual(records);
});
