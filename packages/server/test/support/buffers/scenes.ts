import { type BodyOf, createWebhook, operator } from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import { expect, vi } from "vitest";
import type { TestDatabase } from "../database.js";
import { ahead, newDispatch } from "../dispatching.js";
import type { Send } from "../http-client.js";
import { kwReading, upload } from "../metering.js";
import { runningVtn, type Vtn } from "../openadr-3.js";
import { type Browser, newBrowser } from "../people.js";
import type { Participant } from "../running.js";
import { listeningToVens } from "../vens.js";
import { LARGE_ACCOUNT, SEEDED_UNTIL } from "./seed.js";

/** Those who look: two accounts, of which one has the past, with a VEN of each kind, and their people. */
interface Cast {
  readonly service: Vtn;
  readonly participants: readonly [large: Participant, fresh: Participant];
  readonly polls: ReadonlyArray<() => Promise<unknown>>;
  readonly operators: Browser;
  readonly people: readonly Browser[];
  readonly programId: string;
}

/** Two accounts are dispatched, and everybody looks, polls and uploads, before and after a change. */
export const playScenes = async (database: TestDatabase): Promise<void> => {
  const cast = await castOver(database);
  const { service, participants, programId } = cast;
  const { id } = await issue(cast);
  await looks(cast, id);
  await elapse(service, { seconds: 30 }, 4);
  await service.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(service, { minutes: 30 }) } });
  await looks(cast, id);
  for (const { sites } of participants)
    await service.made(operator.enrolSite, {
      params: { id: programId, site_id: sites[0]?.id ?? "" },
      body: { commitment: 60 },
    });
  await elapse(service, { minutes: 5 }, 12);
};

const castOver = async (database: TestDatabase): Promise<Cast> => {
  const settings = { CURTAIL_WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32", CURTAIL_RATE_LIMIT: "1000000" };
  const service = await runningVtn(settings, { database });
  service.clock.set(SEEDED_UNTIL);
  const participants = [
    await service.participantOf(LARGE_ACCOUNT),
    await service.newParticipant({ name: "Fresh" }),
  ] as const;
  const hook = await receiver();
  const events = [{ name: "dispatch.create" }, { name: "dispatch.update" }] as const;
  for (const { call } of participants) await call(createWebhook, { body: { url: hook.url, events: [...events] } });
  const vens = await listeningToVens(service);
  const polls: Array<() => Promise<unknown>> = [];
  for (const participant of participants) {
    const [old, recent] = [await vens.newVen(participant), await service.ven({ participant })];
    polls.push(
      () => old.poll(),
      () => recent.events.search(),
      () => recent.programs.search(),
      () => recent.reports.search(),
      () => recent.subscriptions.search(),
      () => recent.resources.search(),
    );
  }
  const body: BodyOf<typeof operator.createProgram> = {
    name: "Two sites",
    timezone: "America/Chicago",
    market: "ERCOT",
    program_type: "capacity",
  };
  const { id: programId } = await service.made(operator.createProgram, { body });
  for (const { sites } of participants)
    await service.made(operator.enrolSite, {
      params: { id: programId, site_id: sites[0]?.id ?? "" },
      body: { commitment: 50 },
    });
  const [large, fresh] = participants;
  return {
    service,
    participants,
    polls,
    programId,
    operators: await newBrowser(service, "operator-admin"),
    people: [
      await newBrowser(service, "participant-admin", large.accountId),
      await newBrowser(service, "participant-admin", fresh.accountId),
    ],
  };
};

const issue = async ({ service, programId }: Cast) => {
  const times = { start_time: ahead(service, { minutes: 1 }), end_time: ahead(service, { hours: 1 }) };
  await service.made(operator.previewDispatch, { body: { program_id: programId, ...times } });
  return newDispatch(service, programId, times);
};

/** One look of each kind. */
const looks = async (cast: Cast, dispatchId: string): Promise<void> => {
  const { service, participants, polls, operators, people } = cast;
  for (const participant of participants) await asParticipant(service, participant, dispatchId);
  for (const poll of polls) await poll();
  for (const path of operatorPaths(dispatchId, participants[0].sites[0]?.id ?? ""))
    await opened(operators.operator, path);
  for (const person of people) for (const path of personPaths(dispatchId)) await opened(person.console, path);
};

const asParticipant = async (service: Vtn, participant: Participant, dispatchId: string): Promise<void> => {
  const { call, sites } = participant;
  const [site] = sites;
  const paths = ["/dispatches", `/dispatches/${dispatchId}`, "/sites", "/webhooks", "/requests", "/statements"];
  for (const path of paths) await opened(call, path);
  const meter = site?.meters[0] ?? "";
  await upload(participant, [kwReading(meter, ahead(service, { seconds: 0 }), 10)]);
  await upload(participant, [kwReading(meter, ahead(service, { days: -1, hours: -12 }), 10)]);
  const period = `start_time=${ahead(service, { hours: -2 })}&end_time=${ahead(service, {})}`;
  await opened(call, `/telemetry/kw?site_id=${site?.id ?? ""}&${period}`);
};

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const OPERATOR_PAGES = words(`
  /overview /load /search?q=site%201 /accounts /sites /telemetry-health /programs /dispatches /dispatches?phase=active /statements
  /alarms /users /audit /openadr3-events /onboarding /onboarding/first-steps
  /accounts/${LARGE_ACCOUNT}/webhooks /accounts/${LARGE_ACCOUNT}/keys /accounts/${LARGE_ACCOUNT}/requests`);

const operatorPaths = (dispatchId: string, siteId: string): readonly string[] => [
  ...OPERATOR_PAGES,
  ...["", "/evidence", "/attention", "/timeline", "/deliveries"].map((part) => `/dispatches/${dispatchId}${part}`),
  ...["telemetry-health", "schedule"].map((part) => `/sites/${siteId}/${part}`),
];

const PERSONS_PAGES = words(`
  /overview /search?q=site /onboarding /dispatches /webhooks /keys /requests /contacts /schedule /users /sites /statements`);

const personPaths = (dispatchId: string): readonly string[] => [
  ...PERSONS_PAGES,
  `/dispatches/${dispatchId}`,
  `/dispatches/${dispatchId}/evidence`,
];

const opened = async (call: Send, path: string): Promise<void> => {
  const { status, text } = await call("GET", path);
  expect([path, status, status === 200 ? "" : text]).toEqual([path, 200, ""]);
};

/** Moves the clock in steps; after each, everything that looks every few seconds has looked once the listener has. */
const elapse = async ({ clock, database }: Vtn, by: Parameters<Vtn["clock"]["advance"]>[0], steps: number) => {
  const heardUntil = async () =>
    (
      await database.pool.query<{ until: Date }>("select max(until) as until from vtn_listening")
    ).rows[0]?.until.getTime();
  for (let step = 0; step < steps; step++) {
    clock.advance(by);
    await vi.waitUntil(async () => ((await heardUntil()) ?? 0) >= clock.now().getTime(), 60_000);
  }
};
