import { type DatedVersion, datedVersions, VERSION } from "@curtail/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { KEYLESS_BODY_BYTES } from "../../platform/http/body-limits.js";
import { errorReply, sendError } from "../../platform/http/error-replies.js";
import { tooLarge } from "../../platform/http/receive-body.js";
import { routeOf } from "../../platform/http/route-of.js";
import { setUnknownAddress } from "../../platform/http/unknown-address.js";
import type { MissingPage } from "./documentation.js";

const unversioned = new Set(["dispatches", "scenarios", "schedule", "sites", "telemetry", "webhooks"]);

/** 308 preserves method and body; finding the interface requires no key (G19). */
const redirect = (request: FastifyRequest, reply: FastifyReply, to: string) => {
  // The body is not read, but one that is too long here is refused rather than redirected (G48).
  if (Number(request.headers["content-length"]) > KEYLESS_BODY_BYTES) throw tooLarge(KEYLESS_BODY_BYTES);
  return reply.redirect(to, 308);
};

/**
 * The bare address, addresses without a version, and everything that does not exist.
 *
 * @param served earlier versions that this listener serves
 */
export const answerOtherAddresses = (
  app: FastifyInstance,
  missingPage: MissingPage,
  served: readonly DatedVersion[],
): void => {
  const shortcut = (path: string, to: string): void =>
    void app.all(path, { onRequest: async (request, reply) => redirect(request, reply, to) }, async () => undefined);
  shortcut("/", `/${VERSION}/`);
  for (const version of [VERSION, ...served.map(({ date }) => date)]) {
    shortcut(`/${version}`, `/${version}/docs`);
    shortcut(`/${version}/`, `/${version}/docs`);
  }
  const answerNothing = answerNothingHere(served);
  answerUnknownAddresses(app, async (request, reply) => missingPage(request, reply) ?? answerNothing(request, reply));
};

/**
 * The same for a listener that serves only operators: nothing redirects to the participants' interface, which is
 * elsewhere.
 */
export const answerOtherOperatorAddresses = (app: FastifyInstance, docs: string, missingPage: MissingPage): void => {
  app.all("/", { onRequest: async (request, reply) => redirect(request, reply, docs) }, async () => undefined);
  const message = `There is nothing at this address and method; the operator API is described at ${docs}.`;
  answerUnknownAddresses(
    app,
    async (request, reply) => missingPage(request, reply) ?? reply.status(404).send(errorReply(404, message)),
  );
};

type AnswerNothing = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Answers whatever is not an address of this listener. */
export const answerUnknownAddresses = (app: FastifyInstance, answerNothing: AnswerNothing): void => {
  app.setNotFoundHandler(answerNothing);
  // Check the address first (G3): before the key, and before a body is read.
  app.addHook("onRequest", (request, reply, done) => {
    const isNothing = request.is404 || hasEmptySegment(request) || hasEncodedName(request.url, routeOf(request));
    if (isNothing) void settled(answerNothing(request, reply), done);
    else done();
  });
};

/** Ends a hook if sending the answer failed; a sent answer ends it by itself. */
const settled = async (sending: Promise<unknown>, end: (error: Error) => void): Promise<void> => {
  try {
    await sending;
  } catch (error) {
    end(error as Error);
  }
};

/** The router takes `/dispatches/` for a dispatch without an id. */
const hasEmptySegment = ({ params }: FastifyRequest): boolean => Object.values(params as object).includes("");

/**
 * Whether a path percent-encodes part of its route's fixed names. The router decodes before matching, but proxies and
 * prefix checks may not; so only ids may be encoded.
 */
const hasEncodedName = (url: string, route: string | undefined): boolean => {
  const [path = ""] = url.split("?", 1);
  if (!path.includes("%") || route === undefined) return false;
  const parts = path.split("/");
  for (const [index, name] of route.split("/").entries()) {
    if (name === "*") return false;
    if (!name.startsWith(":") && parts[index] !== name) return true;
  }
  return false;
};

const answerNothingHere =
  (served: readonly DatedVersion[]): AnswerNothing =>
  async (request, reply) => {
    const first = /^\/([^/?]+)/.exec(request.url)?.[1];
    if (first !== undefined && unversioned.has(first)) return redirect(request, reply, `/${VERSION}${request.url}`);
    setUnknownAddress(request);
    const earlier = datedVersions.find(({ date }) => date === first);
    if (earlier === undefined) return sendError(request, reply, 404, nothingHere);
    return sendError(request, reply, 404, served.includes(earlier) ? notInVersion(earlier) : notServed(earlier));
  };

const notServed = ({ date }: DatedVersion) => `Version ${date} is not served; use the current version, /${VERSION}.`;
const notInVersion = ({ date }: DatedVersion) =>
  `Version ${date} has nothing at this address and method; what it has is described at /${date}/docs, and the current version at /${VERSION}/docs.`;
const nothingHere = `There is nothing at this address and method; the interface is described at /${VERSION}/docs.`;
