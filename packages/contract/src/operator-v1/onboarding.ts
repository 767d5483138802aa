import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { PerformanceStatus } from "../v2022-04-15/performance.js";
import { Commitment, id, nullable, Timestamp } from "../values.js";
import { CreatedDispatch } from "./dispatch.js";
import { byId, PageQuery, pageOf } from "./list.js";

export const onboardingSteps = ["data_streaming", "display_enabled", "dispatch_verified"] as const;

const OnboardingStep = Type.Object(
  {
    step: Type.Enum([...onboardingSteps]),
    done: Type.Boolean(),
    at: nullable(Timestamp),
    detail: Type.String({ description: "What was done, or what is missing, in words." }),
  },
  { $id: "OnboardingStep" },
);

/** A test dispatch of production that called this site and no other. */
const Verification = Type.Object(
  {
    dispatch_id: id("dispatch", "Primary key of the dispatch."),
    state: Type.Enum(["upcoming", "in_progress", "ended", "final", "cancelled"]),
    start_time: Timestamp,
    end_time: nullable(Timestamp),
    learnt: Type.Boolean({
      description: "The account polled, fetched or acknowledged it, or a webhook or push told it.",
    }),
    commitment_kw: Commitment,
    delivered_kw: nullable(Type.Number({ description: "Mean reduction, in kW." })),
    status: nullable(PerformanceStatus),
    passed: Type.Boolean(),
    reason: Type.String({ description: "Why it passed, or why not yet, in words." }),
  },
  { $id: "Verification" },
);

/** How far a site is on its way into production. */
export const SiteOnboarding = Type.Object(
  {
    site_id: id("site", "Site id."),
    name: Type.String({ description: "Name of the site." }),
    steps: Type.Array(OnboardingStep, { description: "In the order in which they are done." }),
    verification: nullable(Verification),
  },
  { $id: "SiteOnboarding" },
);
export type SiteOnboarding = Static<typeof SiteOnboarding>;

export const getOnboarding = endpoint({
  id: "getOnboarding",
  method: "GET",
  path: "/sites/{id}/onboarding",
  tag: "Onboarding",
  summary: "What a site has done and lacks to be in production",
  description: "`verification` is the newest test that passed, or else the newest.",
  params: byId,
  reply: SiteOnboarding,
});
export const listOnboarding = endpoint({
  id: "listOnboarding",
  method: "GET",
  path: "/onboarding",
  tag: "Onboarding",
  summary: "List how far sites are, those of disabled accounts left out",
  query: Type.Object({
    ...PageQuery.properties,
    open: Type.Optional(Type.Enum(["true", "false"], { description: "true: only sites that lack a step." })),
  }),
  reply: pageOf(
    Type.Object(
      {
        site_id: id("site", "Site id."),
        name: Type.String({ description: "Name of the site." }),
        account_id: id("account", "Account of the site."),
        account_name: Type.String(),
        data_streaming: Type.Boolean(),
        display_enabled: Type.Boolean(),
        dispatch_verified: Type.Boolean(),
      },
      { $id: "OnboardingItem" },
    ),
  ),
});
export const verifySite = endpoint({
  id: "verifySite",
  method: "POST",
  path: "/sites/{id}/verification",
  once: "within",
  tag: "Onboarding",
  summary: "Verify a site: a test dispatch of it alone",
  description:
    "An ordinary dispatch with `test: true`. Without `commitment` the site is called with that of its enrolment.",
  params: byId,
  body: Type.Object({
    program_id: Type.String({ description: "Program that calls." }),
    start_time: Type.Optional(Timestamp),
    duration_seconds: Type.Optional(
      Type.Integer({ minimum: 60, maximum: 86_400, description: "Length of the test; 900 unless given." }),
    ),
    commitment: Type.Optional(Commitment),
  }),
  reply: CreatedDispatch,
  status: 201,
});
