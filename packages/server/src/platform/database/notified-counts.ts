import type pg from "pg";
import type { ToldCount, ToldCounts } from "../told-counts.js";

/** Processes tell their counts on it. */
export const COUNTS_CHANNEL = "curtail_counts";

/** Counts are gathered for this long. */
const GATHER_MS = 20;
/** Less than the 8,000 bytes that PostgreSQL allows. */
const MOST_BYTES = 7900;
/** What waits while the database is slow; what comes beyond is lost. */
const MOST_WAITING = 5000;
/** No name of a caller is nearly as long. */
const LONGEST_NAME = 1000;

interface NotifiedPorts {
  readonly pool: Pick<pg.Pool, "query">;
  /** Tells this process's counts from those of others. */
  readonly name: string;
}

/** Counts that processes tell each other by notifications of the database, which keeps nothing of them. */
export class NotifiedCounts implements ToldCounts {
  private readonly hearers = new Map<string, (name: string, count: number) => void>();
  private waiting: ToldCount[] = [];
  private telling: Promise<void> | null = null;
  private isStopped = false;

  constructor(private readonly ports: NotifiedPorts) {}

  tell(count: ToldCount): void {
    if (this.isStopped || this.waiting.length >= MOST_WAITING || count.name.length > LONGEST_NAME) return;
    this.waiting.push(count);
    this.telling ??= this.tellGathered();
  }

  hear(scope: string, take: (name: string, count: number) => void): void {
    this.hearers.set(scope, take);
  }

  /** Call with each notification on the channel. */
  take(payload: string): void {
    const [from, ...counts] = toldIn(payload);
    if (from === this.ports.name) return;
    for (const told of counts) {
      if (!Array.isArray(told)) continue;
      const [scope, name, count] = told as unknown[];
      if (typeof scope === "string" && typeof name === "string" && Number.isSafeInteger(count))
        this.hearers.get(scope)?.(name, Number(count));
    }
  }

  /** What waits is not told. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.telling;
  }

  private async tellGathered(): Promise<void> {
    while (this.waiting.length > 0 && !this.isStopped) {
      await new Promise((resolve) => void setTimeout(resolve, GATHER_MS));
      const told = this.waiting;
      this.waiting = [];
      // While the database is away, each process counts by itself.
      await this.notify(payloadsOf(this.ports.name, told)).catch(() => {});
    }
    this.telling = null;
  }

  private async notify(payloads: readonly string[]): Promise<void> {
    await this.ports.pool.query("select pg_notify($1, payload) from unnest($2::text[]) as payload", [
      COUNTS_CHANNEL,
      payloads,
    ]);
  }
}

/** Payloads that PostgreSQL takes, each with the name of the process that tells. */
const payloadsOf = (from: string, told: readonly ToldCount[]): string[] => {
  const head = `[${JSON.stringify(from)}`;
  const payloads: string[] = [];
  let [payload, bytes] = [head, head.length];
  for (const { scope, name, count } of told) {
    const piece = `,${JSON.stringify([scope, name, count])}`;
    const length = Buffer.byteLength(piece);
    if (bytes + length >= MOST_BYTES) {
      payloads.push(`${payload}]`);
      [payload, bytes] = [head, head.length];
    }
    payload += piece;
    bytes += length;
  }
  return [...payloads, `${payload}]`];
};

/** Nothing where another version tells in another form. */
const toldIn = (payload: string): readonly unknown[] => {
  try {
    const told: unknown = JSON.parse(payload);
    return Array.isArray(told) ? told : [];
  } catch {
    return [];
  }
};
