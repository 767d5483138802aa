import type { participantConsole } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useConsole } from "../../api/use-call.js";
import { PageHead, Stack } from "../../ui/card.js";
import { Select } from "../../ui/field.js";
import { PageTimes } from "../../ui/page-zone.js";
import { Answered, Empty } from "../../ui/state.js";
import { Blocks } from "./availability/blocks.js";
import { OWN_SITES } from "./own-sites-times.js";

type Site = participantConsole.SiteOverview;

const route = getRouteApi("/dashboard/availability");

/** Availability blocks of the sites. */
export const AvailabilityPage = () => (
  <>
    <PageHead
      title={say("Availability")}
      lead={say(
        "Sites are available unless you add a block. New dispatches leave a site out during a block, or ask for no more than it says.",
      )}
    />
    <Answered of={useConsole("/overview", {})}>
      {({ sites }) =>
        sites.length === 0 ? <Empty>{say("No sites yet. Your operator adds them.")}</Empty> : <Chosen sites={sites} />
      }
    </Answered>
  </>
);

const ALL_SITES = "";

const Chosen = ({ sites }: { readonly sites: readonly Site[] }) => {
  const { site: id } = route.useSearch();
  const navigate = route.useNavigate();
  const first = sites.length === 1 ? sites[0] : undefined;
  const site = id === undefined ? (first ?? null) : (sites.find((each) => each.id === id) ?? null);
  return (
    <Stack>
      {sites.length > 1 && (
        <div className="w-full sm:w-72">
          <Select
            label={say("Site")}
            value={id ?? ALL_SITES}
            onChange={({ target: { value } }) =>
              void navigate({ search: value === ALL_SITES ? {} : { site: value }, resetScroll: false })
            }
            choices={[
              { value: ALL_SITES, label: say("All sites") },
              ...sites.map(({ id: value, name, available }) => ({
                value,
                label: available ? name : say("{site} (unavailable)", { site: name }),
              })),
            ]}
          />
        </div>
      )}
      {id !== undefined && site === null ? (
        <Empty>{say("Your account has no site at this address. Choose one of your sites.")}</Empty>
      ) : (
        <PageTimes
          isFixed
          timeZones={(site === null ? sites : [site]).map(({ timezone }) => timezone)}
          whose={site?.name ?? OWN_SITES}
        >
          <Blocks key={site?.id ?? "all"} sites={sites} site={site} />
        </PageTimes>
      )}
    </Stack>
  );
};
