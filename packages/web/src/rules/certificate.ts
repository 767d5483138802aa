import type { operator } from "@curtail/contract";

type Certified = operator.CertifiedIntegration;

const scenarios = ["update", "cancellation"] as const;
const channels = ["webhook", "polling", "openadr"] as const;

/** What a certificate says in short, as the onboarding of a site does. */
export const certifiedBy = ({ certified_at, passes }: operator.IntegrationCertificate): Certified => ({
  certified_at,
  scenarios: scenarios.filter((scenario) => passes.some(({ scenario_type }) => scenario_type === scenario)),
  channels: channels.filter((channel) => passes.some((pass) => pass.channels.includes(channel))),
});
