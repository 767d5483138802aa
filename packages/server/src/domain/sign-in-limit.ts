const WINDOW_MS = 15 * 60_000;

/** Failed sign-ins that bar further ones for a while. */
const MAX_FAILURES_PER_EMAIL = 10;
const MAX_FAILURES_PER_ADDRESS = 30;

/** Seconds until another try is allowed, given the times of the failures, oldest first; 0 when it is allowed now. */
export const barredSeconds = (failuresMs: readonly number[], limit: number, nowMs: number): number => {
  const recent = failuresMs.filter((at) => at > nowMs - WINDOW_MS);
  const oldest = recent.at(-limit);
  return oldest === undefined ? 0 : Math.ceil((oldest + WINDOW_MS - nowMs) / 1000);
};

/** Who tries to sign in. */
export interface Attempt {
  readonly email: string;
  readonly address: string;
}

/** Failed sign-ins of the last quarter of an hour, by email and by address. */
export class SignInFailures {
  private readonly emails = new Map<string, number[]>();
  private readonly addresses = new Map<string, number[]>();

  /** Seconds until this one may try; 0 begins a try, which counts as failed until it is taken back. */
  begin({ email, address }: Attempt, nowMs: number): number {
    const byEmail = this.emails.get(nameOf(email)) ?? [];
    const byAddress = this.addresses.get(address) ?? [];
    const barred = Math.max(
      barredSeconds(byEmail, MAX_FAILURES_PER_EMAIL, nowMs),
      barredSeconds(byAddress, MAX_FAILURES_PER_ADDRESS, nowMs),
    );
    if (barred > 0) return barred;
    this.emails.set(nameOf(email), [...byEmail.slice(-MAX_FAILURES_PER_EMAIL), nowMs]);
    this.addresses.set(address, [...byAddress.slice(-MAX_FAILURES_PER_ADDRESS), nowMs]);
    return 0;
  }

  /** The try that was begun last was no failure. */
  takeBack({ email, address }: Attempt): void {
    this.emails.get(nameOf(email))?.pop();
    this.addresses.get(address)?.pop();
  }

  /** Whoever owns the email is known: what others tried with it is forgotten too. */
  succeeded(attempt: Attempt): void {
    this.takeBack(attempt);
    this.emails.delete(nameOf(attempt.email));
  }

  /** Forgets what no longer counts. */
  sweep(nowMs: number): void {
    for (const times of [this.emails, this.addresses])
      for (const [name, failures] of times) if ((failures.at(-1) ?? 0) <= nowMs - WINDOW_MS) times.delete(name);
  }
}

const nameOf = (email: string): string => email.toLowerCase();
