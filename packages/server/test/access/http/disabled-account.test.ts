import { operator } from "@curtail/contract";
import { type Mailbox, mailbox } from "@curtail/testing/mailbox";
import { type Receiver, receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test } from "vitest";
import { alarmsAbout, judgeOnce } from "../../support/alarms.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { lookOnce } from "../../support/owed.js";
import { recorded } from "../../support/recorded.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { mailRows, poll, subscribe } from "../../support/unreachable.js";

// G50: a disabled account is not dispatched and not notified.
let inbox: Mailbox;
let service: Running;
let anna: Participant;

beforeAll(async () => {
  inbox = await mailbox();
  service = await running({ CURTAIL_SMTP_URL: inbox.url });
  anna = await service.newParticipant({ name: "Anna" });
});

const disable = ({ accountId }: Participant) =>
  service.made(operator.changeAccount, { params: { id: accountId }, body: { disabled: true, confirm_running: true } });
const subscribed = async (): Promise<{ participant: Participant; hook: Receiver; programId: string }> => {
  const [participant, hook] = [await service.newParticipant(), await receiver()];
  await service.made(operator.createContact, {
    params: { id: participant.accountId },
    body: { name: "Anna", email: "a@mills.example" },
  });
  await subscribe(participant, hook);
  return { participant, hook, programId: await newProgram(service, [participant]) };
};
const deliveries = async (id: string): Promise<string[]> =>
  (await service.operator(operator.listDispatchDeliveries, { params: { id } })).body.items.map(({ state }) => state);

describe("a disabled account's sites", () => {
  test("are left out of new dispatches and previews, and listed with the reason", async () => {
    const { participant } = await subscribed();
    const program_id = await newProgram(service, [anna, participant]);
    await disable(participant);
    const body = { program_id, start_time: ahead(service, { hours: 1 }) };
    const excluded_sites = [{ site_id: participant.sites[0]?.id, reason: expect.stringMatching(/account disabled/) }];
    const preview = await service.operator(operator.previewDispatch, { body });
    expect(preview.body).toMatchObject({ sites: 1, excluded_sites, accounts: [{ account_id: anna.accountId }] });
    expect(await service.made(operator.createDispatch, { body })).toMatchObject({ excluded_sites });
  });

  test("are named in the refusal of a dispatch that has no others, and of a verification", async () => {
    const { participant, programId } = await subscribed();
    await disable(participant);
    const body = { program_id: programId, start_time: ahead(service, { hours: 1 }) };
    expectError(await service.operator(operator.createDispatch, { body }), 400, /disabled/);
    expectError(await service.operator(operator.previewDispatch, { body }), 400, /disabled/);
    const verification = { program_id: programId, length_seconds: 600 };
    const path = `/sites/${participant.sites[0]?.id}/verification`;
    expectError(await service.operator("POST", path, verification), 400, /disabled/);
  });

  test("are listed once where they are not available besides", async () => {
    const { participant } = await subscribed();
    const site_id = participant.sites[0]?.id;
    const period = { start_time: ahead(service, { hours: 1 }), end_time: ahead(service, { hours: 2 }) };
    await participant.call("POST", `/schedule/sites/${site_id}`, { available: false, ...period });
    const program_id = await newProgram(service, [anna, participant]);
    await disable(participant);
    const made = await service.made(operator.createDispatch, { body: { program_id, ...period } });
    expect(made.excluded_sites).toMatchObject([{ site_id, reason: expect.stringMatching(/disabled/) }]);
  });
});

const untouched = async (id: string): Promise<void> => {
  await lookOnce(service);
  await judgeOnce(service);
  expect(await mailRows(service, id)).toEqual([]);
  expect(await alarmsAbout(service, { kind: "notice_failed", id })).toEqual([]);
  expect(await alarmsAbout(service, { kind: "notice_undelivered", id })).toEqual([]);
};

describe("an account that is disabled", () => {
  test("between creation and notification gets no delivery, no mail and no alarm", async () => {
    const { participant, hook, programId } = await subscribed();
    const { id } = await newDispatch(service, programId, { notification_time: ahead(service, { minutes: 5 }) });
    await disable(participant);
    service.clock.advance({ minutes: 5 });
    await poll(
      async () => (await service.database.pool.query("select state from notices where dispatch_id = $1", [id])).rows,
      [{ state: "sent" }],
    );
    service.clock.advance({ minutes: 6 });
    await untouched(id);
    expect(await deliveries(id)).toEqual([]);
    expect(await hook.notices(0)).toEqual([]);
  });

  test("while its webhook is retried is not sent to any more, nor mailed or alarmed about", async () => {
    const { participant, hook, programId } = await subscribed();
    hook.answer = 503;
    const { id } = await newDispatch(service, programId);
    await recorded(service, id, 1);
    await disable(participant);
    expect(await deliveries(id)).toEqual(["dropped"]);
    service.clock.advance({ minutes: 6 });
    await untouched(id);
    expect(await hook.notices(1)).toHaveLength(1);
  });

  test("while its mail waits is not mailed", async () => {
    await inbox.close();
    const participant = await service.newParticipant();
    await service.made(operator.createContact, {
      params: { id: participant.accountId },
      body: { name: "Anna", email: "a@mills.example" },
    });
    const { id } = await newDispatch(service, await newProgram(service, [participant]));
    await poll(async () => (await mailRows(service, id)).map(({ failures }) => failures), [1]);
    await disable(participant);
    await inbox.open();
    service.clock.advance({ minutes: 1 });
    await poll(async () => (await mailRows(service, id)).map(({ state }) => state), ["dropped"]);
    expect(inbox.received.filter(({ content }) => content.includes(id))).toEqual([]);
  });
});
