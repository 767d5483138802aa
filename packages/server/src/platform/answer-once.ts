import type { Clock } from "./clock.js";
import { type Claim, claimableSince, refuseReplay, type StoredAnswer, underWay } from "./idempotency.js";
import type { Ports } from "./ports.js";
import { isRefusal, type Result } from "./refusal.js";

/** The ports of an operation inside an open transaction; `transact` is a savepoint of it. */
export type Within<Stores> = Pick<Ports<Stores>, "stores" | "transact">;

export interface KeptAnswers {
  /** Waits for a transaction with the same claim. */
  claim(claim: Claim, times: { readonly at: Date; readonly claimableSince: Date }): Promise<StoredAnswer | ClaimState>;
  keep(claim: Claim, answer: string): Promise<void>;
  release(claim: Claim): Promise<void>;
}

type ClaimState = "claimed" | "under_way";

/** Carries out a request once per key; repeats get the stored answer. */
export interface Once<W> {
  /** For work inside the database: claim, change and answer are committed together or not at all. */
  within<T>(claim: Claim, work: (within: W) => Promise<Result<T>>): Promise<Result<Answered<T>>>;
  /** For work outside the database: if the process ends meanwhile, the outcome stays unknown. */
  outside<T>(claim: Claim, work: () => Promise<Result<T>>): Promise<Result<Answered<T>>>;
  /** Removes expired answers. */
  sweep(): Promise<void>;
}

export interface Answered<T> {
  readonly value: T;
  readonly isReplayed: boolean;
}

export interface SweepTimes {
  readonly now: Date;
  /** Claims from before are over. */
  readonly before: Date;
}

export interface OncePorts<W> {
  /** Commits what `work` did; rolls back when it throws or refuses. */
  readonly transactWithin: <T>(work: (within: W, kept: KeptAnswers) => Promise<Result<T>>) => Promise<Result<T>>;
  readonly removeOld: (times: SweepTimes) => Promise<void>;
  readonly clock: Clock;
}

export const answerOnce = <W>({ transactWithin, removeOld, clock }: OncePorts<W>): Once<W> => {
  const claimed = (kept: KeptAnswers, claim: Claim) => {
    const at = clock.now();
    return kept.claim(claim, { at, claimableSince: claimableSince(at) });
  };
  return {
    within: <T>(claim: Claim, work: (within: W) => Promise<Result<T>>) =>
      transactWithin(async (within, kept): Promise<Result<Answered<T>>> => {
        const found = await claimed(kept, claim);
        if (found !== "claimed") return replayed(claim, found);
        const value = await work(within);
        if (isRefusal(value)) return value;
        await kept.keep(claim, written(value));
        return { value, isReplayed: false };
      }),
    async outside<T>(claim: Claim, work: () => Promise<Result<T>>): Promise<Result<Answered<T>>> {
      const found = await transactWithin(async (_within, kept) => claimed(kept, claim));
      if (isRefusal(found)) return found;
      if (found !== "claimed") return replayed(claim, found);
      const value = await work();
      await transactWithin(async (_within, kept) =>
        isRefusal(value) ? kept.release(claim) : kept.keep(claim, written(value)),
      );
      return isRefusal(value) ? value : { value, isReplayed: false };
    },
    sweep: () => {
      const now = clock.now();
      return removeOld({ now, before: claimableSince(now) });
    },
  };
};

const replayed = <T>(claim: Claim, found: StoredAnswer | "under_way"): Result<Answered<T>> => {
  if (found === "under_way") return underWay;
  const refusal = refuseReplay(claim, found);
  if (refusal !== null) return refusal;
  const { value } = JSON.parse(found.answer ?? "{}") as { value: T };
  return { value, isReplayed: true };
};

/** Wrapped in an object because an answer may have no body. */
const written = (value: unknown): string => JSON.stringify({ value });
