import type { participantConsole } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { Link } from "@tanstack/react-router";
import { plain, power } from "../../../format/quantity.js";
import { type OwnRow, ownRows } from "../../../rules/your-sites.js";
import { Card } from "../../../ui/card.js";

/** The sites of a dispatch in a line each, furthest below their share first. */
export const OwnSites = ({
  dispatch,
  sites,
  isOneOfMany,
}: {
  readonly dispatch: participantConsole.AccountDispatch;
  readonly sites: readonly participantConsole.SiteOverview[];
  readonly isOneOfMany: boolean;
}) => (
  <Card
    title={
      isOneOfMany
        ? say("Your sites in {program}", { program: dispatch.program.name })
        : say("Your sites", {}, "in a dispatch")
    }
    flush
  >
    <p className="px-4 text-right text-xs text-muted">{say("delivered / share, kW")}</p>
    <ul className="divide-y divide-line">
      {ownRows(dispatch, sites).map((row) => (
        <li key={row.id}>
          <Link
            to="/dashboard/dispatches/$id"
            params={{ id: dispatch.id }}
            search={{ site: row.id }}
            className="grid min-h-12 grid-cols-[minmax(0,1fr)_auto_2.5rem] sm:grid-cols-[minmax(0,1fr)_auto_4.5rem] items-center gap-x-2.5 px-4 py-1 hover:bg-sunken"
          >
            <Row row={row} />
          </Link>
        </li>
      ))}
    </ul>
  </Card>
);

const Row = ({ row: { name, deliveredKw, committedKw, share, belowKw, isStale } }: { readonly row: OwnRow }) => (
  <>
    <span className="min-w-0">
      <span className="block truncate font-medium">{name}</span>
      {isStale ? (
        <span className="block text-sm text-warn">{say("no current readings")}</span>
      ) : (
        belowKw !== null &&
        belowKw > 0 && (
          <span className="block text-sm text-warn">{say("{power} below its share", { power: power(belowKw) })}</span>
        )
      )}
    </span>
    <span className="whitespace-nowrap tabular-nums">
      <b className="font-semibold">{plain(deliveredKw)}</b> <span className="text-muted">/ {plain(committedKw)}</span>
    </span>
    <Bar share={share} isShort={belowKw !== null && belowKw > 0} />
  </>
);

const Bar = ({ share, isShort }: { readonly share: number | null; readonly isShort: boolean }) => (
  <span aria-hidden="true" className={`h-2 overflow-hidden rounded-xs ${share === null ? "hatched" : "bg-sunken"}`}>
    <span
      className={`block h-full ${isShort ? "bg-warn" : "bg-muted"}`}
      style={{ width: `${Math.min(100, Math.max(0, (share ?? 0) * 100))}%` }}
    />
  </span>
);
