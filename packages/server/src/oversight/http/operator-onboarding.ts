import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf } from "../../access/caller/actor.js";
import { createdDispatchToWire } from "../../dispatch/http/wire-dispatch.js";
import type { IssuingStores } from "../../dispatch/operations/create-dispatch.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { moments } from "../../platform/http/timestamps.js";
import { isRefusal } from "../../platform/refusal.js";
import { listOnboarding, type Onboarding, type OnboardingPorts, siteOnboarding } from "../operations/onboarding.js";
import { verifySite } from "../operations/verify-site.js";
import { certifiedToWire, onboardingToWire } from "./wire-onboarding.js";

const DEFAULT_LENGTH_SECONDS = 900;

export type OnboardingRoutePorts = OnboardingPorts & RepeatablePorts<IssuingStores>;

export const onboardingRoutes = (app: FastifyInstance, ports: OnboardingRoutePorts): void => {
  serve(app, operator.getOnboarding, async ({ params }) => {
    const onboarding = await siteOnboarding(ports, params.id);
    return isRefusal(onboarding) ? onboarding : onboardingToWire(onboarding, true);
  });
  serve(app, operator.listOnboarding, ({ query }) => {
    const open = query.open === "true";
    return listed(query, (page) => listOnboarding(ports, { accountId: null, open }, page), itemToWire);
  });
  serveOnce(
    app,
    operator.verifySite,
    () => ports,
    async ({ params, body, request }, ports) => {
      const times = moments({ start_time: body.start_time });
      if (isRefusal(times)) return times;
      const created = await verifySite(ports, actorOf(request), params.id, {
        programId: body.program_id,
        start: times.start_time ?? null,
        lengthSeconds: body.duration_seconds ?? DEFAULT_LENGTH_SECONDS,
        commitmentKw: body.commitment,
      });
      return isRefusal(created) ? created : createdDispatchToWire(created);
    },
  );
};

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
