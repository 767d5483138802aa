import { AsyncLocalStorage } from "node:async_hooks";

/** The request that causes what is carried out below it, while it is traced. */
export interface TraceCause {
  /** Its span, as W3C trace context writes it. */
  readonly traceparent: string;
  /** Called with each journal entry that it leads to. */
  readonly noteEntry: (kind: string, subject: string) => void;
}

// As long as nothing runs in it, asking costs a comparison.
const causes = new AsyncLocalStorage<TraceCause>();

/** Carries out what a traced request causes. */
export const causedBy = (cause: TraceCause, work: () => void): void => causes.run(cause, work);

/** The trace of a journal entry that is appended here; null unless a traced request causes it. */
export const traceOf = (kind: string, subject: string): string | null => {
  const cause = causes.getStore();
  if (cause === undefined) return null;
  cause.noteEntry(kind, subject);
  return cause.traceparent;
};
