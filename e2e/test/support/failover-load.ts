import { setTimeout as sleep } from "node:timers/promises";
import { NoResponse, operatorClient, participantClient } from "@curtail/client";
import { operator, uploadTelemetry } from "@curtail/contract";
import type { HookReceiver } from "./hook-receiver.js";
import { operate, type Participant, type Point, readPoints } from "./participant.js";
import { OPERATOR_TOKEN } from "./service-process.js";

const CELL_MS = 30_000;
const READINGS_PER_UPLOAD = 20;
const UPLOAD_PAUSE_MS = 20;
const DISPATCH_PAUSE_MS = 400;
const REPEAT_MS = 250;
/** A read shows at most 10,000 points of a site. */
const CELLS_A_READ = 5000;
/** Readings of the future are refused, and so long ago no round reaches it. */
const START_MS = Date.UTC(2020, 0, 1);

type Kind = "upload" | "dispatch";

/** A request that was not answered with success. */
interface RefusedRequest {
  readonly atMs: number;
  readonly kind: Kind;
  readonly status: number;
  readonly retryAfter: string | null;
}

interface Answer {
  readonly atMs: number;
  readonly kind: Kind;
}

/** What requests were answered with success up to a moment. */
export interface Answered {
  /** Of each meter, from 0 to here. */
  readonly cells: ReadonlyMap<string, number>;
  readonly dispatches: readonly string[];
}

/** Uploads readings of each site and issues dispatches, repeating what is refused, until stopped. */
export class FailoverLoad {
  readonly refusals: RefusedRequest[] = [];
  /** Ids of the dispatches that were answered. */
  readonly dispatches: string[] = [];
  /** Cells of each meter that were answered, from 0 to here. */
  private readonly answered = new Map<string, number>();
  private readonly answers: Answer[] = [];
  /** Of the requests that were answered with success. */
  slowestMs = 0;
  private running = true;
  private workers: Promise<void>[] = [];

  constructor(
    private readonly url: string,
    private readonly participant: Participant,
    private readonly programId: string,
  ) {}

  start(): void {
    this.workers = [...this.participant.sites.map(({ meterId }) => this.upload(meterId)), this.dispatch()];
  }

  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.workers);
  }

  /** How long after a moment both kinds of requests are answered again, having been refused; null: not yet. */
  answeredAfterMs(sinceMs: number): number | null {
    const again = (["upload", "dispatch"] as const).map((kind) => {
      const refused = this.refusals.find((refusal) => refusal.kind === kind && refusal.atMs > sinceMs);
      const answered = this.answers.find(
        (answer) => answer.kind === kind && answer.atMs > (refused?.atMs ?? Number.NaN),
      );
      return answered?.atMs ?? Number.POSITIVE_INFINITY;
    });
    const last = Math.max(...again);
    return Number.isFinite(last) ? last - sinceMs : null;
  }

  /** What was answered so far: what a restore to any later moment has. */
  answeredSoFar(): Answered {
    return { cells: new Map(this.answered), dispatches: [...this.dispatches] };
  }

  get readings(): number {
    return [...this.answered.values()].reduce((sum, cells) => sum + cells, 0);
  }

  /** How many readings were answered and are not there. */
  async lostReadings(answered: ReadonlyMap<string, number> = this.answered): Promise<number> {
    let lost = 0;
    const end = Math.max(...answered.values());
    for (let first = 0; first < end; first += CELLS_A_READ) {
      const window = { start: at(first - 1), end: at(first + CELLS_A_READ - 1), intervalSeconds: 30 } as const;
      const points = await readPoints(this.url, this.participant, window);
      for (const [meterId, cells] of answered) {
        const wanted = range(first, Math.min(cells, first + CELLS_A_READ));
        lost += wanted.length - foundOf(points.get(meterId) ?? [], wanted);
      }
    }
    return lost;
  }

  /** How often each answered dispatch is there; all others, too. */
  async issued(): Promise<readonly string[]> {
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const query: { program_id: string; limit: number; cursor?: string } = { program_id: this.programId, limit: 500 };
      if (cursor !== null) query.cursor = cursor;
      const page: { items: readonly { id: string }[]; next_cursor?: string | null } = await operate(
        this.url,
        operator.listAllDispatches,
        { query },
      );
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor ?? null;
    } while (cursor !== null);
    return ids;
  }

  /** Answered dispatches of which no notice arrived. */
  unnoticed({ arrivals }: HookReceiver, answered: readonly string[] = this.dispatches): readonly string[] {
    const arrived = new Set(arrivals.filter(({ accepted }) => accepted).map(({ dispatchId }) => dispatchId));
    return answered.filter((id) => !arrived.has(id));
  }

  private async upload(meterId: string): Promise<void> {
    const client = participantClient({ url: this.url, key: this.participant.key });
    for (let first = 0; this.running; first += READINGS_PER_UPLOAD) {
      const telemetry = Array.from({ length: READINGS_PER_UPLOAD }, (_, index) => ({
        meter_id: meterId,
        interval_seconds: 30,
        timestamp: at(first + index),
        kW: valueOf(first + index),
      }));
      const isDone = await this.repeated("upload", 200, () => client.send(uploadTelemetry, { body: { telemetry } }));
      if (isDone === null) return;
      this.answered.set(meterId, first + READINGS_PER_UPLOAD);
      await sleep(UPLOAD_PAUSE_MS);
    }
  }

  private async dispatch(): Promise<void> {
    const client = operatorClient({ url: this.url, token: OPERATOR_TOKEN });
    const start_time = new Date(Date.now() + 3_600_000).toISOString();
    const sites = [{ site_id: this.participant.sites[0]?.id ?? "" }];
    const body = { program_id: this.programId, start_time, sites };
    while (this.running) {
      const headers = { "idempotency-key": crypto.randomUUID() };
      const text = await this.repeated("dispatch", 201, () => client.send(operator.createDispatch, { headers, body }));
      if (text === null) return;
      this.dispatches.push((JSON.parse(text) as { id: string }).id);
      await sleep(DISPATCH_PAUSE_MS);
    }
  }

  /** Sends until it is answered with success; null: it was stopped before. */
  private async repeated(kind: Kind, success: number, send: () => Promise<Response>): Promise<string | null> {
    while (this.running) {
      const sentAt = performance.now();
      const { status, text, retryAfter } = await answerTo(send);
      if (status === success) {
        this.slowestMs = Math.max(this.slowestMs, performance.now() - sentAt);
        this.answers.push({ kind, atMs: Date.now() });
        return text;
      }
      this.refusals.push({ atMs: Date.now(), kind, status, retryAfter });
      await sleep(REPEAT_MS);
    }
    return null;
  }
}

/** A connection that broke before the answer has the status 0. */
const answerTo = async (send: () => Promise<Response>) => {
  try {
    const response = await send();
    return { status: response.status, text: await response.text(), retryAfter: response.headers.get("retry-after") };
  } catch (error) {
    if (error instanceof NoResponse || error instanceof TypeError) return { status: 0, text: "", retryAfter: null };
    throw error;
  }
};

const valueOf = (cell: number): number => cell + 0.5;

const at = (cell: number): string => `${new Date(START_MS + cell * CELL_MS).toISOString().slice(0, 19)}Z`;

const range = (first: number, end: number): readonly number[] =>
  Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);

/** How many of the cells have their value. */
const foundOf = (points: readonly Point[], cells: readonly number[]): number => {
  const values = new Map(points.map(({ timestamp, value }) => [timestamp, value]));
  return cells.filter((cell) => values.get(at(cell)) === valueOf(cell)).length;
};
