const PATIENCE_MS = 5000;
const SIGNALS_OF_THE_IMPATIENT = 3;

export interface Asked {
  /** Number of signals received, including this one. */
  readonly signals: number;
  readonly sinceFirstMs: number;
}

/**
 * Whether a signal ends the service at once. The first asks it to drain. One Ctrl-C may arrive twice, from the terminal
 * and from npm, so a second one counts only after a while.
 */
export const endsAtOnce = ({ signals, sinceFirstMs }: Asked): boolean =>
  signals >= SIGNALS_OF_THE_IMPATIENT && sinceFirstMs >= PATIENCE_MS;

export interface StopHandlers {
  readonly drain: (signal: string) => void;
  readonly endAtOnce: (signal: string) => void;
}

/** Listens as long as the process lives: a signal without a listener would kill it and orphan its database. */
export const onStopSignals = ({ drain, endAtOnce }: StopHandlers): void => {
  let signals = 0;
  let firstAtMs = 0;
  const hear = (signal: string): void => {
    signals += 1;
    if (signals === 1) {
      firstAtMs = performance.now();
      drain(signal);
    } else if (endsAtOnce({ signals, sinceFirstMs: performance.now() - firstAtMs })) endAtOnce(signal);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, hear);
};
