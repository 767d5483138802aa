import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import type { SubscriptionStates } from "../operations/openadr-3-stores.js";

type StateRow = Row<"openadr3_objects", "id" | "client_id" | "name"> & {
  readonly urls: readonly string[];
  readonly pending_count: number;
  readonly at: Date | null;
  readonly status: number | null;
  readonly error: string | null;
};

/** The last attempt is one of those for the newest notifications. */
const NEWEST = 20;

export const subscriptionStates = (db: Queryable): SubscriptionStates => ({
  async ofClients(clientIds) {
    const { rows } = await db.query<StateRow>(
      `select subscription.id, subscription.client_id, subscription.name, array(
           select distinct entry ->> 'callbackUrl'
           from jsonb_array_elements(subscription.body -> 'objectOperations') as entry order by 1) as urls,
         (select count(*)::int from passing_messages
          where recipient = subscription.id and state = 'pending') as pending_count, last.*
       from openadr3_objects as subscription left join lateral (
         select (detail ->> 'at')::timestamptz as at, (detail ->> 'status')::int as status, detail ->> 'error' as error from (
           -- A range, not an equality: the planner then takes the index on the subscription, not that on the number.
           select detail from passing_messages
           where recipient between subscription.id and subscription.id and client_id = subscription.client_id
           order by recipient desc, seq desc limit ${NEWEST}) as newest
         where detail ? 'at' order by at desc limit 1) as last on true
       where subscription.client_id = any($1) and subscription.object_type = 'SUBSCRIPTION'
       order by subscription.seq`,
      [clientIds],
    );
    return rows.map(({ id, client_id, name, urls, pending_count, at, status, error }) => ({
      id,
      clientId: client_id ?? "",
      name,
      callbackUrls: urls,
      pendingCount: pending_count,
      lastAttempt: at === null ? null : { at, status, error },
    }));
  },
});
