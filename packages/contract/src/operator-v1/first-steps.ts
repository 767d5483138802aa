import Type, { type Static } from "typebox";
import { MOST_HIDDEN_SITES } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { boolean, id, integer, nullable } from "../values.js";

/** In the order in which a new service is set up. */
export const firstSteps = [
  "account",
  "site",
  "meter",
  "program",
  "enrolment",
  "key",
  "channel",
  "reading",
  "dispatch",
] as const;

/** How far a service is set up, from what it stores: it does not matter how a step was done. */
export const FirstSteps = Type.Object(
  {
    steps: Type.Array(
      Type.Object(
        {
          step: Type.Enum([...firstSteps], {
            description:
              "`account`, `site`, `meter`, `program`, `enrolment`: there is one. `key`: an API key of production was issued. `channel`: an account has a webhook, a VEN, an OpenADR 3 client or a contact, or its systems poll, so that it learns of dispatches. `reading`: a reading was received. `dispatch`: a dispatch was issued, also as a test.",
          }),
          done: boolean("Whether the step is complete.", true),
        },
        { $id: "FirstStep", description: "A step on the way to the first dispatch." },
      ),
      { description: "The steps, in their order." },
    ),
    account_id: nullable(id("account", "Account to continue with; null without any.")),
    site_id: nullable(id("site", "Site to continue with: the one that is furthest; null without any.")),
    program_id: nullable(id("program", "Program to continue with: the oldest; null without any.")),
    hidden_sites: integer(
      `Number of sites that sent readings and whose data is not visible to their users, counted to ${MOST_HIDDEN_SITES}.`,
      2,
    ),
  },
  { $id: "FirstSteps", description: "How far the service is set up." },
);
export type FirstSteps = Static<typeof FirstSteps>;

export const getFirstSteps = endpoint({
  id: "getFirstSteps",
  method: "GET",
  path: "/onboarding/first-steps",
  tag: "Onboarding",
  summary: "Retrieve the first steps of the service",
  description:
    "Returns which steps from an empty service to the first dispatch are complete, and what to continue with. Disabled accounts and their sites do not count.",
  reply: FirstSteps,
});
