import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wireDispatch } from "@curtail/testing/wire-forms";
import { expect, onTestFinished, test } from "vitest";
import type { WatchState } from "../src/dispatch-changes.js";
import { ErrorResponse, NoResponse } from "../src/failure.js";
import { fileState } from "../src/file-state.js";
import type { Dispatch } from "../src/index.js";
import { type StateStore, type WatchOptions, watchDispatches } from "../src/watch-dispatches.js";
import { FakeClock } from "./support/fake-clock.js";

type Listed = readonly Dispatch[] | Error;

const gone = new ErrorResponse({ method: "GET", path: "/dispatches/{id}" }, new Response(null, { status: 404 }), "{}");

/** A service that lists these dispatches, poll after poll, and ends the watch after the last. */
const listing = (polls: readonly Listed[], single: Readonly<Record<string, Dispatch>> = {}) => {
  const clock = new FakeClock();
  const waiting = [...polls];
  const listDispatches = async () => {
    const next = waiting.shift();
    if (next === undefined) throw new Error("no more polls");
    if (next instanceof Error) throw next;
    return { page: 0, perPage: 0, dispatches: next };
  };
  const getDispatch = async ({ id }: { id: string }) => {
    const found = single[id];
    if (found === undefined) throw gone;
    return found;
  };
  return { clock, listDispatches, getDispatch };
};

/** What a watch yields until its polls end: `type id modification`. */
const yielded = async (service: ReturnType<typeof listing>, options: WatchOptions = {}): Promise<string[]> => {
  const all: string[] = [];
  try {
    for await (const { type, dispatch: about } of watchDispatches(service, options))
      all.push(`${type} ${about.id} ${about.modification_number}`);
  } catch (error) {
    expect((error as Error).message).toBe("no more polls");
  }
  return all;
};

/** Starts after the clock's 18:00. */
const later = { start_time: "2026-07-01T19:00:00Z", end_time: "2026-07-01T20:00:00Z" };

test("a dispatch is yielded when it is new, and again with each change only", async () => {
  const first = wireDispatch("a", later);
  const longer = wireDispatch("a", { ...later, end_time: "2026-07-01T21:00:00Z", modification_number: 1 });
  const service = listing([[], [first], [first], [longer], [longer], [longer, wireDispatch("b", later)]]);
  expect(await yielded(service)).toEqual(["created a 0", "changed a 1", "created b 0"]);
});

test("a cancellation is yielded once", async () => {
  const cancelled = wireDispatch("a", { ...later, authorized: false, modification_number: 1 });
  expect(await yielded(listing([[wireDispatch("a", later)], [cancelled], [cancelled]]))).toEqual([
    "created a 0",
    "cancelled a 1",
  ]);
});

test("a dispatch that is cancelled or over when it is first seen is never created", async () => {
  const over = wireDispatch("b", { start_time: "2026-07-01T16:00:00Z", end_time: "2026-07-01T17:00:00Z" });
  const dispatches = [wireDispatch("a", { ...later, authorized: false }), over];
  expect(await yielded(listing([dispatches, dispatches]))).toEqual(["over b 0", "cancelled a 0"]);
});

test("the end is yielded when it passes, between two polls", async () => {
  const short = wireDispatch("a", { end_time: "2026-07-01T18:00:10Z" });
  const service = listing([[short], [short]]);
  expect(await yielded(service)).toEqual(["created a 0", "over a 0"]);
  expect(service.clock.waits.slice(0, 2)).toEqual([10_001, 19_999]);
});

test("an end that is extended after it passed is a change", async () => {
  const short = wireDispatch("a", { end_time: "2026-07-01T18:00:10Z" });
  const longer = wireDispatch("a", { end_time: "2026-07-01T20:00:00Z", modification_number: 1 });
  expect(await yielded(listing([[short], [longer]]))).toEqual(["created a 0", "over a 0", "changed a 1"]);
});

test("the end comes while the service cannot be reached, and each failure is reported", async () => {
  const lost = new NoResponse("no response", {});
  const failures: unknown[] = [];
  const short = wireDispatch("a", { end_time: "2026-07-01T18:00:45Z" });
  const service = listing([[short], lost, lost]);
  const onFailure = (error: unknown) => void failures.push(error);
  expect(await yielded(service, { onFailure })).toEqual(["created a 0", "over a 0"]);
  expect(failures).toEqual([lost, lost]);
});

test("a failure that does not pass ends the watch", async () => {
  const refused = new ErrorResponse({ method: "GET", path: "/dispatches" }, new Response(null, { status: 401 }), "{}");
  await expect(watchDispatches(listing([refused])).next()).rejects.toBe(refused);
});

test("an active dispatch that is listed no more is fetched by itself: it was cancelled, or is not visible", async () => {
  const [a, b] = [wireDispatch("a", later), wireDispatch("b", later)];
  const cancelled = { ...a, authorized: false, modification_number: 1 };
  const service = listing([[a, b], [], []], { a: cancelled });
  expect(await yielded(service)).toEqual(["created a 0", "created b 0", "cancelled a 1", "cancelled b 0"]);
});

/** Keeps states in memory, as a file would. */
const kept = (): StateStore & { readonly saved: () => WatchState | null } => {
  let text: string | null = null;
  const saved = () => (text === null ? null : (JSON.parse(text) as WatchState));
  return { saved, load: async () => saved(), save: async (state) => void (text = JSON.stringify(state)) };
};

test("after a restart nothing is yielded twice, and what came meanwhile is yielded", async () => {
  const store = kept();
  const first = wireDispatch("a", later);
  expect(await yielded(listing([[first]]), { store })).toEqual(["created a 0"]);
  const longer = wireDispatch("a", { ...later, end_time: null, modification_number: 1 });
  expect(await yielded(listing([[first], [longer, wireDispatch("b", later)]]), { store })).toEqual([
    "changed a 1",
    "created b 0",
  ]);
  expect(await yielded(listing([[longer, wireDispatch("b", later)]]), { store })).toEqual([]);
});

test("a change whose handling was cut off is yielded again after the restart", async () => {
  const store = kept();
  const dispatches = [wireDispatch("a", later), wireDispatch("b", later)];
  const watch = watchDispatches(listing([dispatches]), { store });
  await watch.next();
  // Asking for the second says that the first was handled. The process ends while it handles the second.
  await watch.next();
  expect(await yielded(listing([dispatches]), { store })).toEqual(["created b 0"]);
});

test("finished dispatches are forgotten once they are listed no more", async () => {
  const store = kept();
  const over = wireDispatch("a", { start_time: "2026-07-01T16:00:00Z", end_time: "2026-07-01T17:00:00Z" });
  await yielded(listing([[over], [], [wireDispatch("b", later)]]), { store });
  expect(Object.keys(store.saved()?.seen ?? {})).toEqual(["b"]);
});

test("an aborted signal ends the wait for the next poll", async () => {
  const stop = new AbortController();
  const service = listing([[wireDispatch("a", later)]]);
  const watch = watchDispatches(service, { signal: stop.signal });
  await watch.next();
  stop.abort(new Error("shutting down"));
  await expect(watch.next()).rejects.toThrow("shutting down");
});

test("a file keeps the state over restarts; one that holds something else is not overwritten", async () => {
  const folder = await mkdtemp(join(tmpdir(), "curtail-client-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "dispatches.json");
  expect(await fileState(path).load()).toBeNull();
  await yielded(listing([[wireDispatch("a", later)]]), { store: fileState(path) });
  expect(await yielded(listing([[wireDispatch("a", later)]]), { store: fileState(path) })).toEqual([]);
  await writeFile(path, "[]");
  await expect(watchDispatches(listing([[]]), { store: fileState(path) }).next()).rejects.toThrow(
    "delete it to start from scratch",
  );
  expect(await readFile(path, "utf8")).toBe("[]");
});
