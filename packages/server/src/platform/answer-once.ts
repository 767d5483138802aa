import { promisify } from "node:util";
import zlib from "node:zlib";
import type { Clock } from "./clock.js";
import { claimableSince, type RequestClaim, refuseReplay, type StoredAnswer, underWay } from "./idempotency.js";
import { isLong, jsonInTurns, WrittenJson } from "./long-json.js";
import type { Ports } from "./ports.js";
import { isRefusal, type Result } from "./refusal.js";

const gzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gzip);
const gunzip = promisify<Buffer, Buffer>(zlib.gunzip);

/** The ports of an operation inside an open transaction; `transact` is a savepoint of it. */
export type Within<Stores> = Pick<Ports<Stores>, "stores" | "transact">;

export interface KeptAnswers {
  /** Waits for a transaction with the same claim. */
  claim(
    claim: RequestClaim,
    times: { readonly at: Date; readonly claimableSince: Date },
  ): Promise<StoredAnswer | ClaimState>;
  keep(claim: RequestClaim, answer: string): Promise<void>;
  release(claim: RequestClaim): Promise<void>;
}

type ClaimState = "claimed" | "under_way";

/** Carries out a request once per key; repeats get the stored answer. */
export interface Once<W> {
  /** For work inside the database: claim, change and answer are committed together or not at all. */
  within<T>(claim: RequestClaim, work: (within: W) => Promise<Result<T>>): Promise<Result<Answered<T>>>;
  /** For work outside the database: if the process ends meanwhile, the outcome stays unknown. */
  outside<T>(claim: RequestClaim, work: () => Promise<Result<T>>): Promise<Result<Answered<T>>>;
  /** Removes expired answers. */
  sweep(): Promise<void>;
}

export interface Answered<T> {
  /** A long one that is repeated stays JSON: reading it would take long. */
  readonly value: T | WrittenJson;
  readonly isReplayed: boolean;
}

export interface SweepTimes {
  readonly now: Date;
  /** Claims from before are over. */
  readonly before: Date;
}

export interface AnswerOncePorts<W> {
  /** Commits what `work` did; rolls back when it throws or refuses. */
  readonly transactWithin: <T>(work: (within: W, kept: KeptAnswers) => Promise<Result<T>>) => Promise<Result<T>>;
  readonly removeOld: (times: SweepTimes) => Promise<void>;
  readonly clock: Clock;
}

export const answerOnce = <W>({ transactWithin, removeOld, clock }: AnswerOncePorts<W>): Once<W> => {
  const claimed = (kept: KeptAnswers, claim: RequestClaim) => {
    const at = clock.now();
    return kept.claim(claim, { at, claimableSince: claimableSince(at) });
  };
  return {
    within: <T>(claim: RequestClaim, work: (within: W) => Promise<Result<T>>) =>
      transactWithin(async (within, kept): Promise<Result<Answered<T>>> => {
        const found = await claimed(kept, claim);
        if (found !== "claimed") return replayed(claim, found);
        const value = await work(within);
        if (isRefusal(value)) return value;
        await kept.keep(claim, await written(value));
        return { value, isReplayed: false };
      }),
    async outside<T>(claim: RequestClaim, work: () => Promise<Result<T>>): Promise<Result<Answered<T>>> {
      const found = await transactWithin(async (_within, kept) => claimed(kept, claim));
      if (isRefusal(found)) return found;
      if (found !== "claimed") return replayed(claim, found);
      const value = await work();
      await transactWithin(async (_within, kept) =>
        isRefusal(value) ? kept.release(claim) : kept.keep(claim, await written(value)),
      );
      return isRefusal(value) ? value : { value, isReplayed: false };
    },
    sweep: () => {
      const now = clock.now();
      return removeOld({ now, before: claimableSince(now) });
    },
  };
};

const replayed = async <T>(claim: RequestClaim, found: StoredAnswer | "under_way"): Promise<Result<Answered<T>>> => {
  if (found === "under_way") return underWay;
  const refusal = refuseReplay(claim, found);
  if (refusal !== null) return refusal;
  return { value: await answerIn<T>(found.answer ?? "{}"), isReplayed: true };
};

/** Longer answers are kept compressed, and sent again as they were written. */
const WHOLE_BYTES = 262_144;
const COMPRESSED = "gzip:";

/** Wrapped in an object because an answer may have no body. */
const written = async (value: unknown): Promise<string> => {
  if (!isLong(value)) return JSON.stringify({ value });
  const json = await jsonInTurns(value);
  if (json.length <= WHOLE_BYTES) return `{"value":${json.toString()}}`;
  return COMPRESSED + (await gzip(json, { level: 1 })).toString("base64");
};

const answerIn = async <T>(answer: string): Promise<T | WrittenJson> =>
  answer.startsWith(COMPRESSED)
    ? new WrittenJson(await gunzip(Buffer.from(answer.slice(COMPRESSED.length), "base64")))
    : (JSON.parse(answer) as { value: T }).value;
