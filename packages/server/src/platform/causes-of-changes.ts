import type { SpanName, TracedChange, TraceStore } from "./tracing.js";
import { within } from "./within.js";

/** The request that caused a change, and how many spans may still be recorded below it. */
export interface KnownCause {
  readonly traceparent: string;
  /** Takes one from what is left of a name; false: none is left. */
  take(name: SpanName, isFailure: boolean): boolean;
}

/** Changes that are remembered: most spans follow theirs within minutes. */
const MOST_CHANGES = 1000;
/** Spans that wait for their cause. If the database does not answer, more are left out. */
const MOST_WAITING = 2000;
/** A notice waits this long for its cause, and is then sent without one. */
const PATIENCE_MS = 100;

/** Finds what caused the changes of dispatches, once for each change. */
export class CausesOfChanges {
  private readonly found = new Map<string, Promise<KnownCause | null>>();
  private waiting = 0;

  constructor(
    private readonly store: Pick<TraceStore, "causeOf">,
    private readonly options: { readonly mostSpans: number; readonly onError: (error: unknown) => void },
  ) {}

  /** null: it was not traced, or is not found soon. */
  soon(change: TracedChange): Promise<KnownCause | null> {
    return within(this.find(change), PATIENCE_MS, () => null);
  }

  /** Calls back once it is found. */
  whenFound(change: TracedChange, then: (cause: KnownCause) => void): void {
    if (this.waiting >= MOST_WAITING) return;
    this.waiting += 1;
    void this.find(change)
      .then((cause) => cause !== null && then(cause))
      .finally(() => {
        this.waiting -= 1;
      });
  }

  /** Never rejects. */
  private find(change: TracedChange): Promise<KnownCause | null> {
    const key = `${change.dispatchId} ${change.change}`;
    const known = this.found.get(key);
    if (known !== undefined) return known;
    const found = this.store.causeOf(change).then(
      (traceparent) => (traceparent === null ? null : new Cause(traceparent, this.options.mostSpans)),
      (error: unknown) => {
        this.found.delete(key);
        this.options.onError(error);
        return null;
      },
    );
    this.found.set(key, found);
    if (this.found.size > MOST_CHANGES)
      for (const oldest of [...this.found.keys()].slice(0, 1)) this.found.delete(oldest);
    return found;
  }
}

class Cause implements KnownCause {
  private readonly taken = new Map<string, number>();

  constructor(
    readonly traceparent: string,
    private readonly most: number,
  ) {}

  /** Failures have as much again to themselves: among 10,000 receivers they are what is looked for. */
  take(name: SpanName, isFailure: boolean): boolean {
    return this.count(name) || (isFailure && this.count(`${name}, failed`));
  }

  private count(of: string): boolean {
    const taken = this.taken.get(of) ?? 0;
    if (taken >= this.most) return false;
    this.taken.set(of, taken + 1);
    return true;
  }
}
