import type { participantConsole } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { percent, power } from "../../../format/quantity.js";
import { ago, countdown, dayAndClock } from "../../../format/time.js";
import { ShareBar } from "../../../parts/share-bar.js";
import { StatusBadge } from "../../../parts/status-badge.js";
import { deliveredShare } from "../../../rules/delivered-share.js";
import { flowsOf } from "../../../rules/flow.js";
import { Badge } from "../../../ui/badge.js";
import { DayAndClock, usePageZone } from "../../../ui/page-zone.js";
import { sayParts } from "../../../ui/say-parts.js";
import { FlowPicture } from "./flow-picture.js";

type Site = participantConsole.SiteOverview;
type Call = NonNullable<Site["dispatch"]>;

/** One site: load and its age, availability, and the current dispatch. */
export const SiteNow = ({ site, now }: { readonly site: Site; readonly now: Date }) => (
  <article
    aria-label={site.name}
    className={`flex h-full flex-col overflow-hidden rounded-xl bg-surface ring-1 ${site.dispatch?.state === "in_progress" ? "ring-2 ring-accent" : "ring-line"}`}
  >
    <div className="flex-1 p-4">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <h2 className="min-w-0 text-base font-semibold break-words wall:text-2xl">
          <Link to="/dashboard/energy" search={{ site: site.id }} className="hover:underline">
            {site.name}
          </Link>
        </h2>
        <Availability site={site} />
      </div>
      <Load site={site} now={now} />
      {site.display_enabled && <Parts site={site} now={now} />}
    </div>
    {site.dispatch !== null && <Called call={site.dispatch} now={now} />}
  </article>
);

const Availability = ({ site: { available, unavailable_until } }: { readonly site: Site }) => {
  const timeZone = usePageZone();
  return available ? (
    <Badge tone="good">{say("available")}</Badge>
  ) : (
    <Badge tone="warn">
      {unavailable_until === null
        ? say("unavailable")
        : say("unavailable until {time} ({zone})", { time: dayAndClock(unavailable_until, timeZone), zone: timeZone })}
    </Badge>
  );
};

const Load = ({ site, now }: { readonly site: Site; readonly now: Date }) => {
  if (!site.display_enabled)
    return (
      <p className="mt-3 text-muted">
        {site.stale
          ? say("Data not visible yet: your operator has to enable it.")
          : say("Readings arrive, but are not visible yet: your operator has to enable it.")}
      </p>
    );
  return (
    <>
      <p className="mt-1 text-4xl font-semibold tracking-tight wall:text-6xl">{power(site.load_kw)}</p>
      <p className={`text-sm wall:text-lg ${site.stale ? "text-warn" : "text-muted"}`}>{lastReadingWords(site, now)}</p>
    </>
  );
};

const lastReadingWords = ({ last_reading_at, stale }: Site, now: Date): string => {
  if (last_reading_at === null) return say("No reading yet");
  const values = { ago: ago(last_reading_at, now) };
  return stale ? say("Last reading {ago} – some or all meters are silent", values) : say("Last reading {ago}", values);
};

/** The flows of a site with a generator or a battery; the meters of others with several. */
const Parts = ({ site, now }: { readonly site: Site; readonly now: Date }) => {
  const flows = flowsOf(site.meters, now);
  if (flows !== null) return <FlowPicture flows={flows} name={site.name} />;
  return site.meters.length > 1 && <Meters site={site} />;
};

const Meters = ({ site: { meters } }: { readonly site: Site }) => (
  <ul className="mt-2 grid gap-0.5 text-sm text-muted">
    {meters.map(({ id, name, last_reading }) => (
      <li key={id} className="flex justify-between gap-3">
        <span className="min-w-0 truncate">{name}</span>
        <span className="whitespace-nowrap">{power(last_reading?.value)}</span>
      </li>
    ))}
  </ul>
);

interface CalledProps {
  readonly call: Call;
}

const Called = ({ call, now }: CalledProps & { readonly now: Date }) => (
  <div className={`border-t border-line p-4 ${call.state === "in_progress" ? "bg-accent-soft" : "bg-sunken"}`}>
    <div className="flex flex-wrap items-baseline justify-between gap-x-3">
      <Link
        to="/dashboard/dispatches/$id"
        params={{ id: call.id }}
        className="font-medium hover:underline wall:text-xl"
      >
        {call.program.name}
      </Link>
      <span className="text-lg font-semibold whitespace-nowrap wall:text-2xl">{waiting(call, now)}</span>
    </div>
    {call.state === "in_progress" ? <Delivering call={call} /> : <Coming call={call} />}
  </div>
);

const waiting = ({ state, start_time, end_time }: Call, now: Date): string => {
  if (state === "upcoming") return say("in {time}", { time: countdown(start_time, now) });
  return end_time === null ? say("no end set") : say("{time} left", { time: countdown(end_time, now) });
};

const Coming = ({ call: { commitment_kw, start_time } }: CalledProps) => (
  <p className="text-sm wall:text-lg">
    {sayParts("Starts {time} ({zone}), commitment {power}", {
      time: <DayAndClock at={start_time} />,
      zone: usePageZone(),
      power: power(commitment_kw),
    })}
  </p>
);

const Delivering = ({ call: { delivered_kw, commitment_kw, status, status_limits } }: { readonly call: Call }) => {
  const share = deliveredShare(delivered_kw, commitment_kw);
  return (
    <>
      <p className="mt-1 flex flex-wrap items-baseline gap-x-2 text-sm wall:text-lg">
        <span>{deliveringParts(delivered_kw, commitment_kw, share)}</span>
      </p>
      {status !== null && (
        <p className="flex flex-wrap items-center gap-x-2 text-sm wall:text-lg">
          {say("Last five minutes:")} <StatusBadge status={status} />
        </p>
      )}
      <ShareBar share={share} limits={status_limits} className="mt-2 h-2" />
    </>
  );
};

const b = (inside: ReactNode) => <span className="text-2xl font-semibold wall:text-4xl">{inside}</span>;

const deliveringParts = (deliveredKw: number | null, committedKw: number | null, share: number | null): ReactNode => {
  const values = { power: power(deliveredKw), committed: power(committedKw), share: percent(share), b };
  if (committedKw === null) return sayParts("<b>{power}</b> delivered now", values);
  return share === null
    ? sayParts("<b>{power}</b> delivered now, of {committed}", values)
    : sayParts("<b>{power}</b> delivered now, {share} of {committed}", values);
};
