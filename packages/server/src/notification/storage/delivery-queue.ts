import type pg from "pg";
import { claimValues, IS_UNHELD, type MessageRecords, messageRecorder } from "../../dispatch/storage/mailbox.js";
import { HUNG_MS } from "../../platform/attempt.js";
import { advisoryLocks } from "../../platform/database/advisory-locks.js";
import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import { appended } from "../../platform/database/commits.js";
import { type DueWork, IS_UNLEASED } from "../../platform/database/due-work.js";
import { progressIn } from "../../platform/database/journal-progress.js";
import { type SecretBox, UnreadableSecret, webhookPlace } from "../../platform/secret-box.js";
import type { ClaimedDelivery } from "../domain/delivery.js";
import { MAX_IN_FLIGHT_PER_WEBHOOK } from "../domain/webhook.js";
import type { DeliveryQueue, DeliveryWork, Expanded } from "../operations/deliver-notices.js";
import { ofWebhooks } from "./delivery-store.js";
import { IS_MAIL, MAIL_COLUMNS, NEW_MAIL } from "./mail-queue.js";
import { expansion, expansionBehind, SECRETS } from "./notice-expansion.js";

const deliveryRow = selection("messages", ["id", "event", "failures"]);
type ClaimedRow = RowOf<typeof deliveryRow> &
  Row<"messages", "recipient" | "subject"> &
  Row<"webhooks", "url" | "interface_version"> & {
    readonly secrets: readonly string[];
    readonly is_resend: boolean;
    readonly noticed_at: Date;
  };

type ExpandedRow = ClaimedRow & Counted;
/** A look that claims nothing. */
type EmptyLook = { readonly id: null } & Counted;
type Counted = { readonly left_over: number; readonly has_more: boolean };
type BehindRow = (ClaimedRow | { readonly id: null }) & { readonly reached: string | null };

const claimedOf = (box: SecretBox, row: ClaimedRow, leasedUntil: Date): ClaimedDelivery => ({
  ...deliveryRow.camel(row),
  webhookId: row.recipient,
  dispatchId: row.subject,
  url: row.url,
  interfaceVersion: row.interface_version,
  secrets: openedSecrets(box, row),
  isResend: row.is_resend,
  noticedAt: row.noticed_at,
  leasedUntil,
});

/** A secret that cannot be decrypted fails its webhook's deliveries; it must not hold up others. */
const openedSecrets = (box: SecretBox, { recipient, secrets }: ClaimedRow): readonly string[] => {
  try {
    return secrets.map((secret) => box.open(secret, webhookPlace(recipient)));
  } catch (error) {
    if (error instanceof UnreadableSecret) return [];
    throw error;
  }
};

/** Whether `due`, a pending delivery, is the oldest of its webhook and dispatch. */
const IS_OLDEST = `due.seq = (
  select earlier.seq from messages as earlier
  where earlier.channel = 'webhook' and earlier.recipient = due.recipient and earlier.subject = due.subject
    and earlier.state = 'pending' order by earlier.seq limit 1)`;
/** For `claim`: what may be sent now, but for the order within a webhook and dispatch. */
const IS_DUE = `channel = 'webhook' and state = 'pending' and next_attempt_at <= $1 and ${IS_UNHELD}
  and resend_at is null and recipient not in (select recipient from flying where in_flight >= $5)
  and recipient not in (select unnest($7::text[]))`;
const RELIABLE = "select unnest($8::text[])";
/** Of what is due longest, as many times what a claim takes are looked at before each reliable webhook is asked. */
const NEAR = 4;

export interface DeliveryQueueOptions {
  /** Whether a delivery that fails for good creates a mail to the account's contacts (G31, G40). */
  readonly mails: boolean;
  /** The same for every worker of the queue, as is the next. */
  readonly expansionLock: number;
  readonly behindLock: number;
}

export const productionQueue: DeliveryQueueOptions = {
  mails: true,
  expansionLock: advisoryLocks.expansion,
  behindLock: advisoryLocks.expansionBehind,
};
export const sandboxQueue: DeliveryQueueOptions = {
  mails: false,
  expansionLock: advisoryLocks.sandboxExpansion,
  behindLock: advisoryLocks.sandboxExpansionBehind,
};

/** @param schema where its tables are: empty, or `sandbox.` */
export const dueDeliveries = (schema: "" | "sandbox."): Readonly<Record<DeliveryWork, DueWork>> => {
  const notices = (condition: string): string =>
    `select due_at from ${schema}notices where state = 'waiting' and ${condition} order by due_at limit 1`;
  const messages = `${schema}messages`;
  return {
    notices: { name: `${schema}notices`, next: notices("not behind") },
    deliveries: {
      name: `${schema}deliveries`,
      next: `least(
        (select timestamptz 'epoch' from ${messages} where resend_at is not null and ${IS_UNLEASED} order by resend_at limit 1),
        (select next_attempt_at from ${messages} where channel = 'webhook' and state = 'pending' and not behind and ${IS_UNLEASED}
         order by next_attempt_at limit 1))`,
    },
    noticesBehind: { name: `${schema}notices behind`, next: notices("behind") },
    deliveriesBehind: {
      name: `${schema}deliveries behind`,
      next: `select timestamptz 'epoch' from ${messages} where state = 'pending' and behind order by recipient limit 1`,
    },
  };
};

export const deliveryQueue = (
  pool: pg.Pool,
  secrets: SecretBox,
  { mails, expansionLock, behindLock }: DeliveryQueueOptions,
): DeliveryQueue => ({
  async expandDue({ now, leasedUntil, limit, hung }) {
    const { rows } = await pool.query<ExpandedRow | EmptyLook>({
      name: "expand-notices",
      text: expansion(expansionLock),
      values: [now, leasedUntil, limit, hung],
    });
    const claimed = rows.filter((row): row is ExpandedRow => row.id !== null);
    if (claimed.length > 0) appended(pool, "progress");
    return { claimed: claimed.map((row) => claimedOf(secrets, row, leasedUntil)), ...countedOf(rows) };
  },
  async expandBehind({ now, hung }) {
    const { rows } = await pool.query<EmptyLook>({
      name: "expand-notices-behind",
      text: expansionBehind(behindLock),
      values: [now, now, 0, hung],
    });
    return countedOf(rows);
  },
  async claim({ perWebhook, inFlightUntil, hung, reliable, ...claim }) {
    // Looks up the earliest delivery by index for each row. With `not exists` (an earlier one), the planner, whose
    // statistics mostly show nothing pending, compared all rows with all: 36 s for 10,000. `not in` uses a hash, so
    // deliveries waiting for dead receivers are skipped at once, however many.
    const { rows } = await pool.query<ClaimedRow>({
      name: "claim-deliveries",
      text: `with resent as (
               select id from messages
               where resend_at is not null and ${IS_UNHELD}
               order by resend_at limit $3 for update skip locked
             ), flying as materialized (
               select recipient, count(*) as in_flight from messages
               where channel = 'webhook' and leased_until > $6 and state = 'pending' group by recipient
             ), near as materialized (
               select id, (recipient in (${RELIABLE})) is true and ${IS_OLDEST} as is_next
               from messages as due where ${IS_DUE} and not behind
               order by next_attempt_at limit $3 * ${NEAR}
             ), further as materialized (
               select id from unnest($8::text[]) as webhook (id_of) cross join lateral (
                 -- Not "not behind", with which an index of all that is due would be read for each of them.
                 select id, next_attempt_at from messages as due
                 where recipient = id_of and ${IS_DUE} and behind is not true and ${IS_OLDEST} offset 0) as found
               where (select count(*) from near) = $3 * ${NEAR} and (select count(*) from near where is_next) < $3
               order by next_attempt_at limit $3 * ${NEAR}
             ), reliable as (
               -- By their ids, as what is behind.
               select id, recipient, seq from messages
               where id = any(array(select id from near where is_next union all select id from further))
                 and next_attempt_at <= $1 and ${IS_UNHELD} and resend_at is null
               order by next_attempt_at limit $3 - (select count(*) from resent) for update skip locked
             ), others as (
               select id, recipient, seq from messages as due
               where ${IS_DUE} and not behind and recipient not in (${RELIABLE}) and ${IS_OLDEST}
               order by next_attempt_at limit $3 - (select count(*) from resent) - (select count(*) from reliable) for update skip locked
             ), due as (
               select * from reliable union all select * from others
             ), placed as (
               select id, coalesce(in_flight, 0) + row_number() over (partition by recipient order by seq) as place
               from due left join flying using (recipient)
             )
             update messages set leased_until = $4
             from webhooks, notices
             -- An array: see mailbox.ts.
             where messages.id = any(array(select id from resent union all select id from placed where place <= $5))
               and webhooks.id = recipient and notices.seq = notice_seq
             returning messages.id, recipient, messages.subject, messages.event, url, interface_version, failures,
               resend_at is not null as is_resend, due_at as noticed_at, ${SECRETS}`,
      values: [...claimValues(claim), perWebhook, inFlightUntil, hung, reliable],
    });
    return rows.map((row) => claimedOf(secrets, row, claim.leasedUntil));
  },
  async putBehind({ now, lapsedBefore, limit, hung }) {
    const { rowCount } = await pool.query({
      name: "put-deliveries-behind",
      text: `update messages set behind = true
             where id in (
               select id from messages
               where channel = 'webhook' and state = 'pending' and not behind and next_attempt_at <= $1
                 and ${IS_UNHELD}
                 and recipient in (select unnest($4::text[]))
               order by next_attempt_at limit $3 for update skip locked)`,
      values: [now, lapsedBefore, limit, hung],
    });
    return rowCount ?? 0;
  },
  async claimBehind({ inFlightUntil, after, ...claim }) {
    // Steps from webhook to webhook by index, and takes the oldest due delivery of each: how many wait costs nothing.
    const { rows } = await pool.query<BehindRow>({
      name: "claim-deliveries-behind",
      text: `with recursive webhook as (
               (select recipient, 1 as place from messages
                where state = 'pending' and behind and recipient > $6 order by recipient limit 1)
               union all
               select (select next.recipient from messages as next
                 where next.state = 'pending' and next.behind and next.recipient > webhook.recipient
                 order by next.recipient limit 1), place + 1
               from webhook where webhook.recipient is not null and place < $3
             ), first as materialized (
               select oldest.id from webhook cross join lateral (
                 select id from messages as due
                 where due.recipient = webhook.recipient and state = 'pending' and behind and next_attempt_at <= $1
                   and ${IS_UNHELD} and resend_at is null and ${IS_OLDEST}
                 order by due.seq limit 1) as oldest
               where not exists (
                 select from messages as flying
                 where flying.recipient = webhook.recipient and flying.state = 'pending' and flying.leased_until > $5)
             ), free as (
               select id from messages
               -- As pending ones only, but by their ids: an index of all pending ones would be read whole.
               where id = any(array(select id from first)) and next_attempt_at is not null and ${IS_UNHELD}
               for update skip locked
             ), taken as (
               update messages set leased_until = $4 where id = any(array(select id from free))
               returning id, recipient, subject, event, failures, notice_seq
             ), claimed as (
               select taken.id, recipient, taken.subject, taken.event, url, interface_version, failures,
                 false as is_resend,
                 due_at as noticed_at, ${SECRETS}
               from taken join webhooks on webhooks.id = recipient join notices on notices.seq = notice_seq
             )
             select claimed.*, reached from (select max(recipient) filter (where place = $3) as reached from webhook) as walked
             left join claimed on true`,
      values: [...claimValues(claim), inFlightUntil, after ?? ""],
    });
    const claimed = rows.filter((row): row is Extract<BehindRow, ClaimedRow> => row.id !== null);
    return {
      claimed: claimed.map((row) => claimedOf(secrets, row, claim.leasedUntil)),
      reached: rows[0]?.reached ?? null,
    };
  },
  record: messageRecorder(pool, deliveryRecords(mails)),
});

/** One that was dropped while it was sent stays dropped, unless it was delivered; a resend that failed decides nothing. */
const CHANGES = [
  `state = case when outcome = 'unchanged' or state = 'dropped' and outcome <> 'delivered' then state else outcome end,
   next_attempt_at = case when outcome = 'unchanged' or state = 'dropped' then next_attempt_at else next_at end,
   failures = failures + (outcome in ('pending', 'failed'))::int, behind = duration_ms >= ${HUNG_MS},
   resend_at = case when is_resend then null else resend_at end`,
  "(state in ('pending', 'dropped') or is_resend) and (leased_until = lease or outcome = 'delivered')",
] as const;

/** A webhook that answers in time has its next deliveries behind no longer, as many as may be in flight. */
const CAUGHT_UP = `answering as (
    select distinct recipient from locked where outcome = 'delivered' and duration_ms < ${HUNG_MS}
  ), caught_up as (
    update messages set behind = false
    where id = any(array(
      select next.id from answering cross join lateral (
        select id from messages
        where messages.recipient = answering.recipient and state = 'pending' and behind
        order by seq limit ${MAX_IN_FLIGHT_PER_WEBHOOK} for update skip locked) as next
      where next.id not in (select id from given)))
  )`;

/**
 * One that fails for good creates an email, one for all webhooks of the account, unless a participant requested the dispatch
 * itself (G31), or an email with the same or newer content was sent or is pending.
 */
const MAILED = `mailed as (
    insert into messages (${MAIL_COLUMNS})
    select distinct on (webhooks.account_id, notice_seq) ${NEW_MAIL}, webhooks.account_id, webhooks.account_id, notice_seq, recorded.subject, recorded.event, recorded_at, recorded_at
    from recorded
    join webhooks on webhooks.id = recipient
    join dispatches on dispatches.id = recorded.subject
    join programs on programs.id = program_id
    join notices on notices.seq = notice_seq
    where outcome = 'failed' and recorded.state = 'failed' and not built_in and not self_made and not exists (
      select from messages as mail where mail.subject = recorded.subject and mail.account_id = webhooks.account_id and mail.${IS_MAIL}
        and (mail.notice_seq > recorded.notice_seq or mail.modification >= notices.modification_number))
    on conflict do nothing
  )`;

const deliveryRecords = (mails: boolean): MessageRecords => ({
  name: "deliveries",
  evident: "true",
  changes: CHANGES,
  beside: mails ? `${CAUGHT_UP}, ${MAILED}` : CAUGHT_UP,
  progress: (rows, at) => progressIn(ofWebhooks(rows), { at }),
});

const countedOf = ([counted]: readonly Counted[]): Pick<Expanded, "left" | "hasMore"> => ({
  left: counted?.left_over ?? 0,
  hasMore: counted?.has_more === true,
});
