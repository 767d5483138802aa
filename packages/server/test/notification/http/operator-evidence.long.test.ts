import { deleteWebhook, getDispatch, operator } from "@curtail/contract";
import type { Receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch } from "../../support/dispatching.js";
import { said } from "../../support/evidence.js";
import {
  change,
  evidence,
  failForGood,
  inbox,
  now,
  prepare,
  service,
  subscribed,
  untilCount,
} from "../../support/evidence-of-dispatches.js";
import { type Running, running } from "../../support/running.js";

beforeAll(prepare);

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

describe("the evidence of a dispatch", () => {
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
    const failures = "select failures from messages where subject = $1 and channel = 'email'";
    await expect.poll(async () => (await service.database.pool.query(failures, [id])).rows).toEqual([{ failures: 1 }]);
    service.clock.advance({ days: 1 });
    await untilCount(id, "mail failed", 1);
    await inbox.open();
    const last = (await evidence(id)).at(-1);
    expect(last).toMatchObject({ at: now(), channel: "mail", detail: { reason: "expired" } });
    expect(last?.detail["error"]).toEqual(expect.any(String));
  }, 60_000);
});
