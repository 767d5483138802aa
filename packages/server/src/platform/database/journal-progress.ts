import type { JournalKind } from "../journal.js";
import { MOST_ACCOUNTS } from "./journal.js";

interface Noting {
  /** A time, as SQL. */
  readonly at: string;
  /** More than that there is news. */
  readonly kind?: JournalKind;
  /** Default: that of the connection. */
  readonly schema?: "" | "sandbox." | undefined;
}

/**
 * Part of a statement that writes evidence of dispatches: appends an entry to the journal for each of them, with the
 * accounts that it concerns. Call `appended` after it.
 *
 * @param rows in SQL, with `dispatch_id` and `account_id`
 */
export const progressIn = (rows: string, { at, kind = "progress", schema }: Noting): string =>
  `insert into ${schema ?? ""}journal (at, kind, subject, accounts)
   select ${at}, '${kind}', dispatch_id,
     case when count(distinct account_id) <= ${MOST_ACCOUNTS} then array_agg(distinct account_id) end
   from (${rows}) as concerned group by dispatch_id`;
