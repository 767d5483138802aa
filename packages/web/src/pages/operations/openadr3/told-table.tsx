import { say } from "@curtail/words/page";
import type { ReactNode } from "react";
import { type OwnEvent, payloadName } from "../../../rules/openadr3-event-draft.js";
import { DayAndClock } from "../../../ui/page-zone.js";
import { Table } from "../../../ui/table.js";
import { givenNumber } from "./value-chart.js";

type Interval = OwnEvent["intervals"][number];

const momentOf = (at: string | null, otherwise: string): ReactNode =>
  at === null ? otherwise : <DayAndClock at={at} />;

type Value = Interval["payloads"][number]["values"][number];

const valueWords = (values: readonly Value[]): string => values.map(valueText).join(", ");

const valueText = (value: Value): string => {
  if (typeof value === "object") return `${givenNumber(value.x)} → ${givenNumber(value.y)}`;
  return typeof value === "number" ? givenNumber(value) : String(value);
};

/** The intervals of an event with texts, or with several payloads. */
export const ToldTable = ({ event }: { readonly event: OwnEvent }) => (
  <Table
    label={say("Intervals of the event")}
    rows={event.intervals.map((interval, index) => ({ interval, index }))}
    keyOf={({ index }) => index}
    empty={say("The event has no intervals: it asks for reports.")}
    columns={[
      {
        head: say("Interval"),
        cell: ({ interval: { start_time, end_time } }) => (
          <>
            {momentOf(start_time, say("unknown", {}, "time"))} –{" "}
            {momentOf(end_time, say("until it is ended", {}, "event"))}
          </>
        ),
      },
      {
        head: say("Values"),
        cell: ({ interval }) => (
          <ul>
            {interval.payloads.map(({ payload_type, values }) => (
              <li key={payload_type}>
                <span className="text-muted">{payloadName(payload_type)}</span> {valueWords(values)}
              </li>
            ))}
          </ul>
        ),
      },
    ]}
  />
);
