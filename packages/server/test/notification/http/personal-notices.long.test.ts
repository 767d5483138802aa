import { auth, operator } from "@curtail/contract";
import { pushService } from "@curtail/testing/push-service";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { evidenceOf } from "../../support/evidence.js";
import { expectError } from "../../support/expect-error.js";
import { choose, register } from "../../support/noticing.js";
import { newBrowser } from "../../support/people.js";
import {
  both,
  change,
  inbox,
  newcomer,
  prepare,
  push,
  pushes,
  service,
  settled,
} from "../../support/personal-notices.js";
import { running } from "../../support/running.js";

beforeAll(prepare);

const mailed = async () => {
  const { person, programId } = await newcomer();
  await choose(person, { dispatches: { mail: true, push: false } });
  const mails = () => inbox.received.filter(({ to }) => to.includes(person.email)).length;
  return { person, programId, mails };
};

const failedPersonal = async (id: string) =>
  (await evidenceOf(service, id)).find(({ channel, what }) => channel === "personal" && what === "failed");

describe("a person who chose notifications", () => {
  test("gets a mail that leads to the pages, beside the contacts of the account", async () => {
    const { person, programId } = await newcomer();
    await choose(person, { dispatches: both, timezone: "Europe/Berlin" });
    const { id } = await newDispatch(service, programId, { test: true });
    const mails = () => inbox.received.filter(({ to }) => to.includes(person.email));
    await expect.poll(() => mails().length).toBe(1);
    expect(mails()[0]?.subject).toMatch(/^TEST: Reduce 50 kW from .* until further notice$/);
    expect(mails()[0]?.content).toContain("Times are in Europe/Berlin.");
    expect(mails()[0]?.content).toContain(`/dashboard/dispatches/${id}`);
  });

  test("is not notified of a test that the account made itself", async () => {
    const { person, participant } = await newcomer();
    const browser = pushes.newBrowser();
    await register(person, browser);
    await choose(person, { dispatches: both, changes: both });
    const body = { start_time: ahead(service, { hours: 1 }), end_time: ahead(service, { hours: 2 }) };
    expect((await participant.call("POST", "/dispatches", body)).status).toBe(200);
    await settled();
    expect(browser.messages).toEqual([]);
  });
});

describe("a push service", () => {
  test("is reached by a test message, whose answer the person sees", async () => {
    const { person } = await newcomer();
    const browser = pushes.newBrowser();
    const id = await register(person, browser);
    const tested = await person.auth(auth.testPushSubscription, { params: { id } });
    expect(tested.body).toMatchObject({ ok: true, status: 201, error: null, is_removed: false });
    expect(browser.messages[0]?.content).toMatchObject({ title: "Test notification", path: "/you" });
    browser.answer = 404;
    const gone = await person.auth(auth.testPushSubscription, { params: { id } });
    expect(gone.body).toMatchObject({ ok: false, status: 404, is_removed: true });
    expectError(await person.auth(auth.testPushSubscription, { params: { id } }), 404, /push subscription/);
  });

  test("is addressed only where webhooks may point", async () => {
    const { person } = await newcomer();
    const { keys } = pushes.newBrowser().subscription;
    const name = "Firefox";
    for (const endpoint of ["ftp://push.example/1", "https://a:b@push.example/1", "push"])
      expectError(await person.auth(auth.addPushSubscription, { body: { endpoint, keys, name } }), 400, /endpoint/);
    const wrong = { p256dh: keys.p256dh.replace(/.{8}$/, "AAAAAAAA"), auth: keys.auth };
    const endpoint = "https://push.example/1";
    expectError(await person.auth(auth.addPushSubscription, { body: { endpoint, keys: wrong, name } }), 400, /keys/);
    // A private address, and http except to loopback, are refused when they are dialled, as for webhooks.
    for (const [endpoint, error] of [
      ["https://10.0.0.1/push", "blocked_address"],
      ["http://1.1.1.1/push", "https_required"],
    ] as const) {
      const { body } = await person.auth(auth.addPushSubscription, { body: { endpoint, keys, name } });
      const tested = await person.auth(auth.testPushSubscription, { params: { id: body.id } });
      expect(tested.body).toMatchObject({ ok: false, error });
    }
  });
});

describe("a browser", () => {
  test("that another person registers shows nothing more to the one before", async () => {
    const [one, other] = [await newcomer(), await newcomer()];
    const shared = pushes.newBrowser();
    const id = await register(one.person, shared);
    await choose(one.person, { dispatches: push });
    await choose(other.person, { dispatches: push });
    const taken = await register(other.person, shared);
    expect(taken).not.toBe(id);
    expectError(await one.person.auth(auth.removePushSubscription, { params: { id: taken } }), 404);
    await newDispatch(service, one.programId);
    await settled();
    expect(shared.messages).toEqual([]);
    const { id: seen } = await newDispatch(service, other.programId);
    expect((await shared.arrived(1))[0]?.content["path"]).toBe(`/dashboard/dispatches/${seen}`);
  });

  test("that is registered again keeps its id; more than twenty are refused", async () => {
    const { person } = await newcomer();
    const browser = pushes.newBrowser();
    const id = await register(person, browser);
    expect(await register(person, browser, "Renamed")).toBe(id);
    for (let count = 1; count < 20; count++) await register(person, pushes.newBrowser());
    await expect(register(person, pushes.newBrowser())).rejects.toThrow(/maximum/);
    const { body } = await person.auth(auth.listPushSubscriptions);
    expect(body.items).toHaveLength(20);
    expect(body.items[0]).toMatchObject({ id, name: "Renamed" });
  });

  test("of a person who signs out, or who is disabled, shows nothing more; an expired session does not matter", async () => {
    const { person, participant, programId } = await newcomer();
    const leaving = await newBrowser(service, "participant-viewer", participant.accountId);
    const disabled = await newBrowser(service, "participant-viewer", participant.accountId);
    const browsers = { stays: pushes.newBrowser(), left: pushes.newBrowser(), disabled: pushes.newBrowser() };
    await register(person, browsers.stays);
    await register(leaving, browsers.left);
    await register(disabled, browsers.disabled);
    for (const each of [person, leaving, disabled]) await choose(each, { dispatches: push });
    await leaving.auth(auth.signOut);
    await service.made(operator.changeUser, { params: { id: disabled.id }, body: { disabled: true } });
    service.clock.advance({ hours: 13 });
    expect((await person.auth(auth.getSession)).status).toBe(401);
    await newDispatch(service, programId);
    await browsers.stays.arrived(1);
    await settled();
    expect([browsers.left.messages, browsers.disabled.messages]).toEqual([[], []]);
  });
});

describe("a mail server", () => {
  test("that refuses a person's address for good is not asked again", async () => {
    const { person, programId, mails } = await mailed();
    inbox.refused.add(person.email);
    const { id } = await newDispatch(service, programId);
    await expect.poll(async () => (await failedPersonal(id))?.detail).toMatchObject({ reason: "mail_refused" });
    expect(String((await failedPersonal(id))?.detail.error)).toContain("no such mailbox");
    inbox.refused.delete(person.email);
    service.clock.advance({ minutes: 10 });
    await settled();
    expect(mails()).toBe(0);
    // The next notice is another mail: the address may be right by then.
    await newDispatch(service, programId);
    await expect.poll(mails).toBe(1);
  });

  test("that defers it is asked again, and evidence has the text as it was sent", async () => {
    const { person, programId, mails } = await mailed();
    inbox.greylisted.set(person.email, 2);
    const { id } = await newDispatch(service, programId);
    await expect
      .poll(async () => {
        service.clock.advance({ seconds: 10 });
        return mails();
      })
      .toBe(1);
    expect(inbox.greylisted.get(person.email)).toBe(0);
    expect(await failedPersonal(id)).toBeUndefined();
    const delivered = async () =>
      (await evidenceOf(service, id)).find(({ channel, what }) => channel === "personal" && what === "delivered");
    await expect.poll(async () => (await delivered())?.detail.text).toMatch(/^Reduce 50 kW from [^]*site 1 · Peak/);
    const text = String((await delivered())?.detail.text);
    const content = inbox.received.find(({ to }) => to.includes(person.email))?.content ?? "";
    for (const line of text.split("\n").filter((each) => /^[\x20-\x7e]+$/.test(each))) expect(content).toContain(line);
  });
});

const PATIENTLY = { timeout: 30_000 };

const hour = (hours: number) => ahead(service, { hours }).slice(11, 16);

describe("an alarm", () => {
  // G72.
  test("that is over is told once more to those who were notified of it, the way they were, and to nobody else", async () => {
    const { participant, programId } = await newcomer();
    const [watcher, other] = [await newBrowser(service, "operator"), await newBrowser(service, "operator")];
    const [theirs, late] = [pushes.newBrowser(), pushes.newBrowser()];
    await register(watcher, theirs);
    await register(other, late);
    await choose(watcher, { alarms: { mail: true, push: true } });
    const { id } = await newDispatch(service, programId, { start_time: ahead(service, { minutes: -1 }) });
    const body = { disabled: true, confirm_running: true };
    await service.made(operator.changeAccount, { params: { id: participant.accountId }, body });
    // The dispatch raises other alarms, too.
    const titles = (browser: { readonly messages: typeof theirs.messages }) =>
      browser.messages.map(({ content }) => String(content["title"])).filter((title) => title.includes("was cut off"));
    const mailed = () =>
      inbox.received.filter(({ to, subject }) => to.includes(watcher.email) && subject.includes("was cut off")).length;
    const raised = "Alarm: an account was cut off during a dispatch";
    service.clock.advance({ seconds: 5 });
    await expect.poll(() => [titles(theirs), mailed()], PATIENTLY).toEqual([[raised], 1]);
    await choose(other, { alarms: push });
    service.clock.advance({ seconds: 5 });
    await change(id, { end_time: ahead(service, {}) });
    service.clock.advance({ seconds: 6 });
    const both = [raised, raised.replace("Alarm:", "Alarm over:")];
    await expect.poll(() => [titles(theirs), mailed()], PATIENTLY).toEqual([both, 2]);
    const tags = theirs.messages.filter(({ content }) => both.includes(String(content["title"])));
    expect(new Set(tags.map(({ content }) => content["tag"])).size).toBe(1);
    service.clock.advance({ seconds: 20 });
    await settled();
    expect([titles(theirs), mailed(), titles(late)]).toEqual([both, 2, []]);
    for (const person of [watcher, other]) await choose(person, {});
  });

  test("waits for the end of the quiet hours, which never hold back a dispatch", async () => {
    const { person, programId } = await newcomer();
    const watcher = await newBrowser(service, "operator");
    const [mine, theirs] = [pushes.newBrowser(), pushes.newBrowser()];
    await register(person, mine);
    await register(watcher, theirs);
    const quiet_hours = { from: hour(-1), until: hour(2) };
    await choose(person, { dispatches: push, quiet_hours, timezone: "UTC" });
    await choose(watcher, { dispatches: push, alarms: push, quiet_hours, timezone: "UTC" });
    // Nothing reaches an account without channels and contacts.
    await newDispatch(service, programId);
    await mine.arrived(1);
    await theirs.arrived(1);
    const waiting = "select from messages where state = 'pending' and event like 'alarm.%' and leased_until is null";
    const held = async () => {
      service.clock.advance({ seconds: 5 });
      return (await service.database.pool.query(`${waiting} and next_attempt_at > created_at`)).rowCount;
    };
    await expect.poll(held).toBeGreaterThan(0);
    expect(theirs.messages).toHaveLength(1);
    service.clock.advance({ hours: 2 });
    await theirs.arrived(2);
    expect(theirs.messages[1]?.content).toMatchObject({ title: expect.stringMatching(/^Alarm: /), urgent: false });
    await choose(watcher, {});
  });
});

describe("preferences", () => {
  test("are off at first, and refuse an unknown time zone and empty quiet hours", async () => {
    const { person } = await newcomer();
    const { body } = await person.auth(auth.getNoticePreferences);
    expect(body).toMatchObject({ is_set: false, dispatches: { mail: false, push: false }, has_mail: true });
    expect(Buffer.from(body.push_key, "base64url")).toHaveLength(65);
    await expect(choose(person, { timezone: "Mars/Olympus" })).rejects.toThrow(/IANA/);
    await expect(choose(person, { quiet_hours: { from: "22:00", until: "22:00" } })).rejects.toThrow(/quiet_hours/);
    await choose(person, { changes: both, quiet_hours: { from: "22:00", until: "06:00" } });
    const set = await person.auth(auth.getNoticePreferences);
    expect(set.body).toMatchObject({ is_set: true, changes: both, quiet_hours: { from: "22:00", until: "06:00" } });
    expect(set.body.push_key).toBe(body.push_key);
  });
});

describe("a service that was stopped", () => {
  test("sends nothing of what was over for more than a day, and creates no mails without a mail server", async () => {
    const own = await running();
    const participant = await own.newParticipant();
    const person = await newBrowser(own, "participant-viewer", participant.accountId);
    const browser = pushes.newBrowser();
    await register(person, browser);
    await choose(person, { dispatches: both });
    const programId = await newProgram(own, [participant]);
    const times = { start_time: ahead(own, { hours: 1 }), notification_time: ahead(own, { minutes: 10 }) };
    const old = await newDispatch(own, programId, { ...times, end_time: ahead(own, { hours: 2 }) });
    const open = await newDispatch(own, programId, { ...times, end_time: null });
    await own.stop();
    own.clock.advance({ days: 3 });
    await own.another();
    await browser.arrived(1);
    expect(browser.messages[0]?.content["tag"]).toBe(`dispatch ${open.id}`);
    const of = "select channel from messages where channel like 'personal_%' and subject = any($1)";
    expect((await own.database.pool.query(of, [[old.id, open.id]])).rows).toEqual([{ channel: "personal_push" }]);
  });
});

// The last of the file: what it leaves waits for ten seconds.

describe("a dead push service", () => {
  test("holds up no other browser", async () => {
    const { person, programId } = await newcomer();
    const dead = Array.from({ length: 5 }, () => pushes.newBrowser());
    const live = (await pushService()).newBrowser();
    for (const browser of dead) {
      browser.answer = null;
      await register(person, browser);
    }
    await register(person, live);
    await choose(person, { dispatches: push });
    await newDispatch(service, programId);
    await live.arrived(1);
  });
});
