import type { Meter } from "../domain/site.js";

/** The newest grid interval of a meter. */
export interface LastReading {
  readonly at: Date;
  readonly powerKw: number;
}

/** The newest state of charge of a battery. */
export interface LastCharge {
  readonly at: Date;
  readonly chargeKwh: number;
}

/** By meter id; meters without a reading are absent. */
export type LastReadings = ReadonlyMap<string, LastReading>;
export type LastCharges = ReadonlyMap<string, LastCharge>;

export interface LastReadingReader {
  lastReadings(meterIds: readonly string[]): Promise<LastReadings>;
  lastCharges(meterIds: readonly string[]): Promise<LastCharges>;
}

/** What meters sent last. */
export interface LastSent {
  readonly readings: LastReadings;
  readonly charges: LastCharges;
}

export const nothingSent: LastSent = { readings: new Map(), charges: new Map() };

/** What meters sent last; only batteries have a charge. */
export const newestOf = async (ports: LastReadingReader, meters: readonly Meter[]): Promise<LastSent> => {
  const batteries = meters.filter(({ assetType }) => assetType === "battery").map(({ id }) => id);
  const [readings, charges] = await Promise.all([
    ports.lastReadings(meters.map(({ id }) => id)),
    batteries.length === 0 ? nothingSent.charges : ports.lastCharges(batteries),
  ]);
  return { readings, charges };
};
