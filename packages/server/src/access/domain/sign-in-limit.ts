const MINUTE_MS = 60_000;

/** This many failures within the window block further attempts for a while. */
interface Limit {
  readonly failures: number;
  readonly windowMs: number;
}

/** Per email and place: guessing from one place does not block others. */
const perEmailAndPlace: Limit = { failures: 10, windowMs: 15 * MINUTE_MS };
const perPlace: Limit = { failures: 30, windowMs: 15 * MINUTE_MS };
/** Per email from all places, except for devices that signed in with it before. */
const perEmail: Limit = { failures: 50, windowMs: 60 * MINUTE_MS };
const perDevice: Limit = { failures: 10, windowMs: 15 * MINUTE_MS };

const LONGEST_WINDOW_MS = perEmail.windowMs;
/** Beyond this, the oldest counters are dropped: an attacker with many addresses must not fill the memory. */
const MAX_COUNTERS = 100_000;

/** An attempt to sign in. */
export interface SignInAttempt {
  readonly email: string;
  /** Where it comes from: an address, or the IPv6 network of one customer. */
  readonly place: string;
  /** A device that signed in with this email before, else null. */
  readonly device: string | null;
}

/** Seconds until another attempt is allowed, given the times of the failures, oldest first; 0 if it is allowed now. */
export const barredSeconds = (failuresMs: readonly number[], { failures, windowMs }: Limit, nowMs: number): number => {
  const recent = failuresMs.filter((at) => at > nowMs - windowMs);
  const oldest = recent.at(-failures);
  return oldest === undefined ? 0 : Math.ceil((oldest + windowMs - nowMs) / 1000);
};

interface Counter {
  readonly name: string;
  readonly limit: Limit;
}

/** The counters of an attempt; the first is the narrower one. */
const countersOf = ({ email, place, device }: SignInAttempt): readonly [Counter, ...Counter[]] => {
  const name = email.toLowerCase();
  if (device !== null) return [{ name: `device ${device} ${name}`, limit: perDevice }];
  return [
    { name: `at ${place} ${name}`, limit: perEmailAndPlace },
    { name: `place ${place}`, limit: perPlace },
    { name: `email ${name}`, limit: perEmail },
  ];
};

/** What a counter keeps at most: the failures of the widest limit. */
const MOST_KEPT = perEmail.failures;

/** Tells other processes of a counter: one more failure, one less, or 0 for none. */
export type TellFailure = (name: string, change: 1 | -1 | 0) => void;

/** Failed sign-ins of the last hour, in all processes. */
export class SignInFailures {
  private readonly timesMs = new Map<string, number[]>();

  constructor(private readonly tell: TellFailure = () => {}) {}

  /** Seconds until the next attempt is allowed; 0 starts one, which counts as failed until it is taken back. */
  begin(attempt: SignInAttempt, nowMs: number): number {
    const counters = countersOf(attempt);
    const barred = Math.max(...counters.map(({ name, limit }) => barredSeconds(this.of(name), limit, nowMs)));
    if (barred > 0) return barred;
    for (const { name } of counters) this.change(name, 1, nowMs);
    return 0;
  }

  /** The last started attempt was not a failure. */
  takeBack(attempt: SignInAttempt): void {
    for (const { name } of countersOf(attempt)) this.change(name, -1);
  }

  /**
   * The user is authenticated: forgets failures of the same place or device with the email; those from elsewhere count.
   */
  succeeded(attempt: SignInAttempt): void {
    this.takeBack(attempt);
    this.change(countersOf(attempt)[0].name, 0);
  }

  /** Another process has changed a counter. */
  hear(name: string, change: number, nowMs: number): void {
    if (change === 0) this.timesMs.delete(name);
    else if (change < 0) this.timesMs.get(name)?.pop();
    else this.keep(name, [...this.of(name).slice(-MOST_KEPT), nowMs]);
  }

  /** Drops expired failures. */
  sweep(nowMs: number): void {
    for (const [name, times] of this.timesMs)
      if ((times.at(-1) ?? 0) <= nowMs - LONGEST_WINDOW_MS) this.timesMs.delete(name);
  }

  private change(name: string, change: 1 | -1 | 0, nowMs = 0): void {
    this.hear(name, change, nowMs);
    this.tell(name, change);
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
