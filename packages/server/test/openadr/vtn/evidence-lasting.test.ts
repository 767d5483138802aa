import { createWebhook, deleteWebhook, listDispatches, operator, participantConsole } from "@curtail/contract";
import { type Mailbox, mailbox } from "@curtail/testing/mailbox";
import { receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { enableDisplay } from "../../support/display.js";
import { type Evidence, evidenceOf, said, untilHappened } from "../../support/evidence.js";
import { newBrowser, newPerson, signIn } from "../../support/people.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { listeningToVens, type TestVen, type Vens } from "../../support/vens.js";

// Evidence states what happened under the rules of that time, whatever changes afterwards.
let inbox: Mailbox;
let service: Running;
let vens: Vens;

beforeAll(async () => {
  inbox = await mailbox();
  service = await running({ CURTAIL_SMTP_URL: `${inbox.url}?from=dispatch@operator.example` });
  vens = await listeningToVens(service);
});

const newContact = ({ accountId }: Participant, name: string, email: string) =>
  service.made(operator.createContact, { params: { id: accountId }, body: { name, email } });

const ofVen = (items: readonly Evidence[], { ven }: TestVen): string[] =>
  items
    .filter(({ detail }) => detail["ven"] === ven.id)
    .map(({ what, detail }) => `${what} ${detail["reason"] ?? detail["modification_number"]}`);

const happened = (dispatchId: string, what: string, count = 1) =>
  untilHappened(service, dispatchId, { happened: what, count });

describe("the evidence of a dispatch", () => {
  test("is byte for byte the same a day later, whatever was changed, replaced and deleted", async () => {
    const participant = await service.newParticipant({ sites: [["a"], ["b"]] });
    const [first, second] = participant.sites.map(({ id }) => id);
    await enableDisplay(service, participant);
    const { accountId } = participant;
    const contact = await newContact(participant, "Night shift", "night@mills.example");
    const refused = await newContact(participant, "Gone", "gone@mills.example");
    inbox.refused.add("gone@mills.example");
    const hook = await receiver();
    const events = [{ name: "dispatch.create" as const }, { name: "dispatch.update" as const }];
    const webhook = (await participant.call(createWebhook, { body: { url: hook.url, events } })).body;
    hook.answer = 503;
    const programId = await newProgram(service, [participant]);
    const heard = await vens.newVen(participant);
    const mute = await vens.newVen(participant, { sites: [first] });
    const silent = await vens.newVen(participant, { sites: [first], poll_interval_seconds: 20 });
    const viewer = await newBrowser(service, "participant-viewer", accountId);
    const reader = await newPerson(service, "participant-admin", accountId);

    const { id } = await newDispatch(service, programId, { end_time: ahead(service, { hours: 2 }) });
    await happened(id, "openadr notified", 3);
    await happened(id, "webhook attempt");
    await heard.answer(await heard.events());
    await mute.events();
    for (const seconds of [3, 8, 22, 66]) {
      const before = said(await evidenceOf(service, id)).filter((each) => each === "webhook attempt").length;
      service.clock.advance({ seconds });
      await happened(id, "webhook attempt", before + 1);
    }
    await happened(id, "mail mailed");
    service.clock.advance({ minutes: 1 });
    await service.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(service, { hours: 3 }) } });
    await happened(id, "openadr notified", 6);
    await happened(id, "webhook attempt", 6);
    await participant.call(listDispatches);
    service.clock.advance({ minutes: 30 });
    await happened(id, "webhook attempt", 7);
    await participant.call(deleteWebhook, { params: { id: webhook.id } });

    const own = async (): Promise<string> =>
      JSON.stringify(
        (
          await (
            await signIn(service, reader)
          ).console(participantConsole.listOwnEvidence, { params: { id }, query: { limit: 500 } })
        ).body.items,
      );
    const all = async (): Promise<string> => JSON.stringify(await evidenceOf(service, id));
    let [ownBefore, allBefore] = [await own(), await all()];
    const items = JSON.parse(allBefore) as Evidence[];
    expect(ofVen(items, silent)).toEqual(["notified 0", "failed not_polled", "notified 1", "failed not_polled"]);
    expect(ofVen(items, mute).slice(0, 3)).toEqual(["notified 0", "polled 0", "failed not_acknowledged"]);

    for (const { ven } of [heard, mute, silent]) {
      await service.made(operator.changeVen, {
        params: { id: ven.id },
        body: { poll_interval_seconds: 3600, sites: [second ?? ""] },
      });
      await vens.certify(ven);
    }
    await service.made(operator.changeVen, { params: { id: heard.ven.id }, body: { sites: "all" } });
    for (const gone of [contact, refused]) await service.operator(operator.deleteContact, { params: { id: gone.id } });
    await newContact(participant, "Day shift", "day@mills.example");
    await service.operator(operator.deleteUser, { params: { id: viewer.id } });
    service.clock.advance({ hours: 1 });
    // The mail that one contact was refused waits for another: that is told beside, and changes nothing of what was.
    await happened(id, "mail mailed", 2);
    const beside = JSON.parse(await all()) as Evidence[];
    expect(JSON.stringify(beside.slice(0, items.length))).toBe(allBefore);
    expect(said(beside.slice(items.length))).toEqual(["mail mailed"]);
    [ownBefore, allBefore] = [await own(), JSON.stringify(beside)];

    for (const { ven } of [heard, mute, silent]) {
      await service.operator(operator.deleteVen, { params: { id: ven.id } });
      await service.made(operator.createVen, { params: { id: accountId }, body: { ven_id: ven.ven_id } });
    }
    service.clock.advance({ hours: 21 });
    expect(await own()).toBe(ownBefore);
    service.clock.advance({ hours: 2 });
    expect(await all()).toBe(allBefore);
    await service.made(operator.changeAccount, {
      params: { id: accountId },
      body: { disabled: true, confirm_running: true },
    });
    expect(await all()).toBe(allBefore);
    expect(items.find(({ what }) => what === "mailed")?.detail).toMatchObject({
      recipients: [
        { name: "Gone", email: "gone@mills.example", accepted: false },
        { name: "Night shift", email: "night@mills.example", accepted: true },
      ],
    });
  }, 90_000);
});
