import { say } from "@curtail/words/page";
import { Button } from "../ui/button.js";
import { chartCsv } from "./csv.js";
import { type PowerChartProps, secondsOf } from "./curve.js";
import { stepSeconds } from "./reading.js";
import type { TimeRange } from "./zoom.js";

type Shown = PowerChartProps & { readonly shown: TimeRange | null };

/** Downloads what the chart shows, named by its local day. */
export const DownloadValues = (chart: Shown) => (
  <Button look="quiet" onClick={() => void download(chart)}>
    {say("Download CSV")}
  </Button>
);

export const download = async (chart: Shown): Promise<void> => {
  // Names need local days, which most charts do not.
  const { fileName } = await import("../format/file-name.js");
  const { timestamps, timeZone, shown } = chart;
  const first = secondsOf(timestamps[0] ?? 0) - stepSeconds(timestamps);
  const { min, max } = shown ?? { min: first, max: secondsOf(timestamps.at(-1) ?? 0) };
  const period = { start: new Date(min * 1000), end: new Date(max * 1000) };
  const address = URL.createObjectURL(new Blob([chartCsv(chart, shown)], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${fileName(chart.fileName ?? chart.label, period, timeZone)}.csv`;
  link.click();
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};
