import { operator, participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf } from "../../access/caller/actor.js";
import { callerOf } from "../../access/caller/caller.js";
import { createdDispatchToWire } from "../../dispatch/http/wire-dispatch.js";
import type { IssuingStores } from "../../dispatch/operations/create-dispatch.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { moments, momentToWire } from "../../platform/http/timestamps.js";
import { isRefusal, mapResult } from "../../platform/refusal.js";
import { rounded } from "../../platform/rounded.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { seesDataOf } from "../../portfolio/operations/visible-sites.js";
import type { Certified } from "../domain/certified.js";
import type { OnboardingStep, Verification } from "../domain/onboarding.js";
import { listOnboarding, type Onboarding, type OnboardingPorts, siteOnboarding } from "../operations/onboarding.js";
import { verifySite } from "../operations/verify-site.js";

const DEFAULT_LENGTH_SECONDS = 900;

export type OnboardingRoutePorts = OnboardingPorts & RepeatablePorts<IssuingStores>;

export const onboardingRoutes = (app: FastifyInstance, ports: OnboardingRoutePorts): void => {
  serve(app, operator.getOnboarding, ({ params }) =>
    mapResult(siteOnboarding(ports, params.id), (onboarding) => onboardingToWire(onboarding, true)),
  );
  serve(app, operator.listOnboarding, ({ query }) => {
    const open = query.open === "true";
    return listed(query, (page) => listOnboarding(ports, { accountId: null, open }, page), itemToWire);
  });
  serveOnce(app, operator.verifySite, ports, async ({ params, body, request }, ports) => {
    const times = moments({ start_time: body.start_time });
    if (isRefusal(times)) return times;
    const created = await verifySite(ports, actorOf(request), params.id, {
      programId: body.program_id,
      start: times.start_time ?? null,
      lengthSeconds: body.duration_seconds ?? DEFAULT_LENGTH_SECONDS,
      commitmentKw: body.commitment,
    });
    return isRefusal(created) ? created : createdDispatchToWire(created);
  });
};

/** The checklist of the caller's own sites. */
export const ownOnboardingRoutes = (app: FastifyInstance, ports: OnboardingPorts): void =>
  serve(app, participantConsole.listOwnOnboarding, ({ query, request }) => {
    const caller = callerOf(request);
    const { accountId } = caller;
    return listed(
      query,
      (page) => listOnboarding(ports, { accountId, open: false }, page),
      (each) => onboardingToWire(each, seesDataOf(caller, each.site)),
    );
  });

const itemToWire = ({ site, steps, certified }: Onboarding) => {
  const isDone = (name: (typeof operator.onboardingSteps)[number]) =>
    steps.some(({ step, done }) => step === name && done);
  return {
    site_id: site.id,
    name: site.name,
    account_id: site.accountId,
    account_name: site.accountName,
    data_streaming: isDone("data_streaming"),
    display_enabled: isDone("display_enabled"),
    dispatch_verified: isDone("dispatch_verified"),
    integration: certifiedToWire(certified),
  };
};

/** With or without measured values. */
const onboardingToWire = (
  { site, steps, verification, certified }: Onboarding,
  withMeasured: boolean,
): operator.SiteOnboarding => ({
  site_id: site.id,
  name: site.name,
  steps: steps.map(stepToWire),
  verification: verification === null ? null : verificationToWire(verification, withMeasured),
  integration: certifiedToWire(certified),
});

const certifiedToWire = (certified: Certified | null): operator.CertifiedIntegration | null =>
  certified && {
    certified_at: formatTimestamp(certified.certifiedAt),
    scenarios: [...certified.scenarios],
    channels: [...certified.channels],
  };

const stepToWire = ({ at, ...step }: OnboardingStep) => ({ ...step, at: momentToWire(at) });

const verificationToWire = (
  { dispatchId, state, start, end, learnt, commitmentKw, result, passed, reason }: Verification,
  withMeasured: boolean,
) => ({
  dispatch_id: dispatchId,
  state,
  start_time: formatTimestamp(start),
  end_time: momentToWire(end),
  learnt,
  commitment_kw: commitmentKw,
  delivered_kw: rounded(withMeasured ? (result?.meanReductionKw ?? null) : null),
  status: withMeasured && result !== null ? { ...result.status } : null,
  passed,
  reason,
});
