import { operator } from "@curtail/contract";
import { type Mailbox, mailbox } from "@curtail/testing/mailbox";
import { receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test } from "vitest";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { lookOnce } from "../../support/owed.js";
import { recorded } from "../../support/recorded.js";
import { type Running, running } from "../../support/running.js";
import { failForGood, mailRows, poll, subscribe, unreachable } from "../../support/unreachable.js";

// One mail per account and change; an earlier one is not sent once a later one says more.
let inbox: Mailbox;
let service: Running;

beforeAll(async () => {
  inbox = await mailbox();
  service = await running({ CURTAIL_SMTP_URL: inbox.url });
});

const mailsAbout = (id: string) => inbox.received.filter(({ content }) => content.includes(id));
const cancel = (id: string) => service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });

describe("a cancel behind a create that hangs", () => {
  test("is mailed within 180 s of the commit, and the create is not mailed besides", async () => {
    const { programId, hooks } = await unreachable(service, ["anna@mills.example"], 1);
    const [hook] = hooks;
    if (hook !== undefined) hook.answer = () => {};
    const { id } = await newDispatch(service, programId);
    await hook?.notices(1);
    service.clock.advance({ seconds: 5 });
    await cancel(id);
    service.clock.advance({ seconds: 56 });
    // The service's own look may have come before the cancel was seen.
    await lookOnce(service);
    service.clock.advance({ seconds: 1 });
    await poll(async () => mailsAbout(id).map(({ subject }) => subject), ["Dispatch cancelled, stop curtailing: Peak"]);
    // The outcome of both deliveries causes no second mail later.
    if (hook !== undefined) hook.answer = 503;
    for (let minute = 0; minute < 4; minute++) {
      service.clock.advance({ minutes: 1 });
      await lookOnce(service);
    }
    await poll(async () => (await mailRows(service, id)).filter(({ state }) => state === "waiting"), []);
    expect(mailsAbout(id)).toHaveLength(1);
  });

  test("does not mail twice where both fail for good", async () => {
    const { programId } = await unreachable(service, ["anna@mills.example"], 1);
    const { id } = await newDispatch(service, programId);
    await recorded(service, id, 1);
    await cancel(id);
    await service.database.pool
      .query("update notices set owed_look_at = null where dispatch_id = $1", [id])
      .catch(() => {});
    await failForGood(service, id, 1);
    await poll(async () => mailsAbout(id).length, 1);
    await failForGood(service, id, 1, 5);
    await poll(async () => (await mailRows(service, id)).filter(({ state }) => state === "waiting"), []);
    expect(mailsAbout(id).map(({ subject }) => subject)).toEqual(["Dispatch cancelled, stop curtailing: Peak"]);
  });
});

test("a mail that waits for the mail server is given up for that of a later change", async () => {
  const { programId } = await unreachable(service, ["anna@mills.example"], 0);
  await inbox.close();
  const { id } = await newDispatch(service, programId);
  await poll(() => mailRows(service, id), [{ event: "dispatch.create", state: "waiting", failures: 1 }]);
  await cancel(id);
  await poll(
    async () => (await mailRows(service, id)).map(({ event }) => event),
    ["dispatch.create", "dispatch.update"],
  );
  await inbox.open();
  for (let count = 0; count < 3; count++) {
    service.clock.advance({ seconds: 60 });
    await lookOnce(service);
  }
  await poll(async () => (await mailRows(service, id)).map(({ state }) => state), ["dropped", "sent"]);
  expect(mailsAbout(id)).toHaveLength(1);
});

test("a mail that said the latest change already counts for it", async () => {
  const participant = await service.newParticipant();
  await service.made(operator.createContact, {
    params: { id: participant.accountId },
    body: { name: "Anna", email: "anna@mills.example" },
  });
  const hook = await receiver();
  await subscribe(participant, hook);
  hook.answer = 503;
  const { id } = await newDispatch(service, await newProgram(service, [participant]));
  await recorded(service, id, 1);
  service.clock.advance({ seconds: 58 });
  await cancel(id);
  service.clock.advance({ seconds: 2 });
  await poll(async () => mailsAbout(id).length, 1);
  service.clock.advance({ seconds: 61 });
  await lookOnce(service);
  await poll(async () => (await mailRows(service, id)).filter(({ state }) => state === "waiting"), []);
  expect(mailsAbout(id).map(({ subject }) => subject)).toEqual(["Dispatch cancelled, stop curtailing: Peak"]);
});
