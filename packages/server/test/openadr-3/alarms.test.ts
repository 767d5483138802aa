import { beforeAll, describe, expect, test } from "vitest";
import { acknowledge, alarmsAbout, judgeOnce, untilAlarms } from "../support/alarms.js";
import { newDispatch } from "../support/dispatching.js";
import { giveUp, lastPoll, polling, prepare, vtn } from "../support/openadr3-alarms.js";
import { calledBack, equipped, eventOf, operates } from "../support/openadr3-vens.js";
import { untilListened } from "../support/vens.js";

beforeAll(prepare);

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
    await expect.poll(() => lastPoll(site.ven.id)).toEqual(vtn.clock.now());
    await untilAlarms(vtn, about, 0);
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
