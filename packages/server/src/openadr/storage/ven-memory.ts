import type pg from "pg";
import { Batcher } from "../../platform/batcher.js";
import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import { appended } from "../../platform/database/commits.js";
import { inTransaction, type Queryable } from "../../platform/database/database.js";
import { journal } from "../../platform/database/journal.js";
import { progressIn } from "../../platform/database/journal-progress.js";
import { rowsOfEach } from "../../platform/database/rows-of-each.js";
import { valuesOf } from "../../platform/database/values-of.js";
import { FreshMemory } from "../../platform/fresh-memory.js";
import { ACKNOWLEDGE_MS, type Ven, type VenError, type VenEvent, type VenIdentity } from "../domain/ven.js";
import type { AnsweredEvent, Showing, Shown, TakenAnswers, VenMemory } from "../operations/ven-channel.js";
import { findIdentities } from "./ven-certificate-store.js";
import { type EventRow, venEventColumns, venEventFromRow } from "./ven-event-store.js";

/** Of what VENs know, and of who they are. */
const MOST_BYTES = 32 * 1024 * 1024;
const IDENTITY_BYTES = 4000;
const EVENT_BYTES = 500;

/** Stored state of VENs and events, read once until something changes. Concurrent writes are combined. */
export const venMemory = (pool: pg.Pool): VenMemory => {
  const identities = new FreshMemory<VenIdentity | null>({
    async load(fingerprints) {
      const found = await findIdentities(pool, fingerprints);
      return fingerprints.map((fingerprint) => found.get(fingerprint) ?? null);
    },
    bytesOf: () => IDENTITY_BYTES,
    mostBytes: MOST_BYTES,
  });
  const known = new FreshMemory<readonly VenEvent[]>({
    load: (keys) => loadKnown(pool, keys.map(askedIn)),
    bytesOf: (events) => EVENT_BYTES * (events.length + 1),
    mostBytes: MOST_BYTES,
  });
  const showings = new Batcher<Shown>({ work: (shown) => writeShown(pool, shown) });
  return {
    identityOf: (fingerprint, { access }) => identities.find(fingerprint, access),
    known: async ({ id }, dispatchIds, stamps) =>
      dispatchIds.length === 0 ? [] : known.find(keyOf(id, dispatchIds), stamps.ven_events),
    show: (shown) => showings.add(shown),
    takeAnswers: ({ ven, dispatchIds, at }, take) =>
      inTransaction(pool, async (client) => {
        const result = take(await lockAnswered(client, ven, dispatchIds));
        await writeAnswers(client, ven, result, at);
        return result;
      }),
  };
};

interface Asked {
  readonly ven: string;
  readonly dispatchIds: readonly string[];
}

const keyOf = (ven: string, dispatchIds: readonly string[]): string => [ven, ...dispatchIds].join(" ");

const askedIn = (key: string): Asked => {
  const [ven = "", ...dispatchIds] = key.split(" ");
  return { ven, dispatchIds };
};

type OwnedEventRow = EventRow & Row<"ven_events", "ven">;

const loadKnown = async (db: Queryable, asked: readonly Asked[]): Promise<readonly VenEvent[][]> => {
  const pairs = asked.flatMap(({ ven, dispatchIds }) => dispatchIds.map((id) => [ven, id]));
  const { rows } = await db.query<OwnedEventRow>({
    name: "known-ven-events",
    text: `select distinct ven_events.ven, ${venEventColumns} from ven_events
           join unnest($1::text[], $2::text[]) as asked (ven, dispatch_id) using (ven, dispatch_id)`,
    values: [pairs.map(([ven]) => ven), pairs.map(([, id]) => id)],
  });
  const vens = asked.map(({ ven }) => ven);
  return rowsOfEach(vens, rows, { keyOf: ({ ven }) => ven, fromRow: venEventFromRow });
};

/** In one statement, in the order of the keys, so that processes writing the same rows do not deadlock. */
const writeShown = async (db: Queryable, shown: readonly Shown[]): Promise<void> => {
  const rows = shown.flatMap(({ showings, ...rest }) => showings.map((showing) => ({ ...rest, ...showing })));
  const omitted = shown.flatMap(({ omitted, ...rest }) => omitted.map((showing) => ({ ...rest, ...showing })));
  await db.query({
    name: "show-ven-events",
    text: `
      with shown as (
        select * from unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::text[], $6::timestamptz[])
          as shown (ven, dispatch_id, modification_number, priority, how, at)
        order by ven, dispatch_id, modification_number
      ), told as (
        insert into ven_showings (ven, dispatch_id, modification_number, how, at, acknowledge_by)
        select ven, dispatch_id, modification_number, how, at, at + $12::int * interval '1 millisecond' from shown
        on conflict do nothing
      ), noted as (
        ${progressIn("select shown.*, account_id from shown join vens on vens.id = ven", { at: "max(at)", kind: "ven.shown" })}
      ), left_out as (
        insert into ven_omissions (ven, dispatch_id, modification_number, reply_limit, at)
        select * from unnest($7::text[], $8::text[], $9::int[], $10::bigint[], $11::timestamptz[])
        order by 1, 2, 3
        on conflict do nothing returning ven, dispatch_id, at
      ), followed as (
        ${progressIn("select left_out.*, account_id from left_out join vens on vens.id = ven", { at: "max(at)" })}
      )
      insert into ven_events as known
        (ven, dispatch_id, first_shown_at, shown_modification, modification_shown_at, priority)
      select distinct on (ven, dispatch_id) ven, dispatch_id, at, modification_number, at, priority
      from shown order by ven, dispatch_id, modification_number desc
      on conflict (ven, dispatch_id) do update
      set shown_modification = excluded.shown_modification, modification_shown_at = excluded.modification_shown_at
      where known.shown_modification < excluded.shown_modification`,
    values: [...columnsOf(rows), ...omissionColumns(omitted), ACKNOWLEDGE_MS],
  });
  appended(
    db,
    ...(rows.length > 0 ? ["ven.shown" as const] : []),
    ...(omitted.length > 0 ? ["progress" as const] : []),
  );
};

type ShownRow = Showing & Pick<Shown, "ven" | "how" | "at" | "replyLimit">;

const columnsOf = (rows: readonly ShownRow[]): unknown[] => [
  rows.map(({ ven }) => ven.id),
  ...valuesOf(rows, "dispatchId", "modificationNumber", "priority", "how", "at"),
];

const omissionColumns = (rows: readonly ShownRow[]): unknown[] => [
  rows.map(({ ven }) => ven.id),
  ...valuesOf(rows, "dispatchId", "modificationNumber", "replyLimit", "at"),
];

const answerRow = selection("ven_acknowledgements", ["modification_number", "opt", "response_code", "at"]);
type HistoryRow = RowOf<typeof answerRow> & Row<"ven_acknowledgements", "dispatch_id">;

const lockAnswered = async (
  client: pg.PoolClient,
  { id }: Ven,
  dispatchIds: readonly string[],
): Promise<AnsweredEvent[]> => {
  const { rows } = await client.query<EventRow>(
    "select * from ven_events where ven = $1 and dispatch_id = any($2) order by dispatch_id for update",
    [id, dispatchIds],
  );
  const { rows: answers } = await client.query<HistoryRow>(
    `select distinct on (dispatch_id, modification_number) * from ven_acknowledgements
     where ven = $1 and dispatch_id = any($2) order by dispatch_id, modification_number, seq desc`,
    [id, rows.map(({ dispatch_id }) => dispatch_id)],
  );
  return rows.map((row) => ({
    ...venEventFromRow(row),
    history: answers.filter(({ dispatch_id }) => dispatch_id === row.dispatch_id).map(answerRow.camel),
  }));
};

/** Per VEN and event: a VEN that responds differently to every poll must not fill the disk. */
const MAX_KEPT_ANSWERS = 1000;

const writeAnswers = async (
  client: pg.PoolClient,
  { id, accountId }: Ven,
  { acknowledged, heard, settled, errors, isAcknowledgement }: TakenAnswers,
  at: Date,
): Promise<void> => {
  await client.query(
    `update ven_events
     set acknowledged_modification = answer.modification_number, opt = answer.opt, response_code = answer.response_code,
       acknowledged_at = answer.at
     from unnest($2::text[], $3::int[], $4::text[], $5::text[], $6::timestamptz[])
       as answer (dispatch_id, modification_number, opt, response_code, at)
     where ven = $1 and ven_events.dispatch_id = answer.dispatch_id`,
    [id, ...answerColumns(acknowledged)],
  );
  await client.query(
    `insert into ven_acknowledgements (ven, dispatch_id, modification_number, opt, response_code, at)
     select $1, heard.* from unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::timestamptz[])
       as heard (dispatch_id, modification_number, opt, response_code, at)
     where $7 > (select count(*) from ven_acknowledgements as kept where ven = $1 and kept.dispatch_id = heard.dispatch_id)`,
    [id, ...answerColumns(heard), MAX_KEPT_ANSWERS],
  );
  const answered = [...new Set([...acknowledged, ...heard].map(({ dispatchId }) => dispatchId))].toSorted();
  await journal(client).append(
    answered.map((subject) => ({ at, kind: "ven.answered" as const, subject, accounts: [accountId] })),
  );
  if (errors.length > 0) await writeErrors(client, id, errors);
  if (!isAcknowledgement) return;
  await client.query(
    "update ven_errors set resolved_at = $3 where ven = $1 and dispatch_id = any($2) and resolved_at is null",
    [id, settled, at],
  );
  await client.query("update vens set last_acknowledgement_at = $2 where id = $1", [id, at]);
};

const writeErrors = (client: pg.PoolClient, ven: string, errors: readonly VenError[]) =>
  client.query(
    `with reported as (
       select distinct on (dispatch_id, modification_number, code) *
       from unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::timestamptz[])
         as reported (dispatch_id, modification_number, code, description, at)
     ), counted as (
       select *, row_number() over (partition by dispatch_id) as nth,
         (select count(*) from ven_errors where ven = $1 and ven_errors.dispatch_id = reported.dispatch_id) as kept,
         exists (select from ven_errors as same where ven = $1 and same.dispatch_id = reported.dispatch_id
           and same.modification_number = reported.modification_number and same.code = reported.code) as is_known
       from reported
     )
     insert into ven_errors as known (ven, dispatch_id, modification_number, code, description, latest_description, first_at, last_at)
     select $1, dispatch_id, modification_number, code, description, description, at, at from counted
     where is_known or kept + nth <= $7
     on conflict (ven, dispatch_id, modification_number, code) do update
     set last_at = excluded.last_at, latest_description = excluded.latest_description, count = known.count + 1, resolved_at = null`,
    [ven, ...valuesOf(errors, "dispatchId", "modificationNumber", "code", "description", "at"), MAX_KEPT_ANSWERS],
  );

const answerColumns = (answers: TakenAnswers["heard"]): unknown[] => [
  answers.map(({ dispatchId }) => dispatchId),
  answers.map(({ acknowledgement }) => acknowledgement.modificationNumber),
  answers.map(({ acknowledgement }) => acknowledgement.opt),
  answers.map(({ acknowledgement }) => acknowledgement.responseCode),
  answers.map(({ acknowledgement }) => acknowledgement.at),
];
