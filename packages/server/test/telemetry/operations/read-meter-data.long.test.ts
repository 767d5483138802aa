import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readdirSync, readFileSync } from "node:fs";
import { hostileCsv, hostileXml } from "@curtail/testing/hostile-files";
import { expect, test } from "vitest";
import { readMeterDataFiles } from "../../../src/app/wire/meter-data-thread.js";
import { isRefusal } from "../../../src/platform/refusal.js";
import { importTurns } from "../../../src/telemetry/http/meter-data.js";

const BYTES = 4_000_000;
const fileOf = (name: string, signal = new AbortController().signal) => {
  const text = [...hostileCsv, ...hostileXml].find((file) => file.name === name)?.text(BYTES) ?? "";
  return { pieces: [Buffer.from(text)], options: {}, signal };
};
const messages = ({ faults }: { readonly faults: ReadonlyArray<{ readonly message: string }> }) =>
  faults.map(({ message }) => message);

test("a file that takes more processor time than the budget has a fault that says so, and the next is read", async () => {
  const read = readMeterDataFiles({ cpuMs: 1, heapMb: 256 });
  expect(messages(await read(fileOf("lines in any order")))).toEqual([
    expect.stringMatching(/^reading the file takes more than 0.001 s/),
  ]);
  const next = readMeterDataFiles();
  expect(await next(fileOf("many lines"))).toMatchObject({ faultCount: 0 });
});

test("a file that takes more memory than the budget has a fault that says so", async () => {
  const read = readMeterDataFiles({ cpuMs: 20_000, heapMb: 16 });
  expect(messages(await read(fileOf("many meter readings")))).toEqual([
    expect.stringMatching(/more than 16 MB of memory/),
  ]);
});

test("the reading of a file ends with its request, also while it waits for its turn", async () => {
  const read = readMeterDataFiles();
  const leaving = new AbortController();
  const all = Array.from({ length: 4 }, () => read(fileOf("lines in any order", leaving.signal)));
  leaving.abort(new Error("left"));
  const ends = await Promise.allSettled(all);
  expect(ends).toEqual(all.map(() => ({ status: "rejected", reason: expect.objectContaining({ message: "left" }) })));
  expect(await read(fileOf("many lines"))).toMatchObject({ faultCount: 0 });
});

const SHORT = "startTime,kW\n2026-01-01T00:00Z,1\n2026-01-01T01:00Z,2\n";
const shortFile = (options = {}) => ({ pieces: [Buffer.from(SHORT)], options, signal: new AbortController().signal });

test("short files are read in one thread, each with its own options, and a long one in a thread that ends with it", async () => {
  const read = readMeterDataFiles();
  await read(fileOf("many lines"));
  const started = await threadsStartedBy(async () => {
    const first = await read(shortFile({ timezone: "Europe/Berlin" }));
    expect(first).toMatchObject({ faultCount: 0, series: [expect.anything()] });
    expect(await read(shortFile({ timezone: "no/such zone" }))).toMatchObject({ faultCount: 1, series: [] });
    expect(await read(shortFile({ timezone: "Europe/Berlin" }))).toEqual(first);
  });
  expect(started).toBe(1);
});

const threadsStartedBy = async (work: () => Promise<void>): Promise<number> => {
  let count = 0;
  const note = (): void => void (count += 1);
  subscribe("worker_threads", note);
  await work();
  unsubscribe("worker_threads", note);
  return count;
};

test("an account's imports wait for each other, and another account's for none of them", async () => {
  const turns = importTurns();
  const events: string[] = [];
  const imported = async (within: string, name: string, work: Promise<void>) =>
    turns.run(within, async () => {
      events.push(`${name} begins`);
      await work;
      return name;
    });
  let finish: (() => void) | undefined;
  const first = imported("acc_1", "first", new Promise((resolve) => (finish = resolve)));
  const second = imported("acc_1", "second", Promise.resolve());
  expect(isRefusal(await imported("acc_2", "other", Promise.resolve()))).toBe(false);
  expect(events).toEqual(["first begins", "other begins"]);
  finish?.();
  expect(await Promise.all([first, second])).toEqual(["first", "second"]);
});

test.runIf(process.platform === "linux")(
  "a file is read with what polls and notices leave of the processor",
  async () => {
    const read = readMeterDataFiles();
    const seen = new Set<number>();
    const looking = setInterval(() => {
      for (const task of readdirSync("/proc/self/task")) seen.add(nicenessOf(task));
    }, 20);
    await read(fileOf("lines in any order"));
    clearInterval(looking);
    expect(seen).toEqual(new Set([nicenessOf(String(process.pid)), 10]));
  },
);

/** The 19th field of stat; the name before may have spaces. */
const nicenessOf = (task: string): number => {
  try {
    const stat = readFileSync(`/proc/self/task/${task}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
  } catch {
    return nicenessOf(String(process.pid));
  }
};
