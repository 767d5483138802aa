import { CommandFailure } from "./admin-io.js";
import { type AssetType, partsOf, readCsv } from "./replay-csv.js";

/** What a scan of the whole file finds, before anything is sent. */
export interface Survey {
  /** Asset type of each meter that the file names. */
  readonly meters: ReadonlyMap<string, AssetType>;
  readonly lastEndMs: number;
  /** Readings to send, after the lines acknowledged before. */
  readonly readings: number;
}

export const surveyCsv = async (file: string, acknowledgedLine: number): Promise<Survey> => {
  const meters = new Map<string, AssetType>();
  let lastEndMs = Number.NEGATIVE_INFINITY;
  let readings = 0;
  for await (const reading of readCsv(file)) {
    if (!meters.has(reading.meter)) meters.set(reading.meter, reading.assetType);
    lastEndMs = Math.max(lastEndMs, reading.endMs);
    if (reading.line > acknowledgedLine) readings += partsOf(reading).endsMs.length;
  }
  if (meters.size === 0) throw new CommandFailure(`${file} contains no readings`);
  return { meters, lastEndMs, readings };
};
