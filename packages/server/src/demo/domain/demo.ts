import type { Actor } from "../../access/domain/account.js";
import { DAY_MS } from "../../platform/period.js";

/** A simulated fleet, which exists once at most: while it does, every account belongs to it. */
export interface Demo {
  readonly state: "preparing" | "on" | "removing";
  readonly startedAt: Date;
  readonly startedBy: Actor;
  /** Programs that it created. */
  readonly programIds: readonly string[];
  /** Up to when its meters have readings; null: its sites do not exist yet. */
  readonly filledUntil: Date | null;
  /** Of the preparation or removal, from 0 to 1. */
  readonly progress: number;
}

/** How much there is of it. */
export interface DemoSize {
  readonly accounts: number;
  readonly sites: number;
}

/** Its subject in the audit log. */
export const DEMO_ID = "demo";

/** Days before the start that have readings: past dispatches need baselines. Readings are kept for longer. */
export const HISTORY_DAYS = 15;
/** Readings of the past have this interval, in seconds. */
const COARSE_SECONDS = 300;
const FINE_SECONDS = 60;
const COARSE_MS = COARSE_SECONDS * 1000;
const FINE_MS = FINE_SECONDS * 1000;
/** A gap longer than this is filled with coarse readings. */
const LONG_GAP_MS = 3_600_000;
/** Filled at once: some 600 readings per account. */
const CHUNK_MS = 6 * 3_600_000;
/** Of the preparation, when the fleet exists. */
export const SET_UP_SHARE = 0.05;
/** Of the preparation, when only past dispatches are missing. */
const FILLED_SHARE = 0.95;

/** The period of the readings that it begins with. */
export const historyOf = (startedAt: Date): { readonly from: Date; readonly to: Date } => {
  const to = floorTo(startedAt.getTime(), COARSE_MS);
  return { from: new Date(to - HISTORY_DAYS * DAY_MS), to: new Date(to) };
};

/** Readings to be sent next, after `from` up to `to`. */
export interface FillPeriod {
  readonly from: Date;
  readonly to: Date;
  readonly seconds: number;
}

/** The next part of the history; null if it is complete. */
export const nextOfHistory = (filledUntil: Date, historyEnd: Date): FillPeriod | null => {
  if (filledUntil >= historyEnd) return null;
  const to = new Date(Math.min(historyEnd.getTime(), filledUntil.getTime() + CHUNK_MS));
  return { from: filledUntil, to, seconds: COARSE_SECONDS };
};

/** The next readings of a demo that is on; null if there are none yet. After a longer stop, those before are left out. */
export const nextToFill = (filledUntil: Date, now: Date): FillPeriod | null => {
  const earliest = floorTo(now.getTime() - HISTORY_DAYS * DAY_MS, COARSE_MS);
  const from = Math.max(filledUntil.getTime(), earliest);
  const gapMs = now.getTime() - from;
  const to =
    gapMs > LONG_GAP_MS ? from + Math.min(CHUNK_MS, floorTo(gapMs, COARSE_MS)) : floorTo(now.getTime(), FINE_MS);
  if (to <= from) return null;
  return { from: new Date(from), to: new Date(to), seconds: gapMs > LONG_GAP_MS ? COARSE_SECONDS : FINE_SECONDS };
};

/** Share of the preparation that is done when there are readings up to `filledUntil`. */
export const preparedShare = (filledUntil: Date, { from, to }: { readonly from: Date; readonly to: Date }): number => {
  const wholeMs = to.getTime() - from.getTime();
  const filled = wholeMs === 0 ? 1 : (filledUntil.getTime() - from.getTime()) / wholeMs;
  return SET_UP_SHARE + (FILLED_SHARE - SET_UP_SHARE) * filled;
};

const floorTo = (ms: number, stepMs: number): number => Math.floor(ms / stepMs) * stepMs;

declare module "../../access/domain/audit.js" {
  interface Audited {
    demo: { action: "demo.start" | "demo.remove"; state: Pick<Demo, "startedAt"> & Partial<DemoSize> };
  }
}
