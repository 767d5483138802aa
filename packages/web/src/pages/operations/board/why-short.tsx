import type { operator } from "@curtail/contract";
import { Link } from "@tanstack/react-router";
import { plain } from "../../../format/quantity.js";
import { firstStep, type SiteToAttend, type Step } from "../../../rules/attention.js";
import type { BoardRow } from "../../../rules/board.js";
import { useNow } from "../../../ui/use-now.js";

/** Where the kW are that a dispatch lacks. */
export const WhyShort = ({
  row: { dispatch },
  attention: { worst_sites },
}: {
  readonly row: BoardRow;
  readonly attention: operator.DispatchAttention;
}) => {
  if (worst_sites === null) return <p className="mt-1.5 text-sm text-muted">The sites are not measured yet.</p>;
  if (worst_sites.length === 0) return <p className="mt-1.5 text-sm text-muted">No site is short.</p>;
  return (
    <section aria-label="Sites with the largest shortfall">
      <h3 className="mt-1.5 mb-1 text-sm font-semibold">
        Short, largest first <span className="font-normal text-muted">kW</span>
      </h3>
      <ul>
        {worst_sites.map((site) => (
          <ShortSite key={site.site_id} site={site} dispatchId={dispatch.id} />
        ))}
      </ul>
    </section>
  );
};

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
        {delivered_kw === null && <span className="font-normal text-muted">up to </span>}
        {plain(shortfall_kw)}
      </span>
    </li>
  );
};

const stepWords: Readonly<Record<Step, string>> = {
  call_unreached: "not notified: call",
  check_readings: "readings stopped: have the meter or gateway checked",
  not_measured: "readings arrive, but cannot be judged yet",
  call_short: "notified: ask what holds it up",
};
