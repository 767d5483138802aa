import { lockedNotices } from "../../dispatch/storage/notice-store.js";
import { hasValidCertificate } from "../../openadr/storage/ven-certificate-store.js";
import { IS_CALLED_BACK } from "../../openadr-3/storage/client-conditions.js";
import { takeTurn } from "../../platform/database/advisory-locks.js";
import { camel } from "../../platform/database/camel.js";
import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import { appended } from "../../platform/database/commits.js";
import type { Queryable } from "../../platform/database/database.js";
import type { DueWork } from "../../platform/database/due-work.js";
import { readUntil } from "../../platform/database/in-time.js";
import { progressIn } from "../../platform/database/journal-progress.js";
import { dateFromJson, type JsonOf, jsonMembers } from "../../platform/database/json-members.js";
import { readAll } from "../../platform/database/read.js";
import { valuesOf } from "../../platform/database/values-of.js";
import { ALARMING_FAILURES } from "../domain/mail.js";
import type { Channels, OwedAccount } from "../domain/owed-notice.js";
import type { OwedDispatch, OwedStore } from "../operations/notification-stores.js";
import { IS_ADDRESSED } from "./addressed-messages.js";
import { IS_MAIL, MAIL_COLUMNS, NEW_MAIL } from "./mail-queue.js";
import { IS_TO_PHONE } from "./phone-messages.js";

const noticeRow = selection("notices", ["seq", "event", "modification_number", "due_at"]);
type NoticeRow = RowOf<typeof noticeRow> &
  Row<"notices", "dispatch_id" | "owed_since"> &
  Row<"dispatches", "authorized" | "end_time" | "changed_at">;

const pollMembers = jsonMembers("openadr3_polls", { lastAt: "last_at", intervalSeconds: "interval_seconds" });
const venMembers = jsonMembers("vens", { lastPollAt: "last_poll_at", pollIntervalSeconds: "poll_interval_seconds" });

/** For an account that never polled, the last two are null. */
interface AccountRow {
  readonly account_id: string;
  readonly settled_modification: number | null;
  readonly webhook_events: Row<"webhooks", "events">["events"] | null;
  readonly vens: ReadonlyArray<JsonOf<typeof venMembers>> | null;
  readonly clients: ReadonlyArray<{
    /** null: it never polled. */
    readonly polls: JsonOf<typeof pollMembers> | null;
    readonly isCalledBack: boolean;
  }> | null;
  readonly last_at: Date | null;
  readonly interval_seconds: number | null;
}

type OverdueRow = Row<"messages", "id"> &
  Row<"dispatch_sites", "dispatch_id" | "account_id"> &
  Row<"notices", "modification_number"> &
  Row<"accounts", "disabled"> & {
    readonly notice_seq: number;
    readonly is_failing: boolean;
    readonly is_over: boolean;
  };

type ReachedRow = Row<"dispatch_reads", "dispatch_id" | "account_id" | "modification_number">;

/**
 * What counts as reached, for an array of dispatches: a 2xx, a read, also by a person on a page, a VEN's acknowledgement, an event shown to
 * a VEN of OpenADR 3, or its answer, a mail handed over, or a call.
 */
const successes = (dispatches: string, deliveredAt: string): string => `
    with readable as (${readUntil(`= any(${dispatches})`)})
    select dispatch_id, account_id, modification_number, 'rest' as channel, at
    from dispatch_reads left join readable using (dispatch_id, modification_number)
    where dispatch_id = any(${dispatches}) and at <= coalesce(read_until, 'infinity')
    union all
    select dispatch_id, account_id, modification_number, 'rest', at
    from dispatch_page_reads left join readable using (dispatch_id, modification_number)
    where dispatch_id = any(${dispatches}) and at <= coalesce(read_until, 'infinity')
    union all
    select messages.subject, webhooks.account_id, notices.modification_number, 'webhook', ${deliveredAt}
    from messages join webhooks on webhooks.id = recipient join notices on notices.seq = notice_seq
    where messages.subject = any(${dispatches}) and messages.state = 'delivered'
    union all
    select answer.dispatch_id, account_id, answer.modification_number::int, 'openadr', answer.at
    from ven_acknowledgements as answer join ven_events on ven_events.ven = answer.ven
      and ven_events.dispatch_id = answer.dispatch_id join vens on vens.id = answer.ven
    left join readable on readable.dispatch_id = answer.dispatch_id
      and readable.modification_number = answer.modification_number
    -- A VEN may name any modification; one that was not sent to it proves nothing.
    where answer.dispatch_id = any(${dispatches}) and answer.response_code like '2__'
      and answer.modification_number <= shown_modification and at <= coalesce(read_until, 'infinity')
    union all
    select dispatch_id, account_id, modification_number, 'openadr3', heard.at
    from (
      select dispatch_id, client_id, modification_number, at from openadr3_showings where dispatch_id = any(${dispatches})
      union all
      select dispatch_id, client_id, modification_number, at from openadr3_answers
      where dispatch_id = any(${dispatches}) and opt is not null
    ) as heard join openadr3_notices using (dispatch_id, client_id, modification_number)
    left join readable using (dispatch_id, modification_number)
    where heard.at <= coalesce(read_until, 'infinity')
    union all
    select dispatch_id, notices.account_id, modification_number, 'openadr3', ended_at
    from openadr3_notices as notices join passing_messages as messages using (change_seq, client_id)
    where dispatch_id = any(${dispatches}) and messages.state = 'delivered'
    union all
    select subject, account_id, modification, 'mail', ended_at
    from messages where subject = any(${dispatches}) and ${IS_MAIL} and modification is not null
    union all
    select dispatch_id, account_id, modification_number, 'phone', at from phone_calls where dispatch_id = any(${dispatches})`;

/** Messages to people that a gateway or a chat room took: they reach an account as a mail does, but keep no mail from being sent. */
const takenForPeople = (dispatches: string): string => `
    select subject as dispatch_id, account_id, modification, channel, ended_at
    from messages where subject = any(${dispatches}) and (${IS_TO_PHONE} or ${IS_ADDRESSED}) and state = 'delivered'`;

/** What reached each account and when, by channel, with the messages that were taken for people; for an array of dispatches. */
export const successesOf = (dispatches: string): string => `${successes(
  dispatches,
  `(
      select min(at + duration_ms * interval '1 millisecond') from message_attempts
      where message_id = messages.id and error is null)`,
)}
    union all ${takenForPeople(dispatches)}`;

/** The same, for the dispatches $1. */
export const SUCCESSES = successesOf("$1");

const REACHED = `
  select dispatch_id, account_id, max(modification_number) as modification_number
  from (${successes("$1", "null::timestamptz")}
  ) as success
  group by dispatch_id, account_id`;

/** As REACHED, with the messages that were taken for people, which settle an alarm. */
const REACHED_OR_TAKEN = `
  select dispatch_id, account_id, max(modification_number) as modification_number
  from (
    (${REACHED})
    union all
    select dispatch_id, account_id, modification from (${takenForPeople("$1")}) as taken
  ) as success
  group by dispatch_id, account_id`;

const HEARD = `
  from vens
  where vens.account_id = accounts.id and environment = 'production' and deleted_at is null
    and ${hasValidCertificate("$3")}
    and (site_ids is null or exists (
      select from dispatch_sites where dispatch_id = any($1) and dispatch_sites.site_id = any(site_ids)))`;

const HEARD_BY_CLIENTS = `
  from openadr3_clients as clients left join openadr3_polls on client_id = clients.id
  where clients.account_id = accounts.id and environment = 'production' and revoked_at is null
    and (site_ids is null or exists (
      select from dispatch_sites where dispatch_id = any($1) and dispatch_sites.site_id = any(site_ids)))`;

const UNREACHED = `
  with told as materialized (
    select distinct account_id from dispatch_sites where dispatch_id = any($1)
  ), reached as materialized (${REACHED}), chased as materialized (
    select account_id, max(modification_number) as modification_number
    from messages join escalations on message_id = id join notices on notices.seq = notice_seq
    where subject = any($1) and ${IS_MAIL} group by account_id
  )
  select accounts.id as account_id, last_at, interval_seconds,
    greatest(reached.modification_number, chased.modification_number) as settled_modification,
    (select array_agg(distinct event) from webhooks cross join unnest(events) as event
     where webhooks.account_id = accounts.id and deleted_at is null) as webhook_events,
    (select json_agg(json_build_object(${venMembers.sql}))
     ${HEARD}) as vens,
    (select json_agg(json_build_object('isCalledBack', ${IS_CALLED_BACK},
       'polls', case when client_id is not null then json_build_object(${pollMembers.sql}) end))
     ${HEARD_BY_CLIENTS}) as clients
  from told join accounts on accounts.id = told.account_id
  left join reached on reached.account_id = accounts.id
  left join chased on chased.account_id = accounts.id
  left join account_polls on account_polls.account_id = accounts.id
  where not disabled and coalesce(greatest(reached.modification_number, chased.modification_number), -1) < $2`;

export const dueLooks: DueWork = {
  name: "owed notices",
  next: "select owed_look_at from notices where owed_look_at is not null order by owed_look_at limit 1",
};

export const owedStore = (db: Queryable): OwedStore => ({
  takeTurn: () => takeTurn(db, "owed"),
  async next(now) {
    const { rows } = await db.query<NoticeRow>({
      name: "next-owed",
      text: `with first as (
               select dispatch_id from notices where owed_look_at <= $1 order by owed_look_at limit 1
             )
             select dispatch_id, authorized, end_time, changed_at, notices.seq, event, notices.modification_number, due_at,
               owed_since
             from first join dispatches on dispatches.id = dispatch_id join notices using (dispatch_id)
             where owed_look_at is not null and due_at <= $1 order by notices.seq`,
      values: [now],
    });
    return dispatchFromRows(rows);
  },
  unreached: ({ id, notices }, now) =>
    readAll(db, accountFromRow, {
      name: "unreached-accounts",
      text: UNREACHED,
      values: [[id], newestOf(notices), now],
    }),
  withoutChannel: ({ id, notices }, now) =>
    readAll(db, accountFromRow, {
      name: "unreachable-accounts",
      text: `${UNREACHED} and not exists (select ${HEARD}) and not exists (select ${HEARD_BY_CLIENTS}) and not exists (
               select from webhooks where webhooks.account_id = accounts.id and deleted_at is null and events @> $4)`,
      values: [[id], newestOf(notices), now, [...new Set(notices.map(({ event }) => event))]],
    }),
  async mail(dispatchId, overdue, at) {
    if (overdue.length === 0) return;
    // In the order in which failed deliveries insert theirs, to avoid a deadlock. A mail dropped while its account was
    // disabled is needed again.
    await db.query(
      `with written as (
         insert into messages (${MAIL_COLUMNS})
         select ${NEW_MAIL}, account_id, account_id, notice_seq, $1, event, $5, $5
         from unnest($2::text[], $3::bigint[], $4::text[]) as overdue (account_id, notice_seq, event) order by account_id
         on conflict (account_id, notice_seq) where ${IS_MAIL} do update set
           state = ${ifDropped("'pending'", "state")}, next_attempt_at = ${ifDropped("$5", "next_attempt_at")},
           ended_at = ${ifDropped("null", "ended_at")}, reason = ${ifDropped("null", "reason")}
         returning id, subject as dispatch_id, account_id
       ), escalated as (
         insert into escalations (message_id, overdue_at) select id, $5 from written on conflict do nothing
       )
       ${progressIn("select * from written", { at: "$5" })}`,
      [dispatchId, ...valuesOf(overdue, "accountId", "noticeSeq", "event"), at],
    );
    appended(db, "progress");
  },
  async saveLook({ notices, nextAt }) {
    await db.query(
      `with locked as materialized (${lockedNotices("seq = any($1::bigint[])")})
       update notices set owed_look_at = $3, owed_since = since
       from locked join unnest($1::bigint[], $2::timestamptz[]) as looked (seq, since) using (seq)
       where notices.seq = locked.seq`,
      [...valuesOf(notices, "seq", "since"), nextAt],
    );
  },
  unsettled: () =>
    readAll(db, ({ disabled: isDisabled, ...row }: OverdueRow) => ({ ...camel(row), isDisabled }), {
      text: `select messages.id, account_id, subject as dispatch_id, notice_seq, modification_number, disabled, not ${IS_UNSENT} as is_over,
         ${IS_UNSENT} and (messages.state = 'failed' or failures >= $1) as is_failing
       from ${OPEN_ESCALATIONS} join notices on notices.seq = notice_seq join accounts on accounts.id = account_id`,
      values: [ALARMING_FAILURES],
    }),
  reached: (dispatchIds, accountId) =>
    readAll(db, camel<ReachedRow>, {
      text: `select * from (${REACHED_OR_TAKEN}) as reached where $2::text is null or account_id = $2`,
      values: [dispatchIds, accountId ?? null],
    }),
  async settle(mailIds, at) {
    if (mailIds.length === 0) return;
    await db.query(
      `update escalations set settled_at = $2 where message_id in (
         select message_id from escalations where message_id = any($1) and settled_at is null order by message_id for update)`,
      [mailIds, at],
    );
  },
});

const ifDropped = (then: string, column: string): string =>
  `case messages.state when 'dropped' then ${then} else messages.${column} end`;

const IS_UNSENT = "(messages.modification is null and messages.state in ('pending', 'failed'))";
const OPEN_ESCALATIONS = "escalations join messages on messages.id = message_id and settled_at is null";

/** Emails to accounts that nothing reached in time, and that are not settled: what follows `from`. */
export const UNSETTLED = `${OPEN_ESCALATIONS} and ${IS_UNSENT}`;

const newestOf = (notices: OwedDispatch["notices"]): number => notices.at(-1)?.modificationNumber ?? 0;

const dispatchFromRows = (rows: readonly NoticeRow[]): OwedDispatch | null => {
  const [first] = rows;
  if (first === undefined) return null;
  return {
    id: first.dispatch_id,
    authorized: first.authorized,
    end: first.end_time,
    changedAt: first.changed_at,
    notices: rows.map((row) => ({ ...noticeRow.camel(row), since: row.owed_since })),
  };
};

const accountFromRow = (row: AccountRow): OwedAccount => ({
  accountId: row.account_id,
  settledModification: row.settled_modification,
  channels: channelsFromRow(row),
});

const channelsFromRow = ({ webhook_events, vens, clients, last_at, interval_seconds }: AccountRow): Channels => ({
  webhookEvents: webhook_events ?? [],
  vens: (vens ?? []).map(({ lastPollAt, pollIntervalSeconds }) => ({
    lastPollAt: dateFromJson(lastPollAt),
    pollIntervalSeconds,
  })),
  clients: (clients ?? []).map(({ polls, isCalledBack }) => ({
    polls: polls === null ? null : { ...polls, lastAt: new Date(polls.lastAt) },
    isCalledBack,
  })),
  polls: last_at === null ? null : { lastAt: last_at, intervalSeconds: interval_seconds },
});
