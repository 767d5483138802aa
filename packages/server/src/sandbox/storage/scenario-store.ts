import { AS_ISSUED, type Dispatch } from "../../dispatch/domain/dispatch.js";
import { dropMessages } from "../../notification/storage/delivery-store.js";
import { camel } from "../../platform/database/camel.js";
import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { journal } from "../../platform/database/journal.js";
import type { JsonRow } from "../../platform/database/json-members.js";
import { matchesOne, readAll, readFirst, readPage } from "../../platform/database/read.js";
import { FORMATS, type Formatted, withoutFormat } from "../../platform/database/stored-format.js";
import { valuesOf } from "../../platform/database/values-of.js";
import type { Criterion } from "../domain/report.js";
import { dispatchIdsOf, type Scenario } from "../domain/scenario.js";
import type { NotedAct, ScenarioStore } from "../operations/scenario-service.js";
import { noticesOf, readBy } from "./scenario-notices.js";

const scenarioRow = selection("scenarios", [
  "seq",
  "id",
  "account_id",
  "scenario_type",
  "name",
  "speed",
  "created_at",
  "replaced_at",
]);
type ScenarioRow = RowOf<typeof scenarioRow> & { readonly steps: readonly StepRow[] };

interface StepRow {
  readonly position: number;
  readonly dispatch: StoredDispatch;
}

type Moment = "start" | "notification" | "createdAt" | "changedAt";

/** Its form in JSON. */
type StoredDispatch = Formatted<
  Omit<Dispatch, Moment | "end"> & Readonly<Record<Moment, string>> & { readonly end: string | null }
>;

type NotedRow = ScenarioRow & { readonly acts: readonly ActRow[] | null };

type ActRow = JsonRow<Row<"scenario_acts", "what" | "dispatch_id" | "number" | "first_at" | "last_at" | "count">>;

type StoredCriterion = Omit<Criterion, "at"> & { readonly at: string | null };

/** The bare list is the first format, written until no running process is limited to it. */
type StoredReport = readonly StoredCriterion[] | Formatted<{ readonly criteria: readonly StoredCriterion[] }>;

const columns = `${scenarioRow.columns}, (
  select json_agg(json_build_object('position', position, 'dispatch', dispatch) order by position, number)
  from scenario_steps where scenario_id = scenarios.id
) as steps`;

const fromRow = (row: ScenarioRow): Scenario => {
  const { scenarioType: type, seq: _seq, ...scenario } = scenarioRow.camel(row);
  return { ...scenario, type, dispatches: coursesIn(row.steps) };
};

const actRow = selection("scenario_acts", ["what", "dispatch_id", "number", "count"]);

const actFrom = (row: ActRow): NotedAct => ({
  ...actRow.camel(row),
  firstAt: new Date(row.first_at),
  lastAt: new Date(row.last_at),
});

const coursesIn = (steps: readonly StepRow[]): Dispatch[][] => {
  const courses: Dispatch[][] = [];
  for (const { position, dispatch } of steps) (courses[position] ??= []).push(dispatchFrom(dispatch));
  return courses;
};

const dispatchFrom = (stored: StoredDispatch): Dispatch => ({
  ...AS_ISSUED,
  ...withoutFormat(stored, FORMATS.scenarioState, "a scenario"),
  start: new Date(stored.start),
  end: stored.end === null ? null : new Date(stored.end),
  notification: new Date(stored.notification),
  createdAt: new Date(stored.createdAt),
  changedAt: new Date(stored.changedAt),
});

const criteriaIn = (report: StoredReport): readonly StoredCriterion[] =>
  isList(report) ? report : withoutFormat(report, FORMATS.scenarioCriteria, "the report of a scenario").criteria;

const criteriaFrom = (report: StoredReport): Criterion[] =>
  criteriaIn(report).map((each) => ({ ...each, at: momentOf(each) }));

const isList = (report: StoredReport): report is readonly StoredCriterion[] => Array.isArray(report);

const momentOf = ({ at }: StoredCriterion): Date | null => (at === null ? null : new Date(at));

export const scenarioStore = (db: Queryable): ScenarioStore => ({
  async insert(scenario) {
    const { id, accountId, type, name, speed, createdAt } = scenario;
    await db.query(
      `insert into scenarios (id, account_id, scenario_type, name, speed, created_at, sites)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [id, accountId, type, name, speed, createdAt, sitesIn(scenario)],
    );
    await insertSteps(db, scenario);
    await journal(db).append([{ at: createdAt, kind: "scenario.play", subject: id, accounts: [accountId] }]);
  },
  currentOf: (accountId) =>
    readFirst(db, fromRow, {
      name: "current-scenario",
      text: `select ${columns} from scenarios where account_id = $1 and replaced_at is null`,
      values: [accountId],
    }),
  currentIds: (accountIds) =>
    readAll(db, camel<Row<"scenarios", "account_id" | "id">>, {
      name: "current-scenario-ids",
      text: "select account_id, id from scenarios where account_id = any($1) and replaced_at is null",
      values: [accountIds],
    }),
  findOf: (accountId, id) =>
    readFirst(db, fromRow, {
      text: `select ${columns} from scenarios where id = $2 and account_id = $1 and deleted_at is null`,
      values: [accountId, id],
    }),
  ofAccount: (accountId) =>
    readAll(db, fromRow, {
      text: `select ${columns} from scenarios where account_id = $1 and deleted_at is null order by seq desc`,
      values: [accountId],
    }),
  find: (id) => readFirst(db, fromRow, `select ${columns} from scenarios where id = $1`, [id]),
  async lastingSince(accountId, since) {
    const { rows } = await db.query<ScenarioRow & { readonly earlier: number }>({
      name: "lasting-scenarios",
      text: `select ${columns}, (
               select count(distinct dispatch_id) from scenario_steps join scenarios as before on before.id = scenario_id
               where before.account_id = $1 and before.seq < scenarios.seq
             ) as earlier
             from scenarios where account_id = $1 and (replaced_at is null or replaced_at >= $2) order by seq`,
      values: [accountId, since],
    });
    return rows.map((row) => ({ scenario: fromRow(row), earlierDispatches: row.earlier }));
  },
  list: (accountId, page) =>
    readPage(db, page, (row: NotedRow) => ({ scenario: fromRow(row), acts: (row.acts ?? []).map(actFrom) }), {
      text: `select ${columns}, (
         select json_agg(acts order by first_at, dispatch_id, number) from scenario_acts as acts where scenario_id = id
       ) as acts
       from scenarios where account_id = $3 and ($1::bigint is null or seq < $1) order by seq desc limit $2`,
      values: [accountId],
    }),
  async end(scenario, at) {
    await db.query("update scenarios set replaced_at = $2 where id = $1", [scenario.id, at]);
    await dropMessages(db, { of: "subject", ids: dispatchIdsOf(scenario), at, reason: null });
    await journal(db).append([{ at, kind: "scenario.end", subject: scenario.id, accounts: [scenario.accountId] }]);
  },
  async markDeleted(id, at) {
    await db.query("update scenarios set deleted_at = $2 where id = $1", [id, at]);
  },
  async removeOld(accountId, kept) {
    const { rows } = await db.query<Pick<ScenarioRow, "id">>(
      `select id from (
         select id, replaced_at, row_number() over newest as nth, sum(sites) over newest as sites
         from scenarios where account_id = $1 window newest as (order by seq desc)
       ) as counted where (nth > $2 or sites > $3) and replaced_at < $4`,
      [accountId, kept.scenarios, kept.sites, kept.endedBefore],
    );
    if (rows.length > 0)
      await removeScenarios(
        db,
        rows.map(({ id }) => id),
      );
  },
  async note(scenarioId, acts, { at, keyId }) {
    await db.query({
      name: "note-acts",
      text: `with used as (
               update scenarios set key_id = $7 where id = $1 and $7::text is not null and key_id is distinct from $7
             )
             insert into scenario_acts as noted (scenario_id, what, dispatch_id, number, first_at, last_at, count)
             select $1, what, dispatch_id, number, $2, $2, count
             from unnest($3::text[], $4::text[], $5::int[], $6::bigint[]) as acts (what, dispatch_id, number, count)
             on conflict (scenario_id, what, dispatch_id, number) do update
             set last_at = excluded.last_at, count = noted.count + excluded.count`,
      values: [scenarioId, at, ...valuesOf(acts, "what", "dispatchId", "number", "count"), keyId],
    });
  },
  async noteVenActs(acts, at) {
    await db.query({
      name: "note-ven-acts",
      text: `insert into scenario_acts as noted (scenario_id, what, dispatch_id, number, first_at, last_at, count)
             select scenario_id, what, dispatch_id, acts.number, $1, $1, 1
             from (select distinct * from unnest($2::text[], $3::text[], $4::int[]) as acts (what, dispatch_id, number)) as acts
             join scenario_steps using (dispatch_id) where scenario_steps.number = 0
             order by 1, 2, 3, 4
             on conflict (scenario_id, what, dispatch_id, number) do update
             set last_at = excluded.last_at, count = noted.count + 1`,
      values: [at, ...valuesOf(acts, "what", "dispatchId", "number")],
    });
  },
  async firstReadsOf(scenarioId) {
    const { rows } = await db.query<Row<"scenario_acts", "what" | "dispatch_id" | "number" | "first_at">>(
      "select what, dispatch_id, number, first_at from scenario_acts where scenario_id = $1 and what = any($2)",
      [scenarioId, Object.keys(readBy)],
    );
    return rows.flatMap(({ what, ...row }) => {
      const by = readBy[what];
      return by === undefined ? [] : [{ ...camel(row), by }];
    });
  },
  noticesOf: (scenario) => noticesOf(db, scenario),
  async answeredOf(scenario) {
    // A success ends a delivery, so its last attempt is the one that succeeded.
    const { rows } = await db.query<Row<"message_attempts", "at"> & Row<"notices", "dispatch_id">>(
      `select subject as dispatch_id, min(succeeded.at) as at
       from messages cross join lateral (
         select at from message_attempts where message_id = messages.id order by number desc limit 1
       ) as succeeded
       where subject = any($1) and event = 'dispatch.create' and state = 'delivered' group by subject`,
      [dispatchIdsOf(scenario)],
    );
    return rows.map(camel);
  },
  saveCriteria: (scenarioId, criteria) =>
    matchesOne(db, "update scenarios set report = $2 where id = $1 and report is null", [
      scenarioId,
      JSON.stringify(criteria),
    ]),
  async finalSince(accountId, types, since) {
    const { rows } = await db.query<ScenarioRow & { readonly report: StoredReport; readonly key_id: string | null }>(
      `select ${columns}, report, key_id from scenarios
       where account_id = $1 and scenario_type = any($2) and report is not null
         and ($3::timestamptz is null or created_at >= $3)
       order by seq desc`,
      [accountId, types, since],
    );
    return rows.map(({ report, key_id: keyId, ...row }) => ({
      scenario: fromRow(row),
      criteria: criteriaFrom(report),
      keyId,
    }));
  },
  unjudgedOf: (accountId) =>
    readAll(db, fromRow, {
      text: `select ${columns} from scenarios where account_id = $1 and report is null order by seq`,
      values: [accountId],
    }),
  async criteriaOf(scenarioId) {
    const { rows } = await db.query<{ report: StoredReport | null }>("select report from scenarios where id = $1", [
      scenarioId,
    ]);
    const report = rows[0]?.report ?? null;
    return report === null ? null : criteriaFrom(report);
  },
});

const sitesIn = ({ dispatches }: Scenario): number =>
  dispatches.flat().reduce((sum, { sites }) => sum + sites.length, 0);

const BELOW_DISPATCHES = ["notices", "dispatch_sites", "dispatch_revisions"] as const;

const removeScenarios = async (db: Queryable, ids: readonly string[]): Promise<void> => {
  const { rows } = await db.query<Row<"scenario_steps", "dispatch_id">>(
    "select distinct dispatch_id from scenario_steps where scenario_id = any($1)",
    [ids],
  );
  const dispatches = rows.map(({ dispatch_id }) => dispatch_id);
  await db.query("delete from message_attempts where message_id in (select id from messages where subject = any($1))", [
    dispatches,
  ]);
  await db.query("delete from messages where subject = any($1)", [dispatches]);
  for (const table of ["scenario_acts", "scenario_steps"] as const) {
    await db.query(`delete from ${table} where scenario_id = any($1)`, [ids]);
  }
  for (const table of BELOW_DISPATCHES) {
    await db.query(`delete from ${table} where dispatch_id = any($1)`, [dispatches]);
  }
  await db.query("delete from dispatches where id = any($1)", [dispatches]);
  await db.query("delete from scenarios where id = any($1)", [ids]);
};

const insertSteps = (db: Queryable, { id, dispatches }: Scenario) => {
  const steps = dispatches.flatMap((states, position) => states.map((dispatch) => ({ position, dispatch })));
  return db.query(
    `insert into scenario_steps (scenario_id, dispatch_id, position, number, dispatch)
     select $1, dispatch ->> 'id', position, (dispatch ->> 'modificationNumber')::int, dispatch
     from unnest($2::int[], $3::jsonb[]) as steps (position, dispatch)`,
    [
      id,
      steps.map(({ position }) => position),
      steps.map(({ dispatch }) => JSON.stringify({ ...dispatch, format: FORMATS.scenarioState })),
    ],
  );
};
