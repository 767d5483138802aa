import type { participantConsole } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { monthOf } from "../format/time.js";

type Dispatch = Pick<participantConsole.AccountDispatch, "end_time" | "start_time" | "test">;

/** What an account can expect of a dispatch in progress, in its order. */
export interface NextStep {
  readonly kind: "now" | "end" | "result" | "statement";
  /** null: its time is not known, or is said by the words. */
  readonly at: string | null;
  readonly words: string;
}

/** Statements are of months in the zone of the program. */
export const whatFollows = ({ start_time, end_time, test }: Dispatch, timeZone: string): readonly NextStep[] => [
  { kind: "now", at: null, words: say("Hold the reduction. You are notified of each change.") },
  {
    kind: "end",
    at: end_time,
    words:
      end_time === null
        ? say("It goes on until an end is set, of which you are notified.")
        : say("It ends. Return to your usual load; there is nothing to press."),
  },
  { kind: "result", at: null, words: say("A first result, with the curve of each site") },
  ...(test
    ? []
    : [
        {
          kind: "statement",
          at: null,
          words: say("The statement of {month}, with the amount", { month: monthOf(new Date(start_time), timeZone) }),
        } as const,
      ]),
];
