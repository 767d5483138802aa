import { csvOf, type TableColumns, type TableRowOf } from "../../platform/files/table-file.js";
import { digitsOf } from "../domain/currency.js";
import { rulesOf, type SettledProgram, type SettledSite } from "../domain/statement.js";
import type { StatementReport } from "../operations/view-statement.js";

/** A number without an exponent, exact to the bit. */
const plain = (value: number | null): string | null => {
  if (value === null) return null;
  const text = String(value);
  const match = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  return `${sign}0.${"0".repeat(Number(exponent) - 1)}${whole}${fraction}`;
};

async function* rowsOf<Row>(
  { sites }: StatementReport,
  toRows: (site: SettledSite) => readonly Row[],
): AsyncGenerator<Row> {
  for await (const some of sites()) for (const site of some) yield* toRows(site);
}

// Decimals are text: they are exact, and SQL reads them as they are.
const LINE_COLUMNS = {
  statement_id: "word",
  statement_version: "integer",
  month: "word",
  account_id: "word",
  program_id: "word",
  site_id: "word",
  site_name: "name",
  kind: "word",
  dispatch_id: "word?",
  start_time: "time?",
  result_version: "integer?",
  quantity: "word?",
  unit: "word?",
  price: "word?",
  factor: "word?",
  currency: "word",
  amount: "word",
  words: "name",
  rules_version: "integer",
} as const satisfies TableColumns;

/** One row per line. */
export const statementCsv = (report: StatementReport): AsyncGenerator<string> =>
  csvOf(
    LINE_COLUMNS,
    rowsOf(report, (site) => lineRows(report, site)),
  );

const lineRows = (
  { statement, shown }: StatementReport,
  { programId, siteId, name, currency, lines }: SettledSite,
): ReadonlyArray<TableRowOf<typeof LINE_COLUMNS>> => {
  const rules_version = rulesOf(shown.programs.find(({ id }) => id === programId) ?? {});
  return lines.map(({ kind, dispatchId, startMs, version, quantity, unit, price, factor, amount, words }) => ({
    statement_id: statement.id,
    statement_version: shown.version,
    month: statement.month,
    account_id: statement.accountId,
    program_id: programId,
    site_id: siteId,
    site_name: name,
    kind,
    dispatch_id: dispatchId,
    start_time: startMs,
    result_version: version,
    quantity,
    unit,
    price,
    factor,
    currency,
    amount,
    words,
    rules_version,
  }));
};

const RESULT_COLUMNS = {
  program_id: "word",
  site_id: "word",
  dispatch_id: "word",
  version: "integer?",
  start_time: "time",
  end_time: "time?",
  cancelled: "word",
  delivered_net_kwh: "word?",
  delivered_floored_kwh: "word?",
  delivered_capped_kwh: "word?",
  committed_kwh: "word?",
  performance: "word?",
  silent: "word",
  missing: "word",
  unjudged: "word",
  issued_time: "time?",
  intervals: "integer?",
  counted_intervals: "integer?",
  counted_net_kwh: "word?",
  counted_floored_kwh: "word?",
  counted_capped_kwh: "word?",
} as const satisfies TableColumns;

const resultRows = ({ programId, siteId, results }: SettledSite): ReadonlyArray<TableRowOf<typeof RESULT_COLUMNS>> =>
  results.map((result) => ({
    program_id: programId,
    site_id: siteId,
    dispatch_id: result.dispatchId,
    version: result.version,
    start_time: result.startMs,
    end_time: result.endMs,
    cancelled: String(result.isCancelled),
    delivered_net_kwh: plain(result.netKwh),
    delivered_floored_kwh: plain(result.flooredKwh),
    delivered_capped_kwh: plain(result.cappedKwh),
    committed_kwh: plain(result.committedKwh),
    performance: plain(result.performance),
    silent: String(result.isSilent),
    missing: String(result.isMissing ?? false),
    unjudged: String(result.isUnjudged ?? false),
    issued_time: result.issuedMs ?? null,
    // Empty where all of it counts.
    intervals: result.counted?.expected ?? null,
    counted_intervals: result.counted?.intervals ?? null,
    counted_net_kwh: plain(result.counted?.netKwh ?? null),
    counted_floored_kwh: plain(result.counted?.flooredKwh ?? null),
    counted_capped_kwh: plain(result.counted?.cappedKwh ?? null),
  }));

const SHARED_COLUMNS = {
  program_id: "word",
  site_id: "word",
  dispatch_id: "word",
  other_dispatch_id: "word",
  other_program_name: "name",
  from_time: "time",
  to_time: "time?",
  intervals: "integer?",
  paid: "word",
} as const satisfies TableColumns;

const sharedRows = ({ programId, siteId, results }: SettledSite): ReadonlyArray<TableRowOf<typeof SHARED_COLUMNS>> =>
  results.flatMap(({ dispatchId, shared = [] }) =>
    shared.map((each) => ({
      program_id: programId,
      site_id: siteId,
      dispatch_id: dispatchId,
      other_dispatch_id: each.dispatchId,
      other_program_name: each.programName,
      from_time: each.fromMs,
      to_time: each.toMs,
      intervals: each.intervals,
      paid: each.isPaidHere ? "here" : "there",
    })),
  );

const SITE_COLUMNS = {
  program_id: "word",
  site_id: "word",
  site_name: "name",
  enrolled: "word",
  commitment_kw: "word?",
} as const satisfies TableColumns;

const siteRow = ({
  programId,
  siteId,
  name,
  isEnrolled,
  commitmentKw,
}: SettledSite): TableRowOf<typeof SITE_COLUMNS> => ({
  program_id: programId,
  site_id: siteId,
  site_name: name,
  enrolled: String(isEnrolled),
  commitment_kw: plain(commitmentKw),
});

const COMMITMENT_COLUMNS = {
  program_id: "word",
  site_id: "word",
  from_day: "word",
  days: "integer",
  enrolled: "word",
  commitment_kw: "word?",
  counted_kw: "word",
} as const satisfies TableColumns;

const commitmentRows = (site: SettledSite): ReadonlyArray<TableRowOf<typeof COMMITMENT_COLUMNS>> =>
  (site.capacity ?? []).map(({ from, days, isEnrolled, commitmentKw, countedKw }) => ({
    program_id: site.programId,
    site_id: site.siteId,
    from_day: from,
    days,
    enrolled: String(isEnrolled),
    commitment_kw: plain(commitmentKw),
    counted_kw: countedKw,
  }));

const TERMS_COLUMNS = {
  program_id: "word",
  program_name: "name",
  timezone: "word",
  from_month: "word",
  rules_version: "integer",
  currency: "word",
  minor_digits: "integer",
  capacity_price_per_kw: "word?",
  factor_lowest: "word?",
  factor_highest: "word?",
  energy_price_per_kwh: "word?",
  energy_counted: "word?",
  energy_highest_share: "word?",
  penalty_below: "word?",
  penalty_price_per_kwh: "word?",
  penalty_counted: "word?",
  penalty_highest_per_month: "word?",
  penalty_within_earnings: "word?",
} as const satisfies TableColumns;

/** Empty: the terms have no such part. */
const termsRow = (program: SettledProgram): TableRowOf<typeof TERMS_COLUMNS> => {
  const { id, name, timezone, fromMonth, terms } = program;
  const { currency, capacity, energy, penalty } = terms;
  return {
    program_id: id,
    program_name: name,
    timezone,
    from_month: fromMonth,
    rules_version: rulesOf(program),
    currency,
    minor_digits: digitsOf(currency),
    capacity_price_per_kw: capacity?.pricePerKw ?? null,
    factor_lowest: capacity?.factor?.lowest ?? null,
    factor_highest: capacity?.factor?.highest ?? null,
    energy_price_per_kwh: energy?.pricePerKwh ?? null,
    energy_counted: energy?.counted ?? null,
    energy_highest_share: energy?.highestShare ?? null,
    penalty_below: penalty?.below ?? null,
    penalty_price_per_kwh: penalty?.pricePerKwh ?? null,
    penalty_counted: penalty?.counted ?? null,
    penalty_highest_per_month: penalty?.highestPerMonth ?? null,
    penalty_within_earnings: penalty === null ? null : String(penalty.withinEarnings),
  };
};

async function* termsRows({ shown }: StatementReport): AsyncGenerator<TableRowOf<typeof TERMS_COLUMNS>> {
  yield* shown.programs.map(termsRow);
}

/** What a statement is computed from, as tables: results and sites by program, and the terms. */
export const inputTables = {
  results: (report: StatementReport) => csvOf(RESULT_COLUMNS, rowsOf(report, resultRows)),
  shared: (report: StatementReport) => csvOf(SHARED_COLUMNS, rowsOf(report, sharedRows)),
  commitments: (report: StatementReport) => csvOf(COMMITMENT_COLUMNS, rowsOf(report, commitmentRows)),
  sites: (report: StatementReport) =>
    csvOf(
      SITE_COLUMNS,
      rowsOf(report, (site) => [siteRow(site)]),
    ),
  terms: (report: StatementReport) => csvOf(TERMS_COLUMNS, termsRows(report)),
};
