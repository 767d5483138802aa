import { type Visible, type VisibleSites, visiblePart } from "../../portfolio/operations/visible-sites.js";
import type { MeterPoints, TelemetryAnswer } from "./read-telemetry.js";

/** The answer for an account, without the points of sites that are not visible; their meters stay. */
export const visibleTelemetry = (
  answer: TelemetryAnswer,
  accountId: string,
  sites: VisibleSites,
): Visible<TelemetryAnswer> => {
  const of = answer.sites.map(({ siteId }) => ({ siteId, accountId }));
  const keep = (isSeen: readonly boolean[]) => ({ ...answer, pieces: onlySeen(answer.pieces, isSeen) });
  return visiblePart({ data: answer, of, keep }, sites);
};

async function* onlySeen(pieces: AsyncIterable<MeterPoints>, isSeen: readonly boolean[]): AsyncGenerator<MeterPoints> {
  for await (const piece of pieces) if (isSeen[piece.site] === true) yield piece;
}
