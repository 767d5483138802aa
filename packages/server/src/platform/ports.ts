import type { Clock, NewId } from "./clock.js";
import type { Result } from "./refusal.js";

/** What operations that change something work with: the stores that they name. */
export interface Ports<Stores> {
  readonly stores: Stores;
  /** Commits what `work` did over stores that share a transaction; rolls back when it throws or refuses. */
  readonly transact: <T>(work: (stores: Stores) => Promise<Result<T>>) => Promise<Result<T>>;
  readonly clock: Clock;
  readonly newId: NewId;
}
