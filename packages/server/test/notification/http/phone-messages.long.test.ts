import { createTestDispatch, operator } from "@curtail/contract";
import { gateway } from "@curtail/testing/gateway";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { PHONE_MESSAGES } from "../../../src/notification/followers/phone-messages.js";
import { untilAlarms } from "../../support/alarms.js";
import { caughtUp } from "../../support/caught-up.js";
import { ahead, newDispatch } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import {
  addContact,
  called,
  clearEach,
  evidenceOf,
  newNumber,
  phones,
  prepare,
  service,
  sms,
  states,
  textsOf,
} from "../../support/phone-messages.js";
import { running } from "../../support/running.js";
import { mailRows, poll } from "../../support/unreachable.js";

beforeAll(prepare);

afterEach(clearEach);

describe("a dispatch", () => {
  test("is spoken in a call, too, to a contact that asked for both; and not to one that asked for neither", async () => {
    const { account, programId } = await called({ voice: true });
    await addContact(account, { phone: newNumber() });
    const { id } = await newDispatch(service, programId, { test: true });
    await poll(async () => (await states(id)).length, 2);
    await expect.poll(() => phones.about(id).length).toBe(2);
    expect(phones.about(id).map(({ message }) => message.channel)).toEqual(expect.arrayContaining(["sms", "voice"]));
    const call = phones.about(id).find(({ message }) => message.channel === "voice")?.message;
    expect(call).toMatchObject({ test: true, text: expect.stringMatching(/TEST, no emergency\. reduce 50 kilowatts/) });
  });

  test("is sent once to a number that two contacts share", async () => {
    const phone = newNumber();
    const { account, programId } = await called({ phone });
    await addContact(account, { phone: phone.replaceAll(" ", "-"), sms: true });
    const { id } = await newDispatch(service, programId);
    await poll(() => states(id), [sms("delivered"), sms("dropped")]);
    expect(phones.about(id)).toHaveLength(1);
  });

  test("is sent at its notification time; one cancelled before that never is", async () => {
    const { programId } = await called();
    const notification_time = ahead(service, { minutes: 20 });
    const start_time = ahead(service, { hours: 3 });
    const cancelled = await newDispatch(service, programId, { notification_time, start_time });
    const kept = await newDispatch(service, programId, { notification_time, start_time });
    await service.made(operator.changeDispatch, { params: { id: cancelled.id }, body: { authorized: false } });
    expect(await states(kept.id)).toEqual([]);
    service.clock.advance({ minutes: 20 });
    await poll(() => states(kept.id), [sms("delivered")]);
    expect(await states(cancelled.id)).toEqual([]);
  });

  test("that an account issues itself as a test is not sent, nor any to a disabled account", async () => {
    const { account, programId } = await called();
    const own = await account.call(createTestDispatch, {
      body: { start_time: ahead(service, { hours: 1 }), end_time: ahead(service, { hours: 2 }) },
    });
    const other = await called();
    await service.made(operator.enrolSite, {
      params: { id: programId, site_id: other.account.sites[0]?.id ?? "" },
      body: { commitment: 7 },
    });
    await service.made(operator.changeAccount, {
      params: { id: account.accountId },
      body: { disabled: true, confirm_running: true },
    });
    const { id } = await newDispatch(service, programId);
    await poll(() => states(id), [sms("delivered")]);
    expect(phones.about(id)[0]?.message.account_id).toBe(other.account.accountId);
    expect(await states(own.body.id)).toEqual([]);
  });
});

describe("a gateway", () => {
  test("that fails is asked again under the same key, and a change meanwhile replaces the message", async () => {
    const { programId } = await called();
    phones.answer = 503;
    const { id } = await newDispatch(service, programId);
    await poll(() => states(id), [sms("pending", 1)]);
    service.clock.advance({ seconds: 5 });
    await poll(() => states(id), [sms("pending", 2)]);
    expect(new Set(phones.about(id).map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    await service.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(service, { hours: 2 }) } });
    await poll(() => states(id), [sms("pending", 2), sms("pending", 1, "dispatch.update")]);
    phones.answer = 200;
    service.clock.advance({ seconds: 15 });
    await poll(() => states(id), [sms("dropped", 2), sms("delivered", 1, "dispatch.update")]);
    expect(textsOf(id).at(-1)).toContain("CHANGED");
  });

  test("that refuses a message is not asked again, which the evidence shows", async () => {
    const { programId, phone } = await called();
    phones.answer = 422;
    const { id } = await newDispatch(service, programId);
    await poll(() => states(id), [sms("failed", 1)]);
    expect(await evidenceOf(id)).toMatchObject([
      { channel: "sms", what: "notified", detail: { name: "Ana Lopez", phone: phone.replaceAll(" ", "") } },
      { channel: "sms", what: "failed", detail: { reason: "gateway_refused", error: "status_422" } },
    ]);
  });

  test("that takes no message for six hours is given up", async () => {
    const { programId } = await called();
    phones.answer = (response) => response.destroy();
    const { id } = await newDispatch(service, programId);
    await poll(() => states(id), [sms("pending", 1)]);
    service.clock.advance({ hours: 6 });
    await poll(() => states(id), [sms("failed", 2)]);
    expect((await evidenceOf(id)).at(-1)).toMatchObject({ what: "failed", detail: { reason: "gateway_expired" } });
  });

  test("that redirects is not followed: the token would go elsewhere", async () => {
    const elsewhere = await gateway();
    const { programId } = await called();
    phones.answer = (response) => response.writeHead(302, { location: elsewhere.url }).end();
    const { id } = await newDispatch(service, programId);
    await poll(() => states(id), [sms("pending", 1)]);
    expect(elsewhere.received).toEqual([]);
  });

  test("gets twelve messages an hour for a phone; later ones wait", async () => {
    const { programId } = await called();
    const ids: string[] = [];
    for (let each = 0; each < 13; each++) ids.push((await newDispatch(service, programId)).id);
    const sent = () => ids.filter((id) => phones.about(id).length > 0).length;
    await expect.poll(sent).toBe(12);
    service.clock.advance({ hours: 1 });
    await expect.poll(sent).toBe(13);
  });
});

test("a message that a gateway took clears the alarm that nobody was notified, as a mail does", async () => {
  const { programId } = await called();
  phones.answer = 503;
  const { id } = await newDispatch(service, programId);
  await poll(() => states(id), [sms("pending", 1)]);
  await poll(async () => (await mailRows(service, id)).map(({ state }) => state), ["kept"]);
  await untilAlarms(service, { kind: "notice_failed", id }, 1);
  phones.answer = 200;
  service.clock.advance({ minutes: 3 });
  await poll(async () => (await states(id)).map(({ state }) => state), ["delivered"]);
  service.clock.advance({ minutes: 1 });
  await untilAlarms(service, { kind: "notice_failed", id }, 0);
});

describe("a service without a gateway", () => {
  test("says so, sends nothing, and sends nothing later for what was past", async () => {
    const without = await running();
    expect(await without.made(operator.getPhoneChannels, {})).toEqual({ sms: false, voice: false });
    const { programId, contactId } = await called({}, without);
    const { id } = await newDispatch(without, programId);
    const isNoted = async () =>
      (
        await without.database.pool.query("select noted_at is not null as noted from notices where dispatch_id = $1", [
          id,
        ])
      ).rows;
    await poll(isNoted, [{ noted: true }]);
    await caughtUp(without.database.pool, PHONE_MESSAGES);
    expect(await states(id, without)).toEqual([]);
    const body = { channel: "sms" as const };
    expectError(
      await without.operator(operator.testContact, { params: { id: contactId }, body }),
      400,
      /the operator has not set up SMS \(CURTAIL_SMS_URL\)/,
    );
  });
});
