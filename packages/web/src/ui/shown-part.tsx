import { say } from "@curtail/words/page";
import { useState } from "react";
import { count } from "../format/quantity.js";
import { Button } from "./button.js";

/** Rendering 1,000 rows takes a second, and some tables update every second. */
const ROWS_AT_ONCE = 200;

interface Part<Row> {
  readonly shown: readonly Row[];
  readonly total: number;
  /** Shows more rows; null if all are shown. */
  readonly more: (() => void) | null;
}

/** The part of a long list that is rendered. */
export const useShownPart = <Row,>(rows: readonly Row[], atOnce = ROWS_AT_ONCE): Part<Row> => {
  const [limit, setLimit] = useState(atOnce);
  const more = rows.length > limit ? () => setLimit(limit + atOnce) : null;
  return { shown: rows.slice(0, limit), total: rows.length, more };
};

/** States how much of a long list is shown, and shows more. */
export const ShowRest = ({ of: { shown, total, more } }: { readonly of: Part<unknown> }) =>
  more !== null && (
    <div className="flex flex-wrap items-center justify-center gap-3 border-t border-line p-3 text-muted">
      {say("{n} of {all} are shown.", { n: count(shown.length), all: count(total) })}
      <Button onClick={more}>{say("Show more")}</Button>
    </div>
  );
