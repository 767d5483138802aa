import { meets, type Period, refusePeriod } from "../../platform/period.js";
import { invalid, type Refusal } from "../../platform/refusal.js";

/** A period in which a site is not dispatched, or for less than its commitment. */
export interface AvailabilityBlock extends Period {
  readonly id: string;
  readonly siteId: string;
  readonly end: Date;
  /** What the site can still reduce by; null: it is not available at all. */
  readonly availableKw: number | null;
  /** The same for blocks that were added together; null for one that was added alone. */
  readonly seriesId: string | null;
  readonly createdAt: Date;
}

/** A block before it is stored. */
export type NewBlock = Pick<AvailabilityBlock, "siteId" | "start" | "end" | "availableKw">;

/** Whether a block takes nothing from dispatches that another of its site did not take already. */
export const isWithin = (block: NewBlock, other: NewBlock): boolean =>
  block.siteId === other.siteId &&
  block.start >= other.start &&
  block.end <= other.end &&
  (other.availableKw === null || (block.availableKw !== null && block.availableKw >= other.availableKw));

const takesAll = ({ availableKw }: AvailabilityBlock): boolean => availableKw === null;

const MAX_BLOCK_DAYS = 366;

/** The most unfinished blocks per site. */
const MAX_BLOCKS = 1000;

/** Refuses another block if the site has the maximum. */
export const refuseAnother = (unfinished: number): Refusal | null =>
  unfinished < MAX_BLOCKS
    ? null
    : invalid(`the site already has ${unfinished} unfinished blocks, the maximum; send fewer, longer blocks`);

/** Refuses a block that is malformed, or that starts too soon for the market to be informed (G18). */
export const refuseBlock = (block: Period, cutoffSeconds: number, now: Date): Refusal | null => {
  const refusal = refusePeriod(block, MAX_BLOCK_DAYS, "a block");
  if (refusal !== null) return refusal;
  if (block.start.getTime() >= now.getTime() + cutoffSeconds * 1000) return null;
  const rule = cutoffSeconds === 0 ? "it must be in the future" : `it must be at least ${cutoffSeconds} seconds ahead`;
  return invalid(`start_time is too late for the market: ${rule}. Nothing changed; the site may still be dispatched.`);
};

/** Sites that are unavailable now, by id, each with when that ends; adjoining blocks count as one. */
export const unavailableNow = (blocks: readonly AvailabilityBlock[], now: Date): ReadonlyMap<string, Date> => {
  const untils = new Map<string, Date>();
  for (const { siteId, start, end } of blocks
    .filter(takesAll)
    .toSorted((a, b) => a.start.getTime() - b.start.getTime())) {
    const until = untils.get(siteId) ?? now;
    if (start <= until && end > until) untils.set(siteId, end);
  }
  return untils;
};

/** Ids of the sites that are unavailable at any time in the period. */
export const unavailableSites = (blocks: readonly AvailabilityBlock[], period: Period): Set<string> =>
  new Set(blocks.filter((block) => takesAll(block) && meets(block, period)).map((block) => block.siteId));

/** What sites can reduce by at any time in the period, by id: the least of their blocks. Absent: all that they commit. */
export const limitedSites = (blocks: readonly AvailabilityBlock[], period: Period): ReadonlyMap<string, number> => {
  const limits = new Map<string, number>();
  for (const { siteId, availableKw } of blocks.filter((block) => meets(block, period))) {
    if (availableKw !== null) limits.set(siteId, Math.min(availableKw, limits.get(siteId) ?? availableKw));
  }
  return limits;
};

/** How much of a period one site is unavailable, in milliseconds; where blocks overlap, it counts once. */
export const unavailableMs = (
  blocks: readonly AvailabilityBlock[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): number => {
  let [sum, until] = [0, fromMs];
  for (const { start, end } of blocks.filter(takesAll).toSorted((a, b) => a.start.getTime() - b.start.getTime())) {
    const endMs = Math.min(end.getTime(), toMs);
    sum += Math.max(0, endMs - Math.max(start.getTime(), until));
    until = Math.max(until, endMs);
  }
  return sum;
};

declare module "../../access/domain/audit.js" {
  interface Audited {
    schedule_block: { action: "schedule.create" | "schedule.delete"; state: AvailabilityBlock };
  }
}
