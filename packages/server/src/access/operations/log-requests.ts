import type { LoopClock } from "../../platform/clock.js";
import type { Log } from "../../platform/log.js";
import type { Page, PageRequest } from "../../platform/page.js";
import { Polling } from "../../platform/polling.js";
import type { Environment } from "../domain/api-key.js";
import {
  isError,
  keptMessage,
  keptSince,
  type LoggedRequests,
  type LogPlace,
  MAX_ERRORS_A_MINUTE,
  minuteOf,
  type RequestFilter,
} from "../domain/request-log.js";
import type { Caller } from "./caller.js";

export interface RequestLogStore {
  /** Newest first. */
  list(accountId: string, filter: RequestFilter, page: PageRequest<LogPlace>): Promise<Page<LoggedRequests, LogPlace>>;
}

/** An account reads its own log. */
export interface RequestLogService {
  listRequests(
    caller: Caller,
    filter: RequestFilter,
    page: PageRequest<LogPlace>,
  ): Promise<Page<LoggedRequests, LogPlace>>;
}

export const requestLogService = ({
  stores: { requests },
}: {
  readonly stores: { readonly requests: RequestLogStore };
}): RequestLogService => ({
  listRequests: ({ accountId }, filter, page) => requests.list(accountId, filter, page),
});

export interface RequestArchive {
  /** Adds the counts to existing entries of the same minute. */
  add(requests: readonly LoggedRequests[]): Promise<void>;
  /** Removes up to `limit` entries before a moment; returns how many. */
  removeBefore(before: Date, limit: number): Promise<number>;
}

/** A request by key, with its answer. */
export interface AnsweredRequest {
  readonly accountId: string;
  readonly keyId: string;
  /** Of the key, and so of the log it belongs to. */
  readonly environment: Environment;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  /** Computed on demand, for errors that are kept one by one. */
  readonly path: () => string;
  readonly message: string | null;
}

interface Sum extends LoggedRequests {
  message: string | null;
  count: number;
  totalMs: number;
  maxMs: number;
}

const WRITE_EVERY_MS = 1000;
const SWEEP_EVERY_MS = 60_000;
const REMOVED_AT_ONCE = 1000;
/** Limit per second; together at most some 10 MB. */
const MAX_SUMS = 20_000;
const MAX_ERRORS = 5000;

/**
 * Collects requests and writes them once a second in one statement, so that no request costs a write. Entries are lost
 * if the process is killed or the write fails: nothing but the log depends on them.
 */
export class RequestLog {
  /** By key: few of each, which are found sooner than a text of all that they have in common is made. */
  private sums = new Map<string, Sum[]>();
  private sumCount = 0;
  private errors: LoggedRequests[] = [];
  /** Errors of this minute that were kept one by one, by account. */
  private readonly kept = new Map<string, number>();
  private keptMinute = 0;
  private left = 0;
  private sweptAtMs = 0;
  private readonly writing: Polling;

  constructor(
    private readonly archive: RequestArchive,
    private readonly clock: LoopClock,
    private readonly log: Pick<Log, "warn">,
    private readonly limits = { sums: MAX_SUMS, errors: MAX_ERRORS },
  ) {
    this.writing = new Polling({
      look: () => this.work(),
      onError: (error) =>
        log.warn({ err: error }, "requests could not be logged; logging continues with the next ones"),
      clock,
      everyMs: WRITE_EVERY_MS,
      restsFirst: true,
    });
    this.writing.start();
  }

  note(request: AnsweredRequest): void {
    const at = this.clock.now();
    if (isError(request.status) && this.mayKeep(request.accountId, minuteOf(at))) this.keep(request, at);
    else this.sum(request, minuteOf(at));
  }

  /** Writes the rest. */
  async stop(): Promise<void> {
    await this.writing.stop();
    await this.write();
  }

  private mayKeep(accountId: string, minute: number): boolean {
    if (minute !== this.keptMinute) this.kept.clear();
    this.keptMinute = minute;
    const count = this.kept.get(accountId) ?? 0;
    if (count >= MAX_ERRORS_A_MINUTE || this.errors.length >= this.limits.errors) return false;
    this.kept.set(accountId, count + 1);
    return true;
  }

  private keep({ accountId, keyId, method, status, durationMs, path, message }: AnsweredRequest, at: Date): void {
    const one = { count: 1, totalMs: durationMs, maxMs: durationMs, isSum: false };
    this.errors.push({ accountId, keyId, at, method, path: path(), status, message: kept(message), ...one });
  }

  private sum(request: AnsweredRequest, minute: number): void {
    const { keyId, method, route, status, durationMs } = request;
    const own = this.sums.get(keyId);
    const found = own?.find(
      (sum) => sum.path === route && sum.method === method && sum.status === status && sum.at.getTime() === minute,
    );
    if (found === undefined) return this.addSum(request, minute, own);
    found.count++;
    found.totalMs += durationMs;
    if (durationMs > found.maxMs) found.maxMs = durationMs;
    found.message = sumMessage(request);
  }

  private addSum(request: AnsweredRequest, minute: number, own: Sum[] | undefined): void {
    if (this.sumCount >= this.limits.sums) return void this.left++;
    const { accountId, keyId, method, route, status, durationMs } = request;
    const first = { count: 1, totalMs: durationMs, maxMs: durationMs, isSum: true };
    const message = sumMessage(request);
    const sum = { accountId, keyId, at: new Date(minute), method, path: route, status, message, ...first };
    this.sumCount++;
    if (own === undefined) this.sums.set(keyId, [sum]);
    else own.push(sum);
  }

  private async work(): Promise<false> {
    await this.write();
    await this.sweep();
    return false;
  }

  private async write(): Promise<void> {
    const requests = this.take();
    if (requests.length === 0) return;
    try {
      await this.archive.add(requests);
    } catch (error) {
      this.log.warn({ err: error, rows: requests.length }, "requests were answered but could not be logged");
    }
  }

  private take(): LoggedRequests[] {
    // In order of their key, so that processes adding to the same entries do not deadlock.
    const ordered = [...this.sums.values()].flat().map((sum) => [orderOf(sum), sum] as const);
    const sums = ordered.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
    const requests = [...this.errors, ...sums];
    if (this.left > 0)
      this.log.warn({ requests: this.left }, "the request log is overloaded; some requests are missing from it");
    this.sums = new Map();
    this.sumCount = 0;
    this.errors = [];
    this.left = 0;
    return requests;
  }

  private async sweep(): Promise<void> {
    const now = this.clock.now();
    if (now.getTime() - this.sweptAtMs < SWEEP_EVERY_MS) return;
    this.sweptAtMs = now.getTime();
    try {
      while ((await this.archive.removeBefore(keptSince(now), REMOVED_AT_ONCE)) === REMOVED_AT_ONCE);
    } catch (error) {
      this.log.warn({ err: error }, "old requests could not be removed from the log; retrying in a minute");
    }
  }
}

const orderOf = ({ keyId, method, path, status, at }: Sum): string =>
  `${keyId} ${method} ${path} ${status} ${at.getTime()}`;

const sumMessage = ({ status, message }: AnsweredRequest): string | null => (isError(status) ? kept(message) : null);

const kept = (message: string | null): string | null => (message === null ? null : keptMessage(message));
