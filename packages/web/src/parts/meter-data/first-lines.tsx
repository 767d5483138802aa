import type { KeyboardEvent } from "react";
import { counted } from "../../format/quantity.js";
import {
  type ColumnRole,
  dayColumns,
  menuWords,
  roleDetail,
  roleOf,
  roleWords,
  whyOf,
} from "../../rules/column-role.js";
import { isOpen, type Reading, rolesFor } from "../../rules/column-statement.js";
import { ChoiceMenu } from "../../ui/choice-menu.js";

interface Shown extends Reading {
  readonly reasons: readonly string[];
  /** How the file was read before anything was said. */
  readonly guess: { readonly mapping: Reading["mapping"]; readonly reasons: readonly string[] } | null;
  readonly lines: readonly (readonly string[])[];
  readonly onSay: (column: number, role: ColumnRole) => void;
}

/** The first lines of a table. Over each column it says what it is taken for; a click says what it is instead. */
export const FirstLines = (shown: Shown) => {
  const { lines, mapping } = shown;
  const width = Math.max(...lines.map((cells) => cells.length));
  return (
    <div
      className="max-h-[70dvh] overflow-auto rounded-lg ring-1 ring-line"
      role="region"
      aria-label="First lines of the file"
      tabIndex={0}
    >
      <table className="w-full border-separate border-spacing-0 text-sm">
        <thead>
          <tr onKeyDown={moveBetweenHeads}>
            <th scope="col" className={`${corner} z-20 px-2 text-xs font-normal text-muted`}>
              Line
            </th>
            <Heads {...shown} width={width} />
          </tr>
        </thead>
        <tbody>
          {lines.map((cells, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- a line is known by its number
            <tr key={at}>
              <th
                scope="row"
                className="sticky left-0 border-r border-line bg-surface px-2 py-1 text-right text-xs font-normal text-muted"
              >
                {at + 1}
              </th>
              <Line cells={cells} place={placeOf(mapping, cells, at)} mapping={mapping} width={width} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

const corner = "sticky top-0 left-0 border-r border-b border-line bg-surface text-right align-bottom";

const Heads = ({ width, ...shown }: Shown & { readonly width: number }) => {
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

const Head = ({ column, columns, ...shown }: Shown & { readonly column: number; readonly columns: number }) => {
  const { mapping, guess, lines, onSay } = shown;
  const role = roleOf(mapping, column);
  const roles = rolesFor(shown, column);
  const name = lines[mapping.skip_lines]?.[column - 1] ?? "";
  const why = whyOf(shown, guess, column, mapping.header_lines > 0 ? name : "");
  const words = <HeadWords {...shown} column={column} columns={columns} role={role} />;
  const look = role === "none" ? "bg-sunken text-muted" : "bg-accent-soft text-accent";
  if (roles.length === 0) return <div className={`${head} sticky left-12 max-w-56 ${look}`}>{words}</div>;
  return (
    <ChoiceMenu
      title="This column is…"
      note={
        (why.length > 0 || roles.length === 1) && (
          <>
            {roles.length === 1 && <p className="pb-1">It is the only column of values: choose another one first.</p>}
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
  ...shown
}: Shown & { readonly column: number; readonly columns: number; readonly role: ColumnRole }) => (
  <>
    <span className="flex items-baseline justify-between gap-2 font-medium">
      <span>
        <span className="sr-only">Column {column}: </span>
        {roleWords[role]}
      </span>
      {columns === 1 && <span aria-hidden="true">▾</span>}
    </span>
    {columns > 1 && <span className="text-xs">{counted(columns, "interval")} of a day</span>}
    <span className="text-xs empty:hidden">
      {roleDetail(shown.mapping, column, (member) => isOpen(shown, member, column))}
    </span>
  </>
);

const Why = ({ reasons }: { readonly reasons: readonly string[] }) => (
  <>
    {reasons.length > 0 && <div className="font-medium">Why</div>}
    {reasons.map((reason) => (
      <div key={reason} className="break-words">
        {reason}
      </div>
    ))}
  </>
);

type Place = "title" | "header" | "comment" | "row";

const placeOf = (
  { skip_lines, header_lines, leave_out }: Reading["mapping"],
  cells: readonly string[],
  at: number,
): Place => {
  if (at < skip_lines) return "title";
  if (at < skip_lines + header_lines) return "header";
  const isComment = leave_out.comments !== "" && cells[0]?.startsWith(leave_out.comments) === true;
  return isComment ? "comment" : "row";
};

const lineLooks: Readonly<Record<Place, string>> = {
  title: "bg-sunken text-muted italic",
  comment: "bg-sunken text-muted italic",
  header: "bg-sunken font-medium",
  row: "",
};

const Line = ({
  cells,
  place,
  mapping,
  width,
}: {
  readonly cells: readonly string[];
  readonly place: Place;
  readonly mapping: Reading["mapping"];
  readonly width: number;
}) => {
  const isText = place === "title" || place === "comment";
  const used = isText ? cells.findLastIndex((cell) => cell !== "") + 1 : cells.length;
  const shown = Array.from({ length: isText ? Math.max(used, 1) : width }, (_, at) => cells[at] ?? "");
  return shown.map((cell, at) => {
    const role = roleOf(mapping, at + 1);
    const isLast = at === shown.length - 1;
    const look = place === "row" && role === "none" ? "text-muted" : "";
    return (
      <td
        // oxlint-disable-next-line react/no-array-index-key -- a cell is known by its place
        key={at}
        title={cell}
        colSpan={isLast ? width - at : 1}
        className={`max-w-56 truncate border-b border-line px-3 py-1 ${lineLooks[place]} ${look} ${!isText && role === "value" ? "text-right" : ""}`}
      >
        {cell}
      </td>
    );
  });
};

/** Arrow keys lead from head to head, as Tab does. */
const moveBetweenHeads = (event: KeyboardEvent<HTMLElement>): void => {
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
