import type { Webhook } from "../domain/delivery.js";
import { type Dispatch, refusePast, refuseTimes } from "../domain/dispatch.js";
import { RateWindows } from "../domain/rate-limit.js";
import { invalid, isRefusal, notFound, type Refusal, type Result, tooMany } from "../domain/refusal.js";
import { type AvailabilityBlock, refuseBlock } from "../domain/schedule.js";
import { checkWebhookUrl } from "../domain/webhook.js";
import type { ScheduleChange } from "../operations/change-schedule.js";
import { type NewWebhook, probed, type WebhookPorts } from "../operations/manage-webhooks.js";
import type { ParticipantService } from "../operations/participant-service.js";
import type { Caller } from "../operations/ports.js";
import { readTelemetry } from "../operations/read-telemetry.js";
import { recordControllableLoad } from "../operations/record-controllable-load.js";
import { admitTelemetry } from "../operations/record-telemetry.js";
import {
  calledFixedSites,
  fixedSites,
  fixedTelemetry,
  fixedWebhook,
  movingDispatch,
  testProgram,
} from "./fixed-data.js";
import { checkingArchive, siteDirectory } from "./site-directory.js";

/** Who calls with the public key: everybody, and nobody in particular. */
export const publicCaller: Caller = { accountId: "public", keyId: "public", environment: "sandbox" };

export type PublicPorts = Pick<WebhookPorts, "clock" | "newId" | "policy" | "newSecret" | "probe"> & {
  readonly maxReadings: number;
};

const MAX_PROBES_A_MINUTE = 10; // G35

/** The sandbox as the public key sees it: fixed data to parse; what is sent is checked, answered and forgotten (G35). */
export const publicService = (ports: PublicPorts): ParticipantService => {
  const { clock, maxReadings } = ports;
  const dispatch = movingDispatch(clock);
  const reader = fixedTelemetry(clock);
  const admission = { meters: siteDirectory(fixedSites), clock, maxReadings };
  const load = { archive: checkingArchive(fixedSites), maxReadings };
  const probes = new RateWindows();
  return {
    listDispatches: async () => [dispatch()],
    findDispatch: async (_caller, id) => found("dispatch", dispatch(), id),
    createTestDispatch: async (_caller, period) => {
      const at = clock.now();
      return refusePast(period, at) ?? refuseTimes(period, at) ?? testDispatch(ports.newId("dis"), period, at);
    },
    listSites: async () => fixedSites,
    changeSchedule: async (_caller, change) => blockOf(change, ports),
    async recordTelemetry(caller, upload) {
      const admitted = await admitTelemetry(admission, caller, upload);
      return isRefusal(admitted) ? admitted : admitted.readings.count;
    },
    recordControllableLoad: (caller, uploaded) => recordControllableLoad(load, caller, uploaded),
    readTelemetry: (caller, siteIds, window) => readTelemetry(reader, caller, siteIds, window),
    listWebhooks: async () => [fixedWebhook],
    registerWebhook: async (_caller, webhook) => forgottenWebhook(ports, probes, webhook),
    deleteWebhook: async (_caller, id) => found("webhook", fixedWebhook, id),
  };
};

const found = <T extends { readonly id: string }>(what: string, fixed: T, id: string): Result<T> =>
  fixed.id === id ? fixed : notFound(what);

const testDispatch = (id: string, period: Pick<Dispatch, "start" | "end">, at: Date): Dispatch => ({
  ...period,
  id,
  program: testProgram,
  test: true,
  authorized: true,
  notification: at,
  modificationNumber: 0,
  createdAt: at,
  changedAt: at,
  sites: calledFixedSites,
});

const blockOf = (
  { siteId, available, start, end }: ScheduleChange,
  { clock, newId }: Pick<PublicPorts, "clock" | "newId">,
): Result<AvailabilityBlock> => {
  if (!fixedSites.some(({ id }) => id === siteId)) return notFound("site");
  if (available) return invalid("available is true; only false is supported. A block ends at its end_time.");
  const createdAt = clock.now();
  return refuseBlock({ start, end }, 0, createdAt) ?? { id: newId("blk"), siteId, start, end, createdAt };
};

/** Anybody may have the service send here, so no address is asked often, whoever asks. */
const forgottenWebhook = async (
  ports: PublicPorts,
  probes: RateWindows,
  input: NewWebhook,
): Promise<Result<Webhook>> => {
  const url = checkWebhookUrl(input.url, ports.policy);
  if (isRefusal(url)) return url;
  return refuseOften(probes, url, ports.clock.now()) ?? probed(ports, publicCaller, { ...input, url: url.href });
};

const refuseOften = (probes: RateWindows, { hostname }: URL, now: Date): Refusal | null => {
  probes.sweep(now.getTime());
  const { allowed, resetSeconds } = probes.count(hostname, MAX_PROBES_A_MINUTE, now.getTime());
  if (allowed) return null;
  return tooMany(`${MAX_PROBES_A_MINUTE} test requests were sent to ${hostname} within a minute`, resetSeconds);
};
