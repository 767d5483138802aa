/**
 * The additional off-peak days of NERC, which North American markets count as holidays: a date that falls on a Sunday is kept on
 * the Monday, one on a Saturday stays there.
 */
export const NERC = { code: "NERC", name: "NERC (North American electricity markets)" };

const rule = (rule: string, name: string) => ({ rule, name: { en: name }, type: "public" as const });

/** In the grammar of date-holidays. */
export const NERC_RULES = [
  rule("01-01 if sunday then next monday", "New Year's Day"),
  rule("monday before 06-01", "Memorial Day"),
  rule("07-04 if sunday then next monday", "Independence Day"),
  rule("1st monday in September", "Labor Day"),
  rule("4th thursday in November", "Thanksgiving Day"),
  rule("12-25 if sunday then next monday", "Christmas Day"),
];
