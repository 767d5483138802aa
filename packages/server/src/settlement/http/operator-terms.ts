import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf } from "../../access/caller/actor.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import type { Ports } from "../../platform/ports.js";
import { done, mapResult, notFound } from "../../platform/refusal.js";
import { deleteTerms, setTerms, type TermsStores } from "../operations/manage-terms.js";
import { programTermsToWire, termsFrom } from "./wire-terms.js";

export const termsRoutes = (app: FastifyInstance, ports: Ports<TermsStores>): void => {
  serve(app, operator.setTerms, async ({ params, body, request }) => {
    const input = { programId: params.id, fromMonth: params.from_month, terms: termsFrom(body) };
    return mapResult(setTerms(ports, actorOf(request), input), programTermsToWire);
  });
  serve(app, operator.listTerms, async ({ params, query }) => {
    if ((await ports.stores.programs.find(params.id)) === null) return notFound("program");
    return listed(query, (page) => ports.stores.terms.list(params.id, page), programTermsToWire);
  });
  serve(app, operator.deleteTerms, ({ params, request }) =>
    done(deleteTerms(ports, actorOf(request), { programId: params.id, fromMonth: params.from_month })),
  );
};
