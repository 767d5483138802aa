import { type BodyOf, createTestDispatch, operator, participantConsole } from "@curtail/contract";
import { type Gateway, gateway } from "@curtail/testing/gateway";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { PHONE_MESSAGES } from "../../../src/notification/followers/phone-messages.js";
import { untilAlarms } from "../../support/alarms.js";
import { caughtUp } from "../../support/caught-up.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { newBrowser } from "../../support/people.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { mailRows, poll } from "../../support/unreachable.js";

const TOKEN = "token-of-the-gateway";

let phones: Gateway;
let service: Running;

beforeAll(async () => {
  phones = await gateway();
  service = await running({
    CURTAIL_SMS_URL: phones.url,
    CURTAIL_VOICE_URL: `${phones.url}/calls`,
    CURTAIL_GATEWAY_TOKEN: TOKEN,
  });
});
afterEach(() => {
  phones.answer = 202;
});

let count = 0;
const newNumber = (): string => `+1 555 010 ${String(++count).padStart(4, "0")}`;

const addContact = (account: Participant, body: Partial<BodyOf<typeof operator.createContact>>, on = service) =>
  on.made(operator.createContact, {
    params: { id: account.accountId },
    body: { name: "Ana Lopez", email: "ana@example.com", ...body },
  });

/** An account with a contact, and a program of its site. */
const called = async (contact: Partial<BodyOf<typeof operator.createContact>> = {}, on = service) => {
  const account = await on.newParticipant();
  const phone = newNumber();
  const { id: contactId } = await addContact(account, { phone, sms: true, ...contact }, on);
  return { account, phone, contactId, programId: await newProgram(on, [account]) };
};

const states = async (dispatchId: string, on = service) => {
  const sql =
    "select event, channel, state, failures from messages where subject = $1 and channel in ('sms', 'voice') order by seq";
  return (await on.database.pool.query(sql, [dispatchId])).rows;
};

const sms = (state: string, failures = 0, event = "dispatch.create") => ({ event, channel: "sms", state, failures });

const textsOf = (id: string): string[] => phones.about(id).map(({ message }) => message.text);

const evidenceOf = async (id: string) =>
  (await service.made(operator.listEvidence, { params: { id } })).items.filter(({ channel }) =>
    ["sms", "voice"].includes(channel),
  );

describe("a dispatch", () => {
  test("is sent as SMS to a contact that asked for it, and so is each change", async () => {
    const { account, phone, programId } = await called();
    const { id } = await newDispatch(service, programId);
    await poll(() => states(id), [sms("delivered")]);
    expect(phones.about(id)).toEqual([
      {
        headers: expect.objectContaining({
          authorization: `Bearer ${TOKEN}`,
          "content-type": "application/json",
          "idempotency-key": expect.stringMatching(/^msg_/),
        }),
        message: {
          id: phones.about(id)[0]?.headers["idempotency-key"],
          channel: "sms",
          to: phone.replaceAll(" ", ""),
          text: expect.stringMatching(/^Curtail: reduce 50 kW from .* until further notice\. Peak$/),
          language: "en",
          kind: "created",
          account_id: account.accountId,
          dispatch_id: id,
          test: false,
        },
      },
    ]);
    await service.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(service, { hours: 2 }) } });
    await poll(() => states(id), [sms("delivered"), sms("delivered", 0, "dispatch.update")]);
    await service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
    await expect.poll(() => textsOf(id)).toHaveLength(3);
    expect(phones.about(id).map(({ message }) => message.kind)).toEqual(["created", "changed", "cancelled"]);
    expect(textsOf(id)[2]).toMatch(/CANCELLED, stop reducing/);
  });

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

  test("has notified an account once the gateway took a message about its latest change", async () => {
    const { programId } = await called({ voice: true });
    const { id } = await newDispatch(service, programId);
    const reached = async () => {
      const {
        reached: all,
        reached_by,
        unreached,
      } = await service.made(operator.getDispatchAttention, {
        params: { id },
      });
      return [all, reached_by.sms, reached_by.voice, unreached.length];
    };
    await poll(reached, [1, 1, 1, 0]);
    const { items } = await service.made(operator.getDispatchTimeline, { params: { id } });
    const channels = items.flatMap(({ what, channel }) => (what === "reached" ? [channel] : []));
    expect(new Set(channels)).toEqual(new Set(["sms", "voice"]));
    phones.answer = 500;
    await service.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(service, { hours: 2 }) } });
    expect(await reached()).toEqual([0, 0, 0, 1]);
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

  test("that keeps failing raises one alarm, which is cleared once it works", async () => {
    const [one, two] = [await called(), await called()];
    phones.answer = 503;
    const ids = [(await newDispatch(service, one.programId)).id, (await newDispatch(service, two.programId)).id];
    const failures = async () => (await Promise.all(ids.map((id) => states(id)))).flat().map((each) => each.failures);
    for (const [index, seconds] of [5, 15, 0].entries()) {
      await poll(failures, [index + 1, index + 1]);
      service.clock.advance({ seconds });
    }
    const about = { kind: "gateway_failing", id: "CURTAIL_SMS_URL" };
    const [alarm] = await untilAlarms(service, about, 1);
    expect(alarm?.message).toMatch(
      /^The gateway for SMS does not take messages \(status_503\): 2 for .* 2 accounts wait\./,
    );
    phones.answer = 200;
    service.clock.advance({ minutes: 1 });
    await poll(
      async () => (await Promise.all(ids.map((id) => states(id)))).flat().map(({ state }) => state),
      ["delivered", "delivered"],
    );
    await untilAlarms(service, about, 0);
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

  test("gets a message once from two processes, and its id is evidence", async () => {
    await service.another();
    const { account, phone, programId } = await called();
    const { id } = await newDispatch(service, programId);
    await poll(() => states(id), [sms("delivered")]);
    service.clock.advance({ minutes: 1 });
    expect(phones.about(id)).toHaveLength(1);
    expect(await evidenceOf(id)).toMatchObject([
      { what: "notified", account_id: account.accountId },
      {
        what: "handed_over",
        detail: {
          message_id: phones.about(id)[0]?.message.id,
          gateway_id: expect.stringMatching(/^gw-/),
          phone: phone.replaceAll(" ", ""),
          modification_number: 0,
          // As it was sent (G63).
          text: phones.about(id)[0]?.message.text,
        },
      },
    ]);
    const admin = await newBrowser(service, "participant-admin", account.accountId);
    const own = await admin.console(participantConsole.listOwnEvidence, { params: { id } });
    expect(own.body.items.map(({ what }) => what)).toContain("handed_over");
  });

  test("gets twelve messages an hour for a phone; later ones wait", async () => {
    const { programId } = await called();
    const ids: string[] = [];
    for (let each = 0; each < 13; each++) ids.push((await newDispatch(service, programId)).id);
    const sent = () => ids.filter((id) => phones.about(id).length > 0).length;
    await expect.poll(sent, { timeout: 10_000 }).toBe(12);
    service.clock.advance({ hours: 1 });
    await expect.poll(sent, { timeout: 5000 }).toBe(13);
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

describe("a contact", () => {
  test("needs an international number for SMS and calls", async () => {
    const { account } = await called();
    for (const phone of [null, "555 0100", "0555010", "+1 555 CALL NOW", "+123456", "+1234567890123456"]) {
      const body = { name: "Ana", email: "ana@example.com", phone, voice: true };
      expectError(
        await service.operator(operator.createContact, { params: { id: account.accountId }, body }),
        400,
        /phone must be an international number such as \+1 555 010 0200/,
      );
    }
  });

  test("gets a test message from an operator and from its own account, and no other", async () => {
    const { account, contactId, phone } = await called();
    const body = { channel: "voice" as const };
    const tested = await service.made(operator.testContact, { params: { id: contactId }, body });
    expect(tested).toEqual({ ok: true, gateway_id: expect.stringMatching(/^gw-/), error: null });
    expect(phones.received.at(-1)?.message).toMatchObject({
      channel: "voice",
      to: phone.replaceAll(" ", ""),
      kind: "test_message",
      dispatch_id: null,
    });
    phones.answer = 500;
    const admin = await newBrowser(service, "participant-admin", account.accountId);
    const own = { params: { id: contactId }, body };
    expect((await admin.console(participantConsole.testOwnContact, own)).body).toEqual({
      ok: false,
      gateway_id: null,
      error: "status_500",
    });
    const other = await service.newParticipant();
    const stranger = await newBrowser(service, "participant-admin", other.accountId);
    expectError(await stranger.console(participantConsole.testOwnContact, own), 404, /contact/);
    for (let each = 0; each < 3; each++) await admin.console(participantConsole.testOwnContact, own);
    expectError(await admin.console(participantConsole.testOwnContact, own), 429, /5 test messages a minute/);
  });
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
