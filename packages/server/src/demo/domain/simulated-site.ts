import type { Actor } from "../../access/domain/account.js";
import { DAY_MS } from "../../platform/period.js";
import type { FillPeriod } from "./demo.js";

/** A site that the service simulates next to real ones; there is one at most. */
export interface SimulatedSite {
  readonly state: "preparing" | "on" | "removing";
  readonly startedAt: Date;
  readonly startedBy: Actor;
  readonly accountId: string;
  readonly programId: string;
  readonly siteId: string;
  /** Up to when its meter has readings. */
  readonly filledUntil: Date;
}

/** Its subject in the audit log. */
export const SIMULATED_SITE_ID = "simulated_site";

/** A usual day is made of the five like days before: on a Sunday, those of five weeks. */
const SIMULATED_DAYS = 36;
/** A curve of ten minutes has twenty values. */
const FINE_SECONDS = 30;
const COARSE_SECONDS = 300;
/** A gap longer than this is filled with coarse readings. */
const LONG_GAP_MS = 3_600_000;
/** Filled at once: some 1,700 readings. */
const CHUNK_MS = 6 * DAY_MS;

const floorTo = (ms: number, seconds: number): number => Math.floor(ms / (seconds * 1000)) * seconds * 1000;

/** Before the first reading of a site that is added now. */
export const historyStart = (now: Date): Date =>
  new Date(floorTo(now.getTime() - SIMULATED_DAYS * DAY_MS, COARSE_SECONDS));

/** The readings to be sent next; null if there are none yet. What is older than the history is left out after a stop. */
export const nextReadings = (filledUntil: Date, now: Date): FillPeriod | null => {
  const fromMs = Math.max(filledUntil.getTime(), historyStart(now).getTime());
  const seconds = now.getTime() - fromMs > LONG_GAP_MS ? COARSE_SECONDS : FINE_SECONDS;
  const toMs = Math.min(fromMs + CHUNK_MS, floorTo(now.getTime(), seconds));
  return toMs <= fromMs ? null : { from: new Date(fromMs), to: new Date(toMs), seconds };
};

declare module "../../access/domain/audit.js" {
  interface Audited {
    simulated_site: {
      action: "simulated_site.add" | "simulated_site.remove";
      state: Pick<SimulatedSite, "startedAt">;
    };
  }
}
