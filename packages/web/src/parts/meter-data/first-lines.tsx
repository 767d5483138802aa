import { say } from "@curtail/words/page";
import { roleOf } from "../../rules/column-role.js";
import type { ColumnReading } from "../../rules/table-reading.js";
import { ColumnHeads, type ColumnsShown, moveBetweenHeads } from "./column-heads.js";

/** The first lines of a table. Over each column it says what it is taken for; a click says what it is instead. */
export const FirstLines = (shown: ColumnsShown) => {
  const { lines, mapping } = shown;
  const width = Math.max(...lines.map((cells) => cells.length));
  return (
    <div
      className="max-h-[70dvh] overflow-auto rounded-lg ring-1 ring-line"
      role="region"
      aria-label={say("First lines of the file")}
      tabIndex={0}
    >
      <table className="w-full border-separate border-spacing-0 text-sm">
        <thead>
          <tr onKeyDown={moveBetweenHeads}>
            <th scope="col" className={`${corner} z-20 px-2 text-xs font-normal text-muted`}>
              {say("Line", {}, "of a file")}
            </th>
            <ColumnHeads {...shown} width={width} />
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

type Place = "title" | "header" | "comment" | "row";

const placeOf = (
  { skip_lines, header_lines, leave_out }: ColumnReading["mapping"],
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
  readonly mapping: ColumnReading["mapping"];
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
