/** Work shorter than this in one turn of the event loop keeps nobody waiting. */
const TURN_MS = 1;
/** The same for pieces that many wait for: in turns with much else a millisecond would be a small share of the time. */
const PIECES_MS = 5;

/** Pieces of long work waiting for a turn of the event loop; each turn runs one. */
const waiting: Array<() => void> = [];
let beganMs = Number.NEGATIVE_INFINITY;

/** Await after each step of long work: now and then it lets others have a turn. */
export const turns = (): (() => Promise<void>) => async () => {
  if (waiting.length === 0 && performance.now() - beganMs < TURN_MS) return;
  await new Promise<void>((resume) => {
    if (waiting.push(resume) === 1) setImmediate(giveTurn);
  });
};

/** Carries out work that yields between its steps. */
export const inTurns = async <T>(work: Generator<undefined, T>, othersTurn = turns()): Promise<T> => {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await othersTurn();
  }
};

/** Items of a long list that are mapped in one step, in less than a millisecond. */
const MAPPED_AT_ONCE = 500;

/** Maps a list in steps. */
export const mapInTurns = <T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> =>
  inTurns(mapping(items, map));

function* mapping<T, R>(items: readonly T[], map: (item: T) => R): Generator<undefined, R[]> {
  const mapped: R[] = [];
  for (const item of items) if (mapped.push(map(item)) % MAPPED_AT_ONCE === 0) yield;
  return mapped;
}

const giveTurn = (): void => {
  beganMs = performance.now();
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(giveTurn);
};

/** The next turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/**
 * Runs short pieces of work in their order, for a moment in each turn of the event loop: thousands that come at once keep
 * nobody waiting. Work must not throw.
 */
export class TurnByTurn {
  private readonly pieces: Array<() => void> = [];

  /** @param isUrgent whether it goes before all that waits */
  run(work: () => void, isUrgent = false): void {
    const waiting = isUrgent ? this.pieces.unshift(work) : this.pieces.push(work);
    if (waiting === 1) setImmediate(this.giveTurn);
  }

  private readonly giveTurn = (): void => {
    const endsMs = performance.now() + PIECES_MS;
    do this.pieces.shift()?.();
    while (this.pieces.length > 0 && performance.now() < endsMs);
    if (this.pieces.length > 0) setImmediate(this.giveTurn);
  };
}
