type Stop = () => Promise<unknown>;

const EXIT_OF_SIGNAL = 128;
const numbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

const stops: Stop[] = [];
let isStopping = false;

/**
 * Has `stop` called when the benchmark is ended by a signal: what it started would outlive it. The newest is stopped first.
 * Returns a function that forgets it.
 */
export const onSignal = (stop: Stop): (() => void) => {
  listen();
  stops.push(stop);
  return () => void stops.splice(stops.indexOf(stop), 1);
};

let isListening = false;

const listen = (): void => {
  if (isListening) return;
  isListening = true;
  for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) process.on(signal, () => void endBy(signal));
};

const endBy = async (signal: keyof typeof numbers): Promise<void> => {
  if (isStopping) return;
  isStopping = true;
  for (const stop of stops.toReversed())
    await stop().catch((error: unknown) => void process.stderr.write(`${String(error)}\n`));
  process.exit(EXIT_OF_SIGNAL + numbers[signal]);
};

/** Whether a signal is ending the benchmark: what fails then is no failure of its own. */
export const isEnding = (): boolean => isStopping;
