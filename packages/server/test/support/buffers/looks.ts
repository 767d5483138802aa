import { setTimeout as sleep } from "node:timers/promises";
import * as contract from "@curtail/contract";
import { auth, type Endpoint, operator, participantConsole } from "@curtail/contract";
import { expect } from "vitest";
import { ahead } from "../dispatching.js";
import type { Send } from "../http-client.js";
import type { Participant } from "../running.js";
import type { Cast } from "./cast.js";
import { LARGE_ACCOUNT, PAST_DISPATCH } from "./seed.js";

/** Operations that no look opens, with the reason. */
const unopened: Readonly<Record<string, string>> = {
  startSignOn: "no provider of identities",
  finishSignOn: "no provider of identities",
  getScenarioReport: "a scenario of the sandbox, whose tables have no past of production",
  listScenarioDeliveries: "likewise",
  listOwnScenarioDeliveries: "likewise",
  reportOwnScenario: "likewise",
  reportScenario: "likewise",
  listScenarios: "answered in the sandbox only",
  previewRules: "an operator's act, which measures months again",
};

const isLook = (value: unknown): value is Endpoint => {
  const { method, path, events } = (value ?? {}) as Partial<Endpoint> & { readonly events?: unknown };
  return method === "GET" && path !== undefined && events === undefined;
};

const looksOf = (module: object): readonly Endpoint[] =>
  Object.values(module).filter((each) => isLook(each) && unopened[each.id] === undefined) as Endpoint[];

/** What stands for the id in an address, by the first part of the address. */
type Ids = Readonly<Record<string, string>>;

/** Opens everything that is read of a dispatch, and whatever else there is to read, as each of those who look. */
export const lookEverywhere = async (cast: Cast, dispatchId: string): Promise<void> => {
  const faults: string[] = [];
  for (const [index, participant] of cast.participants.entries())
    for (const dispatches of index === 0 ? [dispatchId, PAST_DISPATCH] : [dispatchId]) {
      const ids = await idsOf(cast, participant, dispatches);
      for (const { call, looks } of placesOf(cast, index))
        for (const look of looks) faults.push(...(await open(call, look, ids, cast)));
    }
  expect(faults).toEqual([]);
};

/** Where the account of this number is looked at. */
const placesOf = ({ participants, people, operators }: Cast, index: number) => {
  const [participant, person] = [participants[index], people[index]];
  if (participant === undefined || person === undefined) throw new Error(`there is no account ${index}`);
  return [
    { call: participant.call, looks: looksOf(contract) },
    { call: operators.operator, looks: looksOf(operator) },
    { call: person.console, looks: looksOf(participantConsole) },
    { call: person.auth, looks: looksOf(auth) },
  ];
};

const idsOf = async (cast: Cast, { accountId, sites }: Participant, dispatches: string): Promise<Ids> => {
  const { pool } = cast.service.database;
  const own = async (table: string) =>
    (
      await pool.query<{ id: string }>(`select id from ${table} where account_id = $1 order by seq desc limit 1`, [
        accountId,
      ])
    ).rows[0]?.id ?? "";
  return {
    dispatches,
    accounts: accountId,
    sites: sites[0]?.id ?? "",
    programs: cast.programId,
    "holiday-calendars": "US-CA",
    statements: await own("statements"),
    "shift-reports": await keptReport(cast),
    users: cast.operators.id,
    vens: await own("vens"),
    webhooks: await own("webhooks"),
    "openadr3-clients": await own("openadr3_clients"),
    ...cast.ownObjects,
  };
};

const keptReport = async ({ service }: Cast): Promise<string> => {
  const shift = { from_time: ahead(service, { hours: -12 }), to_time: ahead(service, {}) };
  return (await service.made(operator.keepShiftReport, { body: shift })).id;
};

/** Those that cannot do without, and those that search. */
const queriesOf = ({ service, programId }: Cast, { sites }: Ids): Readonly<Record<string, readonly string[]>> => {
  const day = "from=2026-06-10&to=2026-06-10";
  const period = `start_time=${ahead(service, { hours: -2 })}&end_time=${ahead(service, {})}`;
  const accuracy = `program_id=${programId}&start=17:00&minutes=60`;
  return {
    search: ["q=site%201", "q=Program", "q=2026-06", "q=dis_"],
    searchOwn: ["q=site", "q=Program", "q=2026-06", "q=dis_"],
    getAnyPerformanceReport: [day],
    downloadAnyPerformanceReport: [day],
    getPerformanceReport: [day],
    downloadPerformanceReport: [day],

    getMomentaryPerformance: [`at=${ahead(service, {})}`],
    getBaselineAccuracy: [accuracy],
    getEnergyBars: [`${day}&by=hour`],
    readTelemetry: [`site_id=${sites}&${period}`],
    listAllDispatches: ["", "phase=active", "phase=past", `site_id=${sites}`],
    downloadDispatchResults: [day],
    listDispatchResults: ["", `account_id=${LARGE_ACCOUNT}`],
    listPastDispatches: ["", `program_id=${programId}`],
    listOwnBlocks: ["", `start_time=${ahead(service, {})}`],
  };
};

/** There is none. */
const isEmpty = (place: string, ids: Ids): boolean => ids[place] === "";

/** They show the curves of results, which the seeded ones do not have. */
const ofCurrent: ReadonlySet<string> = new Set([
  "downloadDispatchTable",
  "downloadAnyDispatchTable",
  "getDispatchCurve",
  "getMomentaryPerformance",
  "getAccountCurve",
  "getSitePerformance",
  "getAnySitePerformance",
]);

/** They compare versions of results. */
const ofCorrected: ReadonlySet<string> = new Set(["getPerformanceDifference", "getAnyPerformanceDifference"]);

/** Results that are being prepared are answered 202. */
const FOUND = [200, 202];

/** What adds up all meters may say that it goes on, and when to ask again. */
const MOST_WAITS = 6;
const WAIT_MS = 10_000;

const answerOf = async (call: Send, address: string): Promise<{ readonly status: number; readonly text: string }> => {
  for (let nth = 0; ; nth++) {
    // A file that breaks off has no status.
    const answer = await call("GET", address).catch((error: unknown) => ({ status: 0, text: String(error) }));
    if (answer.status !== 429 || nth === MOST_WAITS) return answer;
    await sleep(WAIT_MS);
  }
};

const open = async (call: Send, { id, path }: Endpoint, ids: Ids, cast: Cast): Promise<readonly string[]> => {
  const [, place = ""] = path.split("/");
  const filled = path.replace(/\{(id|code)\}/, ids[place] ?? "").replace("{site_id}", ids["sites"] ?? "");
  const faults: string[] = [];
  const isPast = ids["dispatches"] === PAST_DISPATCH;
  if (isEmpty(place, ids) || (isPast ? ofCurrent : ofCorrected).has(id)) return faults;
  for (const query of queriesOf(cast, ids)[id] ?? [""]) {
    const address = query === "" ? filled : `${filled}?${query}`;
    const { status, text } = await answerOf(call, address);
    if (!FOUND.includes(status)) faults.push(`${id} ${address}: ${status} ${text}`);
  }
  return faults;
};
