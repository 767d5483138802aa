import type { Item } from "./budgets.js";
import type { CountedProcess } from "./counted-process.js";

/** A round of items of one kind. */
interface Work {
  readonly items: number;
  readonly run: () => Promise<void>;
}

/** A process under Callgrind, and what it can be made to do. */
export interface Counted {
  readonly process: CountedProcess;
  readonly work: Readonly<Record<Item, Work>>;
}

/** These open connections and fill inline caches. */
const WARM_UP_ROUNDS = 2;
const ROUNDS = 9;
/** Turns of a loop in each request, to measure one. */
const TURNS = 10_000;

export const times = async (count: number, run: () => Promise<void>): Promise<void> => {
  for (let index = 0; index < count; index++) await run();
};

/** Instructions of one item: the median of some rounds, since one may contain a collection of all garbage. */
export const instructionsOf = async ({ process, work }: Counted, item: Item): Promise<number> => {
  const { items, run } = work[item];
  await times(WARM_UP_ROUNDS, run);
  const costs: number[] = [];
  await times(ROUNDS, async () => {
    const before = await process.count();
    await run();
    costs.push(((await process.count()) - before) / items);
  });
  return costs.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
};

/** The same, with a loop in each request. */
const withTurns = async (counted: Counted, item: Item, turns: number): Promise<number> => {
  await counted.process.order({ plant: Math.round(turns) });
  const cost = await instructionsOf(counted, item);
  await counted.process.order({ plant: 0 });
  return cost;
};

/**
 * Measures an item while each request costs `more` instructions.
 *
 * @param floor instructions of a poll of the bare server
 */
export const planting = async (bare: Counted, floor: number) => {
  const turn = ((await withTurns(bare, "poll", TURNS)) - floor) / TURNS;
  return (counted: Counted, item: Item, more: number): Promise<number> => withTurns(counted, item, more / turn);
};
