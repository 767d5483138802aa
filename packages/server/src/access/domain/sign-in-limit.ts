const MINUTE_MS = 60_000;

/** So many failures within a time bar further tries for a while. */
interface Limit {
  readonly failures: number;
  readonly windowMs: number;
}

/** Per email and place: guessing from one place does not bar other places. */
const perEmailAndPlace: Limit = { failures: 10, windowMs: 15 * MINUTE_MS };
const perPlace: Limit = { failures: 30, windowMs: 15 * MINUTE_MS };
/** Of one email from everywhere, but for devices that signed in with it before. */
const perEmail: Limit = { failures: 50, windowMs: 60 * MINUTE_MS };
const perDevice: Limit = { failures: 10, windowMs: 15 * MINUTE_MS };

const LONGEST_WINDOW_MS = perEmail.windowMs;
/** Beyond, the oldest counters are dropped: who sends from everywhere must not fill the memory. */
const MAX_COUNTERS = 100_000;

/** Who tries to sign in. */
export interface Attempt {
  readonly email: string;
  /** Where it comes from: an address, or the IPv6 network of one customer. */
  readonly place: string;
  /** A device that signed in with this email before; null for any other. */
  readonly device: string | null;
}

/** Seconds until another try is allowed, given the times of the failures, oldest first; 0 when it is allowed now. */
export const barredSeconds = (failuresMs: readonly number[], { failures, windowMs }: Limit, nowMs: number): number => {
  const recent = failuresMs.filter((at) => at > nowMs - windowMs);
  const oldest = recent.at(-failures);
  return oldest === undefined ? 0 : Math.ceil((oldest + windowMs - nowMs) / 1000);
};

interface Counter {
  readonly name: string;
  readonly limit: Limit;
}

/** What an attempt is counted by; the first is of the one who tries alone. */
const countersOf = ({ email, place, device }: Attempt): readonly [Counter, ...Counter[]] => {
  const name = email.toLowerCase();
  if (device !== null) return [{ name: `device ${device} ${name}`, limit: perDevice }];
  return [
    { name: `at ${place} ${name}`, limit: perEmailAndPlace },
    { name: `place ${place}`, limit: perPlace },
    { name: `email ${name}`, limit: perEmail },
  ];
};

/** Failed sign-ins of the last hour. */
export class SignInFailures {
  private readonly timesMs = new Map<string, number[]>();

  /** Seconds until this one may try; 0 begins a try, which counts as failed until it is taken back. */
  begin(attempt: Attempt, nowMs: number): number {
    const counters = countersOf(attempt);
    const barred = Math.max(...counters.map(({ name, limit }) => barredSeconds(this.of(name), limit, nowMs)));
    if (barred > 0) return barred;
    for (const { name, limit } of counters) this.keep(name, [...this.of(name).slice(-limit.failures), nowMs]);
    return 0;
  }

  /** The try that was begun last was no failure. */
  takeBack(attempt: Attempt): void {
    for (const { name } of countersOf(attempt)) this.timesMs.get(name)?.pop();
  }

  /**
   * Who tried is known: failures of the same place or device with the email are forgotten; those from elsewhere count.
   */
  succeeded(attempt: Attempt): void {
    this.takeBack(attempt);
    this.timesMs.delete(countersOf(attempt)[0].name);
  }

  /** Forgets what no longer counts. */
  sweep(nowMs: number): void {
    for (const [name, times] of this.timesMs)
      if ((times.at(-1) ?? 0) <= nowMs - LONGEST_WINDOW_MS) this.timesMs.delete(name);
  }

  private of(name: string): readonly number[] {
    return this.timesMs.get(name) ?? [];
  }

  private keep(name: string, times: number[]): void {
    const [oldest] = this.timesMs.keys();
    if (oldest !== undefined && this.timesMs.size >= MAX_COUNTERS && !this.timesMs.has(name))
      this.timesMs.delete(oldest);
    this.timesMs.set(name, times);
  }
}
