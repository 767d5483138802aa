import { ATTEMPT_MS } from "../attempt.js";
import { type Result, tooMany } from "../refusal.js";
import { Tally } from "../tally.js";

export interface CallBounds {
  readonly inAll: number;
  readonly perCaller: number;
  /** Applies once half of all are running: callers whose requests hang leave room for the others. */
  readonly perCallerWhenCrowded: number;
}

/** Limits requests under way that callers asked for; more are refused, since each may take as long as an attempt. */
export const boundedCalls = <Item, Outcome>(
  call: (item: Item) => Promise<Result<Outcome>>,
  callerOf: (item: Item) => string,
  bounds: CallBounds,
): ((item: Item) => Promise<Result<Outcome>>) => {
  const underWay = new Tally();
  let inAll = 0;
  const hasRoom = (own: number): boolean => {
    const isCrowded = inAll >= bounds.inAll / 2;
    return inAll < bounds.inAll && own < (isCrowded ? bounds.perCallerWhenCrowded : bounds.perCaller);
  };
  const enter = (caller: string, step: 1 | -1): void => {
    underWay.add(caller, step);
    inAll += step;
  };
  return async (item) => {
    const caller = callerOf(item);
    const own = underWay.of(caller);
    if (!hasRoom(own)) return tooMany(`${own} test requests are still waiting for their answers`, ATTEMPT_MS / 1000);
    enter(caller, 1);
    try {
      return await call(item);
    } finally {
      enter(caller, -1);
    }
  };
};
