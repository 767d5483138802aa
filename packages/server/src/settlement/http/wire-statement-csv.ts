import { csvOf, type RowOf, type TableColumns } from "../../platform/files/table-file.js";
import { digitsOf } from "../domain/currency.js";
import type { SettledProgram, SettledSite } from "../domain/statement.js";
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
): ReadonlyArray<RowOf<typeof LINE_COLUMNS>> =>
  lines.map(({ kind, dispatchId, startMs, version, quantity, unit, price, factor, amount, words }) => ({
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
  }));

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
} as const satisfies TableColumns;

const resultRows = ({ programId, siteId, results }: SettledSite): ReadonlyArray<RowOf<typeof RESULT_COLUMNS>> =>
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
  }));

const SITE_COLUMNS = {
  program_id: "word",
  site_id: "word",
  site_name: "name",
  enrolled: "word",
  commitment_kw: "word?",
} as const satisfies TableColumns;

const siteRow = ({ programId, siteId, name, isEnrolled, commitmentKw }: SettledSite): RowOf<typeof SITE_COLUMNS> => ({
  program_id: programId,
  site_id: siteId,
  site_name: name,
  enrolled: String(isEnrolled),
  commitment_kw: plain(commitmentKw),
});

const TERMS_COLUMNS = {
  program_id: "word",
  program_name: "name",
  timezone: "word",
  from_month: "word",
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
const termsRow = ({ id, name, timezone, fromMonth, terms }: SettledProgram): RowOf<typeof TERMS_COLUMNS> => {
  const { currency, capacity, energy, penalty } = terms;
  return {
    program_id: id,
    program_name: name,
    timezone,
    from_month: fromMonth,
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

async function* termsRows({ shown }: StatementReport): AsyncGenerator<RowOf<typeof TERMS_COLUMNS>> {
  yield* shown.programs.map(termsRow);
}

/** What a statement is computed from, as tables: results and sites by program, and the terms. */
export const inputTables = {
  results: (report: StatementReport) => csvOf(RESULT_COLUMNS, rowsOf(report, resultRows)),
  sites: (report: StatementReport) =>
    csvOf(
      SITE_COLUMNS,
      rowsOf(report, (site) => [siteRow(site)]),
    ),
  terms: (report: StatementReport) => csvOf(TERMS_COLUMNS, termsRows(report)),
};
