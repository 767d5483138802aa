import { getDispatch, listDispatches, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch } from "../../support/dispatching.js";
import { type Evidence, said } from "../../support/evidence.js";
import {
  change,
  evidence,
  failForGood,
  now,
  prepare,
  service,
  subscribed,
  untilCount,
} from "../../support/evidence-of-dispatches.js";
import { expectError } from "../../support/expect-error.js";
import type { Participant } from "../../support/running.js";

beforeAll(prepare);

describe("the evidence of a dispatch that was created, changed and cancelled", () => {
  let anna: Awaited<ReturnType<typeof subscribed>>;
  let ben: Participant;
  let id: string;
  let createdAt: string;
  let polledAt: string;

  // Anna's webhook fails once, works, and fails for good; Ben has none and reads what is there, but not the cancellation.
  beforeAll(async () => {
    anna = await subscribed(service, ["anna@mills.example"]);
    ben = await service.newParticipant({ sites: [["main"], ["main"]] });
    for (const site of ben.sites)
      await service.made(operator.enrolSite, {
        params: { id: anna.programId, site_id: site.id },
        body: { commitment: 7 },
      });
    anna.hook.answer = 500;
    createdAt = now();
    id = (await newDispatch(service, anna.programId)).id;
    await untilCount(id, "webhook attempt", 1);
    anna.hook.answer = 200;
    service.clock.advance({ seconds: 3 });
    await untilCount(id, "webhook delivered", 1);
    polledAt = now();
    await ben.call(listDispatches);
    await ben.call(getDispatch, { params: { id } });
    service.clock.advance({ minutes: 1 });
    await change(id, { end_time: ahead(service, { hours: 2 }) });
    await untilCount(id, "webhook delivered", 2);
    await ben.call(listDispatches);
    service.clock.advance({ minutes: 1 });
    anna.hook.answer = 503;
    await change(id, { authorized: false });
    await failForGood(service, id, 3);
    await untilCount(id, "mail mailed", 1);
  }, 60_000);

  const ofAnna = () => evidence(id, { account_id: anna.participant.accountId });
  const ofBen = () => evidence(id, { account_id: ben.accountId });

  test("lists each notice and request to a webhook, its outcome, and the mail after the last failure", async () => {
    const told = ["rest notified", "webhook notified", "webhook attempt"];
    // The deadline of the last change passed during the pause before the fifth attempt, while the clock stood still.
    const end = ["mail mailed", "mail notified", "webhook attempt", "webhook failed"];
    expect(said(await ofAnna()).slice(0, -4)).toEqual([
      ...told,
      "webhook attempt",
      "webhook delivered",
      ...told,
      "webhook delivered",
      ...told,
      ...Array(3).fill("webhook attempt"),
    ]);
    expect(
      said(await ofAnna())
        .slice(-4)
        .toSorted(),
    ).toEqual(end);
  });

  test("has the details of each", async () => {
    const { participant, hook, webhookId: webhook_id } = anna;
    const both = { account_id: participant.accountId, site_id: participant.sites[0]?.id, at: createdAt };
    const delivery = { webhook_id, url: hook.url, delivery_id: expect.stringMatching(/^dlv_/) };
    const created = { ...delivery, event: "dispatch.create", modification_number: 0 };
    const outcome = { number: 1, status: 500, duration_ms: expect.any(Number), address: "127.0.0.1" };
    const items = await ofAnna();
    expect(items.slice(0, 3)).toEqual([
      { ...both, channel: "rest", what: "notified", detail: { modification_number: 0 } },
      { ...both, channel: "webhook", what: "notified", detail: created },
      { ...both, channel: "webhook", what: "attempt", detail: { ...created, ...outcome, error: "status_500" } },
    ]);
    const detailOf = (what: string) => items.findLast((item) => item.what === what)?.detail;
    const updated = { event: "dispatch.update", modification_number: 2 };
    expect(detailOf("failed")).toEqual({ ...delivery, ...updated, reason: "attempts_failed" });
    const mail_id = expect.stringMatching(/^mail_/);
    const recipients = [{ name: "Night shift", email: "anna@mills.example", accepted: true }];
    const sent = {
      subject: expect.stringContaining("Dispatch cancelled"),
      text: expect.stringContaining("was cancelled"),
    };
    expect(detailOf("mailed")).toEqual({ mail_id, ...updated, ...sent, refused_recipients: 0, recipients });
  });

  test("lists what an account without webhooks could see, and its first reads", async () => {
    const items = (await ofBen()).filter(({ channel }) => channel === "rest");
    expect(items.map(({ what, detail }) => [what, detail["modification_number"]])).toEqual([
      ["notified", 0],
      ["fetched", 0],
      ["polled", 0],
      ["notified", 1],
      ["polled", 1],
      ["notified", 2],
    ]);
    // With several sites, none is named.
    const { accountId: account_id } = ben;
    const detail = { modification_number: 0 };
    expect(items[1]).toEqual({ at: polledAt, account_id, channel: "rest", what: "fetched", detail });
  });

  test("is in the order of time; that of an account is part of it, that of a site is its account's", async () => {
    const all = await evidence(id);
    const moments = all.map(({ at }) => Date.parse(at));
    expect(moments).toEqual(moments.toSorted((a, b) => a - b));
    const [annas, bens] = [await ofAnna(), await ofBen()];
    expect(all).toHaveLength(annas.length + bens.length);
    expect(all).toEqual(expect.arrayContaining([...annas, ...bens]));
    expect(await evidence(id, { site_id: anna.participant.sites[0]?.id ?? "" })).toEqual(annas);
    for (const site of ben.sites) expect(await evidence(id, { site_id: site.id })).toEqual(bens);
  });
});

describe("the evidence of a dispatch", () => {
  test("read in pages is the evidence read whole, and what is added meanwhile neither repeats nor hides an item", async () => {
    const { participant, programId } = await subscribed(service);
    const { id } = await newDispatch(service, programId);
    await untilCount(id, "webhook delivered", 1);
    service.clock.advance({ seconds: 1 });
    const walked: Evidence[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const next: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const { body } = await service.operator("GET", `/dispatches/${id}/evidence?limit=1${next}`);
      walked.push(...body.items);
      cursor = body.next_cursor;
      if (walked.length === 2) await participant.call(listDispatches);
    }
    expect(walked).toEqual(await evidence(id));
    expect(said(walked).at(-1)).toBe("rest polled");
  });

  test("is empty before the notification, then lists the notified state and every change since", async () => {
    const { participant, hook, programId } = await subscribed(service);
    const notification_time = ahead(service, { hours: 1 });
    const { id } = await newDispatch(service, programId, {
      notification_time,
      start_time: ahead(service, { hours: 2 }),
    });
    await change(id, { start_time: ahead(service, { hours: 3 }) });
    await participant.call(listDispatches);
    await participant.call(getDispatch, { params: { id } });
    service.clock.advance({ minutes: 59 });
    expect(await evidence(id)).toEqual([]);
    service.clock.advance({ minutes: 1 });
    await hook.notices(1);
    await untilCount(id, "webhook delivered", 1);
    const [first] = await evidence(id);
    expect(first).toMatchObject({ at: notification_time, what: "notified", detail: { modification_number: 1 } });
    service.clock.advance({ minutes: 1 });
    await change(id, { authorized: false });
    await untilCount(id, "webhook delivered", 2);
    const told = (await evidence(id)).filter(({ channel }) => channel === "rest");
    expect(told.map(({ at, detail }) => [at, detail["modification_number"]])).toEqual([
      [notification_time, 1],
      [now(), 2],
    ]);
  });

  test("of what does not exist or was not called is refused, never empty", async () => {
    const { participant: anna, programId } = await subscribed(service);
    const ben = await service.newParticipant();
    await service.made(operator.enrolSite, {
      params: { id: programId, site_id: ben.sites[0]?.id ?? "" },
      body: { commitment: 7 },
    });
    const carl = await service.newParticipant();
    const { id } = await newDispatch(service, programId);
    const ask = (query: string) => service.operator("GET", `/dispatches/${id}/evidence?${query}`);
    expectError(await service.operator(operator.listEvidence, { params: { id: "dis_0" } }), 404, /No such dispatch/);
    expectError(
      await ask(`account_id=${carl.accountId}`),
      400,
      /account_id is acc_\w+, which is not part of this dispatch/,
    );
    expectError(
      await ask(`site_id=${carl.sites[0]?.id}`),
      400,
      /site_id is site_\w+, which is not part of this dispatch/,
    );
    const crossed = `account_id=${anna.accountId}&site_id=${ben.sites[0]?.id}`;
    expectError(await ask(crossed), 400, /no such site of that account/);
    expectError(await ask("cursor=czEy"), 400, /cursor is not valid/);
  });
});
