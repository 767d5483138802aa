import { createWebhook, deleteWebhook, getDispatch, listDispatches, operator } from "@curtail/contract";
import { type Mailbox, mailbox } from "@curtail/testing/mailbox";
import { type Receiver, receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { type Evidence, evidenceOf, said, untilHappened } from "../../support/evidence.js";
import { expectError } from "../../support/expect-error.js";
import { type Participant, type Running, running } from "../../support/running.js";

let inbox: Mailbox;
let service: Running;

beforeAll(async () => {
  inbox = await mailbox();
  service = await running({ CURTAIL_SMTP_URL: `${inbox.url}?from=dispatch@operator.example` });
});

const evidence = (dispatchId: string, query: Parameters<typeof evidenceOf>[2] = {}, on = service) =>
  evidenceOf(on, dispatchId, query);

const untilCount = (dispatchId: string, happened: string, count: number, on = service) =>
  untilHappened(on, dispatchId, { happened, count });

const change = (id: string, body: object) => service.made(operator.changeDispatch, { params: { id }, body });
const now = (): string => ahead(service, {});

/** An account with a webhook for both events and its own program. */
const subscribed = async (on: Running, contacts: readonly string[] = []) => {
  const [participant, hook] = [await on.newParticipant(), await receiver()];
  for (const email of contacts) {
    await on.made(operator.createContact, {
      params: { id: participant.accountId },
      body: { name: "Night shift", email },
    });
  }
  const events = [{ name: "dispatch.create" as const }, { name: "dispatch.update" as const }];
  const { body } = await participant.call(createWebhook, { body: { url: hook.url, events } });
  return { participant, hook, webhookId: body.id, programId: await newProgram(on, [participant]) };
};

/** Lets the one delivery under way, to a hook that fails already, fail five times; `before` requests were made already. */
const failForGood = async (on: Running, dispatchId: string, before = 0): Promise<void> => {
  await untilCount(dispatchId, "webhook attempt", before + 1, on);
  for (const [index, seconds] of [3, 8, 22, 66].entries()) {
    on.clock.advance({ seconds });
    await untilCount(dispatchId, "webhook attempt", before + 2 + index, on);
  }
};

/** Makes a dispatch whose notice fails for good; answers its id. */
const failedDispatch = async (on: Running, hook: Receiver, programId: string): Promise<string> => {
  hook.answer = 503;
  const { id } = await newDispatch(on, programId);
  await failForGood(on, id);
  return id;
};

/** Fails a dispatch for good, and expects the reason why no mail was sent. */
const unmailed = async (on: Running, contacts: readonly string[], reason: string): Promise<void> => {
  const { hook, programId } = await subscribed(on, contacts);
  const id = await failedDispatch(on, hook, programId);
  await untilCount(id, "mail failed", 1, on);
  const mail = (await evidence(id, {}, on)).find(({ channel, what }) => channel === "mail" && what === "failed");
  expect(mail).toMatchObject({ at: ahead(on, {}), detail: { event: "dispatch.create", reason, error: null } });
};

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

  test("that was cancelled before its notification stays empty", async () => {
    const { programId } = await subscribed(service);
    const times = { notification_time: ahead(service, { hours: 1 }), start_time: ahead(service, { hours: 2 }) };
    const { id } = await newDispatch(service, programId, times);
    await change(id, { authorized: false });
    service.clock.advance({ hours: 1 });
    expect(await evidence(id)).toEqual([]);
  });

  test("keeps the failure of a delivery that was resent with success, and lists a deleted webhook", async () => {
    const { participant, hook, webhookId, programId } = await subscribed(service);
    const id = await failedDispatch(service, hook, programId);
    await untilCount(id, "mail failed", 1);
    const failed = (await evidence(id)).find(({ channel, what }) => channel === "webhook" && what === "failed");
    hook.answer = 200;
    service.clock.advance({ minutes: 1 });
    await service.operator(operator.resendDelivery, { params: { id: failed?.detail["delivery_id"] ?? "" } });
    await untilCount(id, "webhook delivered", 1);
    expect(await evidence(id)).toContainEqual(failed);

    hook.answer = 503;
    await change(id, { authorized: false });
    await untilCount(id, "webhook attempt", 7);
    service.clock.advance({ seconds: 1 });
    await participant.call(deleteWebhook, { params: { id: webhookId } });
    // The mail to its contacts may be sent at the same moment.
    const dropped = (await evidence(id)).find(({ detail }) => detail["reason"] === "webhook_deleted");
    expect(dropped).toMatchObject({ at: now(), what: "failed", detail: { url: hook.url } });
  }, 60_000);

  test("lists a delivery dropped because its account was disabled, permanently", async () => {
    const { participant, hook, webhookId, programId } = await subscribed(service);
    hook.answer = 503;
    const { id } = await newDispatch(service, programId);
    await untilCount(id, "webhook attempt", 1);
    service.clock.advance({ seconds: 1 });
    const disabledAt = now();
    await service.made(operator.changeAccount, {
      params: { id: participant.accountId },
      body: { disabled: true, confirm_running: true },
    });
    const before = await evidence(id);
    expect(before.at(-1)).toMatchObject({ at: disabledAt, what: "failed", detail: { reason: "account_disabled" } });
    await service.made(operator.changeAccount, { params: { id: participant.accountId }, body: { disabled: false } });
    service.clock.advance({ hours: 1 });
    // An account that is dispatched and enabled again is owed a notice: its mail comes after the existing items, and
    // changes none of them.
    await untilCount(id, "mail notified", 1);
    await participant.call(deleteWebhook, { params: { id: webhookId } });
    expect((await evidence(id)).slice(0, before.length)).toEqual(before);
  });

  test("does not say that an account could see it that was disabled by its notification, not even once it is enabled", async () => {
    const [off, on] = [await subscribed(service), await service.newParticipant()];
    await service.made(operator.enrolSite, {
      params: { id: off.programId, site_id: on.sites[0]?.id ?? "" },
      body: { commitment: 7 },
    });
    const { id } = await newDispatch(service, off.programId, { notification_time: ahead(service, { minutes: 5 }) });
    await service.made(operator.changeAccount, {
      params: { id: off.participant.accountId },
      body: { disabled: true, confirm_running: true },
    });
    service.clock.advance({ minutes: 5 });
    // The other account has neither a channel nor a contact.
    await untilCount(id, "mail failed", 1);
    expect(new Set((await evidence(id)).map(({ account_id }) => account_id))).toEqual(new Set([on.accountId]));
    const seeing = async () =>
      (await evidence(id)).filter(({ channel }) => channel !== "mail").map(({ account_id }) => account_id);
    expect(await seeing()).toEqual([on.accountId]);
    await service.made(operator.changeAccount, {
      params: { id: off.participant.accountId },
      body: { disabled: false },
    });
    // It is owed a mail now.
    expect(await seeing()).toEqual([on.accountId]);
  });

  test("says which reads came after its end; a cancel and an earlier end are read in time until the end that was", async () => {
    const { participant, programId } = await subscribed(service);
    const read = async (id: string) => {
      await participant.call(getDispatch, { params: { id } });
      return (await evidence(id)).findLast(({ what }) => what === "fetched")?.detail;
    };
    const end_time = ahead(service, { minutes: 30 });
    const times = { start_time: ahead(service, { minutes: 1 }), end_time };
    const [over, ended, cancelled] = [
      await newDispatch(service, programId, times),
      await newDispatch(service, programId, times),
      await newDispatch(service, programId, times),
    ];
    service.clock.advance({ minutes: 10 });
    await change(ended.id, { end_time: ahead(service, { minutes: 1 }) });
    await change(cancelled.id, { authorized: false });
    service.clock.advance({ minutes: 5 });
    expect(await read(ended.id)).toEqual({ modification_number: 1 });
    expect(await read(cancelled.id)).toEqual({ modification_number: 1 });
    service.clock.advance({ minutes: 16 });
    expect(await read(over.id)).toEqual({ modification_number: 0, after_end: true });
  });

  test("does not count a resend that failed: the failure stands after the last attempt of the schedule", async () => {
    const { hook, programId } = await subscribed(service);
    hook.answer = 503;
    const { id } = await newDispatch(service, programId);
    await untilCount(id, "webhook attempt", 1);
    const delivery = (await evidence(id)).find(({ what }) => what === "attempt")?.detail["delivery_id"];
    await service.operator("POST", `/deliveries/${delivery}/resend`);
    await untilCount(id, "webhook attempt", 2);
    for (const [index, seconds] of [3, 8, 22, 66].entries()) {
      service.clock.advance({ seconds });
      await untilCount(id, "webhook attempt", 3 + index);
    }
    await untilCount(id, "webhook failed", 1);
    const ofWebhook = (await evidence(id)).filter(({ channel }) => channel === "webhook");
    expect(said(ofWebhook).at(-1)).toBe("webhook failed");
  }, 60_000);

  test("gives the reason why no mail was sent: no contacts, no mail server", async () => {
    const without = await running();
    await Promise.all([unmailed(service, [], "no_contacts"), unmailed(without, ["anna@mills.example"], "kept")]);
  }, 60_000);

  test("lists when a mail expired, and contacts that the mail server refused", async () => {
    const { hook, programId } = await subscribed(service, ["anna@mills.example", "gone@mills.example"]);
    inbox.refused.add("gone@mills.example");
    const mailed = await failedDispatch(service, hook, programId);
    await untilCount(mailed, "mail mailed", 1);
    expect((await evidence(mailed)).find(({ what }) => what === "mailed")?.detail).toMatchObject({
      refused_recipients: 1,
    });

    await inbox.close();
    const id = await failedDispatch(service, hook, programId);
    const failures = "select failures from mails where dispatch_id = $1";
    await expect.poll(async () => (await service.database.pool.query(failures, [id])).rows).toEqual([{ failures: 1 }]);
    service.clock.advance({ days: 1 });
    await untilCount(id, "mail failed", 1);
    await inbox.open();
    const last = (await evidence(id)).at(-1);
    expect(last).toMatchObject({ at: now(), channel: "mail", detail: { reason: "expired" } });
    expect(last?.detail["error"]).toEqual(expect.any(String));
  }, 60_000);

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
