/** The cells of a line, trimmed; null if its quotes do not match. */
export const cellsOf = (text: string, separator: string): string[] | null => {
  if (!text.includes('"')) return text.split(separator).map((cell) => cell.trim());
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    while (text[at] === " ") at += 1;
    // ="0012" keeps spreadsheets from cutting a text that looks like a number.
    if (text[at] === "=" && text[at + 1] === '"') at += 1;
    const end = text[at] === '"' ? endOfQuoted(text, at) : endOfPlain(text, at, separator);
    if (end < 0) return null;
    const cell = text.slice(at, end);
    cells.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"').trim() : cell.trim());
    at = end;
    while (text[at] === " ") at += 1;
    if (at >= text.length) return cells;
    if (!text.startsWith(separator, at)) return null;
    at += separator.length;
  }
};

const endOfPlain = (text: string, at: number, separator: string): number => {
  const found = text.indexOf(separator, at);
  const end = found < 0 ? text.length : found;
  return text.slice(at, end).includes('"') ? -1 : end;
};

const endOfQuoted = (text: string, from: number): number => {
  for (let at = from + 1; ; at += 2) {
    at = text.indexOf('"', at);
    if (at < 0) return -1;
    if (text[at + 1] !== '"') return at + 1;
  }
};

/** Each text matches in one way only: an ambiguous pattern takes the square of a cell's length. */
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$/;

/** A decimal number; NaN for anything else, also for infinity and hexadecimal digits. */
export const decimalOf = (cell: string): number => (DECIMAL.test(cell) ? Number(cell) : Number.NaN);
