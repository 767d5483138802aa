import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { postReadings } from "./load.js";
import { jsonWith, powerAt, type ReadingSet, timeAt, uploadBody } from "./readings.js";
import type { BenchParticipant } from "./service.js";

const REQUESTS_PER_SECOND = 20;
const READS_PER_SECOND = 2;
/** One of so many uploads corrects what was sent before. */
const CORRECTED_OF = 25;
/** Added to each power by a correction. */
const CORRECTION_KW = 1000;
const READ_STEPS = 240;
const AT_ONCE = 8;
/** As clients do that are told to come back. */
const TRIES = 10;
const REPEAT_MS = 1000;

/**
 * Sends one reading of every meter, twenty times a second, each of the next half minute; sometimes corrects readings of long ago. Twice a second two hours
 * of a site are read, of now or of any time before, and compared with what was acknowledged.
 */
export class SoakLoad {
  uploadsMs: number[] = [];
  readsMs: number[] = [];
  /** All that was acknowledged, corrections included. */
  uploads = 0;
  /** Steps that were sent, each once. */
  steps = 0;
  /** Uploads that were refused, or got no answer, and were sent again. */
  repeated = 0;
  private readonly agent = new Agent({ connections: AT_ONCE, pipelining: 1 });
  private readonly underWay = new Set<Promise<void>>();
  private readonly stored = new Set<number>();
  private readonly correcting = new Set<number>();
  private readonly corrected = new Set<number>();
  private running = true;
  private readonly loops: Promise<void>[];

  constructor(
    private readonly url: string,
    private readonly set: ReadingSet,
    private readonly participant: BenchParticipant,
  ) {
    this.loops = [
      this.spread(REQUESTS_PER_SECOND, (nth) =>
        nth % CORRECTED_OF === CORRECTED_OF - 1 ? this.correct() : this.next(),
      ),
      this.spread(READS_PER_SECOND, (nth) => this.read(nth)),
    ];
  }

  /** What was measured since the last call. */
  taken() {
    const { uploadsMs, readsMs, uploads } = this;
    this.uploadsMs = [];
    this.readsMs = [];
    this.uploads = 0;
    return { uploadsMs, readsMs, readings: uploads * this.set.meters };
  }

  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.loops);
    await Promise.all(this.underWay);
    await this.agent.close();
  }

  private async spread(perSecond: number, send: (nth: number) => Promise<void>): Promise<void> {
    const beganMs = performance.now();
    for (let nth = 0; this.running; nth++) {
      const dueMs = beganMs + (nth * 1000) / perSecond;
      if (dueMs > performance.now()) await sleep(dueMs - performance.now());
      const sent = send(nth);
      this.underWay.add(sent);
      void sent.finally(() => this.underWay.delete(sent));
      if (this.underWay.size >= AT_ONCE) await Promise.race(this.underWay);
    }
  }

  private async next(): Promise<void> {
    const step = this.steps++;
    await this.upload(step);
    this.stored.add(step);
  }

  private async correct(): Promise<void> {
    const step = Math.floor(Math.random() * this.steps);
    if (!this.stored.has(step) || this.correcting.has(step)) return;
    this.correcting.add(step);
    await this.upload(step, CORRECTION_KW);
    this.corrected.add(step);
  }

  private async upload(step: number, addedKw = 0): Promise<void> {
    const body = uploadBody(this.set, this.participant.meterIds, step, jsonWith(addedKw));
    for (let tries = 1; ; tries++) {
      const took = await postReadings(this.url, this.participant.key, body, this.agent).catch((error: unknown) => {
        if (tries === TRIES) throw error;
        return null;
      });
      if (took !== null) return this.uploaded(took);
      this.repeated++;
      await sleep(REPEAT_MS);
    }
  }

  private uploaded(tookMs: number): void {
    this.uploadsMs.push(tookMs);
    this.uploads++;
  }

  /** Throws unless the answer has what was acknowledged before it was asked for. */
  private async read(nth: number): Promise<void> {
    const latest = this.steps - READ_STEPS;
    const first = Math.max(0, nth % 2 === 0 ? latest : Math.floor(Math.random() * latest));
    const meter = Math.floor(Math.random() * this.set.meters);
    const [stored, corrected] = [new Set(this.stored), new Set(this.corrected)];
    const found = await this.pointsOf(meter, first);
    for (let step = first; step < first + READ_STEPS; step++) {
      const value = found.get(Date.parse(timeAt(this.set, step)));
      const [plain, other] = [powerAt(meter, step), powerAt(meter, step, CORRECTION_KW)];
      const isRight = value === undefined ? !stored.has(step) : this.mayBe(step, value, { plain, other, corrected });
      if (!isRight) throw new Error(`meter ${meter} has ${value} at ${timeAt(this.set, step)}, sent was ${plain}`);
    }
  }

  private mayBe(
    step: number,
    value: number,
    { plain, other, corrected }: { readonly plain: number; readonly other: number; readonly corrected: Set<number> },
  ): boolean {
    return value === other ? this.correcting.has(step) : value === plain && !corrected.has(step);
  }

  /** By time, two hours of the meter from the end of a step's interval on. */
  private async pointsOf(meter: number, first: number): Promise<ReadonlyMap<number, number>> {
    const beganMs = performance.now();
    const query = new URLSearchParams({
      site_id: this.participant.siteIds[meter] ?? "",
      start_time: timeAt(this.set, first - 1),
      end_time: timeAt(this.set, first + READ_STEPS - 1),
      interval_seconds: String(this.set.intervalSeconds),
    });
    const answer = await request(`${this.url}/2022-04-15/telemetry/kw?${query.toString()}`, {
      headers: { "x-service-api-key": this.participant.key },
      dispatcher: this.agent,
    });
    const { data } = (await answer.body.json()) as SiteReadings;
    this.readsMs.push(performance.now() - beganMs);
    const points = data.sites.flatMap(({ meters }) => meters).flatMap(({ telemetry }) => telemetry);
    return new Map(points.map(({ timestamp, value }) => [Date.parse(timestamp), value]));
  }
}

interface SiteReadings {
  readonly data: {
    readonly sites: ReadonlyArray<{
      readonly meters: ReadonlyArray<{
        readonly telemetry: ReadonlyArray<{ readonly timestamp: string; readonly value: number }>;
      }>;
    }>;
  };
}
