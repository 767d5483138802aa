import type { participantConsole } from "@curtail/contract";
import { SILENT_MINUTES } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { useConsole } from "../../api/use-call.js";
import { power } from "../../format/quantity.js";
import { shownDispatches } from "../../rules/headline.js";
import { calledFirst, sumsOf } from "../../rules/site-overview.js";
import { Figure, Figures, PageHead, Stack } from "../../ui/card.js";
import { PageTimes } from "../../ui/page-zone.js";
import { Answered, Empty } from "../../ui/state.js";
import { useNow } from "../../ui/use-now.js";
import { CurrentDispatches } from "./now/current-dispatches.js";
import { NotDisplayed } from "./now/not-displayed.js";
import { OwnSites } from "./now/own-sites.js";
import { SiteNow } from "./now/site-now.js";
import { WhatFollows } from "./now/what-follows.js";
import { OWN_SITES } from "./own-sites-times.js";

type Site = participantConsole.SiteOverview;

/** The current state of all sites, for a wall display. */
export const NowPage = () => (
  <>
    {/* On a phone, the room above the fold belongs to what is asked for. */}
    <div className="max-sm:sr-only">
      <PageHead title={say("Now")} />
    </div>
    <Answered of={useConsole("/overview", {}, { everyMs: 10_000 })}>
      {({ sites, dispatches }) =>
        sites.length === 0 ? (
          <Empty>{say("No sites yet. Your operator adds them, with their meters.")}</Empty>
        ) : (
          <PageTimes timeZones={sites.map(({ timezone }) => timezone)} whose={OWN_SITES}>
            <Sites sites={sites} dispatches={dispatches} />
          </PageTimes>
        )
      }
    </Answered>
  </>
);

const Sites = ({
  sites,
  dispatches,
}: {
  readonly sites: readonly Site[];
  readonly dispatches: readonly participantConsole.AccountDispatch[];
}) => {
  const now = useNow();
  const { running } = shownDispatches(dispatches, now);
  const called = new Set(running.flatMap((dispatch) => dispatch.sites.map(({ site_id }) => site_id)));
  return (
    <Stack>
      <CurrentDispatches overview={{ sites, dispatches }} now={now} />
      <Running dispatches={running} sites={sites} />
      <NotDisplayed sites={sites} />
      <Sums sites={sites} />
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-4 wall:grid-cols-[repeat(auto-fill,minmax(26rem,1fr))]">
        {calledFirst(sites).map((site) => (
          // On a phone, a site of a dispatch has its line above.
          <li key={site.id} className={`min-w-0 ${called.has(site.id) ? "max-sm:hidden" : ""}`}>
            <SiteNow site={site} now={now} />
          </li>
        ))}
      </ul>
    </Stack>
  );
};

/** Each site of what is in progress, and what follows. */
const Running = ({
  dispatches,
  sites,
}: {
  readonly dispatches: readonly participantConsole.AccountDispatch[];
  readonly sites: readonly Site[];
}) => {
  const [first] = dispatches;
  if (first === undefined) return null;
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      {dispatches.map((dispatch) => (
        <OwnSites key={dispatch.id} dispatch={dispatch} sites={sites} isOneOfMany={dispatches.length > 1} />
      ))}
      {dispatches.length === 1 && <WhatFollows dispatch={first} />}
    </div>
  );
};

const Sums = ({ sites }: { readonly sites: readonly Site[] }) => {
  const { loadKw, sitesWithLoad, reporting, available } = sumsOf(sites);
  return (
    <Figures>
      <Figure
        label={say("Load")}
        value={power(loadKw)}
        hint={
          sitesWithLoad === sites.length
            ? say("of {sites, plural, one {# site} other {# sites}}", { sites: sites.length })
            : say("of {n} of {sites, plural, one {# site} other {# sites}}", {
                n: sitesWithLoad,
                sites: sites.length,
              })
        }
      />
      <Figure
        label={say("Reporting")}
        value={say("{n} of {all}", { n: reporting, all: sites.length })}
        tone={reporting < sites.length ? "warn" : "ink"}
        hint={say("with readings of the last {n} minutes", { n: SILENT_MINUTES })}
      />
      <Figure
        label={say("Available")}
        value={say("{n} of {all}", { n: available, all: sites.length })}
        hint={say("can be dispatched now")}
      />
    </Figures>
  );
};
