import { operator, participantConsole } from "@curtail/contract";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { storesOver } from "../../../src/app/stores.js";
import { untilAlarms } from "../../support/alarms.js";
import { ahead, newDispatch } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { newBrowser } from "../../support/people.js";
import {
  called,
  clearEach,
  evidenceOf,
  phones,
  prepare,
  service,
  sms,
  states,
  TOKEN,
  textsOf,
} from "../../support/phone-messages.js";
import { testSecretBox } from "../../support/secret-box.js";
import { poll } from "../../support/unreachable.js";

beforeAll(prepare);

afterEach(clearEach);

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
});

const waiting = (count: number): string =>
  `The gateway for SMS does not take messages (status_503): ${count} for contacts of ${count} accounts wait.`;

describe("a gateway", () => {
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
    const [raised] = await untilAlarms(service, about, 1);
    // An alarm says what there was when it was raised: the look may have come between both.
    expect([1, 2].map(waiting)).toContain(raised?.message.split(/(?<=wait\.) /)[0]);
    const { alarms } = storesOver(service.database.pool, testSecretBox);
    const [condition] = await alarms.conditions(service.clock.now(), ["gateway_failing"]);
    expect(condition?.message).toContain(waiting(2));
    phones.answer = 200;
    service.clock.advance({ minutes: 1 });
    await poll(
      async () => (await Promise.all(ids.map((id) => states(id)))).flat().map(({ state }) => state),
      ["delivered", "delivered"],
    );
    await untilAlarms(service, about, 0);
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
