import type { AccessStores } from "../../access/operations/access-stores.js";
import type { Manager } from "../../access/operations/caller.js";
import type { Ports } from "../../platform/ports.js";
import { quote } from "../../platform/quote.js";
import { invalid, isRefusal, Refusal, type Result } from "../../platform/refusal.js";
import { formatSecond } from "../../platform/timestamp.js";
import { type AvailabilityBlock, isWithin, type NewBlock, refuseAnother, refuseBlock } from "../domain/schedule.js";
import type { PortfolioStores } from "./portfolio-stores.js";

export interface AvailabilityChange {
  /** Ids of blocks. */
  readonly remove: readonly string[];
  readonly add: readonly NewBlock[];
}

type Stores = PortfolioStores & Pick<AccessStores, "audit">;

/** The account whose blocks are changed, the author, and the time. */
interface Changing {
  readonly actor: Manager["actor"];
  readonly accountId: string;
  readonly at: Date;
}

/** Deletes and adds blocks of an account's sites: all of them, or none. */
export const changeAvailability = async (
  { transact, clock, newId }: Pick<Ports<Stores>, "transact" | "clock" | "newId">,
  { actor, within: accountId }: Manager & { readonly within: string },
  change: AvailabilityChange,
): Promise<Result<readonly AvailabilityBlock[]>> =>
  transact(async (stores) => {
    const changing = { actor, accountId, at: clock.now() };
    const siteIds = [...new Set(change.add.map((block) => block.siteId))].toSorted();
    const unknown = await lockSites(stores, { accountId, siteIds, add: change.add });
    if (unknown !== null) return unknown;
    const removed = await removeBlocks(stores, changing, change.remove);
    if (isRefusal(removed)) return removed;
    const rules = await rulesOf(stores, { siteIds, removed, at: changing.at });
    const seriesId = change.add.length > 1 ? newId("ser") : null;
    const added: AvailabilityBlock[] = [];
    for (const [index, block] of change.add.entries()) {
      const made = { ...block, id: newId("blk"), seriesId, createdAt: changing.at };
      const stored = await addBlock(stores, changing, made, rules);
      if (isRefusal(stored)) return new Refusal(stored.code, `add[${index}]: ${stored.message}`);
      added.push(stored);
    }
    return added;
  });

interface Asked {
  /** In order. */
  readonly siteIds: readonly string[];
  readonly removed: readonly AvailabilityBlock[];
  readonly at: Date;
}

/** What decides on new blocks, read once for all of them. */
interface Rules extends Asked {
  readonly cutoffs: ReadonlyMap<string, number>;
  /** Blocks that are not over, by site id; counts up. */
  readonly unfinished: Map<string, number>;
}

const rulesOf = async (stores: Stores, asked: Asked): Promise<Rules> => {
  const unfinished = new Map<string, number>();
  for (const { siteId } of await stores.schedule.ofSites(asked.siteIds, asked.at))
    unfinished.set(siteId, (unfinished.get(siteId) ?? 0) + 1);
  return { ...asked, cutoffs: await stores.programs.longestCutoffs(asked.siteIds), unfinished };
};

/** Locked in order, so that two changes of the same sites do not wait for each other. */
const lockSites = async (
  stores: Stores,
  { accountId, siteIds, add }: Pick<Changing, "accountId"> & Pick<Asked, "siteIds"> & Pick<AvailabilityChange, "add">,
): Promise<Refusal | null> => {
  for (const siteId of siteIds) {
    const site = await stores.sites.lock(siteId);
    if (site?.accountId === accountId) continue;
    const index = add.findIndex((block) => block.siteId === siteId);
    return invalid(`add[${index}].site_id is ${quote(siteId)}, which is no site of your account; check the id`);
  }
  return null;
};

const removeBlocks = async (
  stores: Stores,
  { actor, accountId, at }: Changing,
  ids: readonly string[],
): Promise<Result<readonly AvailabilityBlock[]>> => {
  const removed: AvailabilityBlock[] = [];
  for (const id of new Set(ids)) {
    const block = await stores.schedule.remove(id, accountId);
    if (block === null) return invalid(`remove has ${quote(id)}, which is no block of your sites; load them again`);
    await stores.audit.append({ actor, at }, "schedule.delete", { id, accountId }, { before: block });
    removed.push(block);
  }
  return removed;
};

const addBlock = async (
  stores: Stores,
  { actor, accountId, at }: Changing,
  block: AvailabilityBlock,
  rules: Rules,
): Promise<Result<AvailabilityBlock>> => {
  const same = await stores.schedule.findSame(block);
  if (same !== null) return same;
  const unfinished = rules.unfinished.get(block.siteId) ?? 0;
  const refusal = refuseAnother(unfinished) ?? (await refuse(stores, block, rules));
  if (refusal !== null) return refusal;
  rules.unfinished.set(block.siteId, unfinished + 1);
  await stores.schedule.insert(block);
  await stores.audit.append({ actor, at }, "schedule.create", { id: block.id, accountId }, { after: block });
  return block;
};

const refuse = async (
  stores: Stores,
  block: AvailabilityBlock,
  { cutoffs, removed, at }: Rules,
): Promise<Refusal | null> => {
  const cutoffSeconds = cutoffs.get(block.siteId) ?? 0;
  // From its own start, a block is never too late: only its length is checked.
  if (removed.some((each) => isWithin(block, each))) return refuseBlock(block, 0, block.start);
  const refusal = refuseBlock(block, cutoffSeconds, at);
  if (refusal === null || cutoffSeconds === 0 || refuseBlock(block, 0, block.start) !== null) return refusal;
  const name = (await stores.sites.find(block.siteId))?.name ?? block.siteId;
  const latest = new Date(block.start.getTime() - cutoffSeconds * 1000);
  return invalid(
    `a block of ${quote(name)} that starts at ${formatSecond(block.start)} had to be added before ${formatSecond(latest)}, the cut-off of its program. Nothing changed; the site may still be dispatched.`,
  );
};
