import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { caughtUp } from "../support/caught-up.js";
import { type Client31, runningVtn } from "../support/openadr-3.js";

interface Sent {
  readonly connection: unknown;
  /** The statement's name, or its text. */
  readonly statement: string;
  readonly values: readonly unknown[];
}

const sent: Sent[] = [];

beforeEach(() => {
  const send = Reflect.get(pg.Client.prototype, "query");
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: unknown, ...given: unknown[]) {
    const [what, values] = given as [string | { name?: string; text?: string; values?: unknown[] }, unknown[]?];
    const { name, text, values: own } = typeof what === "string" ? { text: what } : what;
    const statement = name === undefined || name.startsWith("text ") ? String(text).trim() : name;
    sent.push({ connection: this, statement, values: own ?? values ?? [] });
    return Reflect.apply(send, this, given);
  } as never);
});
afterEach(() => vi.restoreAllMocks());

/** Statements on what belongs to OpenADR 3, or on the journal. */
const OWN = /openadr3|journal|read-seen/;
/** Those of loops and followers. */
const OF_LOOPS =
  /^(read-openadr3_changes|read-journal|openadr3-candidates|timetable)|next_attempt_at|openadr3_polls|last_used_at/;

const ofRequests = (): string[] =>
  sent.map(({ statement }) => statement).filter((each) => OWN.test(each) && !OF_LOOPS.test(each));

const statementsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  sent.length = 0;
  await work();
  return ofRequests();
};

const STILL_TURNS = 15;

/** Until requests have sent nothing for some turns of the event loop, however long those take: all of them wait. */
const untilStill = async (): Promise<void> => {
  for (let [turns, before] = [0, -1]; turns < STILL_TURNS; before = ofRequests().length) {
    await sleep(20);
    turns = ofRequests().length === before ? turns + 1 : 0;
  }
};

const reportOf = (eventID: string) => ({
  eventID,
  clientName: "gateway",
  resources: [{ resourceName: "meter", intervals: [{ id: 0, payloads: [{ type: "USAGE", values: [1] }] }] }],
});

const prepared = async () => {
  const vtn = await runningVtn();
  const [bl, ven] = [await vtn.bl(), await vtn.ven()];
  const { id: programID } = await bl.programs.made({ programName: "Prices" });
  const { id: eventID } = await bl.events.made({ programID });
  for (const follower of ["openadr3-projection", "openadr3-callbacks"])
    await caughtUp(vtn.database.servicePool, follower);
  // What is read once.
  await ven.events.search();
  await ven.reports.made(reportOf(eventID));
  await ven.events.search();
  await bl.programs.search();
  await caughtUp(vtn.database.servicePool, "openadr3-callbacks");
  return { vtn, bl, ven, programID, eventID };
};

/** Reading the journal, for whoever asks at the same time; one more statement where something was committed since. */
const asks = (statements: readonly string[]): readonly string[] => statements.filter((each) => each !== "read-seen");

describe("the statements of a request", () => {
  test("are one for a poll of events, programs or the ven, which reads the journal for all polls together", async () => {
    const { ven } = await prepared();
    const polls: Array<() => Promise<unknown>> = [
      () => ven.events.search(),
      () => ven.programs.search(),
      () => ven.vens.search(),
      () => ven.events.search({ active: true, limit: 5 }),
    ];
    for (const poll of polls) {
      await poll();
      expect(asks(await statementsOf(poll))).toEqual([]);
    }
  });

  test("are one for a new event, and one for the journal in the next poll of each process", async () => {
    const { bl, ven, programID } = await prepared();
    expect(asks(await statementsOf(() => bl.events.made({ programID })))).toEqual(["create-openadr3-objects"]);
    expect(asks(await statementsOf(() => ven.events.search()))).toEqual([
      "openadr3-changed",
      "openadr3-changed-objects",
    ]);
    expect(asks(await statementsOf(() => ven.events.search()))).toEqual([]);
  });

  test("are one for a report, also for those of many VENs together", async () => {
    const { vtn, ven, eventID } = await prepared();
    const report = (client: Client31) => client.reports.made(reportOf(eventID));
    expect(asks(await statementsOf(() => report(ven)))).toEqual(["create-openadr3-objects"]);
    const many = async () => {
      const client = await vtn.database.pool.connect();
      await client.query("begin");
      await client.query("select from openadr3_objects where id = $1 for update", [eventID]);
      // The first waits for the lock, and the others for the first.
      const reports = Array.from({ length: 20 }, () => report(ven));
      await untilStill();
      await client.query("commit");
      client.release();
      await Promise.all(reports);
    };
    const statements = (await statementsOf(many)).filter((each) => each.startsWith("create"));
    expect(statements.length).toBeLessThanOrEqual(3);
  });
});

const moved = ({ statement, values }: Sent): boolean =>
  statement === "move-follower" && values[0] === "openadr3-callbacks";

test("a worker follows a new event with four statements and its transaction", async () => {
  const { bl, programID } = await prepared();
  sent.length = 0;
  await bl.events.made({ programID });
  await expect.poll(() => sent.some(moved)).toBe(true);
  const at = sent.findLastIndex(moved);
  const own = sent.slice(0, at + 1).filter(({ connection }) => connection === sent[at]?.connection);
  const begun = own.findLastIndex(({ statement }) => statement === "begin");
  expect(own.slice(begun).map(({ statement }) => statement)).toEqual([
    "begin",
    "lock-follower",
    "read-openadr3_changes",
    "openadr3-candidates",
    "move-follower",
  ]);
});
