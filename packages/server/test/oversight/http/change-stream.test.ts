import { auth, operator as contract, deleteWebhook, getDispatch } from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { acknowledge, untilAlarms } from "../../support/alarms.js";
import { annaProgram, begun, benProgram, ofAnna, PATH, prepare, service, until } from "../../support/change-streams.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { type EventStream, openStream, openStreamAt } from "../../support/event-stream.js";
import { expectError } from "../../support/expect-error.js";
import { type Browser, newBrowser } from "../../support/people.js";
import { recorded } from "../../support/recorded.js";
import { running } from "../../support/running.js";
import { subscribe } from "../../support/unreachable.js";

beforeAll(prepare);
const own = (browser: Browser) =>
  openStreamAt(`${service.url}/console/v1${PATH}`, { cookie: `curtail_session=${browser.token}` });

describe("an operator's page", () => {
  let stream: EventStream;

  beforeEach(async () => {
    stream = await begun(openStream(service.url, PATH));
    return () => stream.close();
  });

  test("is told of a dispatch when it is created, changed, started, ended and cancelled", async () => {
    expect(stream.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
    const { id } = await newDispatch(service, annaProgram, { end_time: ahead(service, { hours: 2 }) });
    await until(stream, "dispatch", { id });
    await service.made(contract.changeDispatch, { params: { id }, body: { end_time: ahead(service, { hours: 3 }) } });
    await until(stream, "dispatch", { id });
    service.clock.advance({ hours: 1 });
    await until(stream, "dispatch", { id });
    service.clock.advance({ hours: 2, seconds: 1 });
    await until(stream, "dispatch", { id });
    const other = await newDispatch(service, annaProgram);
    await until(stream, "dispatch", { id: other.id });
    await service.made(contract.changeDispatch, { params: { id: other.id }, body: { authorized: false } });
    await until(stream, "dispatch", { id: other.id });
  });

  test("is told of what another process did over the same database", async () => {
    const elsewhere = await begun(openStream(await service.another(), PATH));
    const { id } = await newDispatch(service, annaProgram);
    await until(elsewhere, "dispatch", { id });
    elsewhere.close();
  });

  test("is told of alarms that are raised, acknowledged and cleared", async () => {
    const hook = await receiver();
    const carol = await service.newParticipant();
    const webhookId = await subscribe(carol, hook);
    const { id } = await newDispatch(service, await newProgram(service, [carol]));
    await hook.notices(1);
    await recorded(service, id, 1);
    await carol.call(deleteWebhook, { params: { id: webhookId } });
    const [alarm] = await untilAlarms(service, { kind: "last_webhook_deleted", id: carol.accountId }, 1);
    await until(stream, "alarm");
    await acknowledge(service, alarm?.id);
    await until(stream, "alarm");
    await subscribe(carol, hook);
    service.clock.advance({ seconds: 5 });
    await until(stream, "alarm");
  });

  test("is told of news in the evidence of a dispatch: a delivery, a read", async () => {
    const hook = await receiver();
    const dora = await service.newParticipant();
    await subscribe(dora, hook);
    const { id } = await newDispatch(service, await newProgram(service, [dora]));
    await until(stream, "dispatch", { id });
    await recorded(service, id, 1);
    await until(stream, "delivery", { dispatch_id: id });
    await dora.call(getDispatch, { params: { id } });
    await until(stream, "delivery", { dispatch_id: id });
  });

  test("is there for an auditor's session, ends with it, and is not there for a participant's", async () => {
    const auditor = await newBrowser(service, "auditor");
    const watched = await begun(openStream(service.url, PATH, { cookie: `curtail_session=${auditor.token}` }));
    await auditor.auth(auth.signOut);
    let next = await watched.next();
    while (next !== null) next = await watched.next();
    expectError(await ofAnna.operator("GET", PATH), 404, /for the role participant-viewer/);
    expectError(await auditor.operator("GET", PATH), 401);
  });
});

describe("a participant's page", () => {
  test("is told of the own account's dispatches from their notification on, and of nobody else's", async () => {
    const stream = await begun(own(ofAnna));
    const notification_time = ahead(service, { minutes: 10 });
    const later = await newDispatch(service, annaProgram, { notification_time });
    const others = await newDispatch(service, benProgram);
    const now = await newDispatch(service, annaProgram);
    const first = await until(stream, "dispatch", { id: now.id });
    // Deliveries of what the tests before dispatched may come.
    expect(first.filter(({ event }) => event === "dispatch")).toEqual([{ event: "dispatch", data: { id: now.id } }]);
    expect(JSON.stringify(first)).not.toContain(others.id);
    service.clock.advance({ minutes: 10 });
    const seen = await until(stream, "dispatch", { id: later.id });
    expect(JSON.stringify(seen)).not.toContain(others.id);
    stream.close();
  });

  test("is told of the own account's deliveries only, and of no alarm", async () => {
    const hook = await receiver();
    const [eve, fay] = [await service.newParticipant(), await service.newParticipant()];
    await subscribe(fay, hook);
    const { id } = await newDispatch(service, await newProgram(service, [eve, fay]));
    await recorded(service, id, 1);
    const ofEve = await newBrowser(service, "participant-admin", eve.accountId);
    const stream = await begun(own(ofEve));
    await fay.call(getDispatch, { params: { id } });
    const all = await begun(openStream(service.url, PATH));
    await service.made(contract.changeDispatch, { params: { id }, body: { start_time: ahead(service, { hours: 2 }) } });
    await recorded(service, id, 2);
    await until(all, "delivery", { dispatch_id: id });
    await eve.call(getDispatch, { params: { id } });
    expect(await until(stream, "delivery", { dispatch_id: id })).toEqual([
      { event: "dispatch", data: { id } },
      { event: "delivery", data: { dispatch_id: id } },
    ]);
    stream.close();
    all.close();
  });

  test("has no stream by an operator's session, nor without one", async () => {
    const operator = await newBrowser(service, "operator-admin");
    expectError(await operator.console("GET", PATH), 404, /for the role operator-admin/);
    expect((await fetch(`${service.url}/console/v1${PATH}`)).status).toBe(401);
  });
});

test("streams end when the service drains", async () => {
  const draining = await running();
  const stream = await begun(openStream(draining.url, PATH));
  await draining.stop();
  expect(await stream.next()).toBeNull();
});
