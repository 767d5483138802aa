import { invalid, type Refusal } from "../../platform/refusal.js";

/** Dispatches in progress, and their targets; participants' own tests are left out. */
export interface RunningDispatches {
  /** Names of the programs whose dispatches target the account. */
  ofAccount(accountId: string, now: Date): Promise<readonly string[]>;
  /** The program's name, if a dispatch of it targets one of the sites. */
  ofSites(programId: string, siteIds: readonly string[], now: Date): Promise<readonly string[]>;
}

export interface Cutting {
  /** The verb and its object, such as `disable the account`. */
  readonly what: string;
  /** Names of the programs of dispatches in progress that target what is cut off. */
  readonly running: readonly string[];
  readonly isConfirmed: boolean;
}

/** Asks once more before something is cut off that a dispatch in progress targets (G72). */
export const refuseWhileRunning = ({ what, running, isConfirmed }: Cutting): Refusal | null =>
  running.length === 0 || isConfirmed
    ? null
    : invalid(
        `Send confirm_running: true to ${what} now: it is part of a dispatch in progress (${running.join(", ")}), ` +
          "which does not change.",
      );
