import {
  type ControllableLoadReading,
  type Participant,
  type SetAside,
  type TelemetryReading,
  type Uploaded,
  upload,
  uploadControllableLoad,
} from "@curtail/client";
import { drain, openSpool, type Spool } from "@curtail/spool";
import type { Reading, ReadingList } from "./readings.js";

export interface Sending {
  readonly participant: Pick<Participant, "uploadTelemetry" | "uploadControllableLoad" | "clock">;
  readonly list: ReadingList;
  /** Folder of the readings that wait. */
  readonly folder: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly onStored: (stored: number, waiting: number) => void;
  readonly onRefused: (refused: ReadonlyArray<SetAside<Reading>>) => void;
  /** A failure; the readings stay, and are sent again. */
  readonly onFailure: (error: unknown, waiting: number) => void;
  /** Readings that were dropped, as the oldest beyond `maxBytes`. */
  readonly onDropped: (records: number) => void;
}

/** Readings that come within this time are sent together. */
const GATHER_MS = 500;
/** After a failure that does not pass by itself, such as a refused key, or a spool that cannot be opened. */
const AGAIN_AFTER_MS = 60_000;

/** Keeps readings on disk and sends them, oldest first, until the signal is aborted. */
export class ReadingSender {
  private readonly opening: Promise<Spool>;

  constructor(private readonly sending: Sending) {
    const { folder, maxBytes, onDropped } = sending;
    this.opening = openSpool(folder, { maxBytes, onDrop: ({ records }) => onDropped(records) });
    // The flow that sent the reading gets the error.
    this.opening.catch(() => {});
  }

  /** Returns when the readings are on disk. */
  async put(readings: readonly Reading[]): Promise<void> {
    const spool = await this.opening;
    await Promise.all(readings.map((each) => spool.append(JSON.stringify(each))));
  }

  /** Returns when the signal is aborted. */
  async run(): Promise<void> {
    const { participant, signal, onFailure } = this.sending;
    const spool = await this.opening;
    while (!signal.aborted) {
      try {
        await spool.arrival(signal);
        await participant.clock.sleep(GATHER_MS, signal);
        await this.drainOnce(spool);
      } catch (error) {
        if (signal.aborted) return;
        onFailure(error, spool.state.waiting);
        await participant.clock.sleep(AGAIN_AFTER_MS, signal).catch(() => {});
      }
    }
  }

  /** @returns whether nothing is left in the folder that anybody would miss */
  async close(): Promise<boolean> {
    const spool = await this.opening.catch(() => null);
    if (spool === null) return false;
    const { waiting, setAside } = spool.state;
    await spool.close();
    return waiting + setAside === 0;
  }

  private async drainOnce(spool: Spool): Promise<void> {
    const { participant, signal, onFailure, onStored, onRefused } = this.sending;
    let stored = 0;
    const send = async (readings: readonly Reading[], options: { readonly signal?: AbortSignal }) => {
      const uploaded = await this.upload(readings, options);
      if (uploaded.setAside.length > 0) onRefused(uploaded.setAside);
      stored += uploaded.stored;
      return uploaded;
    };
    await drain(spool, send, {
      signal,
      onWait: (failure) => onFailure(failure, spool.state.waiting),
      sleep: participant.clock.sleep,
    });
    onStored(stored, spool.state.waiting);
  }

  /** A flow may send anything. The service refuses what is not a reading, and it is set aside. */
  private upload(readings: readonly Reading[], options: { readonly signal?: AbortSignal }): Promise<Uploaded<Reading>> {
    const { participant, list } = this.sending;
    return list === "telemetry"
      ? upload(participant, readings as ReadonlyArray<Reading & TelemetryReading>, options)
      : uploadControllableLoad(participant, readings as ReadonlyArray<Reading & ControllableLoadReading>, options);
  }
}
