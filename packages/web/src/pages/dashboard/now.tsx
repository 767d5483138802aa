import type { participantConsole } from "@curtail/contract";
import { useConsole } from "../../api/use-call.js";
import { counted, percent, power } from "../../format/quantity.js";
import { deliveredShare } from "../../rules/delivered-share.js";
import { Figure, Figures, PageHead, Stack } from "../../ui/card.js";
import { Answered, Empty } from "../../ui/state.js";
import { useNow } from "../../ui/use-now.js";
import { NotDisplayed } from "./now/not-displayed.js";
import { SiteNow } from "./now/site-now.js";

type Site = participantConsole.SiteOverview;

/** How the sites stand at this moment; made to hang on a wall. */
export const NowPage = () => (
  <>
    <PageHead title="Now" />
    <Answered of={useConsole("/overview", {}, { everyMs: 10_000 })}>
      {({ sites }) =>
        sites.length === 0 ? (
          <Empty>No sites yet. Your operator adds them, with their meters.</Empty>
        ) : (
          <Sites sites={sites} />
        )
      }
    </Answered>
  </>
);

const Sites = ({ sites }: { readonly sites: readonly Site[] }) => {
  const now = useNow();
  const hidden = sites.filter(({ display_enabled }) => !display_enabled);
  return (
    <Stack>
      {hidden.length > 0 && <NotDisplayed sites={hidden} />}
      <Sums sites={sites} />
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-4 wall:grid-cols-[repeat(auto-fill,minmax(26rem,1fr))]">
        {calledFirst(sites).map((site) => (
          <li key={site.id} className="min-w-0">
            <SiteNow site={site} now={now} />
          </li>
        ))}
      </ul>
    </Stack>
  );
};

const Sums = ({ sites }: { readonly sites: readonly Site[] }) => {
  const running = sites.flatMap(({ dispatch }) => (dispatch?.state === "in_progress" ? [dispatch] : []));
  const reporting = sites.filter(({ stale }) => !stale).length;
  const available = sites.filter((site) => site.available).length;
  const delivered = sumOf(running.map(({ delivered_kw }) => delivered_kw));
  const committed = sumOf(running.map(({ commitment_kw }) => commitment_kw));
  const loads = sites.map(({ load_kw }) => load_kw);
  return (
    <Figures>
      <Figure label="Load" value={power(sumOf(loads))} hint={loadHint(loads)} />
      {running.length > 0 && (
        <Figure
          label="Delivered now"
          value={power(delivered)}
          hint={`${percent(deliveredShare(delivered, committed))} of ${power(committed)} committed`}
        />
      )}
      <Figure
        label="Reporting"
        value={`${reporting} of ${sites.length}`}
        tone={reporting < sites.length ? "warn" : "ink"}
        hint="with readings of the last 15 minutes"
      />
      <Figure label="Available" value={`${available} of ${sites.length}`} hint="may be dispatched now" />
    </Figures>
  );
};

const loadHint = (loads: readonly (number | null)[]): string => {
  const known = loads.filter((load) => load !== null).length;
  return known === loads.length ? `of ${counted(known, "site")}` : `of ${known} of ${counted(loads.length, "site")}`;
};

/** null where nothing is known: an unknown sum is not zero. */
const sumOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
};

/** Sites that are called now stand first; the others keep their places. */
const calledFirst = (sites: readonly Site[]): Site[] => {
  const rank = ({ dispatch }: Site) => (dispatch?.state === "in_progress" ? 0 : 1);
  return [...sites].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
};
