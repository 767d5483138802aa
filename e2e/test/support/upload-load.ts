import { setTimeout as sleep } from "node:timers/promises";
import { participantClient } from "@curtail/client";
import { uploadTelemetry } from "@curtail/contract";
import type { Participant, Point } from "./participant.js";
import { readPoints } from "./participant.js";

const CELL_MS = 30_000;
const READINGS_PER_UPLOAD = 20;
/** So long ago that no round reaches the future: readings of the future are refused. */
const START_MS = Date.UTC(2020, 0, 1);

/** A reading that was answered with 200: it must be stored, whatever was killed since. */
interface Kept {
  readonly meterId: string;
  readonly cell: number;
  readonly value: number;
}

/** Uploads until stopped, with one worker per site, and remembers what was answered. */
export class UploadLoad {
  readonly kept: Kept[] = [];
  private running = true;
  private nextCell: number;
  private workers: Promise<void>[] = [];

  constructor(
    private readonly participant: Participant,
    round: number,
    /** Between an upload's answer and the next one: without it the load takes all of the processor while it lasts. */
    private readonly pauseMs = 0,
  ) {
    // Every round has its own days.
    this.nextCell = round * 100_000;
  }

  start(url: string): void {
    this.workers = this.participant.sites.map(({ meterId }) => this.work(url, meterId));
  }

  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.workers);
  }

  /** Readings that were answered with 200 and are missing. */
  async missing(url: string): Promise<Kept[]> {
    const cells = this.kept.map((reading) => reading.cell);
    if (cells.length === 0) return [];
    const window = { start: at(Math.min(...cells) - 1), end: at(Math.max(...cells)) };
    const points = await readPoints(url, this.participant, window);
    const values = new Map([...points].map(([meterId, series]) => [meterId, byTime(series)]));
    return this.kept.filter(({ meterId, cell, value }) => values.get(meterId)?.get(at(cell)) !== value);
  }

  private async work(url: string, meterId: string): Promise<void> {
    while (this.running) {
      const first = this.nextCell;
      this.nextCell += READINGS_PER_UPLOAD;
      const readings = Array.from({ length: READINGS_PER_UPLOAD }, (_, index) => ({
        meterId,
        cell: first + index,
        value: first + index + 0.5,
      }));
      if (!(await this.send(url, readings))) return;
      this.kept.push(...readings);
      if (this.pauseMs > 0) await sleep(this.pauseMs);
    }
  }

  /** false if the service or its database is gone. Any status other than 200 is a fault of the test. */
  private async send(url: string, readings: readonly Kept[]): Promise<boolean> {
    const telemetry = readings.map(({ meterId, cell, value }) => ({
      meter_id: meterId,
      interval_seconds: 30,
      timestamp: at(cell),
      kW: value,
    }));
    const answer = await participantClient({ url, key: this.participant.key })
      .send(uploadTelemetry, { body: { telemetry } })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => null);
    if (answer === null || answer.status === 500) return false;
    if (answer.status !== 200) throw new Error(`an upload was answered ${answer.status}: ${answer.text}`);
    return true;
  }
}

const at = (cell: number): string => `${new Date(START_MS + cell * CELL_MS).toISOString().slice(0, 19)}Z`;

const byTime = (series: readonly Point[]): Map<string, number> =>
  new Map(series.map((point) => [point.timestamp, point.value]));
