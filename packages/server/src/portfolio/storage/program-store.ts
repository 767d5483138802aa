import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import type { Placed } from "../../platform/database/page.js";
import { readAll, readFirst, readMap, readPage } from "../../platform/database/read.js";
import { valuesOf } from "../../platform/database/values-of.js";
import { mapInTurns } from "../../platform/turns.js";
import type { Program } from "../domain/program.js";
import type { EnrolledSite, ProgramStore, SiteEnrolment } from "../operations/portfolio-stores.js";

const programRow = selection("programs", [
  "id",
  "name",
  "timezone",
  "market",
  "program_type",
  "schedule_cutoff_seconds",
  "openadr",
  "baseline",
  "holidays",
  "status_limits",
  "tests_are_events",
  "corrections_days",
  "longest_open_hours",
  "is_public",
  "is_simulated",
  "holiday_calendar",
  "created_at",
]);
type ProgramRow = Placed<RowOf<typeof programRow>>;

const enrolmentRow = selection("enrolments", ["program_id", "site_id", "commitment_kw", "baseline"]);
type EnrolmentRow = Placed<RowOf<typeof enrolmentRow>>;

type EnrolledRow = EnrolmentRow &
  Row<"sites", "dispatch_group" | "account_id"> & { readonly site_name: string; readonly account_name: string };

const enrolledFromRow = (row: EnrolledRow): EnrolledSite => ({
  enrolment: enrolmentRow.camel(row),
  siteName: row.site_name,
  dispatchGroup: row.dispatch_group,
  accountId: row.account_id,
  accountName: row.account_name,
});

type SiteEnrolmentRow = EnrolmentRow & Row<"programs", "timezone"> & { readonly program_name: string };

const siteEnrolmentFromRow = (row: SiteEnrolmentRow): SiteEnrolment => ({
  enrolment: enrolmentRow.camel(row),
  programName: row.program_name,
  timezone: row.timezone,
});

const values = (program: Program) => [
  program.id,
  program.name,
  program.timezone,
  program.market,
  program.programType,
  program.scheduleCutoffSeconds,
  jsonOrNull(program.openadr),
  jsonOrNull(program.baseline),
  JSON.stringify(program.holidays),
  jsonOrNull(program.statusLimits),
  program.testsAreEvents,
  program.correctionsDays,
  program.longestOpenHours,
  program.isPublic,
  jsonOrNull(program.holidayCalendar),
];

const jsonOrNull = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));

export const programStore = (db: Queryable): ProgramStore => ({
  async insert(program) {
    await db.query(
      `insert into programs (id, name, timezone, market, program_type, schedule_cutoff_seconds, openadr, baseline, holidays,
         status_limits, tests_are_events, corrections_days, longest_open_hours, is_public, holiday_calendar, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
      [...values(program), program.createdAt],
    );
  },
  async testProgram() {
    const { rows } = await db.query<ProgramRow>("select * from programs where built_in");
    if (rows[0] === undefined) throw new Error("the program of test dispatches is missing; was it deleted?");
    return programRow.camel(rows[0]);
  },
  find: (id) => readFirst(db, programRow.camel, "select * from programs where id = $1 and not built_in", [id]),
  lock: (id) =>
    readFirst(db, programRow.camel, "select * from programs where id = $1 and not built_in for update", [id]),
  lockAll: (ids) =>
    readAll(db, programRow.camel, {
      text: "select * from programs where id = any($1) and not built_in order by id for update",
      values: [ids],
    }),
  async save(program) {
    await db.query(
      `update programs set name = $2, timezone = $3, market = $4, program_type = $5, schedule_cutoff_seconds = $6,
       openadr = $7, baseline = $8, holidays = $9, status_limits = $10, tests_are_events = $11,
         corrections_days = $12, longest_open_hours = $13, is_public = $14, holiday_calendar = $15 where id = $1`,
      values(program),
    );
  },
  list: (page) =>
    readPage(db, page, programRow.camel, {
      text: "select * from programs where not built_in and ($1::bigint is null or seq > $1) order by seq limit $2",
    }),
  named: (names) =>
    readAll(db, programRow.camel, "select * from programs where not built_in and name = any($1) order by seq", [names]),
  names: () =>
    readAll(db, ({ name }: Pick<ProgramRow, "name">) => name, "select name from programs where not built_in"),
  async enrol(enrolments, at) {
    const rows = enrolments.map((each) => ({ ...each, baseline: jsonOrNull(each.baseline) }));
    await db.query(
      `insert into enrolments (program_id, site_id, commitment_kw, baseline, enrolled_at)
       select program_id, site_id, commitment_kw, baseline::jsonb, $5
       from unnest($1::text[], $2::text[], $3::float8[], $4::text[]) with ordinality
         as given (program_id, site_id, commitment_kw, baseline, place)
       order by place
       on conflict (program_id, site_id) do update set commitment_kw = excluded.commitment_kw, baseline = excluded.baseline`,
      [...valuesOf(rows, "programId", "siteId", "commitmentKw", "baseline"), at],
    );
  },
  withdraw: (programId, siteId) =>
    readFirst(db, enrolmentRow.camel, "delete from enrolments where program_id = $1 and site_id = $2 returning *", [
      programId,
      siteId,
    ]),
  findEnrolment: (programId, siteId) =>
    readFirst(db, enrolmentRow.camel, "select * from enrolments where program_id = $1 and site_id = $2", [
      programId,
      siteId,
    ]),
  listEnrolments: (programId, page) =>
    readPage(db, page, enrolledFromRow, {
      text: `select enrolments.*, sites.name as site_name, dispatch_group, account_id, accounts.name as account_name
       from enrolments join sites on sites.id = site_id join accounts on accounts.id = account_id
       where program_id = $3 and ($1::bigint is null or enrolments.seq > $1) order by enrolments.seq limit $2`,
      values: [programId],
    }),
  listEnrolmentsOfSite: (siteId, page) =>
    readPage(db, page, siteEnrolmentFromRow, {
      text: `select enrolments.*, programs.name as program_name, timezone
       from enrolments join programs on programs.id = program_id
       where site_id = $3 and ($1::bigint is null or enrolments.seq > $1) order by enrolments.seq limit $2`,
      values: [siteId],
    }),
  async enrolled(programId) {
    const { rows } = await db.query<EnrolmentRow>(
      `select ${enrolmentRow.columns} from enrolments where program_id = $1 order by seq`,
      [programId],
    );
    return mapInTurns(rows, enrolmentRow.camel);
  },
  enrolledOf: (programIds, siteIds) =>
    readAll(db, enrolmentRow.camel, {
      text: "select * from enrolments where program_id = any($1) and site_id = any($2) order by seq",
      values: [programIds, siteIds],
    }),
  largestCommitments: (siteIds) =>
    readMap(db, (row: Pick<EnrolmentRow, "site_id"> & { commitment_kw: number }) => [row.site_id, row.commitment_kw], {
      text: `select site_id, max(commitment_kw) as commitment_kw from enrolments
       where site_id = any($1) and commitment_kw is not null group by site_id`,
      values: [siteIds],
    }),
  async longestCutoffSeconds(siteId) {
    return (await longestCutoffs(db, [siteId])).get(siteId) ?? 0;
  },
  longestCutoffs: (siteIds) => longestCutoffs(db, siteIds),
});

const longestCutoffs = (db: Queryable, siteIds: readonly string[]): Promise<ReadonlyMap<string, number>> =>
  readMap(db, (row: Pick<EnrolmentRow, "site_id"> & { readonly seconds: number }) => [row.site_id, row.seconds], {
    text: `select site_id, max(schedule_cutoff_seconds) as seconds
     from enrolments join programs on programs.id = program_id where site_id = any($1) group by site_id`,
    values: [siteIds],
  });
