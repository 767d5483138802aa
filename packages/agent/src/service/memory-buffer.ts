import type { ReadingsBuffer, TakenReadings, WireReading } from "./readings-sink.js";

/** Four meters, a minute each, for a fortnight. */
const LIMIT = 80_000;

/** Keeps readings in memory: an outage of the service costs none, a restart does. The oldest go first beyond the limit. */
export class MemoryBuffer implements ReadingsBuffer {
  private readings: readonly WireReading[] = [];

  get size(): number {
    return this.readings.length;
  }

  append(readings: readonly WireReading[]): Promise<void> {
    this.readings = [...this.readings, ...readings].slice(-LIMIT);
    return Promise.resolve();
  }

  take(limit: number): Promise<TakenReadings> {
    const readings = this.readings.slice(0, limit);
    const taken = new Set(readings);
    const retire = (): Promise<void> => {
      this.readings = this.readings.filter((reading) => !taken.has(reading));
      return Promise.resolve();
    };
    return Promise.resolve({ readings, retire });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
