import type { participantConsole } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { power } from "../../../format/quantity.js";
import { shownDispatches } from "../../../rules/headline.js";
import { sumsOf } from "../../../rules/site-overview.js";
import { TextLink } from "../../../ui/text-link.js";
import { Headline } from "./headline.js";

type Overview = Pick<
  {
    readonly dispatches: readonly participantConsole.AccountDispatch[];
    readonly sites: readonly participantConsole.SiteOverview[];
  },
  "dispatches" | "sites"
>;

/** Upcoming dispatches that are shown with what to do; the list of dispatches has all. */
const MOST_UPCOMING = 3;

/** The current and the next dispatch: the first thing that a participant needs to see. */
export const CurrentDispatches = ({
  overview: { dispatches, sites },
  now,
}: {
  readonly overview: Overview;
  readonly now: Date;
}) => {
  const { running, upcoming, cancelled } = shownDispatches(dispatches, now);
  const shown = [...running, ...upcoming.slice(0, MOST_UPCOMING), ...cancelled];
  const hidden = upcoming.length - MOST_UPCOMING;
  return (
    <div className="grid gap-3">
      {running.length === 0 && <NoDispatch hasNext={upcoming.length > 0} sites={sites} />}
      {shown.length > 0 && (
        <ul className={`grid gap-3 ${shown.length > 1 ? "xl:grid-cols-2" : ""}`}>
          {shown.map((dispatch) => (
            <li key={dispatch.id} className="min-w-0">
              <Headline
                dispatch={dispatch}
                sites={sites}
                now={now}
                isOneOfMany={running.length !== 1 || shown.length > 2}
              />
            </li>
          ))}
        </ul>
      )}
      {hidden > 0 && (
        <p>
          <TextLink to="/dashboard/dispatches">{say("{n} more upcoming", { n: hidden })}</TextLink>
        </p>
      )}
    </div>
  );
};

const NoDispatch = ({
  hasNext,
  sites,
}: {
  readonly hasNext: boolean;
  readonly sites: readonly participantConsole.SiteOverview[];
}) => {
  const { loadKw } = sumsOf(sites);
  return (
    <p className="text-xl font-semibold tracking-tight sm:text-2xl wall:text-4xl">
      {hasNext ? say("No dispatch now. Next:") : say("No dispatch now. None is announced.")}{" "}
      <span className="font-normal text-muted">
        {loadKw !== null && say("Your load is {power}.", { power: power(loadKw) })}
      </span>
    </p>
  );
};
