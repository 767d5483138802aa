import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { alarmsAbout, judgeOnce, untilAlarms } from "../support/alarms.js";
import { giveUp, polling, prepare, vtn } from "../support/openadr3-alarms.js";
import { calledBack, equipped } from "../support/openadr3-vens.js";
import { untilListened } from "../support/vens.js";

beforeAll(prepare);

describe("openadr3_silent", () => {
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
