import { turns } from "../../platform/turns.js";

/** Carries out work that yields between its steps. */
export const inTurns = async <T>(work: Generator<undefined, T>, othersTurn = turns()): Promise<T> => {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await othersTurn();
  }
};
