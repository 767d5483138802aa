import type { participantConsole } from "@curtail/contract";
import { MAX_PAGE } from "@curtail/contract/constants";
import { useState } from "react";
import { useConsoleList } from "../../../api/use-call.js";
import { counted } from "../../../format/quantity.js";
import { ButtonLink } from "../../../ui/button.js";
import { Fault, Waiting } from "../../../ui/state.js";
import { SiteSteps } from "../connect/onboarding.js";

type Site = participantConsole.SiteOverview;

/** Sites whose data is not visible yet, and their missing steps. */
export const NotDisplayed = ({ sites }: { readonly sites: readonly Site[] }) => {
  const [open, setOpen] = useState(false);
  return (
    <section aria-label="Sites whose data is not visible yet" className="rounded-xl bg-info-soft px-4 py-3">
      <p className="text-info">
        <strong>{counted(sites.length, "site")}</strong> {sites.length === 1 ? "is" : "are"} not visible yet:{" "}
        {sites.map(({ name }) => name).join(", ")}. Readings are recorded; your operator makes them visible once they
        stream.
      </p>
      <details className="mt-1" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="w-fit text-sm font-medium text-info">Show what is missing</summary>
        {open && <Missing ids={sites.map(({ id }) => id)} />}
      </details>
    </section>
  );
};

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
      <ButtonLink to="/dashboard/connect">Get connected</ButtonLink>
    </div>
  );
};
