import type { LoadSeries } from "@curtail/measure";
import { awaitTurn, takeTurn } from "../../platform/database/advisory-locks.js";
import { camel } from "../../platform/database/camel.js";
import type { Row } from "../../platform/database/columns.js";
import { appended } from "../../platform/database/commits.js";
import type { Queryable } from "../../platform/database/database.js";
import { readAll } from "../../platform/database/read.js";
import { FORMATS } from "../../platform/database/stored-format.js";
import { valuesOf } from "../../platform/database/values-of.js";
import { grouped } from "../../platform/grouped.js";
import type { FinalVersion } from "../domain/version.js";
import type { PerformanceStore } from "../operations/measurement-ports.js";
import type { SiteResult } from "../operations/site-summary.js";
import {
  decodeLoad,
  decodeResult,
  decodeSummary,
  encodeResult,
  type StoredDetail,
  type StoredLoad,
  type StoredSummary,
} from "./site-result-encoding.js";

interface LoadRow extends Row<"performance_results", "site_id"> {
  readonly detail: StoredLoad;
}

interface ResultRow {
  readonly summary: StoredSummary;
  readonly detail: StoredDetail;
}

type VersionRow = Row<
  "performance_versions",
  "dispatch_id" | "version" | "at" | "reason" | "actor" | "note" | "rules_version"
> & {
  readonly is_late: boolean;
};

const versionFrom = ({ dispatch_id: _id, ...row }: VersionRow): FinalVersion => camel(row);

/** The final versions of dispatches by their ids, oldest first; a dispatch without any is left out. */
export const versionsOf = async (
  db: Queryable,
  dispatchIds: readonly string[],
): Promise<ReadonlyMap<string, readonly FinalVersion[]>> => {
  const { rows } = await db.query<VersionRow>({
    name: "performance-versions",
    // Voiding is recorded with the dispatch: final results before it count as withdrawn.
    text: `select dispatch_id, version, at, reason, actor, note, rules_version,
             coalesce(at > ended_at + make_interval(days => corrections_days), false) as is_late
           from performance_versions join (
             select id, corrections_days, least(end_time, case when not authorized then changed_at end) as ended_at from dispatches
           ) as measured on measured.id = dispatch_id
           where dispatch_id = any($1)
           union all
           select id, 1 + coalesce((select max(version) from performance_versions where dispatch_id = dispatches.id), 0), changed_at,
             'withdrawn', null, null, coalesce((select max(rules_version) from performance_versions where dispatch_id = dispatches.id), 1), false
           from dispatches where id = any($1) and void_reason is not null
           order by version`,
    values: [dispatchIds],
  });
  const versions = grouped(rows, ({ dispatch_id }) => dispatch_id);
  return new Map([...versions].map(([id, ofDispatch]) => [id, ofDispatch.map(versionFrom)]));
};

/** A result is some ten kilobytes. */
const RESULTS_PER_STATEMENT = 200;

export const performanceStore = (db: Queryable): PerformanceStore => {
  const addResults: PerformanceStore["addResults"] = async (dispatchId, version, results) => {
    for (let from = 0; from < results.length; from += RESULTS_PER_STATEMENT) {
      await insertResults(db, { dispatchId, version }, results.slice(from, from + RESULTS_PER_STATEMENT));
    }
  };
  return {
    takeTurn: () => takeTurn(db, "finalResults"),
    awaitTurn: () => awaitTurn(db, "finalResults"),
    versions: async (dispatchId) => (await versionsOf(db, [dispatchId])).get(dispatchId) ?? [],
    async add(dispatchId, version, results) {
      await insertVersion(db, dispatchId, version);
      await addResults(dispatchId, version, results);
    },
    addResults,
    async differing(dispatchId, results) {
      const { rows } = await db.query<Row<"performance_results", "site_id">>(
        `select fresh.site_id from unnest($2::text[], $3::jsonb[], $4::jsonb[]) as fresh (site_id, summary, detail)
         left join lateral (
           select summary, detail from performance_results
           where dispatch_id = $1 and site_id = fresh.site_id order by version desc limit 1
         ) as kept on true
         where (kept.summary - 'format', kept.detail - 'format')
           is distinct from (fresh.summary - 'format', fresh.detail - 'format')`,
        [dispatchId, ...columnsOf(results)],
      );
      const differing = new Set(rows.map((row) => row.site_id));
      return results.filter(({ siteId }) => differing.has(siteId));
    },
    async newerSites(dispatchId) {
      const { rows } = await db.query<Row<"performance_results", "site_id">>(
        `select distinct site_id from performance_results
         where dispatch_id = $1 and greatest((summary ->> 'format')::int, (detail ->> 'format')::int) > $2`,
        [dispatchId, FORMATS.siteResult],
      );
      return new Set(rows.map((row) => row.site_id));
    },
    async changedSites(dispatchId, after, upTo) {
      const { rows } = await db.query<Row<"performance_results", "site_id">>(
        "select distinct site_id from performance_results where dispatch_id = $1 and version > $2 and version <= $3",
        [dispatchId, after, upTo],
      );
      return new Set(rows.map((row) => row.site_id));
    },
    summaries: (dispatchId, version, { accountId = null, siteId = null }) =>
      readAll(db, ({ summary }: Pick<ResultRow, "summary">) => decodeSummary(summary), {
        text: `select latest.summary from dispatch_sites as called
         cross join lateral (
           select summary from performance_results as kept
           where kept.dispatch_id = $1 and kept.site_id = called.site_id and version <= $2 order by version desc limit 1
         ) as latest
         where called.dispatch_id = $1
           and ($3::text is null or called.account_id = $3) and ($4::text is null or called.site_id = $4)
         order by position`,
        values: [dispatchId, version, accountId, siteId],
      }),
    async result(dispatchId, version, siteId) {
      const [result] = await resultsOf(db, { dispatchId, version }, [siteId]);
      return result ?? null;
    },
    results: (dispatchId, version, siteIds) => resultsOf(db, { dispatchId, version }, siteIds),
    async earlierLoads(dispatchId, version, siteIds) {
      const { rows } = await db.query<LoadRow>(
        `select site_id, jsonb_build_object('load', detail -> 'load', 'format', detail -> 'format') as detail
         from performance_results as kept
         where dispatch_id = $1 and site_id = any($2) and version < (
           select max(version) from performance_results as latest
           where latest.dispatch_id = $1 and latest.site_id = kept.site_id and latest.version <= $3
         )
         order by version`,
        [dispatchId, siteIds, version],
      );
      const loads = new Map<string, LoadSeries[]>();
      for (const { site_id, detail } of rows) loads.set(site_id, [...(loads.get(site_id) ?? []), decodeLoad(detail)]);
      return loads;
    },
  };
};

const resultsOf = (
  db: Queryable,
  { dispatchId, version }: { readonly dispatchId: string; readonly version: number },
  siteIds: readonly string[],
): Promise<SiteResult[]> =>
  readAll(db, ({ summary, detail }: ResultRow) => decodeResult(summary, detail), {
    text: `select latest.summary, latest.detail from unnest($2::text[]) as wanted (site_id)
     cross join lateral (
       select summary, detail from performance_results as kept
       where kept.dispatch_id = $1 and kept.site_id = wanted.site_id and version <= $3 order by version desc limit 1
     ) as latest`,
    values: [dispatchId, siteIds, version],
  });

const insertVersion = async (
  db: Queryable,
  dispatchId: string,
  { version, at, reason, actor, note, rulesVersion }: FinalVersion,
): Promise<void> => {
  await db.query(
    `with added as (
       insert into performance_versions (dispatch_id, version, at, reason, actor, note, rules_version)
       values ($1, $2, $3, $4, $5, $6, $7)
     )
     insert into journal (at, kind, subject, ref) values ($3, 'result.version', $1, $2)`,
    [dispatchId, version, at, reason, actor, note, rulesVersion],
  );
  appended(db, "result.version");
};

const insertResults = (
  db: Queryable,
  { dispatchId, version }: { readonly dispatchId: string; readonly version: FinalVersion },
  results: readonly SiteResult[],
) =>
  db.query(
    `insert into performance_results (dispatch_id, version, site_id, summary, detail)
     select $1, $5, site_id, summary, detail
     from unnest($2::text[], $3::jsonb[], $4::jsonb[]) as fresh (site_id, summary, detail)`,
    [dispatchId, ...columnsOf(results), version.version],
  );

const columnsOf = (results: readonly SiteResult[]) => {
  const encoded = results.map(encodeResult);
  return [results.map(({ siteId }) => siteId), ...valuesOf(encoded, "summary", "detail")];
};
