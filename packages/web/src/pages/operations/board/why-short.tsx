import type { operator } from "@curtail/contract";
import { Link } from "@tanstack/react-router";
import { plain } from "../../../format/quantity.js";
import type { BoardRow } from "../../../rules/board.js";

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
        {worst_sites.map(({ site_id, site_name, account_name, shortfall_kw, delivered_kw }) => (
          <li key={site_id} className="flex items-center gap-2 border-t border-line py-0.5 text-sm">
            <Link
              to="/operations/dispatches/$id"
              params={{ id: dispatch.id }}
              search={{ site: site_id }}
              title={`${site_name}, ${account_name}`}
              className="min-w-0 flex-1 truncate hover:underline"
            >
              {site_name} <span className="text-muted">{account_name}</span>
            </Link>
            <span className="font-semibold whitespace-nowrap">
              {delivered_kw === null && <span className="font-normal text-muted">up to </span>}
              {plain(shortfall_kw)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
};
