import type { participantConsole } from "@curtail/contract";
import { getRouteApi } from "@tanstack/react-router";
import { useConsole } from "../../api/use-call.js";
import { Badge } from "../../ui/badge.js";
import { Card, PageHead } from "../../ui/card.js";
import { Answered, Empty } from "../../ui/state.js";
import { Blocks } from "./availability/blocks.js";

type Site = participantConsole.SiteOverview;

const route = getRouteApi("/dashboard/availability");

/** Availability blocks of the sites. */
export const AvailabilityPage = () => (
  <>
    <PageHead
      title="Availability"
      lead="A site is available unless you add a block. No new dispatch includes the site during a block."
    />
    <Answered of={useConsole("/overview", {})}>
      {({ sites }) =>
        sites.length === 0 ? <Empty>No sites yet. Your operator adds them.</Empty> : <Chosen sites={sites} />
      }
    </Answered>
  </>
);

const Chosen = ({ sites }: { readonly sites: readonly Site[] }) => {
  const { site: id } = route.useSearch();
  const site = id === undefined ? sites[0] : sites.find((each) => each.id === id);
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[22rem_1fr]">
      <Card title="Sites" flush>
        <SiteList sites={sites} chosen={site?.id} />
      </Card>
      {site === undefined ? (
        <Empty>Your account has no site at this address. Choose one of your sites.</Empty>
      ) : (
        <Blocks key={site.id} site={site} />
      )}
    </div>
  );
};

const SiteList = ({ sites, chosen }: { readonly sites: readonly Site[]; readonly chosen: string | undefined }) => {
  const navigate = route.useNavigate();
  return (
    <ul className="max-h-[60dvh] divide-y divide-line overflow-y-auto border-t border-line">
      {sites.map(({ id, name, available }) => (
        <li key={id}>
          <button
            type="button"
            aria-pressed={id === chosen}
            onClick={() => void navigate({ search: { site: id }, resetScroll: false })}
            className="flex w-full items-center justify-between gap-3 px-4 py-2.5 text-left hover:bg-sunken aria-pressed:bg-accent-soft aria-pressed:font-medium"
          >
            <span className="min-w-0 break-words">{name}</span>
            <Badge tone={available ? "good" : "warn"}>{available ? "available" : "unavailable"}</Badge>
          </button>
        </li>
      ))}
    </ul>
  );
};
