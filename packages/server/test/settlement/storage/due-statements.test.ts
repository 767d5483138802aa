import { operator } from "@curtail/contract";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { withinTransaction } from "../../../src/app/stores.js";
import { inTransaction } from "../../../src/platform/database/database.js";
import { followerStore } from "../../../src/platform/database/follower-store.js";
import { settlement } from "../../../src/settlement/followers/settlement.js";
import type { DueStatement } from "../../../src/settlement/operations/settlement-stores.js";
import { dueStatements } from "../../../src/settlement/storage/due-statements.js";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { testSecretBox } from "../../support/secret-box.js";
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
  // Without the worker, which would follow, and draw them up.
  service = await running({ CURTAIL_ROLES: "api", DATABASE_URL: "postgresql://ignored" });
  service.clock.set(new Date("2026-06-10T12:00:00Z"));
  [one, other] = [await settling(), await settling()];
});

const stored = () => dueStatements(service.database.pool);

/** Lets the follower see everything. */
const follow = async (): Promise<void> => {
  const now = service.clock.now();
  await inTransaction(service.database.pool, async (client) => {
    const followers = followerStore(client);
    const unseen = await followers.take("settlement", { stream: "journal", kinds: settlement.kinds, most: 1000, now });
    if (unseen === null) throw new Error("the cursor is locked");
    await settlement.handle(unseen.entries, withinTransaction(client, testSecretBox));
    await followers.move("settlement", unseen.next, now);
  });
};

let taken: readonly DueStatement[] = [];
/** Those that are due once their last version is twenty seconds old. */
const due = async (): Promise<string[]> => {
  await follow();
  service.clock.advance({ seconds: 20 });
  taken = await stored().take(service.clock.now());
  return taken.map(({ id }) => id);
};
const settle = async (): Promise<void> => {
  for (const statement of taken) await stored().settled(statement, service.clock.now());
};
const settleAll = async (): Promise<void> => {
  while ((await due()).length > 0) await settle();
};

beforeEach(settleAll);

const both = () => [one.statementId, other.statementId].toSorted();
const commit = (commitment: number) =>
  service.made(operator.enrolSite, {
    params: { id: one.programId, site_id: one.siteId },
    body: { commitment },
  });
const capacity = (price_per_kw: string) => ({ capacity: { price_per_kw, factor: null } });

describe("a statement", () => {
  test("is not due while nothing changes", async () => {
    expect(await due()).toEqual([]);
  });

  test("is due after a dispatch of its account and month, and no other statement is", async () => {
    const { id } = await newDispatch(service, one.programId, { start_time: "2026-06-20T18:00:00Z" });
    expect(await due()).toEqual([one.statementId]);
    await settle();
    await newDispatch(service, one.programId, { start_time: "2026-08-20T18:00:00Z" });
    expect(await due()).toEqual([]);
    await service.made(operator.changeDispatch, { params: { id }, body: { start_time: "2026-07-20T18:00:00Z" } });
    expect(await due()).toEqual([one.statementId]);
  });

  test("is due at once after a change, and twenty seconds after it was drawn up if that was just before", async () => {
    const isDueNow = async () => {
      await follow();
      taken = await stored().take(service.clock.now());
      return taken.length > 0;
    };
    service.clock.advance({ seconds: 20 });
    await setTerms(service, one.programId, capacity("3"));
    expect(await isDueNow()).toBe(true);
    await settle();
    await setTerms(service, one.programId, capacity("4"));
    expect(await isDueNow()).toBe(false);
    service.clock.advance({ seconds: 19 });
    expect(await isDueNow()).toBe(false);
    service.clock.advance({ seconds: 1 });
    expect(await isDueNow()).toBe(true);
  });

  test("is due after terms that hold in its month", async () => {
    await setTerms(service, other.programId, capacity("2"), "2026-07");
    expect(await due()).toEqual([]);
    await setTerms(service, other.programId, capacity("2"), "2026-05");
    expect((await due()).toSorted()).toEqual(both());
  });

  test("that is marked while it is drawn up stays due, even within the same millisecond", async () => {
    await setTerms(service, one.programId, capacity("5"));
    const drawn = (await due()).toSorted();
    await setTerms(service, one.programId, capacity("6"));
    await follow();
    await settle();
    expect((await due()).toSorted()).toEqual(drawn);
  });

  test("that a process takes is taken by no other, and again a minute later if the process ended", async () => {
    await setTerms(service, one.programId, capacity("7"));
    expect((await due()).toSorted()).toEqual(both());
    expect(await due()).toEqual([]);
    service.clock.advance({ seconds: 60 });
    expect((await due()).toSorted()).toEqual(both());
    await settle();
  });

  test("is made due from the state alone if its change was not followed, and not if it was", async () => {
    await settle();
    const rebuilt = () => stored().rebuild();
    expect(await rebuilt()).toBe(false);
    service.clock.advance({ seconds: 1 });
    await newDispatch(service, one.programId, { start_time: "2026-06-21T18:00:00Z" });
    expect(await rebuilt()).toBe(true);
    expect(await rebuilt()).toBe(false);
    taken = await stored().take(service.clock.now());
    expect(taken.map(({ id }) => id)).toEqual([one.statementId]);
  });
});

describe("after anything in any order", () => {
  const price = fc.integer({ min: 1, max: 999 }).map(String);
  const month = fc.constantFrom("2026-04", "2026-06", "2026-07");
  const start = fc.constantFrom(
    "2026-05-31T23:30:00Z",
    "2026-06-20T18:00:00Z",
    "2026-07-01T00:30:00Z",
    "2026-08-20T18:00:00Z",
  );
  const act = fc.oneof(
    fc.record({ what: fc.constant("terms" as const), price, month }),
    fc.record({ what: fc.constant("dispatch" as const), start }),
    fc.record({ what: fc.constant("move" as const), start }),
    fc.record({ what: fc.constant("enrol" as const), commitment: fc.integer({ min: 1, max: 99 }) }),
    fc.record({ what: fc.constant("result" as const) }),
    fc.record({ what: fc.constant("void" as const) }),
    fc.record({ what: fc.constant("settle" as const) }),
  );
  let last = "";

  const play = async (given: { what: string; price?: string; month?: string; start?: string; commitment?: number }) => {
    service.clock.advance({ seconds: 1 });
    const { start: start_time = "" } = given;
    if (given.what === "terms") await setTerms(service, one.programId, capacity(given.price ?? "1"), given.month);
    if (given.what === "dispatch")
      last = (await newDispatch(service, one.programId, { start_time, confirm_past: true })).id;
    if (given.what === "enrol") await commit(given.commitment ?? 1);
    if (given.what === "settle") await settleAll();
    if (last === "") return;
    const params = { id: last };
    if (given.what === "move")
      await service.operator(operator.changeDispatch, { params, body: { start_time } }).catch(() => {});
    if (given.what === "void") await service.operator(operator.changeDispatch, { params, body: { authorized: false } });
    if (given.what === "result")
      await service.database.pool.query(
        `with made as (
           insert into performance_versions (dispatch_id, version, at, reason)
           select $1, 1 + coalesce(max(version), 0), $2, 'corrected' from performance_versions where dispatch_id = $1
         )
         insert into journal (at, kind, subject) values ($2, 'result.version', $1)`,
        [last, service.clock.now()],
      );
  };

  test("what was followed leaves nothing to be found in the state alone", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 8 }), async (given) => {
        for (const each of given) await play(each);
        await follow();
        expect(await stored().rebuild()).toBe(false);
      }),
      { numRuns: propertyRuns(6) },
    );
  });
});

test("a statement is due after an enrolment until its month is over, and once more then", async () => {
  await commit(60);
  expect(await due()).toEqual([one.statementId]);
  await settle();
  service.clock.set(new Date("2026-07-02T00:00:00Z"));
  expect((await due()).toSorted()).toEqual(both());
  await settle();
  await commit(70);
  expect(await due()).toEqual([]);
});
