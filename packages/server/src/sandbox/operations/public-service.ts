import type { RateWindows } from "../../access/domain/rate-limit.js";
import type { Caller, KeyCaller } from "../../access/operations/caller.js";
import { type Dispatch, refuseTest } from "../../dispatch/domain/dispatch.js";
import type { Webhook } from "../../notification/domain/delivery.js";
import { checkWebhookUrl, MAX_PUBLIC_TESTS_A_MINUTE, publicAddresses } from "../../notification/domain/webhook.js";
import {
  draftWebhook,
  type NewWebhook,
  testFailed,
  type WebhookPorts,
} from "../../notification/operations/manage-webhooks.js";
import { invalid, isRefusal, mapResult, notFound, type Refusal, type Result, tooMany } from "../../platform/refusal.js";
import { type AvailabilityBlock, refuseBlock } from "../../portfolio/domain/schedule.js";
import type { ScheduleChange } from "../../portfolio/operations/change-schedule.js";
import { madeUp } from "../../portfolio/operations/visible-sites.js";
import { readTelemetry } from "../../telemetry/operations/read-telemetry.js";
import { recordControllableLoad } from "../../telemetry/operations/record-controllable-load.js";
import { admitTelemetry } from "../../telemetry/operations/record-telemetry.js";
import type { Scenario } from "../domain/scenario.js";
import {
  dispatchedFixedSites,
  fixedSites,
  fixedTelemetry,
  fixedWebhook,
  movingDispatch,
  testScenario,
} from "./fixed-data.js";
import { fixedPerformance } from "./fixed-performance.js";
import { fixedRequests } from "./fixed-requests.js";
import { draftScenario } from "./play-scenario.js";
import type { SandboxService } from "./scenario-service.js";
import { checkedUpload, type NamedSites } from "./site-directory.js";

/** The caller of the public key, which anybody may use. */
export const publicCaller: KeyCaller = {
  accountId: "public",
  actor: "key:public",
  keyId: "public",
  expiresAt: null,
  environment: "sandbox",
  sees: "own sites",
  isShared: true,
};

export type PublicPorts = Pick<WebhookPorts, "clock" | "newId" | "newSecret" | "probe"> & {
  readonly maxReadings: number;
  /** Test requests per caller. */
  readonly tests: Pick<RateWindows, "count">;
};

/**
 * The sandbox as the public key sees it: fixed data to parse; what is sent is checked, answered and forgotten (G35).
 */
export const publicService = (ports: PublicPorts): SandboxService => {
  const { clock, maxReadings, tests } = ports;
  const drafting = { clock, newId: ports.newId, fixedSites: dispatchedFixedSites };
  const dispatch = movingDispatch(clock);
  const reader = fixedTelemetry(clock);
  const checked = (list: NamedSites["list"]) => ({
    ...checkedUpload({ list, sites: fixedSites, own: null }),
    clock,
    maxReadings,
  });
  const findDispatch = async (_caller: Caller, id: string): Promise<Result<Dispatch>> =>
    found("dispatch", dispatch(), id);
  // Many polls move the dispatch hours ahead, where there is no load to show.
  const measured = movingDispatch(clock);
  const findMeasured: typeof findDispatch = async (_caller, id) => found("dispatch", measured(), id);
  return {
    ...fixedPerformance(clock, findMeasured),
    listDispatches: async () => [dispatch()],
    findDispatch,
    createTestDispatch: async (caller, test) => {
      const request = refuseTest(test, 0, clock.now()) ?? testScenario(test);
      const scenario = isRefusal(request) ? request : draftScenario(drafting, caller, request);
      return isRefusal(scenario) ? scenario : announcedOnly(scenario);
    },
    createScenario: async (caller, request) => draftScenario(drafting, caller, request),
    listScenarios: async () => [],
    deleteScenario: async () => notFound("scenario"),
    reportScenario: async () => notFound("scenario"),
    ...fixedRequests(clock),
    listSites: async () => fixedSites,
    changeSchedule: async (_caller, change) => blockOf(change, ports),
    async recordTelemetry(caller, upload) {
      const check = checked("telemetry");
      const admitted = await admitTelemetry(check, caller, upload);
      return isRefusal(admitted) ? admitted : { received: admitted.readings.count, warnings: check.warnings };
    },
    async recordControllableLoad(caller, uploaded) {
      const check = checked("controllable_load");
      const count = await recordControllableLoad(check, caller, uploaded);
      return isRefusal(count) ? count : { received: count, warnings: check.warnings };
    },
    async readTelemetry(caller, siteIds, window) {
      return mapResult(readTelemetry(reader, caller, siteIds, window), madeUp);
    },
    listWebhooks: async () => [fixedWebhook],
    registerWebhook: (caller, webhook) => forgottenWebhook(ports, { caller, tests }, webhook),
    deleteWebhook: async (_caller, id) => found("webhook", fixedWebhook, id),
    listResends: async () => ({ items: [], next: null }),
  };
};

const found = <T extends { readonly id: string }>(what: string, fixed: T, id: string): Result<T> =>
  fixed.id === id ? fixed : notFound(what);

/** The only dispatch of a single-dispatch scenario, as first announced. */
export const announcedOnly = ({ dispatches }: Scenario): Dispatch => {
  const dispatch = dispatches[0]?.[0];
  if (dispatch === undefined) throw new Error("a basic scenario has a dispatch");
  return dispatch;
};

const blockOf = (
  { siteId, available, start, end }: ScheduleChange,
  { clock, newId }: Pick<PublicPorts, "clock" | "newId">,
): Result<AvailabilityBlock> => {
  if (!fixedSites.some(({ id }) => id === siteId)) return notFound("site");
  if (available) return invalid("available is true; only false is supported. A block ends at its end_time.");
  const createdAt = clock.now();
  const whole = { siteId, start, end, availableKw: null, seriesId: null };
  return refuseBlock({ start, end }, 0, createdAt) ?? { id: newId("blk"), ...whole, createdAt };
};

interface Registering {
  readonly caller: Caller;
  readonly tests: PublicPorts["tests"];
}

/**
 * Anyone may trigger these requests, so they are few, go to public addresses only, and the response reveals nothing
 * more (G49).
 */
const forgottenWebhook = async (
  ports: PublicPorts,
  { caller, tests }: Registering,
  input: NewWebhook,
): Promise<Result<Webhook>> => {
  const url = checkWebhookUrl(input.url, publicAddresses);
  if (isRefusal(url)) return url;
  const refusal = refuseOften(tests, caller, ports.clock.now());
  if (refusal !== null) return refusal;
  const webhook = draftWebhook(ports, caller, input);
  const sent = await ports.probe(webhook);
  if (isRefusal(sent)) return sent;
  return sent.ok ? webhook : testFailed("the test request did not reach the url, which must be a public https address");
};

const refuseOften = (tests: PublicPorts["tests"], { place = "" }: Caller, now: Date): Refusal | null => {
  const { allowed, resetSeconds } = tests.count(place, MAX_PUBLIC_TESTS_A_MINUTE, now.getTime());
  if (allowed) return null;
  return tooMany(`you requested ${MAX_PUBLIC_TESTS_A_MINUTE} test requests within a minute`, resetSeconds);
};
