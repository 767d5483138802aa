import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { LateSpan } from "../../../src/performance/operations/late-ports.js";
import { correctionStore } from "../../../src/performance/storage/correction-store.js";
import { lateNoteStore } from "../../../src/performance/storage/late-note-store.js";
import { inTransaction } from "../../../src/platform/database/database.js";
import { dispatchBetween, measuredProgram } from "../../support/measuring.js";
import { type Running, running } from "../../support/running.js";

// What was noted leads to a measurement that began after it was stored, whatever else goes on.
let service: Running;
let siteId: string;
let span: LateSpan;
/** Of the same site, both with a result. */
let dispatches: readonly [string, string];

const NOON_MS = Date.parse("2026-06-12T12:00:00Z");
const at = (seconds: number): Date => new Date(NOON_MS + seconds * 1000);

beforeAll(async () => {
  // Without the worker, which would take the notes.
  service = await running({ CURTAIL_ROLES: "api", DATABASE_URL: "postgresql://ignored" });
  service.clock.set(at(0));
  const participant = await service.newParticipant();
  siteId = participant.sites[0]?.id ?? "";
  const program = await measuredProgram(service, [participant], {});
  const on = (day: string) => dispatchBetween(service, program, [`${day}T18:00:00Z`, `${day}T19:00:00Z`]);
  dispatches = [await on("2026-06-10"), await on("2026-06-11")];
  await versionOf(...dispatches);
  const { rows } = await service.database.pool.query("select key from sites where id = $1", [siteId]);
  span = { site: rows[0].key, fromMs: Date.parse("2026-06-10T18:10:00Z"), toMs: Date.parse("2026-06-10T18:20:00Z") };
});

beforeEach(() => service.database.pool.query("delete from late_notes; delete from late_corrections"));

const versionOf = (...ids: string[]) =>
  service.database.pool.query(
    "insert into performance_versions (dispatch_id, version, at, reason) select *, 1, '2026-06-11T22:00Z', 'complete' from unnest($1::text[])",
    [ids],
  );

const notes = () => lateNoteStore(service.database.pool);
const corrections = () => correctionStore(service.database.pool);
const dueAt = async (seconds: number) => {
  await corrections().find(at(seconds));
  return corrections().due(at(seconds));
};
const openNotes = async (): Promise<number> =>
  (await service.database.pool.query("select from late_notes where found_at is null")).rowCount ?? 0;

/** Words of an operator about a day. */
const about = (words: string) => ({ siteId, date: "2026-06-08", actor: "operator" as const, note: words });

describe("a note", () => {
  test("of one site is corrected in each of its dispatches, two seconds after the newest upload", async () => {
    for (const second of [0, 1]) await notes().settle([], [span], at(second));
    expect(await dueAt(2.9)).toEqual([]);
    const due = await dueAt(3);
    expect(due.map(({ dispatchId }) => dispatchId)).toEqual(dispatches);
    expect(due[0]).toMatchObject({ siteId, reason: "corrected", firstNotedAt: at(0), notedAt: at(1) });
    expect(await openNotes()).toBe(0);
  });

  test("that grows all the time is corrected a minute after it was made", async () => {
    for (let second = 0; second <= 60; second++) await notes().settle([], [span], at(second));
    expect(await dueAt(59.9)).toEqual([]);
    expect(await dueAt(60)).toHaveLength(2);
  });

  test("of an upload in progress is open while another upload's is corrected, and after a kill, too", async () => {
    const first = await notes().note([span], at(0));
    const second = await notes().note([span], at(0));
    await notes().settle(second, [span], at(1));
    await corrections().done((await dueAt(3)).map(({ seq }) => seq));
    // The first is killed once its readings are stored: nothing settles its note.
    expect(await dueAt(119)).toEqual([]);
    expect(await dueAt(120)).toHaveLength(2);
    await corrections().done((await dueAt(120)).map(({ seq }) => seq));
    // It was not killed, but slow.
    await notes().settle(first, [span], at(130));
    expect(await dueAt(132)).toHaveLength(2);
  });

  test("is found again where the transaction that found its dispatches was rolled back", async () => {
    await notes().settle([], [span], at(0));
    const killed = inTransaction(service.database.pool, async (client) => {
      expect(await correctionStore(client).find(at(2))).toBe(true);
      throw new Error("killed");
    });
    await expect(killed).rejects.toThrow("killed");
    // The database rolls back once it notices that the connection is gone.
    await expect.poll(() => dueAt(2)).toHaveLength(2);
  });

  test("keeps what each act by hand says, beside late readings of the site", async () => {
    for (const words of ["one", "two", "two"]) await notes().excludedDayChange(about(words), at(0));
    await notes().settle([], [span], at(0));
    const due = (await dueAt(2)).filter(({ dispatchId }) => dispatchId === dispatches[0]);
    const said = due.map(({ reason, actor, note: words }) => ({ reason, actor, note: words }));
    expect(said.toSorted((a, b) => `${a.note}`.localeCompare(`${b.note}`))).toEqual([
      { reason: "corrected", actor: null, note: null },
      { reason: "excluded_days", actor: "operator", note: "one" },
      { reason: "excluded_days", actor: "operator", note: "two" },
    ]);
  });

  test("of a decision concerns its dispatch alone", async () => {
    const decided = { dispatchId: dispatches[1], siteId, actor: "operator" as const, note: "decided" };
    await notes().siteDecided(decided, at(0));
    expect((await dueAt(2)).map(({ dispatchId }) => dispatchId)).toEqual([dispatches[1]]);
    expect(await notes().settledSince({ sites: [], dispatchIds: [dispatches[1]] }, at(-30))).toHaveLength(1);
    expect(await notes().settledSince({ sites: [], dispatchIds: [dispatches[0]] }, at(-30))).toEqual([]);
  });

  test("has a new number for who follows the site whenever it grows", async () => {
    const numbers = async () =>
      (await notes().settledSince({ sites: [span.site], dispatchIds: [] }, at(-30))).map(({ seq }) => seq);
    await notes().settle([], [span], at(0));
    const [first] = await numbers();
    await notes().settle([], [span], at(0));
    const [second, ...others] = await numbers();
    expect(others).toEqual([]);
    expect(second).not.toBe(first);
  });
});

type Act = "begin" | "store" | "settle" | "kill" | "measure" | "correct" | "wait" | "find";
const acts = fc.constantFrom<Act>("begin", "store", "settle", "kill", "measure", "correct", "wait", "find");

/** Uploads, kills and corrections in any order; returns the readings that are stored, and that the last measurement had. */
const played = async (played: readonly Act[], doneOf: (seqs: readonly number[]) => Promise<unknown>) => {
  let [second, stored, measured] = [0, 0, 0];
  let uploads: Array<{ note: readonly number[]; isStored: boolean }> = [];
  let measuring: { seqs: readonly number[]; had: number } | null = null;
  const run: Readonly<Record<Act, () => Promise<unknown>>> = {
    begin: async () => uploads.push({ note: await notes().note([span], at(second)), isStored: false }),
    store: async () => {
      const next = uploads.find(({ isStored }) => !isStored);
      if (next === undefined) return;
      next.isStored = true;
      stored += 1;
    },
    settle: async () => {
      const next = uploads.find(({ isStored }) => isStored);
      uploads = uploads.filter((each) => each !== next);
      if (next !== undefined) await notes().settle(next.note, [span], at(second));
    },
    kill: async () => {
      uploads = uploads.slice(1);
    },
    measure: async () => {
      if (measuring !== null) return;
      const due = (await corrections().due(at(second))).filter(({ dispatchId }) => dispatchId === dispatches[0]);
      if (due.length > 0) measuring = { seqs: due.map(({ seq }) => seq), had: stored };
    },
    correct: async () => {
      if (measuring === null) return;
      await doneOf(measuring.seqs);
      measured = measuring.had;
      measuring = null;
    },
    wait: async () => {
      second += 1;
    },
    find: () => corrections().find(at(second)),
  };
  for (const act of played) await run[act]();
  // Then all is quiet: uploads have died, and the worker goes on.
  second += 200;
  for (const act of ["correct", "find", "measure", "correct"] as const) await run[act]();
  await service.database.pool.query("delete from late_notes; delete from late_corrections");
  return { stored, measured };
};

const ofAll = () => service.database.pool.query("delete from late_corrections");

describe("readings that were stored are measured in the end", () => {
  const everything = fc.array(acts, { minLength: 5, maxLength: 40 });

  test("whatever uploads, kills and corrections do meanwhile", async () => {
    await fc.assert(
      fc.asyncProperty(everything, async (given) => {
        const { stored, measured } = await played(given, (seqs) => corrections().done(seqs));
        expect(measured).toBe(stored);
      }),
      { numRuns: propertyRuns(20) },
    );
  });

  test("not if a correction took away what was added meanwhile: the control", async () => {
    const meanwhile = ["begin", "store", "settle", "wait", "wait", "find", "measure"] as const;
    const { stored, measured } = await played([...meanwhile, ...meanwhile.slice(0, 6), "correct"], ofAll);
    expect([stored, measured]).toEqual([2, 1]);
  });
});

test("dispatches without a result are found while one may be in the making, and no others", async () => {
  const { rows } = await service.database.pool.query(
    "select program_id from dispatches where id = $1",
    dispatches.slice(0, 1),
  );
  const on = (start: string, end: string | null) => dispatchBetween(service, rows[0].program_id, [start, end]);
  const ended = await on("2026-06-12T09:00:00Z", "2026-06-12T10:00:00Z");
  await on("2026-06-03T09:00:00Z", "2026-06-03T10:00:00Z");
  await on("2026-06-12T10:00:00Z", "2026-06-12T11:30:00Z");
  await on("2026-06-12T11:00:00Z", null);
  await on("2026-06-12T18:00:00Z", "2026-06-12T19:00:00Z");
  await service.database.pool.query("delete from late_notes");
  await notes().settle([], [span], at(0));
  expect((await dueAt(2)).map(({ dispatchId }) => dispatchId)).toEqual([...dispatches, ended]);
});
