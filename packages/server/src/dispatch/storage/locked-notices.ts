/**
 * The notices that match a condition in SQL, locked in the one order in which all do: who updates several waits for nobody who
 * waits for it. Not `for update`: a mail that names a notice would wait for it.
 */
export const lockedNotices = (condition: string): string =>
  `select seq from notices where ${condition} order by seq for no key update`;
