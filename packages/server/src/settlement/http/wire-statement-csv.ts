import { csvText } from "../../platform/files/csv-text.js";
import { formatSecond } from "../../platform/timestamp.js";
import { digitsOf } from "../domain/currency.js";
import type { SettledProgram, SettledSite } from "../domain/statement.js";
import type { StatementReport } from "../operations/view-statement.js";

type Cell = string | number | boolean | null;

/** Ids, numbers and words of ours need no quotes; null is empty. */
const row = (cells: readonly Cell[]): string => `${cells.map((cell) => cell ?? "").join(",")}\r\n`;

/** A number without an exponent, exact to the bit. */
const plain = (value: number | null): string | null => {
  if (value === null) return null;
  const text = String(value);
  const match = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  return `${sign}0.${"0".repeat(Number(exponent) - 1)}${whole}${fraction}`;
};

const moment = (ms: number | null): string | null => (ms === null ? null : formatSecond(ms));

const LINE_COLUMNS =
  "statement_id,statement_version,month,account_id,program_id,site_id,site_name,kind,dispatch_id,start_time,result_version,quantity,unit,price,factor,currency,amount,words";

/** One row per line. */
export async function* statementCsv({ statement, shown, sites }: StatementReport): AsyncGenerator<string> {
  const of = [statement.id, shown.version, statement.month, statement.accountId];
  yield `${LINE_COLUMNS}\r\n`;
  for await (const some of sites()) yield some.map((site) => linesOf(of, site)).join("");
}

const linesOf = (of: readonly Cell[], { programId, siteId, name, currency, lines }: SettledSite): string =>
  lines
    .map(({ kind, dispatchId, startMs, version, quantity, unit, price, factor, amount, words }) =>
      row([
        ...of,
        programId,
        siteId,
        csvText(name),
        kind,
        dispatchId,
        moment(startMs),
        version,
        quantity,
        unit,
        price,
        factor,
        currency,
        amount,
        csvText(words),
      ]),
    )
    .join("");

const RESULT_COLUMNS =
  "program_id,site_id,dispatch_id,version,start_time,end_time,cancelled,delivered_net_kwh,delivered_floored_kwh,delivered_capped_kwh,committed_kwh,performance,silent";

/** The results that the lines come from: one row per site and dispatch. */
async function* resultsCsv({ sites }: StatementReport): AsyncGenerator<string> {
  yield `${RESULT_COLUMNS}\r\n`;
  for await (const some of sites()) yield some.map(resultsOf).join("");
}

const resultsOf = ({ programId, siteId, results }: SettledSite): string =>
  results
    .map((result) => {
      const { netKwh, flooredKwh, cappedKwh, committedKwh, performance } = result;
      const { dispatchId, version, startMs, endMs, isCancelled, isSilent } = result;
      const numbers = [netKwh, flooredKwh, cappedKwh, committedKwh, performance].map(plain);
      const about = [programId, siteId, dispatchId, version, moment(startMs), moment(endMs), isCancelled];
      return row([...about, ...numbers, isSilent]);
    })
    .join("");

async function* sitesCsv({ sites }: StatementReport): AsyncGenerator<string> {
  yield "program_id,site_id,site_name,enrolled,commitment_kw\r\n";
  for await (const some of sites()) {
    yield some
      .map(({ programId, siteId, name, isEnrolled, commitmentKw }) =>
        row([programId, siteId, csvText(name), isEnrolled, plain(commitmentKw)]),
      )
      .join("");
  }
}

const TERMS_COLUMNS =
  "program_id,program_name,timezone,from_month,currency,minor_digits,capacity_price_per_kw,factor_lowest,factor_highest,energy_price_per_kwh,energy_counted,energy_highest_share,penalty_below,penalty_price_per_kwh,penalty_counted,penalty_highest_per_month,penalty_within_earnings";

/** The terms of each program; empty: the terms have no such part. */
async function* termsCsv({ shown }: StatementReport): AsyncGenerator<string> {
  yield `${TERMS_COLUMNS}\r\n${shown.programs.map(termsOf).join("")}`;
}

const termsOf = ({ id, name, timezone, fromMonth, terms }: SettledProgram): string => {
  const { currency, capacity, energy, penalty } = terms;
  return row([
    id,
    csvText(name),
    timezone,
    fromMonth,
    currency,
    digitsOf(currency),
    capacity?.pricePerKw ?? null,
    capacity?.factor?.lowest ?? null,
    capacity?.factor?.highest ?? null,
    energy?.pricePerKwh ?? null,
    energy?.counted ?? null,
    energy?.highestShare ?? null,
    penalty?.below ?? null,
    penalty?.pricePerKwh ?? null,
    penalty?.counted ?? null,
    penalty?.highestPerMonth ?? null,
    penalty?.withinEarnings ?? null,
  ]);
};

/** What a statement is computed from, as tables. */
export const inputTables = { results: resultsCsv, sites: sitesCsv, terms: termsCsv };
