import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ClaimedDelivery } from "../../../src/notification/domain/delivery.js";
import type { BehindClaim } from "../../../src/notification/operations/deliver-notices.js";
import { dropMessages } from "../../../src/notification/storage/delivery-store.js";
import {
  addDispatch,
  addNotice,
  addWebhooks,
  claim,
  database,
  endQueue,
  expandAll,
  isDue,
  prepareQueue,
  queue,
  type Recorded,
  recorded,
} from "../../support/queued-deliveries.js";

// Claims among thousands: delivery-queue.long.test.ts.
beforeEach(prepareQueue);
afterEach(endQueue);

/** Those that are behind, whatever their number. */
const claimBehind = async (given: BehindClaim): Promise<readonly ClaimedDelivery[]> =>
  (await queue.claimBehind(given)).claimed;

const numbers = async (sql: string): Promise<unknown> => (await database.pool.query(sql)).rows[0];

describe("a claim", () => {
  test("hands out four deliveries of a webhook, and no fifth before one is recorded (G32)", async () => {
    await addWebhooks(1);
    for (let number = 1; number <= 6; number++) {
      await addDispatch(`dis_${number}`);
      await addNotice(`dis_${number}`);
    }
    const { claimed: first, left } = await expandAll(claim(100));
    expect(left).toBe(5);
    expect(first.map(({ dispatchId }) => dispatchId)).toEqual(["dis_1"]);
    const more = await queue.claim(claim(100));
    expect(more.map(({ dispatchId }) => dispatchId).toSorted()).toEqual(["dis_2", "dis_3", "dis_4"]);
    expect(await queue.claim(claim(100))).toEqual([]);
    await queue.record(first.map((each) => recorded(each)));
    expect((await queue.claim(claim(100))).map(({ dispatchId }) => dispatchId)).toEqual(["dis_5"]);
  });

  test("passes over webhooks that have four in flight, however many wait for them", async () => {
    await addWebhooks(1);
    for (let number = 1; number <= 12; number++) {
      await addDispatch(`dis_${number}`);
      await addNotice(`dis_${number}`);
    }
    await expandAll(claim(100));
    await queue.claim(claim(100));
    await database.pool.query(
      `insert into webhooks (id, account_id, url, events, secret, created_at)
       values ('wh_live', 'acc_1', 'http://127.0.0.1/', '{dispatch.update}', 'whsec_', now())`,
    );
    await addNotice("dis_12", "dispatch.update");
    await expandAll(claim(0));
    expect((await queue.claim(claim(2))).map(({ webhookId }) => webhookId)).toEqual(["wh_live"]);
  });
});

test("a claim takes what is for reliable webhooks before all else, and up to its limit", async () => {
  await addWebhooks(4);
  for (const id of ["dis_1", "dis_2"]) {
    await addDispatch(id);
    await addNotice(id);
  }
  await expandAll(claim(0));
  const reliable = ["wh_4"];
  const first = await queue.claim({ ...claim(3), reliable });
  expect(first.filter(({ webhookId }) => webhookId === "wh_4")).toHaveLength(2);
  expect(first).toHaveLength(3);
  expect(await queue.claim({ ...claim(10), reliable })).toHaveLength(5);
});

test("a lease that ended after the database went away is not over for those who may not heed it yet", async () => {
  await addWebhooks(1);
  await addDispatch("dis_1");
  await addNotice("dis_1");
  const past = new Date(Date.now() - 1000);
  await queue.expandDue({ ...claim(10), leasedUntil: past });
  const wentAway = new Date(past.getTime() - 1000);
  expect(await queue.claim({ ...claim(10), lapsedBefore: wentAway })).toEqual([]);
  expect(await queue.claim(claim(10))).toHaveLength(1);
});

const failed: Recorded = { state: "failed" };
const state = () =>
  numbers("select state, failures, leased_until is null as free from messages where channel = 'webhook'");
const counts = () =>
  numbers(
    "select (select count(*) from message_attempts) as attempts, (select count(*) from messages where channel = 'email') as mails",
  );
/** Claimed, and claimed again by another worker after the lease. */
const takenOver = async () => {
  await addWebhooks(1);
  await addDispatch("dis_1");
  await database.pool.query("update programs set built_in = false");
  await addNotice("dis_1");
  const past = new Date(Date.now() - 1000);
  const { claimed: before } = await queue.expandDue({ ...claim(10), leasedUntil: past });
  const after = await queue.claim(claim(10));
  expect([before.length, after.length]).toEqual([1, 1]);
  return { before, after };
};

describe("a record", () => {
  test("of a failure under a lease that another worker took over is an attempt, and decides nothing", async () => {
    const { before, after } = await takenOver();
    await queue.record(before.map((each) => recorded(each, failed)));
    expect(await state()).toEqual({ state: "pending", failures: 0, free: false });
    expect(await counts()).toEqual({ attempts: 1, mails: 0 });
    await queue.record(after.map((each) => recorded(each, failed)));
    expect(await state()).toEqual({ state: "failed", failures: 1, free: true });
    expect(await counts()).toEqual({ attempts: 2, mails: 1 });
  });

  test("of a success counts under whatever lease", async () => {
    const { before, after } = await takenOver();
    await queue.record(before.map((each) => recorded(each)));
    expect(await state()).toEqual({ state: "delivered", failures: 0, free: true });
    await queue.record(after.map((each) => recorded(each, failed)));
    expect(await state()).toEqual({ state: "delivered", failures: 0, free: true });
    expect(await counts()).toEqual({ attempts: 2, mails: 0 });
  });

  test.each([
    ["a success of a delivery dropped meanwhile makes it delivered", { state: "delivered" }, "delivered", 0],
    ["the last failure of one leaves it dropped, without a mail", failed, "dropped", 1],
    ["a failure of one leaves it dropped", { state: "pending", nextAttemptAt: new Date() }, "dropped", 1],
  ] as const)("of %s, and free", async (_, outcome, expected, failures) => {
    const { after } = await takenOver();
    await dropMessages(database.pool, { of: "subject", ids: ["dis_1"], at: new Date(), reason: null });
    await queue.record(after.map((each) => recorded(each, outcome)));
    expect(await state()).toEqual({ state: expected, failures, free: true });
    expect(await counts()).toEqual({ attempts: 1, mails: 0 });
  });

  test.each([
    ["delivered", { state: "delivered" }],
    ["dropped", { state: "unchanged" }],
  ] as const)("of a resend of a dropped delivery leaves it %s, and is not repeated", async (expected, outcome) => {
    await takenOver();
    await dropMessages(database.pool, { of: "subject", ids: ["dis_1"], at: new Date(), reason: null });
    await database.pool.query("update messages set resend_at = now(), leased_until = null");
    const resent = await queue.claim(claim(10));
    expect(resent).toMatchObject([{ isResend: true }]);
    await queue.record(resent.map((each) => recorded(each, outcome)));
    expect(await state()).toEqual({ state: expected, failures: 0, free: true });
    expect(await numbers("select resend_at from messages")).toEqual({ resend_at: null });
  });

  test("keeps the start of the response", async () => {
    const { after } = await takenOver();
    const response = { responseType: "text/html", responseBody: `<b>\t"{}\\,NULL'é\uFFFD` };
    await queue.record(after.map((each) => recorded(each, { state: "delivered" }, response)));
    expect(await numbers("select response_type, response_body from message_attempts")).toEqual({
      response_type: response.responseType,
      response_body: response.responseBody,
    });
  });

  test("of the same delivery by two processes at the same time keeps the attempts of both", async () => {
    await addWebhooks(1);
    for (let number = 1; number <= 20; number++) {
      await addDispatch("dis_" + number);
      await addNotice("dis_" + number);
      const { claimed } = await queue.expandDue(claim(10));
      const record = (ms: number) =>
        queue.record(claimed.map((each) => recorded(each, { state: "delivered" }, { at: new Date(ms) })));
      await Promise.all([record(1), record(2)]);
    }
    expect(await counts()).toMatchObject({ attempts: 20 * 2 });
  });

  test("that is made twice, since its answer was lost, counts once", async () => {
    await addWebhooks(1);
    await addDispatch("dis_1");
    await addNotice("dis_1");
    const { claimed } = await queue.expandDue(claim(10));
    const records = claimed.map((each) => recorded(each, { state: "pending", nextAttemptAt: new Date() }));
    await queue.record(records);
    await queue.record(records);
    expect(await state()).toEqual({ state: "pending", failures: 1, free: true });
    expect(await counts()).toEqual({ attempts: 1, mails: 0 });
  });
});

describe("due notices", () => {
  test("to more webhooks than are made at once give each one delivery, by several workers too", async () => {
    await addWebhooks(1000);
    await addDispatch("dis_1");
    await addDispatch("dis_2");
    await addNotice("dis_1");
    await addNotice("dis_2");
    const work = async (): Promise<ClaimedDelivery[]> => {
      const taken: ClaimedDelivery[] = [];
      for (let hasMore = true; hasMore; ) {
        const expanded = await queue.expandDue(claim(2000));
        taken.push(...expanded.claimed);
        hasMore = expanded.hasMore || (await numbers("select from notices where state = 'waiting'")) !== undefined;
      }
      return taken;
    };
    const taken = (await Promise.all([work(), work(), work()])).flat();
    // The second dispatch's wait for the first's: they are not claimed when created.
    expect(new Set(taken.map(({ webhookId }) => webhookId)).size).toBe(1000);
    expect(taken).toHaveLength(1000);
    expect(
      await numbers(
        "select count(*), count(distinct (recipient, notice_seq)) as different, count(leased_until) as taken from messages",
      ),
    ).toEqual({ count: 2000, different: 2000, taken: 1000 });
    expect(
      await numbers(
        `select count(*) from messages as one join messages as two using (recipient)
         where one.notice_seq < two.notice_seq and one.seq > two.seq`,
      ),
    ).toEqual({ count: 0 });
  });

  test.each([
    { room: 600, taken: [64, 256, 600, 600], made: [64, 256, 600, 600] },
    { room: 2000, taken: [64, 256, 1024, 656], made: [64, 256, 1024, 656] },
    // Too few to be worth a statement: more are made, and claimed later.
    { room: 300, taken: [64, 256, 300, 300], made: [64, 256, 1024, 656] },
  ])("are made by few at first, then by as many as there is room to claim: $room", async ({ room, taken, made }) => {
    await addWebhooks(2000);
    await addDispatch("dis_1");
    await addNotice("dis_1");
    const looks: Array<{ readonly taken: number; readonly left: number }> = [];
    for (let look = 0; look < 4; look++) {
      const { claimed, left } = await queue.expandDue(claim(room));
      looks.push({ taken: claimed.length, left });
    }
    expect(looks.map((look) => look.taken)).toEqual(taken);
    expect(looks.map(({ taken: claimed, left }) => claimed + left)).toEqual(made);
  });

  test("give the webhooks that do not hang theirs first, whatever the number and order of the others", async () => {
    await addWebhooks(2000);
    // Registered last.
    await database.pool.query(
      `insert into webhooks (id, account_id, url, events, secret, created_at)
       select 'wh_live_' || n, 'acc_1', 'http://127.0.0.1/', '{dispatch.create}', 'whsec_', now() from generate_series(1, 2) as n`,
    );
    for (const id of ["dis_1", "dis_2"]) {
      await addDispatch(id);
      await addNotice(id);
    }
    const hung = Array.from({ length: 2000 }, (_, index) => `wh_${index + 1}`);
    const first = await queue.expandDue({ ...claim(10), hung });
    expect(first.claimed.map(({ webhookId, dispatchId }) => [webhookId, dispatchId])).toEqual([
      ["wh_live_1", "dis_1"],
      ["wh_live_2", "dis_1"],
    ]);
    // Both notices have theirs for the live ones before any of the 2,000 has one.
    expect(await numbers("select count(*), count(distinct recipient) as webhooks from messages")).toEqual({
      count: 4,
      webhooks: 2,
    });
    await expandAll({ ...claim(10), hung });
    expect(
      await numbers("select count(*), count(distinct (recipient, notice_seq)) as different from messages"),
    ).toEqual({ count: 4004, different: 4004 });
  });

  test("give each account's first webhook its delivery before any account's second", async () => {
    await addWebhooks(200);
    await database.pool.query(`
      insert into accounts (id, name, disabled, created_at) values ('acc_2', 'Two', false, now());
      insert into sites (id, account_id, name, customer_location_id, dispatch_group, timezone, created_at)
        values ('site_2', 'acc_2', '', '', '', 'UTC', now());
      insert into webhooks (id, account_id, url, events, secret, created_at)
        values ('wh_two', 'acc_2', 'http://127.0.0.1/', '{dispatch.create}', 'whsec_', now())`);
    await addDispatch("dis_1");
    await database.pool.query(
      `insert into dispatch_sites (dispatch_id, position, site_id, account_id, name, customer_location_id, dispatch_group)
       values ('dis_1', 1, 'site_2', 'acc_2', '', '', '')`,
    );
    await addNotice("dis_1");
    expect((await queue.expandDue(claim(10))).claimed.map(({ webhookId }) => webhookId)).toContain("wh_two");
  });

  test("put what is for webhooks that hang behind, for a claim of its own", async () => {
    await addWebhooks(3);
    await addDispatch("dis_1");
    await addNotice("dis_1");
    const hung = ["wh_1", "wh_3"];
    const { claimed, left } = await expandAll({ ...claim(10), hung });
    expect([claimed.map(({ webhookId }) => webhookId), left]).toEqual([["wh_2"], 0]);
    expect(await queue.claim(claim(10))).toEqual([]);
    expect((await claimBehind(claim(10))).map(({ webhookId }) => webhookId).toSorted()).toEqual(hung);
  });

  test("of a webhook that hangs are passed over, put behind, and claimed one at a time, those made before it was known too", async () => {
    await addWebhooks(2);
    for (const id of ["dis_1", "dis_2", "dis_3"]) {
      await addDispatch(id);
      await addNotice(id);
    }
    const { claimed } = await expandAll(claim(10));
    const at = new Date();
    await queue.record(claimed.map((each) => recorded(each, { state: "pending", nextAttemptAt: at })));
    const hung = ["wh_1"];
    expect((await queue.claim({ ...claim(10), hung })).map(({ webhookId }) => webhookId)).toEqual(
      Array(3).fill("wh_2"),
    );
    expect(await queue.putBehind({ ...claim(2), hung })).toBe(2);
    expect(await queue.putBehind({ ...claim(2), hung })).toBe(1);
    expect(await queue.claim(claim(10))).toEqual([]);
    expect(await isDue("deliveriesBehind", new Date())).toBe(true);
    const first = await claimBehind(claim(10));
    expect(first.map(({ dispatchId }) => dispatchId)).toEqual(["dis_1"]);
    expect(await claimBehind(claim(10))).toEqual([]);
  });

  test("of a webhook that answers again are behind no longer, as many as may be in flight", async () => {
    await addWebhooks(2);
    for (let number = 1; number <= 7; number++) {
      await addDispatch(`dis_${number}`);
      await addNotice(`dis_${number}`);
    }
    await expandAll({ ...claim(10), hung: ["wh_1", "wh_2"] });
    const first = await claimBehind(claim(10));
    expect(first.map(({ dispatchId }) => dispatchId)).toEqual(["dis_1", "dis_1"]);
    await queue.record(first.filter(({ webhookId }) => webhookId === "wh_1").map((each) => recorded(each)));
    const next = await queue.claim(claim(10));
    expect(next.map(({ webhookId, dispatchId }) => `${webhookId} ${dispatchId}`).toSorted()).toEqual(
      ["dis_2", "dis_3", "dis_4", "dis_5"].map((id) => `wh_1 ${id}`),
    );
    expect(await numbers("select count(*) from messages where state = 'pending' and behind")).toEqual({ count: 9 });
  });

  test("that are behind are claimed for so many webhooks at once, each claim from where the last one ended", async () => {
    await addWebhooks(5);
    await addDispatch("dis_1");
    await addNotice("dis_1");
    const hung = Array.from({ length: 5 }, (_, index) => `wh_${index + 1}`);
    await expandAll({ ...claim(10), hung });
    const seen: unknown[] = [];
    for (let after: string | null = null; ; ) {
      const { claimed, reached } = await queue.claimBehind({ ...claim(2), after });
      seen.push(claimed.map(({ webhookId }) => webhookId).toSorted());
      if (reached === null) break;
      after = reached;
    }
    expect(seen).toEqual([["wh_1", "wh_2"], ["wh_3", "wh_4"], ["wh_5"]]);
  });

  test("without a webhook are sent, and do not hold up those that follow", async () => {
    await addDispatch("dis_1");
    await addNotice("dis_1");
    expect(await queue.expandDue(claim(10))).toEqual({ claimed: [], left: 0, hasMore: false });
    expect(await numbers("select state from notices")).toEqual({ state: "sent" });
  });

  test("of one dispatch to one webhook are handed out one after the other, also over a retry", async () => {
    await addWebhooks(1);
    await addDispatch("dis_1");
    await addNotice("dis_1");
    await addNotice("dis_1", "dispatch.update");
    const { claimed } = await expandAll(claim(10));
    expect(claimed.map(({ event }) => event)).toEqual(["dispatch.create"]);
    expect(await queue.claim(claim(10))).toEqual([]);
    const soon = new Date(Date.now() + 60_000);
    await queue.record(claimed.map((each) => recorded(each, { state: "pending", nextAttemptAt: soon })));
    expect(await queue.claim(claim(10))).toEqual([]);
    await database.pool.query(
      "update messages set next_attempt_at = now() - interval '1 s' where next_attempt_at > now()",
    );
    const retried = await queue.claim(claim(10));
    expect(retried.map(({ event, failures }) => [event, failures])).toEqual([["dispatch.create", 1]]);
    await queue.record(retried.map((each) => recorded(each)));
    expect((await queue.claim(claim(10))).map(({ event }) => event)).toEqual(["dispatch.update"]);
  });
});
