import { VERSION } from "@curtail/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { errorReply } from "./error-replies.js";

const unversioned = new Set(["dispatches", "scenarios", "schedule", "sites", "telemetry", "webhooks"]);
const PREVIOUS_VERSION = "2020-12-30";

/** 308 keeps method and body; no key is needed to learn where the interface lives (G19). */
const redirect = (reply: FastifyReply, to: string) => reply.redirect(to, 308);

/** The bare address, addresses without a version, and everything that is not there. */
export const answerOtherAddresses = (app: FastifyInstance): void => {
  app.all("/", async (_request, reply) => redirect(reply, `/${VERSION}/`));
  for (const path of [`/${VERSION}`, `/${VERSION}/`]) {
    app.all(path, async (_request, reply) => redirect(reply, `/${VERSION}/docs`));
  }
  answerUnknownAddresses(app, answerNothingHere);
};

/** The same where only operators are served: nothing leads to the participants' interface, which is elsewhere. */
export const answerOtherOperatorAddresses = (app: FastifyInstance, docs: string): void => {
  app.all("/", async (_request, reply) => redirect(reply, docs));
  const message = `There is nothing at this address and method; the operator API is described at ${docs}.`;
  answerUnknownAddresses(app, async (_request, reply) => reply.status(404).send(errorReply(404, message)));
};

const answerUnknownAddresses = (app: FastifyInstance, answerNothing: typeof answerNothingHere): void => {
  app.setNotFoundHandler(answerNothing);
  // The address is judged first (G3): before the key is looked at, and before a body is read.
  app.addHook("onRequest", async (request, reply) => {
    if (request.is404 || hasEmptySegment(request)) return answerNothing(request, reply);
  });
};

/** The router takes `/dispatches/` for a dispatch without an id. */
const hasEmptySegment = ({ params }: FastifyRequest): boolean => Object.values(params as object).includes("");

const answerNothingHere = async (request: FastifyRequest, reply: FastifyReply) => {
  const first = /^\/([^/?]+)/.exec(request.url)?.[1];
  if (first !== undefined && unversioned.has(first)) return redirect(reply, `/${VERSION}${request.url}`);
  return reply.status(404).send(errorReply(404, first === PREVIOUS_VERSION ? previousVersion : nothingHere));
};

const previousVersion = `Version ${PREVIOUS_VERSION} is not served; use the current version, /${VERSION}.`;
const nothingHere = `There is nothing at this address and method; the interface is described at /${VERSION}/docs.`;
