import type { participantConsole } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { Link } from "@tanstack/react-router";
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
      aria-label={`Dispatch ${dispatch.program.name}`}
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
      <Dues dues={duesOf(dispatch, sites, now)} dispatch={dispatch} />
    </article>
  );
};

const badges: Readonly<Record<"good" | "warn" | "bad", readonly [Tone, string]>> = {
  good: ["good", "on commitment"],
  warn: ["warn", "below commitment"],
  bad: ["bad", "well below commitment"],
};

const DeliveryBadge = ({ dispatch }: { readonly dispatch: Dispatch }) => {
  const { share, deliveredKw } = deliveringOf(dispatch);
  if (share === null) return <Badge>{deliveredKw === null ? "not measured yet" : "no commitment"}</Badge>;
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

const DueWords = ({ due, dispatch: { id } }: { readonly due: Due; readonly dispatch: Dispatch }) => {
  switch (due.kind) {
    case "silent":
      return (
        <>
          <strong>{say("No current readings")}</strong>: {named(due.sites)}. Check the meter or its connection.
        </>
      );
    case "short":
      return (
        <>
          <strong>Shortfall of {power(due.shortfallKw)}</strong>. By site: {shortfallWords(due.sites)}.
        </>
      );
    case "short_sites":
      return (
        <>
          <strong>{say("In total you deliver what is asked.")}</strong> Below its own commitment:{" "}
          {shortfallWords(due.sites)}.
        </>
      );
    case "unreached":
      return (
        <>
          <strong>{say("Your systems have not received this.")}</strong> Curtail by hand, and see{" "}
          <Link to="/dashboard/dispatches/$id" params={{ id }} search={{ tab: "told" }} className="underline">
            {say("how you were notified")}
          </Link>
          .
        </>
      );
    case "none":
      return say("Nothing else to do: all sites report.");
  }
};

const shortfallWords = (sites: readonly Shortfall[]): string =>
  sites.map(({ name, shortfallKw }) => `${name} by ${power(shortfallKw)}`).join(", ");

const named = (names: readonly string[]): string =>
  names.length <= MOST_NAMES
    ? names.join(", ")
    : `${names.slice(0, MOST_NAMES).join(", ")} and ${names.length - MOST_NAMES} more`;
