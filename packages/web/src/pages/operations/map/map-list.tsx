import { say } from "@curtail/words/page";
import { plain } from "../../../format/quantity.js";
import { lackOf, type SitePoint } from "../../../rules/site-map.js";
import { type Column, Table } from "../../../ui/table.js";
import { State } from "../dispatch/site-table.js";

/** The sites of the map for the keyboard and screen readers, the largest shortfall first. */
export const MapList = ({
  rows,
  accounts,
  chosen,
  onOpen,
}: {
  readonly rows: readonly SitePoint[];
  readonly accounts: ReadonlyMap<string, string>;
  readonly chosen: string | null;
  readonly onOpen: (siteId: string) => void;
}) => (
  <Table<SitePoint>
    label={say("Sites on the map")}
    rows={rows}
    keyOf={({ site }) => site.id}
    empty={say("No matching sites. Change the search.")}
    isCompact
    isFixed
    columns={[
      { head: say("Site"), cell: ({ site }) => <Name of={site} chosen={chosen} onOpen={onOpen} /> },
      { head: say("Account"), cell: ({ site }) => <Account name={accounts.get(site.account_id) ?? ""} />, wide: true },
      { head: say("State"), cell: ({ mark }) => (mark === null ? "–" : <State of={mark} />) },
      short,
    ]}
  />
);

const short: Column<SitePoint> = {
  head: say("Short, kW"),
  number: true,
  cell: (point) => {
    const kw = lackOf(point);
    if (kw === 0) return <span className="text-muted">{point.mark === null ? "–" : "0"}</span>;
    const isMost = point.mark?.deliveredKw === null;
    return <b className="font-semibold">{isMost ? say("up to {kw}", { kw: plain(kw) }) : plain(kw)}</b>;
  },
};

const Account = ({ name }: { readonly name: string }) => (
  <span className="block max-w-40 truncate" title={name}>
    {name}
  </span>
);

const Name = ({
  of: { id, name },
  chosen,
  onOpen,
}: {
  readonly of: SitePoint["site"];
  readonly chosen: string | null;
  readonly onOpen: (siteId: string) => void;
}) => (
  <button
    type="button"
    aria-pressed={id === chosen}
    onClick={() => onOpen(id)}
    title={name}
    className="block min-h-6 max-w-[9rem] truncate text-left font-medium text-ink hover:underline aria-pressed:underline aria-pressed:decoration-2 aria-pressed:underline-offset-4 md:max-w-56"
  >
    {name}
  </button>
);
