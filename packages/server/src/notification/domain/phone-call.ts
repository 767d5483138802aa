import type { Actor } from "../../access/domain/account.js";
import { invalid, type Refusal, type Result } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";

/** A call by which an operator notified an account of a state of a dispatch. */
export interface PhoneCall {
  readonly dispatchId: string;
  readonly accountId: string;
  readonly modificationNumber: number;
  /** When the person was reached. */
  readonly at: Date;
  readonly recordedAt: Date;
  readonly person: string;
  /** For operators only. */
  readonly note: string;
  readonly actor: Actor;
}

/** A state of a dispatch, and when it was made. */
interface State {
  readonly modificationNumber: number;
  readonly at: Date;
  readonly end: Date | null;
}

export interface CallMade {
  readonly at: Date;
  /** null: the newest at the time of the call. */
  readonly modificationNumber: number | null;
}

/** The modification that a call notified of; states in order, the first one made with the dispatch. */
export const modificationOf = (states: readonly State[], { at, modificationNumber }: CallMade, now: Date) => {
  if (at > now) return invalid("at is in the future; give the time at which the person was reached");
  const refusal = refuseState(states, { at, modificationNumber });
  if (refusal !== null) return refusal;
  const state = states.findLast((each) =>
    modificationNumber === null ? each.at <= at : each.modificationNumber === modificationNumber,
  );
  if (state === undefined) return invalid("at is before the dispatch was issued; give the time of the call");
  return refuseEnded(states, state, at) ?? state.modificationNumber;
};

const refuseState = (states: readonly State[], { at, modificationNumber }: CallMade): Refusal | null => {
  if (modificationNumber === null) return null;
  const state = states.find((each) => each.modificationNumber === modificationNumber);
  if (state === undefined) return invalid(`the dispatch has no modification ${modificationNumber}; read it again`);
  return state.at <= at
    ? null
    : invalid(
        `the call was before modification ${modificationNumber}, which was made at ${formatTimestamp(state.at)}; ` +
          "leave modification_number out",
      );
};

/** As for reads: a state counts until its end or that of the one before it; one made after its end, at any time. */
const refuseEnded = (states: readonly State[], state: State, at: Date): Result<null> | null => {
  const before = states[states.indexOf(state) - 1];
  const untilMs = Math.max(msOf(state.end), before === undefined ? Number.NEGATIVE_INFINITY : msOf(before.end));
  if (state.at.getTime() >= untilMs || at.getTime() <= untilMs) return null;
  return invalid("the dispatch was over at the time of the call, so that nothing is left to notify");
};

const msOf = (end: Date | null): number => end?.getTime() ?? Number.POSITIVE_INFINITY;

declare module "../../access/domain/audit.js" {
  interface Audited {
    phone_call: { action: "phone_call.record"; state: Omit<PhoneCall, "actor" | "recordedAt"> };
  }
}
