import { createTestDispatch, operator } from "@curtail/contract";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch } from "../../support/dispatching.js";
import { failForGood, mailRows, poll, unreachable } from "../../support/unreachable.js";
import { clearEach, inbox, newMails, prepare, sent, service } from "../../support/webhook-mails.js";

beforeAll(prepare);

afterEach(clearEach);

describe("a dispatch whose webhooks have failed for good", () => {
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
