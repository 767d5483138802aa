import { say } from "@curtail/words/page";
import { duration, period } from "../format/time.js";
import { AddressLink } from "../ui/text-link.js";
import { type Span, secondsOf } from "./curve.js";
import { gapSeconds } from "./gaps.js";
import type { TimeRange } from "./zoom.js";

const MOST_NAMED = 3;

/** Dispatches and gaps of a chart in words. */
export const Notes = ({
  spans,
  gaps,
  timeZone,
}: {
  readonly spans: readonly Span[];
  readonly gaps: readonly TimeRange[];
  readonly timeZone: string;
}) => {
  if (spans.length === 0 && gaps.length === 0) return null;
  return (
    <ul className="grid gap-0.5 px-4 pb-2 text-sm text-muted">
      {spans.map((span) => (
        <li key={`${span.start} ${span.to ?? span.label}`}>
          <span
            aria-hidden="true"
            className="mr-2 inline-block size-3 bg-[var(--chart-span)] ring-1 ring-line-strong"
          />
          {span.to === undefined ? span.label : <AddressLink to={span.to}>{span.label}</AddressLink>},{" "}
          {period(dateOf(secondsOf(span.start)), span.end === null ? null : dateOf(secondsOf(span.end)), timeZone)}
        </li>
      ))}
      {gaps.length > 0 && (
        <li>
          <span aria-hidden="true" className="chart-hatch mr-2 inline-block size-3 ring-1 ring-line-strong" />
          {gapWords(gaps, timeZone)}
        </li>
      )}
    </ul>
  );
};

const dateOf = (seconds: number): Date => new Date(seconds * 1000);

const gapWords = (gaps: readonly TimeRange[], timeZone: string): string => {
  const longest = gaps.toSorted((a, b) => b.max - b.min - (a.max - a.min)).slice(0, MOST_NAMED);
  const named = longest.map(({ min, max }) => period(dateOf(min), dateOf(max), timeZone)).join("; ");
  const total = duration(gapSeconds(gaps) * 1000);
  const values = { n: gaps.length, total, named };
  if (gaps.length === 1) return say("1 gap without readings: {named} ({total}).", values);
  return gaps.length > MOST_NAMED
    ? say("{n} gaps without readings, {total} together; the longest: {named}.", values)
    : say("{n} gaps without readings, {total} together: {named}.", values);
};
