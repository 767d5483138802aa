import type { operator } from "@curtail/contract";
import { rounded } from "../../platform/rounded.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { Certified } from "../domain/certified.js";
import type { OnboardingStep, Verification } from "../domain/onboarding.js";
import type { Onboarding } from "../operations/onboarding.js";

/** With or without measured values. */
export const onboardingToWire = (
  { site, steps, verification, certified }: Onboarding,
  withMeasured: boolean,
): operator.SiteOnboarding => ({
  site_id: site.id,
  name: site.name,
  steps: steps.map(stepToWire),
  verification: verification === null ? null : verificationToWire(verification, withMeasured),
  integration: certifiedToWire(certified),
});

export const certifiedToWire = (certified: Certified | null): operator.CertifiedIntegration | null =>
  certified && {
    certified_at: formatTimestamp(certified.certifiedAt),
    scenarios: [...certified.scenarios],
    channels: [...certified.channels],
  };

const stepToWire = ({ step, done, at, detail }: OnboardingStep) => ({
  step,
  done,
  at: at === null ? null : formatTimestamp(at),
  detail,
});

const verificationToWire = (
  { dispatchId, state, start, end, learnt, commitmentKw, result, passed, reason }: Verification,
  withMeasured: boolean,
) => ({
  dispatch_id: dispatchId,
  state,
  start_time: formatTimestamp(start),
  end_time: end === null ? null : formatTimestamp(end),
  learnt,
  commitment_kw: commitmentKw,
  delivered_kw: rounded(withMeasured ? (result?.meanReductionKw ?? null) : null),
  status: withMeasured && result !== null ? { ...result.status } : null,
  passed,
  reason,
});
