import { createTestDispatch, getDispatch, operator } from "@curtail/contract";
import { type Mailbox, mailbox, type ReceivedMail } from "@curtail/testing/mailbox";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch } from "../../support/dispatching.js";
import { type Running, running } from "../../support/running.js";
import { failForGood, mailRows, poll, unreachable } from "../../support/unreachable.js";

let inbox: Mailbox;
let service: Running;

beforeAll(async () => {
  inbox = await mailbox();
  service = await running({ CURTAIL_SMTP_URL: `${inbox.url}?from=dispatch@operator.example` });
});
afterEach(() => inbox.open());

/** The mails about a dispatch that `act` causes. */
const newMails = async (dispatchId: string, count: number, act: () => unknown): Promise<readonly ReceivedMail[]> => {
  const about = () => inbox.received.filter(({ content }) => content.includes(dispatchId));
  const before = about().length;
  await act();
  await expect.poll(() => about().length).toBe(before + count);
  return about().slice(before);
};

const sent = (event: string, failures = 0) => ({ event, state: "sent", failures });

describe("a dispatch whose webhooks have failed for good", () => {
  test("is mailed to the account's contacts once, and again for each change", async () => {
    const { participant, programId } = await unreachable(service, ["anna@mills.example", "ben@mills.example"]);
    const { id } = await newDispatch(service, programId);
    const [mail] = await newMails(id, 1, () => failForGood(service, id, 2));
    expect(mail).toMatchObject({
      from: "dispatch@operator.example",
      to: ["anna@mills.example", "ben@mills.example"],
      subject: expect.stringMatching(/^Curtail 50 kW from .* \(America\/Chicago\): Peak$/),
    });
    expect(mail?.content).toContain("- Mills, site 1: 50 kW");
    expect(mail?.content).toContain("<li>Mills, site 1: 50 kW</li>");
    expect(mail?.content).toContain("End: until further notice");
    expect(mail?.content).toContain(`/2022-04-15/dispatches/${id} with your API key`);

    // Sent, but perhaps not recorded: after its lease it would be sent twice.
    await poll(() => mailRows(service, id), [sent("dispatch.create")]);
    await service.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(service, { hours: 2 }) } });
    const [second] = await newMails(id, 1, () => failForGood(service, id, 2, 10));
    expect(second?.subject).toMatch(/^Dispatch changed, curtail 50 kW/);
    expect(second?.messageId).not.toBe(mail?.messageId);
    await poll(() => mailRows(service, id), [sent("dispatch.create"), sent("dispatch.update")]);
    expect((await participant.call(getDispatch, { params: { id } })).status).toBe(200);
  });

  test("names only the account's own sites, and says TEST for a test", async () => {
    const { programId } = await unreachable(service, ["anna@mills.example"], 1);
    const other = await service.newParticipant({ name: "Secret Foundry" });
    await service.made(operator.enrolSite, {
      params: { id: programId, site_id: other.sites[0]?.id ?? "" },
      body: { commitment: 7 },
    });
    const { id } = await newDispatch(service, programId, { test: true });
    const [mail] = await newMails(id, 1, () => failForGood(service, id, 1));
    expect(mail?.subject).toMatch(/^\[TEST\] Curtail 50 kW/);
    expect(mail?.content).not.toContain("Foundry");
  });

  test("and was cancelled before the mail was sent is mailed as cancelled, once the mail server is back", async () => {
    const { programId } = await unreachable(service, ["anna@mills.example"], 1);
    await inbox.close();
    const { id } = await newDispatch(service, programId);
    await failForGood(service, id, 1);
    await poll(() => mailRows(service, id), [{ event: "dispatch.create", state: "waiting", failures: 1 }]);
    service.clock.advance({ seconds: 10 });
    await poll(() => mailRows(service, id), [{ event: "dispatch.create", state: "waiting", failures: 2 }]);
    await service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
    await inbox.open();
    const [mail] = await newMails(id, 1, async () => service.clock.advance({ seconds: 30 }));
    expect(mail?.subject).toBe("Dispatch cancelled, stop curtailing: Peak");
    await poll(() => mailRows(service, id), [sent("dispatch.create", 2)]);
  });

  test("is mailed to the contacts that the mail server takes", async () => {
    const { programId } = await unreachable(service, ["gone@mills.example", "anna@mills.example"], 1);
    inbox.refused.add("gone@mills.example");
    const { id } = await newDispatch(service, programId);
    const [mail] = await newMails(id, 1, () => failForGood(service, id, 1));
    expect(mail?.to).toEqual(["anna@mills.example"]);
    // The refused one is a failure, which waits for a corrected contact (G62).
    await poll(() => mailRows(service, id), [sent("dispatch.create", 1)]);
  });

  test("leaves a mail that is kept where the account has no contacts", async () => {
    const { programId } = await unreachable(service, [], 1);
    const { id } = await newDispatch(service, programId);
    await newMails(id, 0, () => failForGood(service, id, 1));
    await poll(() => mailRows(service, id), [{ event: "dispatch.create", state: "no_contacts", failures: 0 }]);
  });

  test("is not mailed if the participant created it itself", async () => {
    const { participant } = await unreachable(service, ["anna@mills.example"], 1);
    const body = { start_time: ahead(service, { hours: 1 }), end_time: ahead(service, { hours: 2 }) };
    const { id } = (await participant.call(createTestDispatch, { body })).body;
    await failForGood(service, id, 1);
    expect(await mailRows(service, id)).toEqual([]);
  });
});

test("a mail that is not accepted for a day is given up", async () => {
  const { programId } = await unreachable(service, ["anna@mills.example"], 1);
  await inbox.close();
  const { id } = await newDispatch(service, programId);
  await failForGood(service, id, 1);
  await poll(() => mailRows(service, id), [{ event: "dispatch.create", state: "waiting", failures: 1 }]);
  service.clock.advance({ days: 1 });
  await poll(() => mailRows(service, id), [{ event: "dispatch.create", state: "expired", failures: 2 }]);
});

test("without a mail server, mails are kept", async () => {
  const without = await running();
  const { programId } = await unreachable(without, ["anna@mills.example"], 1);
  const { id } = await newDispatch(without, programId);
  await failForGood(without, id, 1);
  await poll(() => mailRows(without, id), [{ event: "dispatch.create", state: "kept", failures: 0 }]);
});
