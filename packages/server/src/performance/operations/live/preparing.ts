import { isRefusal, type Result } from "../../../platform/refusal.js";

/** The result while a dispatch is read that nobody followed. The read continues on its own. */
export class Preparing {
  constructor(
    readonly dispatchId: string,
    /** Share of its sites that have been read. */
    readonly progress: number,
  ) {}
}

export const isPreparing = (looked: unknown): looked is Preparing => looked instanceof Preparing;

/** The result of a look at a measured dispatch. */
export type LookResult<T> = Result<T> | Preparing;

/** Applies a function to the report, if there is one. */
export const lookedAt = <T, V>(looked: LookResult<T>, see: (report: T) => Result<V>): LookResult<V> =>
  isRefusal(looked) || isPreparing(looked) ? looked : see(looked);
