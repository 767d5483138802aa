import { measuredEndMs } from "@curtail/measure";
import type { SharedEnergy, StandingResults } from "../final/standing-results.js";

/** Sites whose results wait at most: some megabytes. Behind a dispatch of weeks, others are read twice instead. */
const MOST_HELD_SITES = 5000;

/**
 * Results in order of their start, each once those that overlap it have been read: what these claim of its energy is known
 * without reading them again.
 */
export async function* onceOthersAreKnown(
  all: AsyncIterable<StandingResults>,
  shared: Pick<SharedEnergy, "know">,
): AsyncGenerator<StandingResults> {
  const held: StandingResults[] = [];
  let sites = 0;
  for await (const results of all) {
    await shared.know(results);
    for (let first = held[0]; first !== undefined; first = held[0]) {
      if (sites <= MOST_HELD_SITES && endMsOf(first) > results.dispatch.startMs) break;
      held.shift();
      sites -= first.sites.length;
      yield first;
    }
    held.push(results);
    sites += results.sites.length;
  }
  yield* held;
}

const endMsOf = ({ dispatch }: StandingResults): number => measuredEndMs(dispatch) ?? Number.POSITIVE_INFINITY;
