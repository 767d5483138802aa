import { hasValidCertificate } from "../../openadr/storage/ven-certificate-store.js";
import { IS_CALLED_BACK } from "../../openadr-3/storage/client-conditions.js";
import type { AddressedChannel } from "../../platform/channel.js";
import type { Clock } from "../../platform/clock.js";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { dateFromJson, type JsonOf, jsonMembers } from "../../platform/database/json-members.js";
import { readAll } from "../../platform/database/read.js";
import { ALARMING_HANDOVERS } from "../domain/handover.js";
import type { Reach } from "../domain/reach.js";
import type { ReachReader } from "../operations/preview-dispatch.js";

const venMembers = jsonMembers("vens", {
  venId: "ven_id",
  lastPollAt: "last_poll_at",
  pollIntervalSeconds: "poll_interval_seconds",
});

type ReachRow = Row<"accounts", "id" | "name"> & {
  readonly contacts: number;
  readonly webhooks: ReadonlyArray<{ url: string; lastSuccessAt: string | null; hasFailed: boolean }> | null;
  readonly vens: ReadonlyArray<
    JsonOf<typeof venMembers> & { readonly isPushed: boolean; readonly isCertified: boolean }
  > | null;
  readonly clients: ReadonlyArray<{
    name: string;
    lastPollAt: string | null;
    intervalSeconds: number | null;
    isCalledBack: boolean;
    hasFailed: boolean;
  }> | null;
  readonly addresses: ReadonlyArray<{
    channel: string;
    name: string;
    lastSuccessAt: string | null;
    hasFailed: boolean;
  }> | null;
  readonly keys: number;
  readonly last_poll_at: Date | null;
};

const fromRow = (row: ReachRow): Reach => ({
  accountId: row.id,
  accountName: row.name,
  mailContacts: row.contacts,
  webhooks: (row.webhooks ?? []).map((each) => ({ ...each, lastSuccessAt: dateFromJson(each.lastSuccessAt) })),
  vens: (row.vens ?? []).map((each) => ({ ...each, lastPollAt: dateFromJson(each.lastPollAt) })),
  clients: (row.clients ?? []).map((each) => ({ ...each, lastPollAt: dateFromJson(each.lastPollAt) })),
  addresses: (row.addresses ?? []).map((each) => ({
    ...each,
    channel: each.channel as AddressedChannel,
    lastSuccessAt: dateFromJson(each.lastSuccessAt),
  })),
  keys: row.keys,
  lastPollAt: row.last_poll_at,
});

/**
 * The newest of an owner's rows. Asked for as a range of owners: given an equality, the planner may take the index on
 * `seq` alone, and goes through everybody's where most are another's.
 */
const newest = (owner: string, id: string): string =>
  `${owner} between ${id} and ${id} order by ${owner} desc, messages.seq desc limit 1`;

/** Finds two deliveries per webhook by index: the last that succeeded, and the last that is over. */
const WEBHOOKS = `
  select json_agg(json_build_object('url', url, 'lastSuccessAt', (
      select max(at) from message_attempts where error is null and message_id = (
        select id from messages where state = 'delivered' and ${newest("recipient", "webhooks.id")})
    ), 'hasFailed', coalesce((
      select state = 'failed' from messages
      where state in ('delivered', 'failed') and ${newest("recipient", "webhooks.id")}), false)
    ) order by seq)
  from webhooks where account_id = accounts.id and deleted_at is null and 'dispatch.create' = any(events)`;

const VENS = `
  select json_agg(json_build_object(${venMembers.sql}, 'isPushed', push_url is not null,
    'isCertified', ${hasValidCertificate("$3")}) order by seq)
  from vens
  where account_id = accounts.id and environment = 'production' and deleted_at is null
    -- Not \`&&\`, which compares all pairs: a dispatch may have tens of thousands of sites.
    and (site_ids is null or exists (select from unnest(site_ids) as heard (id) where heard.id = any($2)))`;

/** The last notification that is over is found by index. */
const CLIENTS = `
  select json_agg(json_build_object('name', clients.name, 'lastPollAt', last_at, 'intervalSeconds', interval_seconds,
    'isCalledBack', ${IS_CALLED_BACK}, 'hasFailed', coalesce((
      select state = 'failed' from passing_messages as messages
      where state in ('delivered', 'failed') and ${newest("messages.client_id", "clients.id")}), false)
    ) order by clients.seq)
  from openadr3_clients as clients left join openadr3_polls on client_id = clients.id
  where account_id = accounts.id and environment = 'production' and revoked_at is null
    and (site_ids is null or exists (select from unnest(site_ids) as heard (id) where heard.id = any($2)))`;

const ADDRESSES = `
  select json_agg(json_build_object('channel', channel, 'name', addresses.name, 'lastSuccessAt', last_success_at,
    'hasFailed', failures >= ${ALARMING_HANDOVERS}) order by seq)
  from channel_addresses as addresses where account_id = accounts.id and deleted_at is null`;

export const reachReader = (db: Queryable, clock: Clock): ReachReader => ({
  ofAccounts: (accountIds, siteIds) =>
    readAll(db, fromRow, {
      text: `select id, name, (select count(*) from contacts where account_id = accounts.id) as contacts,
         (${WEBHOOKS}) as webhooks, (${VENS}) as vens, (${CLIENTS}) as clients, (${ADDRESSES}) as addresses, keys,
         (select last_at from account_polls where account_id = accounts.id) as last_poll_at
       from accounts cross join lateral (
         select count(*) filter (
             where claimed_at is not null and revoked_at is null and (expires_at is null or expires_at > $3)) as keys
         from api_keys where account_id = accounts.id and environment = 'production'
       ) as calls
       where id = any($1) order by accounts.seq`,
      values: [accountIds, siteIds, clock.now()],
    }),
});
