import { alarmKinds, alarms } from "./alarms.js";

const HEAD = ["kind", "subject", "raised when", "cleared when", "what to do"];

/** The table of all kinds in `docs/admin.md`. */
const alarmTable = (): string => {
  const rows = alarmKinds.map((kind) => {
    const { subject, raised, cleared, action } = alarms[kind];
    return [`\`${kind}\``, subject, raised, cleared, action];
  });
  const widths = HEAD.map((head, at) => Math.max(head.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  return [line(HEAD), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
};

/** A page with that table in place of the one it has. */
export const withAlarmTable = (page: string): string =>
  page.replace(/^\| kind +\| subject +\|.*(?:\n\|.*)*$/m, () => alarmTable());
