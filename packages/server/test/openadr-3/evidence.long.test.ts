import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch } from "../support/dispatching.js";
import { attention, prepare, timeline, vtn } from "../support/openadr3-evidence.js";
import { calledBack, changed, equipped, eventOf, toldOf } from "../support/openadr3-vens.js";

beforeAll(prepare);

describe("the evidence of OpenADR 3", () => {
  test("counts a whole list without a cancelled event as having told it", async () => {
    const site = await equipped(vtn);
    const { id } = await newDispatch(vtn, site.programId);
    await eventOf(vtn, site, id);
    await site.ven.events.search();
    vtn.clock.advance({ seconds: 1 });
    await changed(vtn, id, { authorized: false });
    for (const part of [{ limit: 1 }, { skip: 1 }, { targets: "somewhere" }]) await site.ven.events.search(part);
    expect((await toldOf(vtn, id, site)).at(-1)).toBe("notified 1 DELETE");
    for (let poll = 0; poll < 2; poll++) await site.ven.events.search({ active: true });
    expect((await toldOf(vtn, id, site)).slice(-2)).toEqual(["notified 1 DELETE", "polled 1"]);
  });

  test("counts a list of active events without one that ended early, but not a list that still has it", async () => {
    const site = await equipped(vtn);
    const { id } = await newDispatch(vtn, site.programId, { start_time: ahead(vtn, { seconds: 1 }) });
    await eventOf(vtn, site, id);
    vtn.clock.advance({ minutes: 5 });
    await site.ven.events.search({ active: true });
    await changed(vtn, id, { end_time: ahead(vtn, {}) });
    vtn.clock.advance({ seconds: 1 });
    expect(
      (await site.ven.events.search({ active: true })).body.map(({ eventName }: { eventName: string }) => eventName),
    ).toEqual([expect.not.stringContaining(id)]);
    expect((await toldOf(vtn, id, site)).at(-1)).toBe("polled 1");
  });

  test("marks what a VEN first read after the end", async () => {
    const site = await equipped(vtn);
    const until = { start_time: ahead(vtn, { seconds: 1 }), end_time: ahead(vtn, { minutes: 10 }) };
    const { id } = await newDispatch(vtn, site.programId, until);
    await eventOf(vtn, site, id);
    vtn.clock.advance({ minutes: 11 });
    await site.ven.events.search();
    expect((await toldOf(vtn, id, site)).at(-1)).toBe("polled 0 after the end");
  });

  test("is in the file of evidence, with the name of the client", async () => {
    const site = await equipped(vtn);
    const { id } = await newDispatch(vtn, site.programId);
    await eventOf(vtn, site, id);
    await site.ven.events.search();
    const { text } = await vtn.operator(operator.downloadEvidence, { params: { id }, query: { format: "csv" } });
    expect(text).toMatch(/,openadr3,polled,0,.*"VEN \d+",/);
  });
});

describe("an account with a VEN of OpenADR 3", () => {
  test("is reached by a callback that was accepted", async () => {
    const site = await equipped(vtn);
    const receiver = await calledBack(site);
    const { id } = await newDispatch(vtn, site.programId);
    await receiver.notified(1);
    await expect.poll(() => attention(id)).toMatchObject({ reached: 1, reached_by: { openadr3: 1 } });
    expect(await timeline(id)).toEqual(["openadr3 0"]);
  });

  test("is not reached by what business logic read or was notified of", async () => {
    const site = await equipped(vtn);
    const bl = await vtn.bl();
    const { id } = await newDispatch(vtn, site.programId);
    await eventOf(vtn, site, id);
    await bl.events.search();
    expect(await attention(id)).toMatchObject({ reached: 0 });
  });
});
