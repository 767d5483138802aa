import { requestPath } from "@curtail/client";
import { say } from "@curtail/words/page";
import { useState } from "react";
import { intervalName } from "../rules/energy-period.js";
import { Download } from "../ui/button.js";
import { Card } from "../ui/card.js";
import { Select } from "../ui/field.js";

const intervals = [30, 300, 900, 1800, 3600] as const;

/** Downloads the intervals of all sites of a dispatch. */
export const TableDownload = ({
  base,
  dispatchId,
  version,
  hasSites = false,
}: {
  /** Address of the interface that the file comes from. */
  readonly base: string;
  readonly dispatchId: string;
  /** A version of the final result; undefined: the one that applies, or live. */
  readonly version: number | undefined;
  /** Whether the interface also has the result of each site as a file. */
  readonly hasSites?: boolean;
}) => {
  const [interval, setInterval] = useState("300");
  const href = (format: "csv" | "parquet") =>
    base +
    requestPath("/dispatches/{id}/performance/table", {
      params: { id: dispatchId },
      query: { interval_seconds: interval, format, version },
    });
  const sitesHref = (format: "csv" | "parquet") =>
    base +
    requestPath("/dispatches/{id}/performance/download", { params: { id: dispatchId }, query: { format, version } });
  return (
    <Card title={say("Download")}>
      <div className="flex flex-wrap items-end gap-3">
        <div className="w-44">
          <Select
            label={say("Intervals of")}
            value={interval}
            onChange={({ target }) => setInterval(target.value)}
            choices={intervals.map((seconds) => ({ value: String(seconds), label: intervalName(seconds) }))}
          />
        </div>
        <Download href={href("csv")}>CSV</Download>
        <Download href={href("parquet")}>Parquet</Download>
        {hasSites && (
          <>
            <Download href={sitesHref("csv")}>{say("Sites as CSV")}</Download>
            <Download href={sitesHref("parquet")}>{say("Sites as Parquet")}</Download>
          </>
        )}
      </div>
      <p className="mt-1 text-sm text-muted">
        {say(
          "One row per site and interval from the start to the end: load, baseline, target and reduction, and whether the readings were late, corrected or missing.",
        )}
        {hasSites && ` ${say("Sites: one row per site, with its result.")}`}
      </p>
    </Card>
  );
};
