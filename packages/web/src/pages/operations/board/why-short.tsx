import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { Link } from "@tanstack/react-router";
import { plain } from "../../../format/quantity.js";
import { firstStep, type SiteToAttend, type Step } from "../../../rules/attention.js";
import type { BoardRow } from "../../../rules/board.js";
import { type ShortCause, shortCauses, shortCauseWords } from "../../../rules/short-causes.js";
import { sayParts } from "../../../ui/say-parts.js";
import { useNow } from "../../../ui/use-now.js";

/** Why a dispatch is short: by cause, and the sites that lack most. */
export const WhyShort = ({
  row: { dispatch, shortKw },
  groups,
  worst,
}: {
  readonly row: BoardRow;
  readonly groups: readonly operator.AlarmGroup[];
  /** null: not measured yet. */
  readonly worst: readonly SiteToAttend[] | null;
}) => {
  if (shortKw === null) return <p className="mt-1.5 text-sm text-muted">{say("The sites are not measured yet.")}</p>;
  const causes = shortCauses(groups, { id: dispatch.id, shortKw, accounts: dispatch.accounts });
  if (causes.length === 0) return <p className="mt-1.5 text-sm text-muted">{say("Nothing is short.")}</p>;
  return (
    <>
      <h3 className="mt-1.5 mb-1 text-sm font-semibold">{say("Why {n} kW are short", { n: plain(shortKw) })}</h3>
      <ul>
        {causes.map((cause) => (
          <Cause key={cause.cause ?? "rest"} of={cause} shortKw={shortKw} isOnly={causes.length === 1} />
        ))}
      </ul>
      {worst !== null && worst.length > 0 && <WorstSites sites={worst} dispatchId={dispatch.id} />}
    </>
  );
};

const Cause = ({
  of,
  shortKw,
  isOnly,
}: {
  readonly of: ShortCause;
  readonly shortKw: number;
  readonly isOnly: boolean;
}) => (
  <li className="relative isolate mb-[3px] flex justify-between gap-2 px-2 py-[3px] text-sm">
    <span>{shortCauseWords(of, isOnly)}</span>
    <b className="font-semibold">{plain(of.kw)}</b>
    <span
      aria-hidden="true"
      className={`absolute inset-y-0 left-0 -z-10 rounded-[3px] ${of.cause === null ? "bg-sunken" : "bg-bad-soft"}`}
      style={{ width: `${(of.kw / shortKw) * 100}%` }}
    />
  </li>
);

const MOST_SITES = 2;

const WorstSites = ({
  sites,
  dispatchId,
}: {
  readonly sites: readonly SiteToAttend[];
  readonly dispatchId: string;
}) => (
  <section aria-label={say("Sites with the largest shortfall")}>
    <h3 className="mt-1.5 text-xs text-muted">{say("Sites that lack most, kW")}</h3>
    <ul>
      {sites.slice(0, MOST_SITES).map((site) => (
        <ShortSite key={site.site_id} site={site} dispatchId={dispatchId} />
      ))}
    </ul>
  </section>
);

const ShortSite = ({ site, dispatchId }: { readonly site: SiteToAttend; readonly dispatchId: string }) => {
  const { site_id, site_name, account_name, shortfall_kw, delivered_kw } = site;
  return (
    <li className="flex items-center gap-2 border-t border-line py-0.5 text-sm">
      <span className="min-w-0 flex-1 leading-tight">
        <Link
          to="/operations/dispatches/$id"
          params={{ id: dispatchId }}
          search={{ site: site_id }}
          title={`${site_name}, ${account_name}`}
          className="block truncate hover:underline"
        >
          {site_name} <span className="text-muted">{account_name}</span>
        </Link>
        <small className="block truncate text-xs text-muted">{stepWords[firstStep(site, useNow())]}</small>
      </span>
      <span className="font-semibold whitespace-nowrap">
        {delivered_kw === null
          ? sayParts("<small>up to </small>{power}", {
              power: plain(shortfall_kw),
              small: (inside) => <span className="font-normal text-muted">{inside}</span>,
            })
          : plain(shortfall_kw)}
      </span>
    </li>
  );
};

const stepWords: Readonly<Record<Step, string>> = {
  call_unreached: say("not notified: call"),
  check_readings: say("readings stopped: have the meter or gateway checked"),
  not_measured: say("readings arrive, but cannot be judged yet"),
  call_short: say("notified: ask what holds it up"),
};
