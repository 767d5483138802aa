import { alarmKinds, alarms, alarmWords } from "./alarms.js";
import { channelEvidence } from "./channel-evidence.js";
import { channelNames } from "./channels.js";

type Line = readonly string[];

const table = (head: Line, rows: readonly Line[]): string => {
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: Line): string => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
};

const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

const alarmRows = alarmKinds.map((kind) => {
  const { subject, raised, cleared, action } = alarms[kind];
  return [quoted([kind]), subject, raised, cleared, action];
});

const evidenceRows = channelNames.flatMap((channel) =>
  channelEvidence(channel).map(([whats, meaning]) => [quoted([channel]), quoted(whats), meaning]),
);

/** `docs/admin.md` with the tables of alarms and of evidence in place of those it has. */
export const withTables = (page: string): string =>
  page
    .replace(/^\| kind +\| subject +\|.*(?:\n\|.*)*$/m, () =>
      table(["kind", "subject", "raised when", "cleared when", "what to do"], alarmRows),
    )
    .replace(/^\| channel +\| what +\|.*(?:\n\|.*)*$/m, () => table(["channel", "what", "meaning"], evidenceRows));

/** As said on another page than `docs/admin.md`. */
const elsewhere = (words: string): string => words.replaceAll("](#", "](admin.md#");

/** `docs/runbook.md` with when each alarm is raised and ends, in place of what its sections say of it. */
export const withConditions = (runbook: string): string =>
  runbook
    .split("\n## ")
    .map((section) => {
      const words = alarmWords(section.slice(0, section.indexOf("\n")));
      if (words === null) return section;
      return section
        .replace(/^\*\*Raised when\*\* .*$/m, () => `**Raised when** ${elsewhere(words.raised)}.`)
        .replace(/^\*\*Ends when\*\* .*$/m, () => `**Ends when** ${elsewhere(words.cleared)}.`);
    })
    .join("\n## ");
