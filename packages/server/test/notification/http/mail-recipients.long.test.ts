import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { alarmsAbout, judgeOnce } from "../../support/alarms.js";
import { ahead, newDispatch } from "../../support/dispatching.js";
import { nothingUnderWay, recorded } from "../../support/recorded.js";
import {
  account,
  addContact,
  failed,
  inbox,
  openAlarms,
  prepare,
  service,
  taken,
} from "../../support/refused-recipients.js";
import { mailRows, poll } from "../../support/unreachable.js";

beforeAll(prepare);

describe("a recipient that is greylisted", () => {
  test("and corrected meanwhile gets it at the new address only", async () => {
    const { participant, programId, a, b, contactIds } = await account();
    inbox.greylisted.set(a, 100);
    const { id } = await newDispatch(service, programId);
    await failed(id, 1);
    await service.made(operator.deleteContact, { params: { id: contactIds[a] ?? "" } });
    await addContact(participant, `new-${a}`);
    service.clock.advance({ seconds: 10 });
    await expect.poll(() => taken(id, `new-${a}`)).toBe(1);
    expect([taken(id, a), taken(id, b)]).toEqual([0, 1]);
  });

  test("is not tried again for the earlier state once the dispatch changed: it gets the new one", async () => {
    const { programId, a, b } = await account();
    inbox.greylisted.set(a, 1);
    const { id } = await newDispatch(service, programId);
    await failed(id, 1);
    await service.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(service, { hours: 2 }) } });
    await expect.poll(() => taken(id, a)).toBe(1);
    await nothingUnderWay(service, "public");
    service.clock.advance({ minutes: 10 });
    await poll(async () => (await mailRows(service, id)).map(({ state }) => state), ["sent", "sent"]);
    expect([taken(id, a), taken(id, b)]).toEqual([1, 2]);
  });

  test("is not tried again once its account is disabled", async () => {
    const { participant, programId, a } = await account();
    inbox.greylisted.set(a, 1);
    const { id } = await newDispatch(service, programId);
    await failed(id, 1);
    await service.made(operator.changeAccount, { params: { id: participant.accountId }, body: { disabled: true } });
    service.clock.advance({ seconds: 10 });
    const retries = () =>
      service.database.pool.query(
        "select from messages where subject = $1 and channel = 'email' and state = 'pending'",
        [id],
      );
    await expect.poll(async () => (await retries()).rowCount).toBe(0);
    expect(taken(id, a)).toBe(0);
  });
});

describe("a recipient that is refused for good", () => {
  test("raises none any more once the account read the dispatch, or the address takes a later mail", async () => {
    const [reading, taking] = [await account(), await account()];
    for (const { a } of [reading, taking]) inbox.refused.add(a);
    const { id } = await newDispatch(service, reading.programId);
    await failed(id, 1);
    expect(await openAlarms(reading.contactIds[reading.a])).toHaveLength(1);
    service.clock.advance({ seconds: 5 });
    await reading.participant.call("GET", `/dispatches/${id}`);
    await recorded(service, id, 0);
    expect(await openAlarms(reading.contactIds[reading.a])).toEqual([]);

    const { id: first } = await newDispatch(service, taking.programId);
    await failed(first, 1);
    expect(await openAlarms(taking.contactIds[taking.a])).toHaveLength(1);
    inbox.refused.delete(taking.a);
    service.clock.advance({ seconds: 5 });
    const { id: second } = await newDispatch(service, taking.programId);
    await expect.poll(() => taken(second, taking.a)).toBe(1);
    await expect.poll(() => openAlarms(taking.contactIds[taking.a])).toEqual([]);
  });
});

test("if every recipient is refused, an alarm names the dispatch at once, and the mail waits for a corrected contact", async () => {
  const { participant, programId, a, b } = await account();
  for (const email of [a, b]) inbox.refused.add(email);
  const { id } = await newDispatch(service, programId);
  await failed(id, 1);
  expect(await mailRows(service, id)).toMatchObject([{ state: "waiting" }]);
  const { items } = await service.made(operator.listEvidence, { params: { id } });
  expect(items.filter(({ channel }) => channel === "mail").map(({ what }) => what)).toEqual(["notified", "attempt"]);
  const unreached = async () => {
    await judgeOnce(service);
    return (await alarmsAbout(service, { kind: "notice_failed", id })).map(({ message }) => message);
  };
  expect(await unreached()).toEqual([
    expect.stringMatching(/the mail server refused every contact \(.*no such mailbox.*\); correct an address/),
  ]);
  await addContact(participant, `new-${a}`);
  service.clock.advance({ minutes: 2 });
  await expect.poll(() => taken(id, `new-${a}`)).toBe(1);
  await poll(async () => (await mailRows(service, id)).map(({ state }) => state), ["sent"]);
  expect(await unreached()).toEqual([]);
});
