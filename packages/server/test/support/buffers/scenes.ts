import { auth, operator } from "@curtail/contract";
import { expect, vi } from "vitest";
import { deliveryQueue, productionQueue } from "../../../src/notification/storage/delivery-queue.js";
import { OUTSIDE_BROKER } from "../../../src/openadr-3/operations/broker-conditions.js";
import { brokerClients } from "../../../src/openadr-3/storage/broker-clients.js";
import { publications } from "../../../src/openadr-3/storage/publications.js";
import { cursorLease } from "../../../src/platform/database/cursor-lease.js";
import { datedIdStore } from "../../../src/platform/database/dated-id-store.js";
import { leaseFrom } from "../../../src/platform/worker/leased-worker.js";
import { newCalendar } from "../calendars.js";
import type { TestDatabase } from "../database.js";
import { ahead, newDispatch } from "../dispatching.js";
import { type EventStream, openStreamAt } from "../event-stream.js";
import { httpClient } from "../http-client.js";
import { kwReading, upload } from "../metering.js";
import type { Participant } from "../running.js";
import { testSecretBox } from "../secret-box.js";
import { type Cast, castOver } from "./cast.js";
import { lookEverywhere } from "./looks.js";

/** Three accounts are dispatched, and everybody looks, polls, listens and uploads, before and after a change. */
export const playScenes = async (database: TestDatabase): Promise<void> => {
  const cast = await castOver(database);
  const { service, participants, programId } = cast;
  const streams = await listen(cast);
  const { id } = await issue(cast);
  await looks(cast, id);
  await elapse(cast, { seconds: 30 }, 4);
  await poll(cast);
  await service.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(service, { minutes: 30 }) } });
  await looks(cast, id);
  for (const { sites } of participants)
    await service.made(operator.enrolSite, {
      params: { id: programId, site_id: sites[0]?.id ?? "" },
      body: { commitment: 60 },
    });
  await elapse(cast, { minutes: 5 }, 12);
  for (const stream of streams) stream.close();
};

/** What the systems of participants do all day, before and after a dispatch, and after its change. */
export const playPolls = async (database: TestDatabase): Promise<void> => {
  const cast = await castOver(database);
  const all = async () => {
    for (const participant of cast.participants) {
      await send(cast, participant);
      expect((await participant.call("GET", "/dispatches")).status).toBe(200);
    }
    await poll(cast);
  };
  await all();
  const { id } = await issue(cast);
  await all();
  const end_time = ahead(cast.service, { minutes: 30 });
  await cast.service.made(operator.changeDispatch, { params: { id }, body: { end_time } });
  await all();
};

const issue = async ({ service, programId }: Cast) => {
  const times = { start_time: ahead(service, { minutes: 1 }), end_time: ahead(service, { hours: 1 }) };
  await service.made(operator.previewDispatch, { body: { program_id: programId, ...times } });
  return newDispatch(service, programId, times);
};

/** One look of each kind. */
const looks = async (cast: Cast, dispatchId: string): Promise<void> => {
  await poll(cast);
  for (const participant of cast.participants) await send(cast, participant);
  await lookEverywhere(cast, dispatchId);
  await readCalendars(cast);
  await report(cast);
  await follow(cast);
  await catchUp(cast);
  await number(cast);
};

const send = async ({ service }: Cast, participant: Participant): Promise<void> => {
  const [site] = participant.sites;
  const meter = site?.meters[0] ?? "";
  await upload(participant, [kwReading(meter, ahead(service, { seconds: 0 }), 10)]);
  await upload(participant, [kwReading(meter, ahead(service, { days: -1, hours: -12 }), 10)]);
};

/** Those who poll at once are answered by one statement. */
const poll = async ({ vens, clients, crowd }: Cast): Promise<void> => {
  await Promise.all(crowd.map(({ call }) => call("GET", "/dispatches")));
  await Promise.all(vens.map((ven) => ven.poll()));
  for (const client of clients)
    for (const { search } of [client.events, client.programs, client.reports, client.subscriptions, client.resources])
      await search();
};

const readCalendars = async ({ service, people, operators }: Cast): Promise<void> => {
  for (const person of [...people, operators]) {
    const { path, id } = await newCalendar(person);
    expect((await httpClient(service.url)("GET", path)).status).toBe(200);
    await person.auth(auth.deleteCalendar, { params: { id } });
  }
};

/** What is published to a broker, as the worker asks: not every machine has one. */
const follow = async ({ service: { database } }: Cast): Promise<void> => {
  const changes = publications(database.servicePool);
  await brokerClients(database.servicePool).standing();
  const lease = cursorLease(database.servicePool, OUTSIDE_BROKER);
  const now = new Date();
  const { cursor: held } = await lease.take("scene", { now, until: new Date(now.getTime() + 10_000) });
  await lease.renew("scene", now);
  if (held !== null) await lease.move("scene", held, now);
  const { cursor } = await changes.since(null, 0);
  await changes.vens((await changes.since(cursor, 100)).changes);
};

/** The numbers that an earlier version of the interface shows in place of ids, as its edge asks for them. */
const number = async ({ service: { database }, participants }: Cast): Promise<void> => {
  const ids = datedIdStore(database.servicePool);
  const entities = participants.flatMap(({ sites }) =>
    sites.flatMap(({ id, meters }) => [{ kind: "site", id }, ...meters.map((meter) => ({ kind: "meter", id: meter }))]),
  );
  const numbered = await ids.number(entities);
  expect(await ids.find(numbered.map((each) => each.number))).toHaveLength(numbered.length);
};

const [HUNG, BEHIND_EACH] = [40, 5];

/** What webhooks that hung have waiting, as the worker claims it: no receiver of a test hangs for that long. */
const catchUp = async ({ service: { database } }: Cast): Promise<void> => {
  await database.pool.query(
    `insert into messages (id, recipient, notice_seq, subject, event, next_attempt_at, created_at, behind)
     select 'dlv_behind_' || hung || '_' || n, 'wh_hung_' || hung, 1, 'dis_behind_' || n, 'dispatch.create', now(), now(), hung > 1 or n > 1
     from generate_series(1, $1::int) as hung, generate_series(1, $2::int) as n`,
    [HUNG, BEHIND_EACH],
  );
  const queue = deliveryQueue(database.servicePool, testSecretBox, productionQueue);
  const now = new Date();
  const lease = { now, leasedUntil: leaseFrom(now), lapsedBefore: now, inFlightUntil: now };
  const hung = ["wh_hung_1"];
  expect(await queue.putBehind({ ...lease, limit: 100, hung })).toBe(1);
  await queue.expandBehind({ now, hung });
  await queue.claim({ ...lease, limit: 100, perWebhook: 4, hung, reliable: [] });
  expect((await queue.claimBehind({ ...lease, limit: 32, after: null })).claimed).toEqual([]);
  await database.pool.query("delete from messages where recipient like 'wh_hung_%'");
};

/** Systems of OpenADR 3 write what they are allowed to. */
const report = async ({ clients }: Cast): Promise<void> => {
  for (const { events, reports } of clients) {
    const { body } = await events.search();
    for (const { id: eventID } of body as ReadonlyArray<{ readonly id: string }>)
      await reports.create({ eventID, clientName: "gateway", resources: [] });
  }
};

/** Pages and systems that are told of changes. */
const listen = ({ service, operators, people, participants }: Cast): Promise<readonly EventStream[]> =>
  Promise.all([
    openStreamAt(`${service.url}/operator/v1/changes/stream`, { cookie: `curtail_session=${operators.token}` }),
    ...people.map(({ token }) =>
      openStreamAt(`${service.url}/console/v1/changes/stream`, { cookie: `curtail_session=${token}` }),
    ),
    ...participants.map(({ key }) =>
      openStreamAt(`${service.url}/2022-04-15/dispatches/stream`, { "x-service-api-key": key }),
    ),
  ]);

/** Moves the clock in steps; after each, everything that looks every few seconds has looked once the listener has. */
const elapse = async (
  { service: { clock, database } }: Cast,
  by: Parameters<Cast["service"]["clock"]["advance"]>[0],
  steps: number,
): Promise<void> => {
  const heardUntil = async () =>
    (
      await database.pool.query<{ until: Date }>("select max(until) as until from vtn_listening")
    ).rows[0]?.until.getTime();
  for (let step = 0; step < steps; step++) {
    clock.advance(by);
    await vi.waitUntil(async () => ((await heardUntil()) ?? 0) >= clock.now().getTime(), 60_000);
  }
};
