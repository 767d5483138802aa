import { getDispatch, operator } from "@curtail/contract";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch } from "../../support/dispatching.js";
import { running } from "../../support/running.js";
import { failForGood, mailRows, poll, unreachable } from "../../support/unreachable.js";
import { clearEach, inbox, newMails, prepare, sent, service } from "../../support/webhook-mails.js";

beforeAll(prepare);

afterEach(clearEach);

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
});

test("without a mail server, mails are kept", async () => {
  const without = await running();
  const { programId } = await unreachable(without, ["anna@mills.example"], 1);
  const { id } = await newDispatch(without, programId);
  await failForGood(without, id, 1);
  await poll(() => mailRows(without, id), [{ event: "dispatch.create", state: "kept", failures: 0 }]);
});
