import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { callerOf } from "../../access/caller/caller.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import { seesDataOf } from "../../portfolio/operations/visible-sites.js";
import { listOnboarding, type OnboardingPorts } from "../operations/onboarding.js";
import { onboardingToWire } from "./wire-onboarding.js";

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
