/** Newest grid cell of a meter. */
export interface LastReading {
  readonly at: Date;
  readonly powerKw: number;
}

/** By meter id; none for meters without a reading. */
export type LastReadings = ReadonlyMap<string, LastReading>;

export interface LastReadingReader {
  lastReadings(meterIds: readonly string[]): Promise<LastReadings>;
}
