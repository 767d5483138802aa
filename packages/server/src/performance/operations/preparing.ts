import { isRefusal, type Result } from "../../platform/refusal.js";

/** Instead of what is measured, while a dispatch is read that nobody followed. The reading goes on by itself. */
export class Preparing {
  constructor(
    readonly dispatchId: string,
    /** Share of its sites that have been read. */
    readonly progress: number,
  ) {}
}

export const isPreparing = (looked: unknown): looked is Preparing => looked instanceof Preparing;

/** What a look at a measured dispatch comes to. */
export type Looked<T> = Result<T> | Preparing;

/** Applies a function to what was found, if anything was. */
export const lookedAt = <T, V>(looked: Looked<T>, see: (report: T) => Result<V>): Looked<V> =>
  isRefusal(looked) || isPreparing(looked) ? looked : see(looked);
