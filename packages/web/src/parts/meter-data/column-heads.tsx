import { say } from "@curtail/words/page";
import type { KeyboardEvent } from "react";
import { rolesFor } from "../../rules/column-places.js";
import {
  type ColumnRole,
  dayColumns,
  menuWords,
  roleDetail,
  roleOf,
  roleWords,
  shortReason,
  whyOf,
} from "../../rules/column-role.js";
import { type ColumnReading, isOpen } from "../../rules/table-reading.js";
import { ChoiceMenu } from "../../ui/choice-menu.js";

export interface ColumnsShown extends ColumnReading {
  readonly reasons: readonly string[];
  /** How the file was read before anything was said. */
  readonly guess: { readonly mapping: ColumnReading["mapping"]; readonly reasons: readonly string[] } | null;
  readonly lines: readonly (readonly string[])[];
  readonly onSay: (column: number, role: ColumnRole) => void;
}

/** What each column is taken for, and a menu that says what it is instead; one for all columns of a day. */
export const ColumnHeads = ({ width, ...shown }: ColumnsShown & { readonly width: number }) => {
  const day = dayColumns(shown.mapping);
  return Array.from({ length: width }, (_, at) => at + 1).map((column) => {
    if (day !== null && column > day.first && column < day.first + day.count) return null;
    const isDay = column === day?.first;
    return (
      <th
        key={column}
        scope="col"
        colSpan={isDay ? day.count : 1}
        className="sticky top-0 z-10 border-b border-line bg-surface p-1 text-left align-top font-normal"
      >
        <Head {...shown} column={column} columns={isDay ? day.count : 1} />
      </th>
    );
  });
};

const head = "grid h-full min-h-14 w-full min-w-32 content-start rounded-lg px-2 py-1 text-left";

const Head = ({ column, columns, ...shown }: ColumnsShown & { readonly column: number; readonly columns: number }) => {
  const { mapping, guess, lines, onSay } = shown;
  const role = roleOf(mapping, column);
  const roles = rolesFor(shown, column);
  const name = lines[mapping.skip_lines]?.[column - 1] ?? "";
  const why = whyOf(shown, guess, column, mapping.header_lines > 0 ? name : "");
  const words = <HeadWords {...shown} column={column} columns={columns} role={role} why={why[0] ?? null} />;
  const look = role === "none" ? "bg-sunken text-muted" : "bg-accent-soft text-accent";
  if (roles.length === 0) return <div className={`${head} sticky left-12 max-w-56 ${look}`}>{words}</div>;
  return (
    <ChoiceMenu
      title={say("This column is…")}
      note={
        (why.length > 0 || roles.length === 1) && (
          <>
            {roles.length === 1 && (
              <p className="pb-1">{say("It is the only column of values: choose another one first.")}</p>
            )}
            <Why reasons={why} />
          </>
        )
      }
      items={roles.map((value) => ({ value, label: menuWords(value, mapping) }))}
      chosen={role}
      onChoose={(next) => next !== role && onSay(column, next)}
      className={`${head} ${look} hover:brightness-95 dark:hover:brightness-110`}
    >
      {words}
    </ChoiceMenu>
  );
};

const HeadWords = ({
  column,
  columns,
  role,
  why,
  ...shown
}: ColumnsShown & {
  readonly column: number;
  readonly columns: number;
  readonly role: ColumnRole;
  readonly why: string | null;
}) => (
  <>
    <span className="flex items-baseline justify-between gap-2 font-medium">
      <span>
        <span className="sr-only">{say("Column {n}:", { n: column })} </span>
        {roleWords[role]}
      </span>
      {columns === 1 && <span aria-hidden="true">▾</span>}
    </span>
    {columns > 1 && (
      <span className="text-xs">
        {say("{n, plural, one {# interval} other {# intervals}} of a day", { n: columns })}
      </span>
    )}
    <span className="text-xs empty:hidden">
      {roleDetail(shown.mapping, column, (member) => isOpen(shown, member, column))}
    </span>
    {why !== null && (
      <span className="line-clamp-2 max-w-56 text-xs text-muted" title={why}>
        {shortReason(why)}
      </span>
    )}
  </>
);

const Why = ({ reasons }: { readonly reasons: readonly string[] }) => (
  <>
    {reasons.length > 0 && <div className="font-medium">{say("Why")}</div>}
    {reasons.map((reason) => (
      <div key={reason} className="break-words">
        {reason}
      </div>
    ))}
  </>
);

/** Arrow keys lead from head to head, as Tab does. */
export const moveBetweenHeads = (event: KeyboardEvent<HTMLElement>): void => {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>("th > button")];
  const at = buttons.indexOf(event.target as HTMLElement);
  const to = at < 0 ? undefined : buttons[placeAfter(event.key, at, buttons.length)];
  if (to === undefined) return;
  event.preventDefault();
  to.focus();
};

const placeAfter = (key: string, at: number, count: number): number => {
  switch (key) {
    case "ArrowLeft":
      return at - 1;
    case "ArrowRight":
      return at + 1;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return -1;
  }
};
