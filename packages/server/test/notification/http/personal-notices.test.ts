import { auth, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { evidenceOf } from "../../support/evidence.js";
import { choose, register } from "../../support/noticing.js";
import { browserWith, newBrowser } from "../../support/people.js";
import { change, newcomer, prepare, push, pushes, service, settled } from "../../support/personal-notices.js";
import { running } from "../../support/running.js";

beforeAll(prepare);

describe("a person who chose notifications", () => {
  test("gets a dispatch, its change and its cancellation in the browser, each in place of the one before", async () => {
    const { person, programId, participant } = await newcomer();
    const browser = pushes.newBrowser();
    await register(person, browser);
    await choose(person, { dispatches: push, changes: push });
    const { id } = await newDispatch(service, programId, { end_time: ahead(service, { hours: 3 }) });
    const [created] = await browser.arrived(1);
    const sent = async () =>
      (await evidenceOf(service, id)).find(({ channel, what }) => channel === "personal" && what === "delivered");
    // As it was sent (G63).
    const text = `${String(created?.content["title"])}\n${String(created?.content["body"])}`;
    await expect.poll(async () => (await sent())?.detail.text).toBe(text);
    expect(created?.content).toMatchObject({
      title: expect.stringMatching(/^Reduce 50 kW from \d\d:\d\d.* to \d\d:\d\d/),
      body: expect.stringMatching(/, site 1 · Peak$/),
      path: `/dashboard/dispatches/${id}`,
      tag: `dispatch ${id}`,
      urgent: true,
    });
    expect(created?.headers).toMatchObject({ urgency: "high", ttl: String(3 * 3600) });
    await change(id, { end_time: ahead(service, { hours: 4 }) });
    const [, changed] = await browser.arrived(2);
    expect(changed?.content["title"]).toMatch(/^Changed: Reduce 50 kW from/);
    expect(changed?.headers["topic"]).toBe(created?.headers["topic"]);
    await change(id, { authorized: false });
    const [, , cancelled] = await browser.arrived(3);
    expect(cancelled?.content).toMatchObject({ title: "Cancelled: stop reducing", tag: `dispatch ${id}` });

    await settled();
    const evidence = await evidenceOf(service, id, { account_id: participant.accountId });
    const personal = evidence.filter(({ channel }) => channel === "personal");
    expect(personal.map(({ what }) => what).toSorted()).toEqual([
      "delivered",
      "delivered",
      "delivered",
      "notified",
      "notified",
      "notified",
    ]);
    expect(personal[0]?.detail).toMatchObject({ user_id: person.id, sent_by: "push", browser: "Firefox on Linux" });
  });

  test("sees only the own sites; an operator sees all, and those who chose nothing get nothing", async () => {
    const [one, other] = [await newcomer(), await newcomer()];
    await service.made(operator.enrolSite, {
      params: { id: one.programId, site_id: other.participant.sites[0]?.id ?? "" },
      body: { commitment: 7 },
    });
    const auditor = await newBrowser(service, "auditor");
    const [theirs, all, none] = [pushes.newBrowser(), pushes.newBrowser(), pushes.newBrowser()];
    await register(one.person, theirs);
    await register(auditor, all);
    await register(other.person, none);
    await choose(one.person, { dispatches: push });
    await choose(auditor, { dispatches: push });
    const { id } = await newDispatch(service, one.programId);
    expect((await theirs.arrived(1))[0]?.content["title"]).toMatch(/^Reduce 50 kW/);
    const [seen] = await all.arrived(1);
    expect(seen?.content).toMatchObject({
      title: expect.stringMatching(/^Dispatch: 57 kW/),
      body: "2 sites · Peak",
      path: `/operations/dispatches/${id}`,
    });
    await settled();
    expect(none.messages).toEqual([]);
    await choose(auditor, {});
  });
});

describe("a push service", () => {
  test("that fails is tried again, and a browser that is gone is removed", async () => {
    const { person, programId } = await newcomer();
    const [failing, gone] = [pushes.newBrowser(), pushes.newBrowser()];
    await register(person, failing, "Phone");
    await register(person, gone, "Old phone");
    await choose(person, { dispatches: push });
    failing.answer = 503;
    gone.answer = 410;
    const { id } = await newDispatch(service, programId);
    await failing.arrived(1);
    const names = async () => (await person.auth(auth.listPushSubscriptions)).body.items.map(({ name }) => name);
    await expect.poll(names).toEqual(["Phone"]);
    const error = async () => (await person.auth(auth.listPushSubscriptions)).body.items[0]?.last_error;
    await expect.poll(error).toBe("status_503");
    failing.answer = 201;
    service.clock.advance({ seconds: 3 });
    await failing.arrived(2);
    await expect.poll(error).toBe(null);
    const failed = (await evidenceOf(service, id)).find(
      ({ channel, what }) => channel === "personal" && what === "failed",
    );
    expect(failed?.detail).toMatchObject({ reason: "browser_gone", browser: "Old phone" });
  });
});

describe("a service that was stopped", () => {
  test("notifies once of what became due meanwhile, however many processes start, with the same key", async () => {
    const own = await running();
    const participant = await own.newParticipant();
    const person = await newBrowser(own, "participant-viewer", participant.accountId);
    const browser = pushes.newBrowser();
    await register(person, browser);
    await choose(person, { dispatches: push });
    const key = (await person.auth(auth.getNoticePreferences)).body.push_key;
    const programId = await newProgram(own, [participant]);
    const { id } = await newDispatch(own, programId, { notification_time: ahead(own, { minutes: 10 }) });
    await own.stop();
    own.clock.advance({ minutes: 20 });
    const [url] = await Promise.all([own.another(), own.another()]);
    await browser.arrived(1);
    const again = browserWith({ url }, person, person.token);
    expect((await again.auth(auth.getNoticePreferences)).body.push_key).toBe(key);
    const states = "select state from messages where channel like 'personal_%' and subject = $1";
    const found = async () => (await own.database.pool.query(states, [id])).rows;
    await expect.poll(found).toEqual([{ state: "delivered" }]);
    expect(browser.messages).toHaveLength(1);
  });
});
