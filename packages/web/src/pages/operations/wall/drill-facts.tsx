import { say } from "@curtail/words/page";
import { count, power } from "../../../format/quantity.js";
import type { Known } from "../dispatch/use-known.js";
import type { DispatchView } from "../dispatch/use-view.js";

/** Names that are read from across a room. */
const MOST_NAMES = 6;

/** Who was not notified and which alarms stood at the moment of a drill; without numbers, so that nobody is called. */
export const DrillFacts = ({ known, view }: { readonly known: Known; readonly view: DispatchView }) => {
  const { notNotified, accounts } = view;
  const isIssued = known.state !== null && known.state.modification_number !== null;
  const rest = notNotified.length - MOST_NAMES;
  return (
    <ul aria-label={say("At this moment")} className="grid gap-2 text-lg wall:gap-4 wall:text-4xl">
      {isIssued && (
        <li>
          {notNotified.length === 0
            ? say("All accounts are notified.")
            : say("{n} of {all, plural, one {# account} other {# accounts}} not notified", {
                n: count(notNotified.length),
                all: accounts,
              })}
        </li>
      )}
      {notNotified.slice(0, MOST_NAMES).map(({ account_id, account_name, kw }) => (
        <li key={account_id} className="min-w-0 pl-6 break-words text-muted">
          {account_name}, {power(kw)}
        </li>
      ))}
      {rest > 0 && (
        <li className="pl-6 text-muted">
          {say("{n, plural, one {# more account} other {# more accounts}}", { n: rest })}
        </li>
      )}
      <li>
        {say("{n, plural, =0 {No open alarms} one {# open alarm} other {# open alarms}}", {
          n: known.state?.alarms.length ?? 0,
        })}
      </li>
    </ul>
  );
};
