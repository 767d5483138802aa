import { say } from "@curtail/words/page";
import type { ReactNode } from "react";
import { change, count, plain } from "../../../format/quantity.js";
import { clock, countdown } from "../../../format/time.js";
import type { Urgency } from "../../../rules/board.js";
import { usePageZone } from "../../../ui/page-zone.js";
import { sayParts } from "../../../ui/say-parts.js";

/** A line of the table; on a phone three lines. */
export const ROW =
  "border-t border-line max-md:grid max-md:grid-cols-[1fr_auto_auto] max-md:items-center max-md:gap-x-2.5 max-md:gap-y-0.5 max-md:px-3 max-md:py-2 md:[&>*]:px-1.5 md:[&>*]:py-0.5 xl:[&>*]:px-2";
export const FIGURE = "text-[1.0625rem] tracking-tight xl:text-[1.1875rem]";
export const SMALL = "block text-xs leading-tight font-normal whitespace-nowrap text-muted max-md:hidden";

const tones: Readonly<Record<Urgency, string>> = { bad: "text-bad", warn: "text-warn", none: "text-ink" };

/** On a phone, a figure has its words beside it in place of the head of its column. */
export const Cell = ({
  words,
  span = 1,
  className,
  children,
}: {
  readonly words: string;
  readonly span?: number;
  readonly className: string;
  readonly children: ReactNode;
}) => (
  <td colSpan={span} className={`text-right whitespace-nowrap max-md:text-[0.8125rem] ${className}`}>
    {children}
    <span className="text-muted md:hidden"> {words}</span>
  </td>
);

export const Short = ({
  kw,
  urgency,
  isRamping,
}: {
  readonly kw: number | null;
  readonly urgency: Urgency;
  readonly isRamping: boolean;
}) => {
  if (kw === null) return <span className="text-muted">–</span>;
  if (kw < 0.5) return <span className="text-muted">{say("none", {}, "of kW")}</span>;
  return (
    <span
      className={`md:text-[1.0625rem] md:tracking-tight xl:text-[1.1875rem] ${isRamping ? "font-medium text-muted" : urgency === "none" ? "font-medium" : `font-bold ${tones[urgency]}`}`}
    >
      {plain(kw)}
    </span>
  );
};

export const TimeLeft = ({ end, now }: { readonly end: string | null; readonly now: Date }) => {
  const timeZone = usePageZone();
  if (end === null) return <span className="whitespace-nowrap text-muted">{say("no end set")}</span>;
  return (
    <>
      <span className={`font-medium max-md:text-[0.9375rem] ${FIGURE}`}>{countdown(end, now)}</span>
      <small className={SMALL}>{say("ends {time}", { time: clock(end, timeZone) })}</small>
    </>
  );
};

export const NotNotified = ({ number, of }: { readonly number: number | null; readonly of: number | null }) => {
  if (number === null) return <span className="text-muted">–</span>;
  const n = (
    <span className={number > 0 ? "font-bold text-bad md:text-[1.0625rem] xl:text-[1.1875rem]" : "text-muted"}>
      {count(number)}
    </span>
  );
  if (of === null) return n;
  return sayParts("{n} <small>of {all}</small>", {
    n,
    all: count(of),
    small: (inside) => <span className="text-xs text-muted">{inside}</span>,
  });
};

/** Changes of less are noise of meters. */
const STEADY_KW = 0.5;

export const Trend = ({ kw, isFalling = false }: { readonly kw: number | null; readonly isFalling?: boolean }) => {
  if (kw === null) return <span className="text-muted">–</span>;
  if (Math.abs(kw) < STEADY_KW) return <span className="text-muted">{say("steady")}</span>;
  return (
    <span className={`whitespace-nowrap ${isFalling ? "font-semibold text-warn" : ""}`}>
      <svg
        viewBox="0 0 12 12"
        aria-hidden="true"
        className="mr-0.5 inline size-3 fill-none stroke-current"
        strokeWidth="1.6"
      >
        <path d={kw > 0 ? "M2 10 10 2M4 2h6v6" : "M2 2l8 8M4 10h6V4"} />
      </svg>
      {change(kw)}
    </span>
  );
};
