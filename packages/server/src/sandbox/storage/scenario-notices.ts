import { camel } from "../../platform/database/camel.js";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import type { FirstRead, ScenarioNotice } from "../domain/report.js";
import { dispatchIdsOf, type Scenario } from "../domain/scenario.js";

const MOST_NOTICES = 1000;

/** By which acts a modification was read. */
export const readBy: Readonly<Record<string, FirstRead["by"]>> = {
  polled: "get",
  fetched: "get",
  ven_polled: "openadr2",
  ven_acknowledged: "openadr2",
  openadr3_polled: "openadr3",
  openadr3_acknowledged: "openadr3",
};

/** In which forms each modification reached the account's systems, oldest first. */
export const noticesOf = async (db: Queryable, scenario: Scenario): Promise<readonly ScenarioNotice[]> => {
  const { rows } = await db.query<NoticeRow>(
    `(select subject as dispatch_id, modification_number, 'webhook' as what, last.at, messages.state = 'delivered' as is_accepted,
        url, status, error
      from messages join notices on notices.seq = notice_seq join webhooks on webhooks.id = recipient
      cross join lateral (
        select at, status, error from message_attempts where message_id = messages.id order by number desc limit 1
      ) as last
      where subject = any($2))
     union all
     (select dispatch_id, number, what, first_at, true, null, null, null from scenario_acts
      where scenario_id = $1 and dispatch_id <> '' and what = any($3))
     order by at, dispatch_id, modification_number, what limit ${MOST_NOTICES}`,
    [scenario.id, dispatchIdsOf(scenario), Object.keys(readBy)],
  );
  return noticesFrom(rows);
};

type NoticeRow = Row<"notices", "dispatch_id" | "modification_number"> & {
  readonly what: string;
  readonly at: Date;
  readonly is_accepted: boolean;
  readonly url: string | null;
  readonly status: number | null;
  readonly error: string | null;
};

/** Of several reads of a modification in one form, the first. */
const noticesFrom = (rows: readonly NoticeRow[]): ScenarioNotice[] => {
  const read = new Set<string>();
  return rows.flatMap(({ what, url, status, error, ...row }): ScenarioNotice[] => {
    const form = readBy[what] ?? "webhook";
    const { isAccepted, ...notice } = camel(row);
    if (form === "webhook") return [{ ...notice, form, isAccepted, detail: `${url}: ${error ?? status}` }];
    const key = `${form} ${notice.dispatchId} ${notice.modificationNumber}`;
    if (read.has(key)) return [];
    read.add(key);
    return [{ ...notice, form, isAccepted, detail: "" }];
  });
};
