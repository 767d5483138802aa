/**
 * Spreadsheets take text with these first characters for a formula, even in quotes; full-width forms count in some
 * languages.
 */
const FORMULA = /^\s*[=+\-@＝＋－＠\t\r]/u;

/** Text that people wrote, in quotes, and never a formula. */
export const csvText = (text: string): string => `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
