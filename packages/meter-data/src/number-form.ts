import { decimalOf } from "./cells.js";
import type { Mapping } from "./mapping.js";
import { plain, words } from "./words.js";

export type NumberForm = Pick<Mapping, "decimal" | "thousands">;

const UNIT_BEHIND = /\s*[kM]?Wh?$/i;

/** Reads the cells of values: NaN where there is none, null where it is no number. */
export const numberReader = ({ decimal, thousands }: NumberForm): ((cell: string) => number | null) => {
  const general = (cell: string): number | null => {
    if (words.missing.has(plain(cell))) return Number.NaN;
    const value = decimalOf(decimalText(cell.replace(UNIT_BEHIND, ""), { decimal, thousands }));
    return Number.isNaN(value) ? null : value;
  };
  return (cell) => {
    if (cell === "") return Number.NaN;
    const value = decimal === "." ? decimalOf(cell) : Number.NaN;
    return Number.isNaN(value) ? general(cell) : value;
  };
};

/** With a point, and without signs between thousands; a text that is no number otherwise. */
const decimalText = (cell: string, { decimal, thousands }: NumberForm): string => {
  const [whole = "", ...fractions] = cell.replaceAll(/[\u00a0\u202f]/g, " ").split(decimal);
  if (fractions.length > 1) return "";
  // Before decimals, a sign of the other kind is between thousands: 1.796,000.
  const sign = thousands === "" && fractions.length === 1 ? (decimal === "," ? "." : ",") : thousands;
  const joined = sign === "" ? whole : withoutThousands(whole, sign);
  return fractions.length === 0 ? joined : `${joined}.${fractions[0]}`;
};

const withoutThousands = (whole: string, sign: string): string => {
  const [first = "", ...groups] = whole.replaceAll("’", "'").split(sign);
  if (groups.length === 0) return whole;
  return /^[+-]?\d{1,3}$/.test(first) && groups.every((group) => /^\d{3}$/.test(group)) ? first + groups.join("") : "";
};

const ANY = /^[+-]?(?:\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3})*|\d*)(?:[.,]\d*)?(?:e[+-]?\d{1,3})?(?:\s*[kM]?Wh?)?$/i;

/** Whether a cell may be a number, in any language. */
export const looksLikeNumber = (cell: string): boolean => /\d/.test(cell) && ANY.test(cell);
