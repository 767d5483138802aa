import { ErrorResponse, type Participant, upload } from "@curtail/client";
import { drain, openSpool, type Spool } from "@curtail/spool";
import { messageOf } from "../devices/device.js";
import type { Reading } from "../readings/meter-sampler.js";
import { rest } from "../run/loops.js";
import { type ReadingsSink, type SinkStatus, type WireReading, wireReading } from "./readings-sink.js";
import type { ServiceKey } from "./service-key.js";
import { UnstoredReadings } from "./unstored-readings.js";

/** A year of four meters with a reading a minute takes 400 MB. */
const LARGEST_SPOOL_BYTES = 512 * 1024 ** 2;
/** After a refusal that does not pass by itself, such as a revoked key. */
const RETRY_MS = 60_000;

/** Aborted when the key changes. */
type KeyChange = Pick<ServiceKey, "changed">;

/** Keeps readings on disk until the service has stored them; those it refuses are set aside in the folder. */
export class SpoolingSink implements ReadingsSink {
  private readonly stopping = new AbortController();
  private readonly loop: Promise<void>;
  private readonly unstored: UnstoredReadings;
  private fault: string | null = null;
  private warnings: readonly string[] = [];

  private constructor(
    private readonly spool: Spool,
    private readonly participant: Pick<Participant, "uploadTelemetry">,
    private readonly key: KeyChange | null,
  ) {
    this.unstored = new UnstoredReadings((reading) => spool.append(JSON.stringify(wireReading(reading))));
    this.loop = this.run();
  }

  /**
   * @param key whose change ends the wait after a refusal; null: it never changes
   * @throws SpoolInUse if another process has the folder
   */
  static async open(
    folder: string,
    participant: Pick<Participant, "uploadTelemetry">,
    key: KeyChange | null = null,
  ): Promise<SpoolingSink> {
    return new SpoolingSink(await openSpool(folder, { maxBytes: LARGEST_SPOOL_BYTES }), participant, key);
  }

  get status(): SinkStatus {
    const { waiting, setAside, dropped } = this.spool.state;
    const { unstored, fault, warnings } = this;
    return {
      waiting,
      unstored: unstored.count,
      refused: setAside,
      dropped: dropped + unstored.dropped,
      fault,
      disk_fault: unstored.fault,
      warnings,
    };
  }

  put(readings: readonly Reading[]): Promise<void> {
    return this.unstored.put(readings);
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.loop;
    await this.put([]);
    await this.spool.close();
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      // Of before the upload: a key that changes during it counts, too.
      const changed = this.key === null ? [] : [this.key.changed];
      try {
        await drain<WireReading>(this.spool, (readings) => this.upload(readings), {
          follow: true,
          signal,
          onWait: (failure) => this.note(failure),
        });
      } catch (error) {
        if (!signal.aborted) this.note(error);
        await rest(RETRY_MS, AbortSignal.any([signal, ...changed]));
      }
    }
  }

  private async upload(readings: readonly WireReading[]) {
    const uploaded = await upload(this.participant, readings, { signal: this.stopping.signal });
    this.fault = null;
    this.warnings = uploaded.warnings;
    return uploaded;
  }

  private note(failure: unknown): void {
    this.fault = failure instanceof ErrorResponse ? (failure.reason ?? `status ${failure.status}`) : messageOf(failure);
  }
}
