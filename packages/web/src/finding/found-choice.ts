import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { dayAndClock } from "../format/time.js";
import type { FoundChoice } from "../rules/finding.js";

const kinds = {
  account: say("Account"),
  site: say("Site"),
  meter: say("Meter"),
  program: say("Program"),
  dispatch: say("Dispatch", {}, "noun"),
  user: say("User"),
  contact: say("Contact"),
  ven: "VEN",
} as const;

const pages: Readonly<Record<operator.Found["kind"], (found: operator.Found) => string>> = {
  account: ({ id }) => `/operations/accounts/${id}`,
  site: ({ id }) => `/operations/sites/${id}`,
  meter: ({ site_id }) => `/operations/sites/${site_id}`,
  program: ({ id }) => `/operations/programs/${id}`,
  dispatch: ({ id }) => `/operations/dispatches/${id}`,
  user: () => "/operations/users",
  contact: ({ account_id }) => `/operations/accounts/${account_id}?tab=contacts`,
  ven: ({ id }) => `/operations/vens/${id}`,
};

type Anyone = operator.Found | operator.OwnFound;

const detailOf = (found: Anyone): string =>
  [
    found.start_time === null ? null : dayAndClock(found.start_time),
    found.detail,
    "account_name" in found && found.kind !== "account" ? found.account_name : null,
  ]
    .filter((part) => part !== null)
    .join(" · ");

const choiceOf = (found: Anyone, to: string): FoundChoice => ({
  id: `${found.kind} ${found.id}`,
  label: found.name,
  detail: detailOf(found),
  kind: kinds[found.kind],
  to,
});

/** What operators open of what was found. */
export const operatorChoice = (found: operator.Found): FoundChoice => choiceOf(found, pages[found.kind](found));

/** What participants open of what was found. */
export const ownChoice = (found: operator.OwnFound): FoundChoice =>
  choiceOf(
    found,
    found.kind === "dispatch"
      ? `/dashboard/dispatches/${found.id}`
      : `/dashboard/energy?site=${found.kind === "meter" ? found.site_id : found.id}`,
  );
