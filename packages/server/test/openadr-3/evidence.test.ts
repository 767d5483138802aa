import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch } from "../support/dispatching.js";
import { evidenceOf } from "../support/evidence.js";
import { attention, prepare, timeline, vtn } from "../support/openadr3-evidence.js";
import { calledBack, changed, equipped, eventOf, operates, toldOf } from "../support/openadr3-vens.js";

beforeAll(prepare);

describe("the evidence of OpenADR 3", () => {
  test("says when a VEN could see each state of a dispatch, when it first read it, and what it answered", async () => {
    const site = await equipped(vtn);
    const { id } = await newDispatch(vtn, site.programId);
    const event = await eventOf(vtn, site, id);
    vtn.clock.advance({ seconds: 5 });
    for (let poll = 0; poll < 2; poll++) await site.ven.events.search();
    vtn.clock.advance({ seconds: 2 });
    await operates(site, event.id, "IDLE_NORMAL");
    await operates(site, event.id, "IDLE_NORMAL");
    vtn.clock.advance({ seconds: 1 });
    await changed(vtn, id, { end_time: ahead(vtn, { hours: 2 }) });
    await site.ven.events.get(event.id);
    await operates(site, event.id, "IDLE_OPTED_OUT");
    await operates(site, event.id, "ERROR");
    expect(await toldOf(vtn, id, site)).toEqual([
      "notified 0 CREATE",
      "polled 0",
      "acknowledged 0 IDLE_NORMAL",
      "notified 1 UPDATE",
      "polled 1",
      "acknowledged 1 IDLE_OPTED_OUT",
      "failed 1 ERROR",
    ]);
    const items = await evidenceOf(vtn, id, { account_id: site.participant.accountId });
    expect(items.find(({ channel, what }) => channel === "openadr3" && what === "acknowledged")).toMatchObject({
      account_id: site.participant.accountId,
      site_id: site.participant.sites[0]?.id,
      detail: {
        client_id: site.ven.id,
        client_name: expect.stringMatching(/^VEN \d+$/),
        event_id: event.id,
        opt: "optIn",
        resource_names: [site.participant.sites[0]?.id],
        report_id: expect.stringMatching(/^oar_/),
      },
    });
  });

  test("has each attempt of a callback with its status, and whether it was delivered or given up", async () => {
    const site = await equipped(vtn);
    const receiver = await calledBack(site);
    receiver.answer = 503;
    const { id } = await newDispatch(vtn, site.programId);
    const attempts = async () => (await toldOf(vtn, id, site)).filter((each) => each.startsWith("attempt"));
    for (const [made, seconds] of [0, 3, 8, 23, 68].entries()) {
      vtn.clock.advance({ seconds });
      await expect.poll(attempts).toHaveLength(made + 1);
    }
    receiver.answer = 200;
    vtn.clock.advance({ seconds: 1 });
    await changed(vtn, id, { end_time: ahead(vtn, { hours: 2 }) });
    await expect.poll(async () => (await toldOf(vtn, id, site)).at(-1)).toBe("delivered 1");
    expect(await toldOf(vtn, id, site)).toEqual([
      "notified 0 CREATE",
      ...Array.from({ length: 5 }, () => "attempt 0 503"),
      "failed 0 attempts_failed",
      "notified 1 UPDATE",
      "attempt 1 200",
      "delivered 1",
    ]);
    const attempt = (await evidenceOf(vtn, id)).find(({ detail }) => detail.status === 503);
    expect(attempt).toMatchObject({ detail: { number: 1, url: receiver.url, error: "status_503" } });
  });
});

describe("an account with a VEN of OpenADR 3", () => {
  test("is reached by an answer with the event, and anew by each change", async () => {
    const site = await equipped(vtn);
    const { id } = await newDispatch(vtn, site.programId);
    await eventOf(vtn, site, id);
    expect(await attention(id)).toMatchObject({ accounts: 1, reached: 0, reached_by: { openadr3: 0 } });
    await site.ven.events.search();
    expect(await attention(id)).toMatchObject({ reached: 1, reached_by: { openadr3: 1, openadr: 0 } });
    await changed(vtn, id, { end_time: ahead(vtn, { hours: 2 }) });
    expect(await attention(id)).toMatchObject({ modification_number: 1, reached: 0 });
    await site.ven.events.search();
    expect(await attention(id)).toMatchObject({ reached: 1 });
    expect(await timeline(id)).toEqual(["openadr3 0", "openadr3 1"]);
  });

  test("is shown in a preview with its channels and what is wrong with them", async () => {
    const site = await equipped(vtn);
    const preview = async () => {
      const body = { program_id: site.programId, start_time: ahead(vtn, { hours: 1 }) };
      return (await vtn.made(operator.previewDispatch, { body })).accounts[0];
    };
    const name = (await vtn.made(operator.listOpenadrClients, { params: { id: site.participant.accountId } })).items[0]
      ?.name;
    expect(await preview()).toMatchObject({
      channels: expect.arrayContaining([{ channel: "openadr3", description: name, last_seen_at: null }]),
      warnings: expect.arrayContaining([`OpenADR 3 client ${name} has never polled.`]),
    });
    await site.ven.events.search();
    await expect
      .poll(async () => (await preview())?.channels.find(({ channel }) => channel === "openadr3")?.last_seen_at, {
        timeout: 30_000,
      })
      .not.toBeNull();
    await vtn.made(operator.revokeOpenadrClient, { params: { id: site.ven.id } });
    const after = await preview();
    expect(after?.channels.map(({ channel }) => channel)).not.toContain("openadr3");
    expect(after?.warnings.join(" ")).toContain("no webhook and no VEN");
  });
});
