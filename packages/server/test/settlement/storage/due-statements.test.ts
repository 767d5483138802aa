import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { dueStatements } from "../../../src/settlement/storage/due-statements.js";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { setTerms, statementMade } from "../../support/settling.js";

let service: Running;
/** Each in a program of its own, with a statement of June. */
let one: Settling;
let other: Settling;

interface Settling {
  readonly participant: Participant;
  readonly siteId: string;
  readonly programId: string;
  readonly statementId: string;
}

const settling = async (): Promise<Settling> => {
  const participant = await service.newParticipant();
  const programId = await newProgram(service, [participant]);
  await setTerms(service, programId, { capacity: { price_per_kw: "1", factor: null } });
  const statementId = await statementMade(service, participant.accountId, "2026-06");
  return { participant, siteId: participant.sites[0]?.id ?? "", programId, statementId };
};

beforeAll(async () => {
  // Without the worker, which would take the marks.
  service = await running({ CURTAIL_ROLES: "api", DATABASE_URL: "postgresql://ignored" });
  service.clock.set(new Date("2026-06-10T12:00:00Z"));
  [one, other] = [await settling(), await settling()];
  await settle();
});

const stored = () => dueStatements(service.database.pool);
const due = async (): Promise<string[]> => (await stored().due(service.clock.now())).map(({ id }) => id);
const settle = async (): Promise<void> => {
  const now = service.clock.now();
  for (const statement of await stored().due(now)) await stored().settled(statement, now);
};
const isAny = (): Promise<boolean> => stored().isAny(service.clock.now());

describe("a statement", () => {
  test("is not due while nothing changes", async () => {
    expect(await isAny()).toBe(false);
    expect(await due()).toEqual([]);
  });

  test("is due after a dispatch of its account and month, and no other statement is", async () => {
    const { id } = await newDispatch(service, one.programId, { start_time: "2026-06-20T18:00:00Z" });
    expect(await isAny()).toBe(true);
    expect(await due()).toEqual([one.statementId]);
    await settle();
    await newDispatch(service, one.programId, { start_time: "2026-08-20T18:00:00Z" });
    expect(await due()).toEqual([]);
    await service.made(operator.changeDispatch, { params: { id }, body: { start_time: "2026-07-20T18:00:00Z" } });
    expect(await due()).toEqual([one.statementId]);
    await settle();
    expect(await isAny()).toBe(false);
  });

  test("is due after an enrolment of its account until its month is over, and once more then", async () => {
    const commit = (commitment: number) =>
      service.made(operator.enrolSite, {
        params: { id: one.programId, site_id: one.siteId },
        body: { commitment },
      });
    await commit(60);
    expect(await due()).toEqual([one.statementId]);
    await settle();
    service.clock.set(new Date("2026-07-02T00:00:00Z"));
    expect(await due()).toEqual([one.statementId, other.statementId]);
    await settle();
    await commit(70);
    expect(await due()).toEqual([]);
  });

  test("is due after terms that hold in its month", async () => {
    await setTerms(service, other.programId, { capacity: { price_per_kw: "2", factor: null } }, "2026-07");
    expect(await due()).toEqual([]);
    await setTerms(service, other.programId, { capacity: { price_per_kw: "2", factor: null } }, "2026-05");
    expect(await due()).toEqual([one.statementId, other.statementId]);
    await settle();
  });

  test("that is marked while it is drawn up stays due", async () => {
    const { database, clock } = service;
    const mark = () => database.pool.query("insert into statement_marks (kind, id) values ('terms', '2026-06')");
    await mark();
    const [drawn] = await stored().due(clock.now());
    await mark();
    const again = await due();
    if (drawn === undefined) throw new Error("nothing is due");
    await stored().settled(drawn, clock.now());
    expect(again).toContain(drawn.id);
    expect(await due()).toContain(drawn.id);
    await settle();
    expect(await isAny()).toBe(false);
  });
});
