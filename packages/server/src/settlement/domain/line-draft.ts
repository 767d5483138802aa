import { QUANTITY_PLACES } from "./capacity-days.js";
import { digitsOf } from "./currency.js";
import { rescale, sumOf, textOf, unitsOf, unitsOfNumber } from "./decimal.js";
import type { SettledResult, StatementLine } from "./statement.js";
import { PLACES, type Terms } from "./terms.js";

/** A line before its amount is written, in units of the currency's minor unit. */
export interface Draft extends Omit<StatementLine, "amount"> {
  readonly minor: bigint;
}

const NOTHING = {
  dispatchId: null,
  startMs: null,
  version: null,
  quantity: null,
  unit: null,
  price: null,
  factor: null,
};

/** What a line about the month begins with, and one about a dispatch. */
export const lineOfMonth = { ...NOTHING, minor: 0n };
export const lineOf = ({ dispatchId, startMs, version }: SettledResult) => ({
  ...lineOfMonth,
  dispatchId,
  startMs,
  version,
});

/** Quantity × price × factor in the currency's minor unit. */
export const priced = ({ currency }: Terms, quantity: bigint, price: string, factor = "1"): bigint =>
  rescale(
    quantity * unitsOf(price, PLACES) * unitsOf(factor, PLACES),
    QUANTITY_PLACES + 2 * PLACES,
    digitsOf(currency),
  );

export const minorOf = (drafts: readonly Draft[]): bigint => sumOf(drafts.map(({ minor }) => minor));

export const quantityText = (units: bigint): string => textOf(units, QUANTITY_PLACES);
export const energyUnits = (kwh: number): bigint => unitsOfNumber(kwh, QUANTITY_PLACES);

/** A share in percent, without trailing zeros. */
export const percent = (share: bigint): string => `${textOf(share, PLACES - 2).replace(/\.?0+$/, "")} %`;
export const shareWords = (share: string): string => `${percent(unitsOf(share, PLACES))} of the commitment`;
