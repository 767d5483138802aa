import type { Socket } from "node:net";
import pg from "pg";
import { ONE_PLAN_EACH, plannedOnce, plansOnce } from "./planned-once.js";
import { StatementNames, sendAs } from "./statement-names.js";

/** Ended by their pools and still open, by what they were opened with. */
const kept = new Map<string, KeptClient[]>();

/** Of pools whose connections are used alike: a pool of another size has another search path, for which plans are made anew. */
const placeOf = (options: pg.PoolConfig = {}): string => {
  const { database, user, application_name: name, query_timeout: query, max } = options;
  return JSON.stringify([database, user, name, query, max, plansOnce()]);
};

/** `discard all` without the prepared statements. */
const FORGET = `
  close all; unlisten *; reset all; reset session authorization; select pg_advisory_unlock_all();
  discard temp; discard sequences`;

/** A connection that stays open for the next pool, which would have to read the catalog again: 15 ms of the processor. */
class KeptClient extends pg.Client {
  readonly names = new StatementNames();
  private isOpen = false;

  constructor(private readonly options: pg.ClientConfig) {
    super(plansOnce() ? { ...options, options: ONE_PLAN_EACH } : options);
    const once = plansOnce();
    sendAs(this, (asked, values) => this.names.unique(once ? plannedOnce(asked, values) : asked));
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
  override connect(callback?: (error: never, client: pg.Client) => void): Promise<pg.Client> | undefined {
    // Until its pool listens: it may break before, and then fails the first query.
    this.on("error", () => {});
    const opened = (this.isOpen ? Promise.resolve() : super.connect()).then(() => {
      this.isOpen = true;
      return this;
    });
    if (callback === undefined) return opened;
    const call = callback as (error: unknown, client?: pg.Client) => void;
    opened.then(
      () => process.nextTick(call, null, this),
      (error: unknown) => process.nextTick(call, error),
    );
    return undefined;
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | undefined {
    const ending = this.isIdle() ? this.keep() : super.end();
    if (callback === undefined) return ending;
    void ending.finally(callback as () => void);
    return undefined;
  }

  get stream(): Socket {
    return (this.connection as unknown as { stream: Socket }).stream;
  }

  /** Closes it. */
  close(): Promise<void> {
    return super.end();
  }

  /** Whether nothing is under way on it, and no transaction is open. */
  private isIdle(): boolean {
    const { _queryable, _activeQuery, _queryQueue, _sentQueryQueue } = this as unknown as Inner;
    const isFree = _activeQuery === null && _queryQueue.length === 0 && _sentQueryQueue.length === 0;
    return this.isOpen && _queryable && isFree && this.getTransactionStatus() === "I";
  }

  private async keep(): Promise<void> {
    try {
      await super.query(FORGET);
    } catch {
      return super.end();
    }
    this.emit("end");
    this.removeAllListeners();
    const place = placeOf(this.options);
    const others = kept.get(place) ?? [];
    kept.set(place, [...others, this]);
    // It was broken meanwhile.
    this.on("error", () => {
      kept.set(
        place,
        (kept.get(place) ?? []).filter((each) => each !== this),
      );
    });
    this.stream.unref();
  }
}

/** What `pg` keeps for itself. */
interface Inner {
  readonly _queryable: boolean;
  readonly _activeQuery: object | null;
  readonly _queryQueue: readonly object[];
  readonly _sentQueryQueue: readonly object[];
}

const taken = (options: pg.ClientConfig): KeptClient | undefined => {
  const client = kept.get(placeOf(options))?.pop();
  client?.removeAllListeners();
  client?.stream.ref();
  client?.names.begin();
  return client;
};

/** For `Client` of a pool and of those beside it: makes connections, or takes kept ones. */
export const keptClient = function keptClient(options: pg.ClientConfig): pg.Client {
  return taken(options) ?? new KeptClient(options);
} as unknown as new () => pg.ClientBase;

/** Closes those that are kept of a database. */
export const closeKept = async (database: string): Promise<void> => {
  const places = [...kept.keys()].filter((place) => JSON.parse(place)[0] === database);
  const clients = places.flatMap((place) => kept.get(place) ?? []);
  for (const place of places) kept.delete(place);
  for (const client of clients) client.removeAllListeners().on("error", () => {});
  await Promise.all(clients.map((client) => client.close().catch(() => {})));
};
