import Type, { type Static } from "typebox";
import { MAX_VERIFICATION_SECONDS, MIN_VERIFICATION_SECONDS } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { dispatchEnd, dispatchStart } from "../v2022-04-15/dispatch.js";
import { PerformanceStatus } from "../v2022-04-15/site-performance.js";
import {
  accountName,
  boolean,
  byId,
  Commitment,
  givenId,
  id,
  integer,
  moment,
  nullable,
  number,
  siteName,
  string,
} from "../values.js";
import { CertifiedIntegration } from "./certificate.js";
import { CreatedDispatch } from "./dispatch.js";
import { PageQuery, pageOf } from "./list.js";

export const onboardingSteps = ["data_streaming", "display_enabled", "dispatch_verified"] as const;

const OnboardingStep = Type.Object(
  {
    step: Type.Enum([...onboardingSteps], {
      description:
        "`data_streaming`: the telemetry of the site streams. `display_enabled`: data visibility is enabled. `dispatch_verified`: a test dispatch has succeeded.",
    }),
    done: boolean("Whether the step is complete.", true),
    at: nullable(moment("When the step was completed; null if it is not, or if that is not known.", "created")),
    detail: string("What was done, or what is missing.", "all meters report"),
  },
  { $id: "OnboardingStep", description: "A step of the onboarding of a site." },
);

/** A test dispatch in production that included this site alone. */
const Verification = Type.Object(
  {
    dispatch_id: id("dispatch", "The test dispatch."),
    state: Type.Enum(["upcoming", "in_progress", "ended", "final", "cancelled"], {
      description: "State of the test dispatch.",
      examples: ["final"],
    }),
    start_time: dispatchStart,
    end_time: dispatchEnd,
    learnt: boolean(
      "Whether the account received the dispatch: by poll, fetch, acknowledgement, webhook or push.",
      true,
    ),
    commitment_kw: Commitment,
    delivered_kw: nullable(number("Mean reduction in kW; null if unknown.", 248)),
    status: nullable(PerformanceStatus),
    passed: boolean("Whether the test has passed.", true),
    reason: string("Why the test has passed, or why not yet.", "the site delivered 248 of 250 kW"),
  },
  { $id: "Verification", description: "A test dispatch of the site alone; null if there was none." },
);

const integration = nullable(
  CertifiedIntegration,
  "Newest certificate of the systems of the site's account in the sandbox; null if they are not certified.",
);

/** Progress of the onboarding of a site. */
export const SiteOnboarding = Type.Object(
  {
    site_id: id("site"),
    name: siteName,
    steps: Type.Array(OnboardingStep, { description: "The steps, in their order." }),
    verification: nullable(Verification),
    integration,
  },
  { $id: "SiteOnboarding", description: "Progress of the onboarding of a site." },
);
export type SiteOnboarding = Static<typeof SiteOnboarding>;

export const getOnboarding = endpoint({
  id: "getOnboarding",
  method: "GET",
  path: "/sites/{id}/onboarding",
  tag: "Onboarding",
  summary: "Retrieve the onboarding of a site",
  description:
    "Returns which steps to production are complete and what is missing. `verification` is the newest test dispatch that passed, or else the newest.",
  params: byId("site"),
  reply: SiteOnboarding,
});
export const listOnboarding = endpoint({
  id: "listOnboarding",
  method: "GET",
  path: "/onboarding",
  tag: "Onboarding",
  summary: "List the onboarding of all sites",
  description: "Returns the completed steps of each site, without the sites of disabled accounts.",
  query: Type.Object({
    ...PageQuery.properties,
    open: Type.Optional(
      Type.Enum(["true", "false"], { description: "`true`: only sites with an incomplete step. Default: all." }),
    ),
  }),
  reply: pageOf(
    Type.Object(
      {
        site_id: id("site"),
        name: siteName,
        account_id: id("account", "Account of the site."),
        account_name: accountName,
        data_streaming: boolean("Whether the telemetry of the site streams.", true),
        display_enabled: boolean("Whether data visibility is enabled.", true),
        dispatch_verified: boolean("Whether a test dispatch has succeeded."),
        integration,
      },
      { $id: "OnboardingItem", description: "Completed steps of a site." },
    ),
  ),
});
export const verifySite = endpoint({
  id: "verifySite",
  method: "POST",
  path: "/sites/{id}/verification",
  once: "within",
  tag: "Onboarding",
  summary: "Verify a site by a test dispatch",
  description:
    "Issues a dispatch with `test: true` for this site alone. The account is notified at once and the site is expected to curtail. Retrieve the onboarding of the site for the result.",
  params: byId("site"),
  body: Type.Object({
    program_id: givenId("program", "Program under which the dispatch is issued."),
    start_time: Type.Optional(moment("Start of the test. Default: in one minute.", "start")),
    duration_seconds: Type.Optional(
      integer("Duration of the test in seconds. Default: 900.", 900, {
        minimum: MIN_VERIFICATION_SECONDS,
        maximum: MAX_VERIFICATION_SECONDS,
      }),
    ),
    commitment: Type.Optional(
      nullable(Commitment.anyOf[0], "Commitment in kW; null for none. Default: that of the site's enrolment."),
    ),
  }),
  reply: CreatedDispatch,
  status: 201,
});
