import type { Clock, NewId } from "./clock.js";
import type { Result } from "./refusal.js";

/** What an operation that changes something needs: the stores that it names. */
export interface Ports<Stores> {
  readonly stores: Stores;
  /** Commits what `work` did over stores that share a transaction; rolls back if it throws or refuses. */
  readonly transact: <T>(work: (stores: Stores) => Promise<Result<T>>) => Promise<Result<T>>;
  readonly clock: Clock;
  readonly newId: NewId;
}
