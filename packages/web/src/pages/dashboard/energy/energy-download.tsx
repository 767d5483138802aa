import { requestPath } from "@curtail/client";
import { say } from "@curtail/words/page";
import { useState } from "react";
import { CONSOLE } from "../../../api/call.js";
import { intervalName } from "../../../rules/energy-period.js";
import { Download } from "../../../ui/button.js";
import { Card } from "../../../ui/card.js";
import { Select } from "../../../ui/field.js";

const intervals = [30, 60, 300, 900, 3600, 86_400] as const;

/** Downloads the readings of the period. */
export const EnergyDownload = ({
  siteId,
  period,
}: {
  readonly siteId: string;
  readonly period: { readonly start_time: string; readonly end_time: string };
}) => {
  const [interval, setInterval] = useState("300");
  const href = (format: "csv" | "parquet") =>
    CONSOLE +
    requestPath("/sites/{id}/energy/download", {
      params: { id: siteId },
      query: { ...period, interval_seconds: interval, format },
    });
  return (
    <Card title={say("Download")}>
      <div className="flex flex-wrap items-end gap-3">
        <div className="w-44">
          <Select
            label={say("Average over")}
            value={interval}
            onChange={(event) => setInterval(event.target.value)}
            choices={intervals.map((seconds) => ({ value: String(seconds), label: intervalName(seconds) }))}
          />
        </div>
        <Download href={href("csv")}>CSV</Download>
        <Download href={href("parquet")}>Parquet</Download>
      </div>
      <p className="mt-1 text-sm text-muted">{say("One row per meter and interval of the period shown.")}</p>
    </Card>
  );
};
