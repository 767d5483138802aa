import type { RateWindows } from "../../access/domain/rate-limit.js";
import type { Caller, KeyCaller } from "../../access/operations/caller.js";
import { type RequestLogStore, requestLogService } from "../../access/operations/log-requests.js";
import { type Dispatch, refuseTest } from "../../dispatch/domain/dispatch.js";
import { type DispatchView, findDispatch, listDispatches } from "../../dispatch/operations/dispatch-service.js";
import { deleteRehearsalWebhook, registerWebhook } from "../../notification/operations/manage-webhooks.js";
import { listResends } from "../../notification/operations/resend-delivery.js";
import type { WebhookServicePorts } from "../../notification/operations/webhook-service.js";
import { isRefusal, notFound, type Refusal, type Result, tooMany } from "../../platform/refusal.js";
import type { Site } from "../../portfolio/domain/site.js";
import type { AdmittedReadings } from "../../telemetry/operations/readings-by-kind.js";
import { recordControllableLoad } from "../../telemetry/operations/record-controllable-load.js";
import { admitTelemetry } from "../../telemetry/operations/record-telemetry.js";
import { heldPoints, type SitePoint } from "../domain/held-reading.js";
import { isFinal, type Report } from "../domain/report.js";
import { type Scenario, type ScenarioRequest, stateAt } from "../domain/scenario.js";
import type { RunCloser } from "./close-runs.js";
import { dispatchedFixedSites, fixedSites, testScenario } from "./fixed-data.js";
import { fixedPerformance } from "./fixed-performance.js";
import { deleteScenario, draftScenario, playScenario } from "./play-scenario.js";
import { announcedOnly } from "./public-service.js";
import { reportOf } from "./report-scenario.js";
import type {
  ParticipantAct,
  SandboxReadings,
  SandboxService,
  ScenarioPorts,
  ScenarioWithin,
} from "./scenario-service.js";
import { checkedUpload, type OwnMeters } from "./site-directory.js";

export interface AccountPorts {
  readonly ports: WebhookServicePorts & { readonly stores: { readonly requests: RequestLogStore } };
  readonly scenarioPorts: ScenarioPorts;
  readonly readings: SandboxReadings;
  readonly closer: Pick<RunCloser, "note">;
  readonly own: OwnMeters;
  /** Sites of scenarios per account. */
  readonly named: Pick<RateWindows, "count">;
  readonly maxReadings: number;
}

/**
 * The sandbox as an account sees it with its own key: `fixed` data, its own webhooks, and the dispatches of its newest
 * scenario (G36). Its actions during a run are recorded for the report.
 */
export const accountService = (fixed: SandboxService, of: AccountPorts): SandboxService => {
  const { ports, scenarioPorts, readings, closer, own, maxReadings, named } = of;
  const { clock } = ports;
  const { scenarios } = scenarioPorts;
  const drafting = { ...scenarioPorts, fixedSites: dispatchedFixedSites };
  const play = async (
    caller: Caller,
    request: ScenarioRequest,
    within: Partial<ScenarioWithin>,
  ): Promise<Result<Scenario>> => {
    const drafted = draftScenario(drafting, caller, request);
    if (isRefusal(drafted)) return drafted;
    const scenario =
      refuseMany(named, drafted) ?? (await playScenario({ ...scenarioPorts, ...within }, caller, drafted));
    if (isRefusal(scenario)) return scenario;
    // Its previous run is over.
    closer.note(caller.accountId, null);
    return scenario;
  };
  const note = async (caller: Caller, { id }: Scenario, acts: readonly ParticipantAct[]): Promise<void> => {
    const keyId = "keyId" in caller ? (caller as KeyCaller).keyId : null;
    if (acts.length > 0) await scenarios.note(id, acts, { at: clock.now(), keyId });
  };
  const current = async (caller: Caller, id: string): Promise<Result<Dispatch>> => {
    const scenario = await scenarios.currentOf(caller.accountId);
    if (scenario === null) return fixed.findDispatch(caller, id, "unseen");
    return findDispatch({ dispatches: viewOf(scenario, clock.now()), clock }, caller, id);
  };
  return {
    ...fixed,
    ...fixedPerformance(clock, current),
    ...requestLogService(ports),
    async listDispatches(caller, sight) {
      const scenario = await scenarios.currentOf(caller.accountId);
      if (scenario === null) return fixed.listDispatches(caller, sight);
      const listed = await listDispatches({ dispatches: viewOf(scenario, clock.now()), clock }, caller);
      const acts = listed.length === 0 ? [sawNothing] : listed.map((dispatch) => seenAs("polled", dispatch));
      if (sight === "seen") await note(caller, scenario, acts);
      return listed;
    },
    async findDispatch(caller, id, sight) {
      const scenario = await scenarios.currentOf(caller.accountId);
      if (scenario === null) return fixed.findDispatch(caller, id, sight);
      const dispatch = await findDispatch({ dispatches: viewOf(scenario, clock.now()), clock }, caller, id);
      if (!isRefusal(dispatch) && sight === "seen") await note(caller, scenario, [seenAs("fetched", dispatch)]);
      return dispatch;
    },
    async createTestDispatch(caller, test, within: Partial<ScenarioWithin>) {
      const request = refuseTest(test, 0, clock.now()) ?? testScenario(test);
      const scenario = isRefusal(request) ? request : await play(caller, request, within);
      return isRefusal(scenario) ? scenario : announcedOnly(scenario);
    },
    createScenario: play,
    listScenarios: ({ accountId }) => scenarios.ofAccount(accountId),
    deleteScenario: (caller, id) => deleteScenario(scenarioPorts, caller, id),
    async reportScenario({ accountId }, id): Promise<Result<Report>> {
      const scenario = await scenarios.findOf(accountId, id);
      return scenario === null ? notFound("scenario") : reportOf({ ...scenarioPorts, readings }, scenario);
    },
    async recordTelemetry(caller, upload) {
      const scenario = await scenarios.currentOf(caller.accountId);
      const sites = sitesIn(scenario);
      const check = checkedUpload({ list: "telemetry", sites, own });
      const admitted = await admitTelemetry({ ...check, clock, maxReadings }, caller, upload);
      if (isRefusal(admitted)) return admitted;
      const { count } = admitted.readings;
      check.warnOfCharges(admitted);
      const received = { received: count, warnings: check.warnings };
      const now = clock.now();
      const points = heldPoints(pointsIn(admitted, sites), { run: scenario, fixed: fixedIds, now });
      if (points.length > 0) {
        await readings.hold(caller.accountId, points, now);
        closer.note(caller.accountId, scenario);
      }
      if (scenario === null || isFinal(scenario, now)) return received;
      await note(caller, scenario, [{ what: "telemetry", dispatchId: "", number: 0, count }]);
      return received;
    },
    async recordControllableLoad(caller, uploaded) {
      const scenario = await scenarios.currentOf(caller.accountId);
      const check = checkedUpload({ list: "controllable_load", sites: sitesIn(scenario), own });
      const count = await recordControllableLoad({ ...check, maxReadings, clock }, caller, uploaded);
      if (isRefusal(count)) return count;
      const received = { received: count, warnings: check.warnings };
      if (scenario === null) return received;
      await note(caller, scenario, [{ what: "controllable_load", dispatchId: "", number: 0, count }]);
      return received;
    },
    listWebhooks: ({ accountId }) => ports.stores.webhooks.ofAccount(accountId),
    registerWebhook: (caller, webhook) => registerWebhook(ports, caller, webhook),
    deleteWebhook: (caller, id) => deleteRehearsalWebhook(ports, caller, id),
    listResends: (caller, page) => listResends(ports, caller, page),
  };
};

/** Each is a row that is written, and read at every poll: a thousand in the largest scenario. */
const MAX_SITES_A_MINUTE = 10_000;

const refuseMany = (named: AccountPorts["named"], { accountId, createdAt, dispatches }: Scenario): Refusal | null => {
  const cost = dispatches.flat().reduce((sum, { sites }) => sum + sites.length, 0);
  const { allowed, resetSeconds } = named.count(accountId, MAX_SITES_A_MINUTE, createdAt.getTime(), cost);
  if (allowed) return null;
  return tooMany(`the scenarios would name more than ${MAX_SITES_A_MINUTE} sites within a minute`, resetSeconds);
};

/** Created sites belong to one scenario, and no later one uses them. */
const fixedIds: ReadonlySet<string> = new Set(fixedSites.map(({ id }) => id));

/** A poll before the first dispatch was announced. */
const sawNothing: ParticipantAct = { what: "polled", dispatchId: "", number: 0, count: 1 };

const seenAs = (what: "polled" | "fetched", { id, modificationNumber }: Dispatch): ParticipantAct => ({
  what,
  dispatchId: id,
  number: modificationNumber,
  count: 1,
});

/** The dispatches of a scenario in their current state. */
const viewOf = ({ dispatches }: Scenario, now: Date): DispatchView => {
  const current = dispatches.flatMap((states) => stateAt(states, now) ?? []);
  return {
    recentOf: async () => current,
    findSeenBy: async (_accountId, id) => current.find((dispatch) => dispatch.id === id) ?? null,
  };
};

type MeteredSite = Pick<Site, "id" | "meters">;

/** The fixed sites, and those created for the scenario: their readings come by site_id. */
const sitesIn = (scenario: Scenario | null): readonly MeteredSite[] => {
  const called = scenario?.dispatches.flat().flatMap(({ sites }) => sites.map(({ id }) => id)) ?? [];
  const madeUp = new Set(called.filter((id) => !fixedSites.some((site) => site.id === id)));
  return [...fixedSites, ...[...madeUp].map((id) => ({ id, meters: [] }))];
};

function* pointsIn({ readings, keys }: AdmittedReadings, sites: readonly MeteredSite[]): Generator<SitePoint> {
  for (let index = 0; index < readings.count; index++) {
    const site = sites[keys[readings.source[index] ?? -1]?.site ?? -1];
    // Of no site of the sandbox: it was checked, and is forgotten.
    if (site === undefined) continue;
    const [atMs, powerKw] = [readings.endMs[index] ?? Number.NaN, readings.powerKw[index] ?? Number.NaN];
    yield { siteId: site.id, atMs, powerKw };
  }
}
