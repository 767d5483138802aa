import type { participantConsole } from "@curtail/contract";
import { MAX_PAGE, SILENT_MINUTES } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { useState } from "react";
import { useConsoleList } from "../../../api/use-call.js";
import { hiddenSites } from "../../../rules/site-overview.js";
import { ButtonLink } from "../../../ui/button.js";
import { sayParts } from "../../../ui/say-parts.js";
import { Fault, Waiting } from "../../../ui/state.js";
import { SiteSteps } from "../connect/onboarding.js";

type Site = participantConsole.SiteOverview;

/** Of all sites, those whose data is not visible yet: whether their readings arrive, and their missing steps. */
export const NotDisplayed = ({ sites }: { readonly sites: readonly Site[] }) => {
  const [open, setOpen] = useState(false);
  const { arriving, silent } = hiddenSites(sites);
  const hidden = [...arriving, ...silent];
  if (hidden.length === 0) return null;
  return (
    <section aria-label={say("Sites whose data is not visible yet")} className="rounded-xl bg-info-soft px-4 py-3">
      <p className="text-info">
        {sayParts("{n, plural, one {<b># site</b> is} other {<b># sites</b> are}} not visible yet.", {
          n: hidden.length,
          b: (inside) => <strong>{inside}</strong>,
        })}{" "}
        {arriving.length > 0 &&
          `${say("Readings arrive and are recorded, but your operator has not made them visible yet: {sites}.", { sites: namesOf(arriving) })} `}
        {silent.length > 0 &&
          say("Some or all meters have sent no readings in the last {n} minutes: {sites}.", {
            n: SILENT_MINUTES,
            sites: namesOf(silent),
          })}
      </p>
      <details className="mt-1" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="w-fit text-sm font-medium text-info">{say("Show what is missing")}</summary>
        {open && <Missing ids={hidden.map(({ id }) => id)} />}
      </details>
    </section>
  );
};

const namesOf = (sites: readonly Site[]): string => sites.map(({ name }) => name).join(", ");

const Missing = ({ ids }: { readonly ids: readonly string[] }) => {
  const { items, isPending, error } = useConsoleList("/onboarding", { query: { limit: MAX_PAGE } });
  return (
    <div className="mt-3 rounded-lg bg-surface p-4">
      {isPending && <Waiting />}
      {error !== null && <Fault error={error} />}
      <ul className="mb-4 grid gap-x-8 gap-y-5 md:grid-cols-2 2xl:grid-cols-3">
        {items
          .filter(({ site_id }) => ids.includes(site_id))
          .map((site) => (
            <li key={site.site_id} className="min-w-0">
              <SiteSteps site={site} />
            </li>
          ))}
      </ul>
      <ButtonLink to="/dashboard/connect">{say("Get connected")}</ButtonLink>
    </div>
  );
};
