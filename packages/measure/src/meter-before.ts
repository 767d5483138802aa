import { anchorsOf } from "./adjust.js";
import type { Baseline, BaselineRequest, MeterBeforeExplanation } from "./baseline-result.js";
import { CELL_SECONDS } from "./grid.js";
import { cellsTouching, countOf, flatSeries, meanOver, newestEndMs, valueAt } from "./load-series.js";
import type { MeterBeforeMethod } from "./method.js";
import { nullIfNaN } from "./reduction.js";

/** Mean of the last cells that ended by the anchor, held constant; half of them must be filled. */
export const meterBeforeBaseline = (
  method: MeterBeforeMethod,
  request: BaselineRequest,
): Baseline & { readonly explanation: MeterBeforeExplanation } => {
  const load = request.recent ?? request.load;
  const { intervalSeconds } = load;
  const anchorMs = anchorsOf(request.dispatch)[method.anchor];
  const last = Math.floor(anchorMs / 1000 / intervalSeconds);
  const cells = { first: last - Math.floor(method.seconds / intervalSeconds) + 1, last };
  const { meanKw, present } = meanOver(load, cells);
  const endMs = last * intervalSeconds * 1000;
  const explanation = {
    kind: "meter_before",
    anchor: method.anchor,
    windowStartMs: (cells.first - 1) * intervalSeconds * 1000,
    windowEndMs: endMs,
    cellsExpected: countOf(cells),
    cellsUsed: present,
    kw: Array.from({ length: countOf(cells) }, (_, index) => nullIfNaN(valueAt(load, cells.first + index))),
    meanKw: present === 0 ? null : meanKw,
  } as const;
  const provisional = (newestEndMs(load) ?? Number.NEGATIVE_INFINITY) < endMs;
  if (present === 0 || present * 2 < countOf(cells)) {
    const reason =
      countOf(cells) === 0
        ? `intervals of ${intervalSeconds} s are too long for a mean over ${method.seconds} s; give finer load as recent`
        : `${present} of ${countOf(cells)} intervals in the ${method.seconds} s before the ${method.anchor} have readings; at least half are required`;
    return { state: "none", reason, provisional, explanation };
  }
  const curve = flatSeries(meanKw, cellsTouching(request.curve, CELL_SECONDS), CELL_SECONDS);
  return { state: "found", curve, unadjusted: curve, provisional, explanation };
};
