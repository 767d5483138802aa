import { operator } from "@curtail/contract";
import { type Mailbox, mailbox } from "@curtail/testing/mailbox";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch } from "../support/dispatching.js";
import { runningVtn, type Vtn } from "../support/openadr-3.js";
import { calledBack, changed, type Equipped, equipped, eventOf, operates, toldOf } from "../support/openadr3-vens.js";
import { lookOnce } from "../support/owed.js";
import { mailRows, poll } from "../support/unreachable.js";

// G45: a VEN of OpenADR 3 that read an event, was called back about it, or answered it, was notified.
let inbox: Mailbox;
let vtn: Vtn;

beforeAll(async () => {
  inbox = await mailbox();
  vtn = await runningVtn({ CURTAIL_SMTP_URL: inbox.url });
});

const reachable = async (): Promise<Equipped> => {
  const site = await equipped(vtn);
  const contact = { name: "Anna", email: "anna@mills.example" };
  await vtn.made(operator.createContact, { params: { id: site.participant.accountId }, body: contact });
  return site;
};

const mails = async (id: string) => (await mailRows(vtn, id)).map(({ event }) => event);
const notMailed = async (id: string): Promise<void> => {
  await lookOnce(vtn);
  expect(await mails(id)).toEqual([]);
};
const mailed = (id: string, ...events: string[]) => poll(() => mails(id), events);

const dispatched = async (site: Equipped) => {
  const { id } = await newDispatch(vtn, site.programId);
  return { id, event: await eventOf(vtn, site, id) };
};

/** Reads its events every so often, until the interval is known. */
const polls = async ({ ven }: Equipped, seconds: number): Promise<void> => {
  for (let poll = 0; poll < 3; poll++) {
    await ven.events.search();
    if (poll < 2) vtn.clock.advance({ seconds });
  }
  const interval = async () =>
    (await vtn.database.pool.query("select interval_seconds from openadr3_polls where client_id = $1", [ven.id]))
      .rows[0]?.interval_seconds;
  await expect.poll(interval).toBeCloseTo(seconds);
};

describe("an account whose only channel is a VEN of OpenADR 3", () => {
  test("has 60 seconds to read the dispatch if it never polled, and is mailed then", async () => {
    const { id } = await dispatched(await reachable());
    vtn.clock.advance({ seconds: 59 });
    await notMailed(id);
    vtn.clock.advance({ seconds: 2 });
    await mailed(id, "dispatch.create");
  });

  test("has three of its usual intervals if it polls seldom", async () => {
    const site = await reachable();
    await polls(site, 50);
    const { id } = await dispatched(site);
    vtn.clock.advance({ seconds: 149 });
    await notMailed(id);
    vtn.clock.advance({ seconds: 2 });
    await mailed(id, "dispatch.create");
  });

  test("has 60 seconds if it is called back, however seldom it polls", async () => {
    const site = await reachable();
    await polls(site, 90);
    const receiver = await calledBack(site);
    receiver.answer = 503;
    const { id } = await dispatched(site);
    vtn.clock.advance({ seconds: 61 });
    await mailed(id, "dispatch.create");
  });

  test("is mailed at once if its VEN is revoked, or has other sites", async () => {
    const revoked = await reachable();
    await vtn.made(operator.revokeOpenadrClient, { params: { id: revoked.ven.id } });
    const { id } = await newDispatch(vtn, revoked.programId);
    await mailed(id, "dispatch.create");
  });

  test.each([
    ["an answer with the event", async ({ ven }: Equipped, eventId: string) => void (await ven.events.get(eventId))],
    ["its operating state", async (site: Equipped, eventId: string) => void (await operates(site, eventId, "NORMAL"))],
  ])("owes nothing more after %s, until the next change", async (_, learn) => {
    const site = await reachable();
    const { id, event } = await dispatched(site);
    await learn(site, event.id);
    vtn.clock.advance({ minutes: 2 });
    await notMailed(id);
    await changed(vtn, id, { end_time: ahead(vtn, { hours: 2 }) });
    vtn.clock.advance({ seconds: 61 });
    await mailed(id, "dispatch.update");
  });

  test("owes nothing more after an accepted callback, nor after a list without the cancelled event", async () => {
    const site = await reachable();
    const receiver = await calledBack(site);
    const { id } = await dispatched(site);
    await expect.poll(async () => (await toldOf(vtn, id, site)).at(-1)).toBe("delivered 0");
    vtn.clock.advance({ minutes: 2 });
    await notMailed(id);
    receiver.answer = 503;
    await changed(vtn, id, { authorized: false });
    await site.ven.events.search();
    vtn.clock.advance({ minutes: 2 });
    await notMailed(id);
  });

  test("still owes after an error of its VEN", async () => {
    const site = await reachable();
    const { id, event } = await dispatched(site);
    await operates(site, event.id, "ERROR");
    vtn.clock.advance({ seconds: 61 });
    await mailed(id, "dispatch.create");
  });
});
