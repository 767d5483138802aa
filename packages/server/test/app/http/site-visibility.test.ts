import { subscribe } from "node:diagnostics_channel";
import {
  type Endpoint,
  endpoints,
  operator,
  participantConsole,
  participantProfiles,
  participantReports,
  participantStatements,
  participantStreams,
  performanceStreams,
  sandboxEndpoints,
} from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { beforeAll, describe, expect, test } from "vitest";
import { callOn, newPeopledAccount, type PeopledAccount } from "../../support/console-calls.js";
import { openStreamAt } from "../../support/event-stream.js";
import { expectError } from "../../support/expect-error.js";
import { dispatchBetween, intervalsBetween, measuredProgram, uploadIntervals } from "../../support/measuring.js";
import { type Running, running } from "../../support/running.js";

/**
 * What each read of the console returns about a site: "measured" has to omit measurements until its data is visible;
 * "facts" has none; "final" has them of final results only, and tests of its own.
 */
const answers: Readonly<Record<string, "measured" | "facts" | "final">> = {
  getAccountCurve: "measured",
  getAccountOverview: "measured",
  getDispatch: "facts",
  getDispatchPerformance: "measured",
  getEnergyBars: "measured",
  getDemoState: "facts",
  getOwnAccount: "facts",
  getOwnWebhook: "facts",
  getPerformanceDifference: "final",
  getSiteEnergy: "measured",
  getSitePerformance: "measured",
  getPerformanceReport: "measured",
  downloadDispatchTable: "measured",
  downloadPerformanceReport: "measured",
  downloadSiteEnergy: "measured",
  downloadStatementInputs: "measured",
  getStatement: "measured",
  getSharedEnergy: "facts",
  listStatements: "measured",
  listDispatches: "facts",
  listMappingLayouts: "facts",
  listMappingProfiles: "facts",
  listOwnBlocks: "facts",
  listOwnCertificates: "facts",
  listOwnContacts: "facts",
  listOwnChannelAddresses: "facts",
  getOwnPhoneChannels: "facts",
  listOwnDispatchDeliveries: "facts",
  listOwnEvidence: "facts",
  listOwnKeys: "facts",
  listOwnOnboarding: "measured",
  listOwnOpenadrClients: "facts",
  listOwnRequests: "facts",
  listOwnScenarioDeliveries: "facts",
  listRequests: "facts",
  listResends: "facts",
  listOwnScenarios: "facts",
  listOwnSchedule: "facts",
  listOwnUsers: "facts",
  listOwnWebhookDeliveries: "facts",
  listOwnWebhooks: "facts",
  listPastDispatches: "final",
  listSites: "facts",
  listWebhooks: "facts",
  readTelemetry: "measured",
  reportOwnScenario: "facts",
  searchOwn: "facts",
  streamDispatchPerformance: "measured",
  streamOwnChanges: "facts",
};

const interfaces: Readonly<Record<string, readonly Endpoint[]>> = {
  "/2022-04-15": [
    ...endpoints,
    ...sandboxEndpoints,
    ...participantReports,
    ...participantStatements,
    ...participantProfiles,
    ...participantStreams,
    ...performanceStreams,
  ],
  "/console/v1": [...participantConsole.consoleEndpoints, ...participantConsole.consoleStreams],
  "/operator/v1": [...operator.operatorEndpoints, ...operator.operatorStreams],
};

interface Route {
  readonly base: string;
  readonly method: string;
  readonly path: string;
}

/** Every registered route of the listeners, below the interfaces that return anything about a site. */
const routes: Route[] = [];

subscribe("fastify.initialization", (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook("onRoute", ({ method, url }) => {
    const base = Object.keys(interfaces).find((each) => url.startsWith(`${each}/`));
    if (base === undefined || method === "HEAD") return;
    const path = url.slice(base.length).replaceAll(/:(\w+)/g, "{$1}");
    for (const one of [method].flat()) routes.push({ base, method: one, path });
  });
});

const LOAD_KW = 4321.125;
const START = "2026-06-10T18:00:00Z";
const at = (minutes: number): string => new Date(Date.parse(START) + minutes * 60_000).toISOString();
/** Matches the load, and how far it is below the baseline. */
const MEASURED = /\d21\.125/;

let service: Running;
let anna: PeopledAccount;
let bert: PeopledAccount;

// A site in a running dispatch, below its baseline.
beforeAll(async () => {
  service = await running();
  service.clock.set(new Date(START));
  anna = await newPeopledAccount(service, "Anna's works", "annas main");
  bert = await newPeopledAccount(service, "Bert's works", "berts main");
  const { participant, names } = anna;
  await uploadIntervals(
    participant,
    names.meterId,
    intervalsBetween([at(-60), START], 30, () => LOAD_KW),
  );
  const baseline = { method: { kind: "meter_before", seconds: 900, anchor: "start" } };
  const programId = await measuredProgram(service, [participant], { baseline, commitment: 40 });
  const dispatchId = await dispatchBetween(service, programId, [START, at(60)]);
  anna = { ...anna, names: { ...names, dispatchId } };
  service.clock.set(new Date(at(10)));
  await uploadIntervals(
    participant,
    names.meterId,
    intervalsBetween([START, at(10)], 30, () => 4000),
  );
});

const endpointOf = ({ base, method, path }: Route): Endpoint | undefined =>
  interfaces[base]?.find((each) => each.method === method && each.path === path);

const documents = new Set(["/openapi.json", "/docs", "/"]);

test("every route of the interfaces is in the contract", () => {
  expect(routes.length).toBeGreaterThan(100);
  const unknown = routes.filter((route) => !documents.has(route.path) && endpointOf(route) === undefined);
  expect(unknown, "describe these in packages/contract").toEqual([]);
});

test("every read of the console says what it answers of a site", () => {
  const reads = routes.filter(({ base, method }) => base === "/console/v1" && method === "GET");
  const silent = reads.flatMap((route) => endpointOf(route)?.id ?? []).filter((id) => answers[id] === undefined);
  expect(
    silent,
    "say in `answers` above whether these answer what sites measured; if so, have them pass operations/visible-sites.ts",
  ).toEqual([]);
});

/** The answer of an interface to a read of Anna's: a reply, or the first event of a stream. */
const readBy = async (headers: Readonly<Record<string, string>>, base: string, endpoint: Endpoint): Promise<string> => {
  const url = service.url + base;
  if (endpoint.events !== undefined) {
    const stream = await openStreamAt(url + endpoint.path.replace("{id}", anna.names.dispatchId), headers);
    const first = endpoint.id === "streamOwnChanges" ? null : await stream.next();
    stream.close();
    return JSON.stringify(first?.data ?? null);
  }
  const { path } = callOn(anna, endpoint as Parameters<typeof callOn>[1], service.clock);
  return (await fetch(url + path, { headers })).text();
};

const show = (display_enabled: boolean) =>
  service.made(operator.changeSite, { params: { id: anna.names.siteId }, body: { display_enabled } });

const consoleReads =
  interfaces["/console/v1"]?.filter(({ id, method }) => method === "GET" && answers[id] !== "final") ?? [];

describe("what a read of the console shows users of a site whose data is not visible, and then is", () => {
  const [hidden, shown] = [new Map<string, string>(), new Map<string, string>()];

  beforeAll(async () => {
    const cookie = `curtail_session=${anna.viewer.token}`;
    for (const [isShown, texts] of [
      [false, hidden],
      [true, shown],
    ] as const) {
      await show(isShown);
      for (const endpoint of consoleReads) texts.set(endpoint.id, await readBy({ cookie }, "/console/v1", endpoint));
    }
  });

  test.each(consoleReads.map(({ id }) => id))("%s shows no measurements before", (id) => {
    expect(hidden.get(id)).toBeDefined();
    expect(hidden.get(id)).not.toMatch(MEASURED);
    if (answers[id] === "measured") expect(shown.get(id)).not.toBe(hidden.get(id));
    else expect(shown.get(id)).not.toMatch(MEASURED);
  });
});

/** The answer at an address whose id is Anna's. */
const addressed = async (base: string, path: string, headers: Readonly<Record<string, string>>) => {
  const answer = await fetch(service.url + base + path.replaceAll(/\{\w+\}/g, anna.names.dispatchId), { headers });
  return { status: answer.status, body: await answer.json() };
};

describe("to those of another account", () => {
  test.each(["/2022-04-15", "/console/v1"])("the streams of %s do not exist", async (base) => {
    const headers = { "x-service-api-key": bert.participant.key, cookie: `curtail_session=${bert.admin.token}` };
    const streams =
      interfaces[base]?.filter(({ events, params }) => events !== undefined && params !== undefined) ?? [];
    expect(streams.length).toBeGreaterThan(0);
    for (const { path } of streams) expectError(await addressed(base, path, headers), 404, /dispatch/);
  });

  test("no read of the operator API exists, nor does it take a participant's key", async () => {
    const reads = routes.filter(({ base, method, path }) => {
      return base === "/operator/v1" && method === "GET" && !documents.has(path);
    });
    expect(reads.length).toBeGreaterThan(40);
    for (const { base, path } of reads) {
      const cookie = `curtail_session=${anna.admin.token}`;
      expectError(await addressed(base, path, { cookie }), 404, /for the role participant-admin/);
      expectError(await addressed(base, path, { "x-service-api-key": anna.participant.key }), 401);
    }
  });
});
