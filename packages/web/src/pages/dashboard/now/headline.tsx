import type { participantConsole } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { power } from "../../../format/quantity.js";
import { ShareBar } from "../../../parts/share-bar.js";
import { shareTone } from "../../../rules/delivered-share.js";
import {
  type Due,
  deliveredWords,
  deliveringOf,
  duesOf,
  headlineOf,
  nextWords,
  phaseAt,
  type Shortfall,
} from "../../../rules/headline.js";
import { Badge, type Tone } from "../../../ui/badge.js";
import { usePageZone } from "../../../ui/page-zone.js";
import { sayParts } from "../../../ui/say-parts.js";
import { OwnCurve } from "./own-curve.js";

type Dispatch = participantConsole.AccountDispatch;
type Site = participantConsole.SiteOverview;

interface Shown {
  readonly dispatch: Dispatch;
  readonly sites: readonly Site[];
  readonly now: Date;
  /** One of several: smaller, so that a phone shows them all. */
  readonly isOneOfMany: boolean;
}

/** What a dispatch asks for, what is delivered, and what to do next. */
export const Headline = ({ dispatch, sites, now, isOneOfMany }: Shown) => {
  const timeZone = usePageZone();
  const phase = phaseAt(dispatch, now);
  const isRunning = phase === "in_progress";
  return (
    <article
      aria-label={say("Dispatch {program}", { program: dispatch.program.name }, "noun")}
      className={`rounded-2xl bg-surface ${isOneOfMany ? "p-3 sm:p-4" : "p-4 sm:p-5"} ${isRunning ? "ring-2 ring-accent" : "ring-1 ring-line"}`}
    >
      <div className="mb-1 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-sm text-muted">
        <span className="min-w-0 truncate">
          {dispatch.program.name} <span className="whitespace-nowrap">({timeZone})</span>
        </span>
        {isRunning && <DeliveryBadge dispatch={dispatch} />}
      </div>
      <h2
        className={`font-semibold tracking-tight text-balance ${isOneOfMany || !isRunning ? "text-xl" : "text-3xl sm:text-4xl"} wall:text-5xl`}
      >
        <Link to="/dashboard/dispatches/$id" params={{ id: dispatch.id }} className="hover:underline">
          {headlineOf(dispatch, now, timeZone)}
        </Link>
      </h2>
      {isRunning && <Delivered dispatch={dispatch} isSmall={isOneOfMany} />}
      <p className="mt-1 font-medium tabular-nums wall:text-2xl">{nextWords(dispatch, now)}</p>
      {isRunning && !isOneOfMany && <OwnCurve dispatch={dispatch} now={now} />}
      <Dues dues={duesOf(dispatch, sites, now)} dispatch={dispatch} />
    </article>
  );
};

const badges: Readonly<Record<"good" | "warn" | "bad", readonly [Tone, string]>> = {
  good: ["good", say("on commitment")],
  warn: ["warn", say("below commitment")],
  bad: ["bad", say("well below commitment")],
};

const DeliveryBadge = ({ dispatch }: { readonly dispatch: Dispatch }) => {
  const { share, deliveredKw } = deliveringOf(dispatch);
  if (share === null) return <Badge>{deliveredKw === null ? say("not measured yet") : say("no commitment")}</Badge>;
  const [tone, words] = badges[shareTone(share, dispatch.status_limits)];
  return <Badge tone={tone}>{words}</Badge>;
};

const Delivered = ({ dispatch, isSmall }: { readonly dispatch: Dispatch; readonly isSmall: boolean }) => {
  const { share } = deliveringOf(dispatch);
  return (
    <>
      <p className={`${isSmall ? "text-base" : "text-xl"} wall:text-3xl`}>{deliveredWords(dispatch)}</p>
      {share !== null && (
        <ShareBar share={share} limits={dispatch.status_limits} className={`mt-1.5 ${isSmall ? "h-2" : "h-3"}`} />
      )}
    </>
  );
};

const Dues = ({ dues, dispatch }: { readonly dues: readonly Due[]; readonly dispatch: Dispatch }) =>
  dues.length > 0 && (
    <ul aria-label={say("What to do")} className="mt-2 grid gap-1 text-sm">
      {dues.map((due) => (
        <li key={due.kind} className={`rounded-lg px-2.5 py-1.5 ${looks[due.kind]}`}>
          <DueWords due={due} dispatch={dispatch} />
        </li>
      ))}
    </ul>
  );

const looks: Readonly<Record<Due["kind"], string>> = {
  silent: "bg-warn-soft text-warn",
  short: "bg-warn-soft text-warn",
  short_sites: "bg-info-soft text-info",
  unreached: "bg-info-soft text-info",
  none: "bg-good-soft text-good",
};

const MOST_NAMES = 3;

const strong = (inside: ReactNode) => <strong>{inside}</strong>;

const DueWords = ({ due, dispatch: { id } }: { readonly due: Due; readonly dispatch: Dispatch }) => {
  switch (due.kind) {
    case "silent":
      return sayParts("<b>No current readings</b>: {sites}. Check the meter or its connection.", {
        b: strong,
        sites: named(due.sites),
      });
    case "short":
      return sayParts("<b>Shortfall of {power}</b>. By site: {sites}.", {
        b: strong,
        power: power(due.shortfallKw),
        sites: shortfallWords(due.sites),
      });
    case "short_sites":
      return sayParts("<b>In total you deliver what is asked.</b> Below its own commitment: {sites}.", {
        b: strong,
        sites: shortfallWords(due.sites),
      });
    case "unreached":
      return sayParts(
        "<b>Your systems have not received this.</b> Curtail by hand, and see <a>how you were notified</a>.",
        {
          b: strong,
          a: (inside) => (
            <Link to="/dashboard/dispatches/$id" params={{ id }} search={{ tab: "told" }} className="underline">
              {inside}
            </Link>
          ),
        },
      );
    case "none":
      return say("Nothing else to do: all sites report.");
  }
};

const shortfallWords = (sites: readonly Shortfall[]): string =>
  sites.map(({ name, shortfallKw }) => say("{site} by {power}", { site: name, power: power(shortfallKw) })).join(", ");

const named = (names: readonly string[]): string =>
  names.length <= MOST_NAMES
    ? names.join(", ")
    : say("{names} and {n} more", { names: names.slice(0, MOST_NAMES).join(", "), n: names.length - MOST_NAMES });
