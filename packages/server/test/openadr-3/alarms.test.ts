import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { acknowledge, alarmsAbout, judgeOnce, untilAlarms } from "../support/alarms.js";
import { newDispatch } from "../support/dispatching.js";
import { runningVtn, type Vtn } from "../support/openadr-3.js";
import { calledBack, type Equipped, equipped, eventOf, operates } from "../support/openadr3-vens.js";
import { listeningToVens, untilListened } from "../support/vens.js";

let vtn: Vtn;
beforeAll(async () => {
  vtn = await runningVtn();
  // Both listeners of a process start together.
  await listeningToVens(vtn);
});

/** Polls twice, a minute apart; waits until that is stored. */
const polling = async ({ ven }: Equipped): Promise<void> => {
  await ven.events.search();
  vtn.clock.advance({ seconds: 60 });
  await ven.events.search();
  await expect.poll(() => lastPoll(ven.id), { timeout: 10_000 }).toEqual(vtn.clock.now());
};

const lastPoll = async (clientId: string) =>
  (
    await vtn.database.pool.query(
      "select last_at from openadr3_polls where client_id = $1 and interval_seconds is not null",
      [clientId],
    )
  ).rows[0]?.last_at;

/** Fails every attempt at a client's callback until it is given up. */
const giveUp = async (clientId: string): Promise<void> => {
  for (const [made, seconds] of [0, 3, 8, 23, 68].entries()) {
    vtn.clock.advance({ seconds });
    await expect.poll(() => countAttempts(clientId)).toBe(made + 1);
  }
};

const countAttempts = async (clientId: string): Promise<number> =>
  (
    await vtn.database.pool.query(
      `select count(*)::int as count from openadr3_attempts join openadr3_deliveries on id = delivery_id
       where client_id = $1 and leased_until is null`,
      [clientId],
    )
  ).rows[0].count;

describe("openadr3_silent", () => {
  test("is raised three usual intervals and a minute after the last poll, and cleared by the next", async () => {
    const site = await equipped(vtn);
    await polling(site);
    const about = { kind: "openadr3_silent", id: site.ven.id };
    vtn.clock.advance({ seconds: 230 });
    await judgeOnce(vtn);
    expect(await alarmsAbout(vtn, about)).toEqual([]);
    vtn.clock.advance({ seconds: 10 });
    await untilListened(vtn);
    const [alarm] = await untilAlarms(vtn, about, 1);
    expect(alarm).toMatchObject({ subject: site.ven.id, account_id: site.participant.accountId });
    expect(alarm?.message).toContain("usually reads its events every 60 s");
    await site.ven.events.search();
    await expect.poll(() => lastPoll(site.ven.id), { timeout: 10_000 }).toEqual(vtn.clock.now());
    await untilAlarms(vtn, about, 0);
  });

  test("is not raised for a VEN that polled once, is called back, is revoked or is of the sandbox", async () => {
    const [once, called, revoked] = [await equipped(vtn), await equipped(vtn), await equipped(vtn)];
    await once.ven.events.search();
    await polling(called);
    await calledBack(called);
    await polling(revoked);
    await vtn.made(operator.revokeOpenadrClient, { params: { id: revoked.ven.id } });
    vtn.clock.advance({ minutes: 10 });
    await untilListened(vtn);
    await judgeOnce(vtn);
    for (const { ven } of [once, called, revoked]) {
      expect(await alarmsAbout(vtn, { kind: "openadr3_silent", id: ven.id })).toEqual([]);
    }
  });
});

describe("openadr3_undelivered", () => {
  test("is raised when a callback about a dispatch is given up, and cleared when the VEN reads the event", async () => {
    const site = await equipped(vtn);
    const receiver = await calledBack(site);
    receiver.answer = 503;
    const { id } = await newDispatch(vtn, site.programId);
    const about = { kind: "openadr3_undelivered", id };
    await giveUp(site.ven.id);
    const [alarm] = await untilAlarms(vtn, about, 1);
    expect(alarm).toMatchObject({ subject: `${site.ven.id} ${id}`, account_id: site.participant.accountId });
    expect(alarm?.message).toContain(`every attempt at ${receiver.url} failed (status_503)`);
    await site.ven.events.search();
    await untilAlarms(vtn, about, 0);
  });

  test("is raised for other changes by their subscription, until one succeeds", async () => {
    const bl = await vtn.bl();
    const receiver = await calledBack({ ...(await equipped(vtn)), ven: bl });
    receiver.answer = 503;
    const program = await bl.programs.made({ programName: "Prices" });
    const price = () =>
      bl.events.made({ programID: program.id, intervals: [{ id: 0, payloads: [{ type: "PRICE", values: [1] }] }] });
    await price();
    const subscriptions = (await bl.subscriptions.search()).body;
    const subscription = subscriptions.find(({ clientID }: { clientID: string }) => clientID === bl.id);
    const about = { kind: "openadr3_undelivered", id: subscription.id };
    await giveUp(bl.id);
    expect(await untilAlarms(vtn, about, 1)).toMatchObject([{ subject: subscription.id, account_id: null }]);
    receiver.answer = 200;
    const before = receiver.calls.length;
    await price();
    await receiver.notified(before + 1);
    await untilAlarms(vtn, about, 0);
  });
});

describe("what VENs report", () => {
  test("raises ven_opted_out until acknowledged, and ven_error until another state", async () => {
    const site = await equipped(vtn);
    const { id } = await newDispatch(vtn, site.programId);
    const event = await eventOf(vtn, site, id);
    await operates(site, event.id, "RUNNING_OPTED_OUT");
    const [alarm] = await untilAlarms(vtn, { kind: "ven_opted_out", id }, 1);
    expect(alarm?.message).toContain("it reported RUNNING_OPTED_OUT");
    await acknowledge(vtn, alarm?.id);
    await untilAlarms(vtn, { kind: "ven_opted_out", id }, 0);
    await operates(site, event.id, "ERROR");
    await untilAlarms(vtn, { kind: "ven_error", id }, 1);
    await operates(site, event.id, "RUNNING_NORMAL");
    await untilAlarms(vtn, { kind: "ven_error", id }, 0);
  });
});
