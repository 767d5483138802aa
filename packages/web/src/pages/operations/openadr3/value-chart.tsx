import { say } from "@curtail/words/page";
import { BarChart } from "../../../chart/bar-chart.js";
import { NUMBER_LOCALE } from "../../../format/locale.js";
import { clock, dayAndClock } from "../../../format/time.js";
import type { PreviewedInterval } from "../../../rules/openadr3-event-draft.js";
import { usePageZone } from "../../../ui/page-zone.js";
import { Table } from "../../../ui/table.js";

/** As many digits as were given. */
const numbers = new Intl.NumberFormat(NUMBER_LOCALE, { maximumFractionDigits: 20, useGrouping: false });

export const givenNumber = (value: number): string => numbers.format(value);

/** Values of intervals as bars, and as a table. */
export const ValueChart = ({
  intervals,
  unit,
}: {
  readonly intervals: readonly PreviewedInterval[];
  readonly unit: string;
}) => {
  const zone = usePageZone();
  const name = ({ start, end }: PreviewedInterval) =>
    `${dayAndClock(start, zone)} – ${end === null ? say("until it is ended", {}, "event") : clock(end, zone)}`;
  return (
    <>
      <BarChart
        label={say("Values of the intervals")}
        unit={unit}
        heightPx={180}
        bars={intervals.map((interval) => ({
          key: interval.start.toISOString(),
          label: clock(interval.start, zone),
          name: name(interval),
          value: interval.value,
          isGap: false,
          isPartial: false,
          isMarked: false,
          words: `${name(interval)}: ${givenNumber(interval.value)} ${unit}`,
        }))}
      />
      <details className="px-4 pb-3">
        <summary className="cursor-pointer text-sm font-medium">{say("As a table")}</summary>
        <div className="max-h-80 overflow-y-auto">
          <Table
            label={say("Values of the intervals")}
            rows={intervals}
            keyOf={({ start }) => start.toISOString()}
            empty={say("No intervals.")}
            columns={[
              { head: say("Interval"), cell: name },
              { head: unit === "" ? say("Value") : unit, cell: ({ value }) => givenNumber(value), number: true },
            ]}
          />
        </div>
      </details>
    </>
  );
};
