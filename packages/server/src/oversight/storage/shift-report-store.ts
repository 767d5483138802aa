import { awaitTurn } from "../../platform/database/advisory-locks.js";
import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import type { Placed } from "../../platform/database/page.js";
import { readAll, readFirst, readPage } from "../../platform/database/read.js";
import type { DrawnReport, ReportVersion } from "../domain/shift-report.js";
import type { KeptReport, ShiftReportStore } from "../operations/shift-ports.js";

const versionRow = selection("shift_report_versions", ["version", "at", "actor"]);

type FoundRow = Row<"shift_reports", "drawn"> & Row<"shift_report_versions", "version" | "texts">;
type NewestRow = Row<"shift_reports", "id" | "from_time" | "to_time">;
type KeptRow = Placed<NewestRow> &
  Row<"shift_reports", "kept_at" | "dispatch_count" | "open_alarm_count"> &
  Row<"shift_report_versions", "version" | "texts"> & {
    readonly kept_by: KeptReport["keptBy"];
    readonly changed_at: Date;
    readonly changed_by: KeptReport["changedBy"];
  };

const keptFrom = ({ texts, ...row }: KeptRow): KeptReport => ({
  id: row.id,
  from: row.from_time,
  to: row.to_time,
  version: row.version,
  summary: texts.summary,
  dispatches: row.dispatch_count,
  openAlarms: row.open_alarm_count,
  keptAt: row.kept_at,
  keptBy: row.kept_by,
  changedAt: row.changed_at,
  changedBy: row.changed_by,
});

/** Members that are moments, wherever they are. */
const MOMENTS: ReadonlySet<string> = new Set([
  "from",
  "to",
  "drawnAt",
  "start",
  "end",
  "since",
  "at",
  "firstAt",
  "lastAt",
]);

/** As it was drawn up, from JSON. */
const drawnFrom = (stored: unknown): DrawnReport =>
  JSON.parse(JSON.stringify(stored), (name, value: unknown) =>
    typeof value === "string" && MOMENTS.has(name) ? new Date(value) : value,
  ) as DrawnReport;

export const shiftReportStore = (db: Queryable): ShiftReportStore => ({
  takeTurn: () => awaitTurn(db, "shiftReports"),
  newest: () =>
    readFirst(db, ({ id, from_time: from, to_time: to }: NewestRow) => ({ id, from, to }), {
      name: "newest-shift-report",
      text: "select id, from_time, to_time from shift_reports order by seq desc limit 1",
    }),
  async insert(id, drawn, at) {
    await db.query(
      `insert into shift_reports (id, from_time, to_time, kept_at, drawn, dispatch_count, open_alarm_count)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [id, drawn.from, drawn.to, at, JSON.stringify(drawn), drawn.dispatches.count, drawn.alarms.open],
    );
  },
  async addVersion(id, { version, at, actor, texts }) {
    await db.query(
      "insert into shift_report_versions (report_id, version, at, actor, texts) values ($1, $2, $3, $4, $5)",
      [id, version, at, actor, JSON.stringify(texts)],
    );
  },
  async find(id, version) {
    const found = await readFirst(db, (row: FoundRow) => row, {
      name: "shift-report",
      text: `select drawn, version, texts from shift_reports join shift_report_versions on report_id = id
       where id = $1 and ($2::int is null or version = $2) order by version desc limit 1`,
      values: [id, version],
    });
    if (found === null) return null;
    const versions: ReportVersion[] = await readAll(db, (row: RowOf<typeof versionRow>) => versionRow.camel(row), {
      name: "shift-report-versions",
      text: `select ${versionRow.columns} from shift_report_versions where report_id = $1 order by version`,
      values: [id],
    });
    return { id, drawn: drawnFrom(found.drawn), version: found.version, texts: found.texts, versions };
  },
  list: (page) =>
    readPage(db, page, keptFrom, {
      text: `select shift_reports.id, seq, from_time, to_time, kept_at, dispatch_count, open_alarm_count, newest.version, newest.texts,
         first.actor as kept_by, newest.at as changed_at, newest.actor as changed_by
       from shift_reports join shift_report_versions as first on first.report_id = id and first.version = 1
       cross join lateral (
         select version, at, actor, texts from shift_report_versions where report_id = id order by version desc limit 1
       ) as newest
       where $1::bigint is null or seq < $1 order by seq desc limit $2`,
    }),
});
