import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";

export type FirstSteps = operator.FirstSteps;
export type StepName = FirstSteps["steps"][number]["step"];

interface StepWords {
  readonly title: string;
  /** What the step is for. */
  readonly why: string;
  /** Label of the link that leads there. */
  readonly action: string;
}

export const stepWords: Readonly<Record<StepName, StepWords>> = {
  account: {
    title: say("Account"),
    why: say("An account is a participant: the organisation that owns sites and receives dispatches."),
    action: say("Create an account"),
  },
  site: {
    title: say("Site"),
    why: say("A site is what a dispatch asks to reduce its load, such as a building or a plant."),
    action: say("Add a site"),
  },
  meter: {
    title: say("Meter"),
    why: say("Readings belong to a meter. Delivery is measured from them."),
    action: say("Add a meter"),
  },
  program: {
    title: say("Program"),
    why: say("A program says under which rules sites are dispatched and how their reduction is measured."),
    action: say("Create a program"),
  },
  enrolment: {
    title: say("Enrolment"),
    why: say("Only enrolled sites can be dispatched. The enrolment holds the commitment in kW."),
    action: say("Enrol the site"),
  },
  key: {
    title: say("API key"),
    why: say("The participant's systems send readings and poll for dispatches with a key of their account."),
    action: say("Create an API key"),
  },
  channel: {
    title: say("Notification"),
    why: say(
      "The participant learns of a dispatch by a webhook, a VEN, polling, or an email to a contact. Without any, nobody is notified.",
    ),
    action: say("Add a contact"),
  },
  reading: {
    title: say("First reading"),
    why: say("Without readings there is no baseline and no measured delivery."),
    action: say("Send a reading"),
  },
  dispatch: {
    title: say("Test dispatch"),
    why: say("A test of one site shows that the participant is notified and that the load falls."),
    action: say("Start a test dispatch"),
  },
};

export const stepsDone = ({ steps }: FirstSteps): number => steps.filter(({ done }) => done).length;
export const isFinished = ({ steps }: FirstSteps): boolean => steps.every(({ done }) => done);

/** Whether a dispatch was issued: who has seen one needs no first test on the board. */
export const isDispatched = ({ steps }: FirstSteps): boolean =>
  steps.some(({ step, done }) => step === "dispatch" && done);

/** The step to take next; null when all are done. */
export const nextStep = ({ steps }: FirstSteps): StepName | null => steps.find(({ done }) => !done)?.step ?? null;

const CLOSELY_MS = 5000;
const CALM_MS = 60_000;

/**
 * How often to ask for the steps. One's own changes and dispatches are shown at once; only a reading comes from outside,
 * while somebody waits for it.
 */
export const askEveryMs = (first: FirstSteps | undefined, closely: boolean): number =>
  closely && first !== undefined && nextStep(first) === "reading" ? CLOSELY_MS : CALM_MS;

/** The step that can be taken meanwhile: readings may take days to arrive. */
export const otherStep = (first: FirstSteps): StepName | null => (nextStep(first) === "reading" ? "dispatch" : null);

/** Where a step is taken, with the dialog that it opens. */
export type Place =
  | { readonly to: "/operations/accounts"; readonly search: { readonly do: "new" } }
  | {
      readonly to: "/operations/accounts/$id";
      readonly params: { readonly id: string };
      readonly search: { readonly tab: "sites" | "contacts"; readonly do: "new" };
    }
  | {
      readonly to: "/operations/sites/$id";
      readonly params: { readonly id: string };
      readonly search: { readonly do?: "meter" | "enrol" | "verify" };
      readonly hash?: "readings";
    }
  | { readonly to: "/operations/programs"; readonly search: { readonly do: "new" } };

/** Where to take a step; null while a step before it has to be taken first. */
export const placeOf = (step: StepName, { account_id, site_id }: FirstSteps): Place | null => {
  switch (step) {
    case "account":
      return { to: "/operations/accounts", search: { do: "new" } };
    case "site":
      return account_id === null
        ? null
        : { to: "/operations/accounts/$id", params: { id: account_id }, search: { tab: "sites", do: "new" } };
    case "meter":
      return siteAt(site_id, { do: "meter" });
    case "program":
      // The site's enrolment creates its program on the way.
      return siteAt(site_id, { do: "enrol" }) ?? { to: "/operations/programs", search: { do: "new" } };
    case "enrolment":
      return siteAt(site_id, { do: "enrol" });
    case "channel":
      return account_id === null
        ? null
        : { to: "/operations/accounts/$id", params: { id: account_id }, search: { tab: "contacts", do: "new" } };
    case "key":
    case "reading":
      return siteAt(site_id, {}, "readings");
    case "dispatch":
      return siteAt(site_id, { do: "verify" });
  }
};

const siteAt = (
  id: string | null,
  search: { readonly do?: "meter" | "enrol" | "verify" },
  hash?: "readings",
): Place | null =>
  id === null ? null : { to: "/operations/sites/$id", params: { id }, search, ...(hash === undefined ? {} : { hash }) };
