/** The newest grid interval of a meter. */
export interface LastReading {
  readonly at: Date;
  readonly powerKw: number;
}

/** By meter id; meters without a reading are absent. */
export type LastReadings = ReadonlyMap<string, LastReading>;

export interface LastReadingReader {
  lastReadings(meterIds: readonly string[]): Promise<LastReadings>;
}
