import type { Result } from "../domain/refusal.js";

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

/** What the work comes to, or `instead` where that takes longer. The work goes on; its failure is then its caller's. */
export const within = async <T, U>(work: Promise<T>, ms: number, instead: () => U): Promise<T | U> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<U>((resolve) => {
    timer = setTimeout(() => resolve(instead()), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};
