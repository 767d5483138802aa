import { getDispatch, listDispatches, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { acknowledge, alarmsAbout, judgeOnce, untilAlarms } from "../../support/alarms.js";
import { ahead, newDispatch } from "../../support/dispatching.js";
import { evidenceOf } from "../../support/evidence.js";
import { dispatched, prepare, service, unreached, unsent } from "../../support/owed-alarm-story.js";
import { type Running, running } from "../../support/running.js";
import { poll } from "../../support/unreachable.js";

beforeAll(prepare);
const gauge = async (on: Running): Promise<number> => {
  const text = await (await fetch(`${on.url}/metrics`)).text();
  return Number(/^curtail_unreached_dispatch_accounts (\d+)$/m.exec(text)?.[1]);
};

describe("an account that nothing reaches", () => {
  test("and that read it only once it was over is named by an alarm until somebody acknowledges", async () => {
    const { participant, programId } = await dispatched();
    const times = { start_time: ahead(service, { minutes: 1 }), end_time: ahead(service, { minutes: 10 }) };
    const { id } = await newDispatch(service, programId, times);
    await unsent(id, 1);
    const [alarm] = await untilAlarms(service, unreached(id), 1);
    service.clock.advance({ minutes: 11 });
    await participant.call(listDispatches);
    await participant.call(getDispatch, { params: { id } });
    await judgeOnce(service);
    expect(await alarmsAbout(service, unreached(id))).toEqual([alarm]);
    await acknowledge(service, alarm?.id);
    expect(await alarmsAbout(service, unreached(id))).toEqual([]);
  });

  test("has one alarm at a time, that of the latest change", async () => {
    const { issue } = await dispatched();
    const id = await issue();
    await unsent(id, 1);
    const [first] = await untilAlarms(service, unreached(id), 1);
    await service.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(service, { hours: 3 }) } });
    await unsent(id, 2);
    service.clock.advance({ seconds: 5 });
    await poll(
      async () =>
        (await alarmsAbout(service, unreached(id))).map(({ message }) => /\((dispatch\.\w+)\)/.exec(message)?.[1]),
      ["dispatch.update"],
    );
    expect(await alarmsAbout(service, unreached(id, "cleared"))).toMatchObject([{ id: first?.id }]);
  });

  test("has evidence of when its time had passed", async () => {
    const { participant, issue } = await dispatched();
    const id = await issue();
    await unsent(id, 1);
    expect((await evidenceOf(service, id)).filter(({ channel }) => channel === "mail")).toMatchObject([
      {
        what: "notified",
        account_id: participant.accountId,
        at: ahead(service, {}),
        detail: { event: "dispatch.create" },
      },
      { what: "failed", detail: { reason: "no_contacts" } },
    ]);
  });

  test("is not alarmed about after its account was disabled", async () => {
    const { participant, issue } = await dispatched();
    const id = await issue();
    await unsent(id, 1);
    await untilAlarms(service, unreached(id), 1);
    await service.made(operator.changeAccount, {
      params: { id: participant.accountId },
      body: { disabled: true, confirm_running: true },
    });
    await untilAlarms(service, unreached(id), 0);
  });
});

describe("the gauge of accounts that nothing reached", () => {
  test("counts pairs of account and dispatch past their time, though the account uploads, until they are reached or acknowledged", async () => {
    const on = await running();
    const [anna, ben] = [await dispatched(on), await dispatched(on)];
    await poll(() => gauge(on), 0);
    const meter_id = anna.participant.sites[0]?.meters[0];
    const telemetry = [{ meter_id, timestamp: ahead(on, {}), interval_seconds: 30, kW: 1 }];
    await anna.participant.call("POST", "/telemetry", { telemetry });
    const first = await anna.issue();
    await anna.issue();
    const third = await ben.issue();
    await poll(() => gauge(on), 3);
    await on.made(operator.changeDispatch, { params: { id: first }, body: { authorized: false } });
    await unsent(first, 2, on);
    await poll(() => gauge(on), 3);
    await anna.participant.call(listDispatches);
    on.clock.advance({ seconds: 5 });
    await poll(() => gauge(on), 1);
    const [alarm] = await untilAlarms(on, unreached(third), 1);
    await acknowledge(on, alarm?.id);
    await poll(() => gauge(on), 0);
  });
});
