import type { participantConsole } from "@curtail/contract";
import { counted } from "../../format/quantity.js";
import { ButtonLink } from "../../ui/button.js";

/** Tells of sites whose data is not shown yet, and where to see what is missing. */
export const NotDisplayed = ({ sites }: { readonly sites: readonly participantConsole.SiteOverview[] }) => (
  <section
    aria-label="Sites that are not shown yet"
    className="flex flex-wrap items-center justify-between gap-3 rounded-xl bg-info-soft px-4 py-3 text-info"
  >
    <p className="min-w-0 max-w-prose">
      <strong>{counted(sites.length, "site")}</strong> {sites.length === 1 ? "is" : "are"} not shown yet (
      {sites.map(({ name }) => name).join(", ")}). Readings are taken all the same; your operator enables the display
      once they stream.
    </p>
    <ButtonLink to="/dashboard/connect">What is missing</ButtonLink>
  </section>
);
