import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../platform/http/endpoint.js";
import { firstSteps } from "../domain/first-steps.js";
import type { FirstStepsPorts } from "../operations/first-steps.js";

/** How far the service is on the way to its first dispatch. */
export const firstStepsRoute = (app: FastifyInstance, ports: FirstStepsPorts): void =>
  serve(app, operator.getFirstSteps, async () => {
    const facts = await ports.firstSteps.facts(ports.clock.now());
    return {
      steps: [...firstSteps(facts)],
      account_id: facts.accountId,
      site_id: facts.siteId,
      program_id: facts.programId,
      hidden_sites: facts.hiddenSites,
    };
  });
