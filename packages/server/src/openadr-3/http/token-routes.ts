import { auth, BASE_PATH } from "@curtail/openadr-3";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RateWindows } from "../../access/domain/rate-limit.js";
import type { NoteRefused } from "../../access/operations/note-refused.js";
import type { Clock } from "../../platform/clock.js";
import { KEYLESS_BODY_BYTES } from "../../platform/http/body-limits.js";
import { placeOf } from "../../platform/http/client-place.js";
import { serve } from "../../platform/http/endpoint.js";
import { setAnsweredMessage } from "../../platform/http/error-replies.js";
import type { OpenBodies } from "../../platform/http/open-bodies.js";
import { receiveBody } from "../../platform/http/receive-body.js";
import { issueToken, type TokenRefusal, type TokenRequest } from "../operations/authenticate-client.js";
import type { TokenPorts } from "../operations/token-ports.js";
import { problem } from "./problem.js";

export interface TokenRoutePorts extends TokenPorts {
  readonly failures: RateWindows;
  readonly noteRefused: NoteRefused;
  readonly clock: Clock;
  readonly bodies: OpenBodies;
  /** The address of the VTN, without the base path. */
  readonly vtnUrl: () => string;
}

const MAX_FAILURES_A_MINUTE = 30;

/** Where tokens are obtained, and obtaining one (RFC 6749, sections 4.4 and 5). */
export const tokenRoutes = (app: FastifyInstance, ports: TokenRoutePorts): void => {
  serve(app, auth.server, async () => ({
    tokenURL: (await ports.issuer?.tokenUrl()) ?? `${ports.vtnUrl()}${BASE_PATH}${auth.token.path}`,
  }));
  app.register(async (scope) => {
    scope.addContentTypeParser(
      "application/x-www-form-urlencoded",
      async (request: FastifyRequest) =>
        new URLSearchParams((await receiveBody(request, ports.bodies)).toString("utf8")),
    );
    scope.route({
      method: auth.token.method,
      url: auth.token.path,
      bodyLimit: KEYLESS_BODY_BYTES,
      handler: (request, reply) => answerToken(ports, request, reply),
    });
  });
};

const answerToken = async (
  ports: TokenRoutePorts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const asked = tokenRequestOf(request);
  if ("error" in asked) return refuse(request, reply, asked);
  const issued = await issueToken(ports, asked);
  // RFC 6749, 5.1; `cache-control: no-store` has every answer.
  if (!("error" in issued)) return reply.header("pragma", "no-cache").send(issued);
  if (issued.error !== "invalid_client") return refuse(request, reply, issued);
  const { allowed, resetSeconds } = ports.failures.count(
    `secrets ${placeOf(request.ip)}`,
    MAX_FAILURES_A_MINUTE,
    ports.clock.now().getTime(),
  );
  ports.noteRefused({
    kind: allowed ? "client_secret" : "client_secret_barred",
    address: request.ip,
    userId: null,
  });
  if (allowed) return refuse(request, reply, issued);
  return reply
    .status(429)
    .header("retry-after", resetSeconds)
    .send(problem(429, `too many wrong secrets came from this address; wait ${resetSeconds} seconds`));
};

const single = ["grant_type", "client_id", "client_secret", "scope"] as const;

const tokenRequestOf = ({ body, headers }: FastifyRequest): TokenRequest | TokenRefusal => {
  if (!(body instanceof URLSearchParams))
    return invalidRequest("Send the parameters as application/x-www-form-urlencoded.");
  const repeated = single.find((name) => body.getAll(name).length > 1);
  if (repeated !== undefined) return invalidRequest(`${repeated} is given more than once.`);
  const grant = body.get("grant_type");
  if (grant === null) return invalidRequest("grant_type is missing.");
  if (grant !== "client_credentials")
    return { error: "unsupported_grant_type", description: "grant_type must be client_credentials." };
  const [clientId, clientSecret] = basicOf(headers.authorization) ?? [body.get("client_id"), body.get("client_secret")];
  if (clientId === null || clientId === "") return invalidRequest("client_id is missing.");
  if (clientSecret === null || clientSecret === "") return invalidRequest("client_secret is missing.");
  return { clientId: clientId.replaceAll("\0", "\ufffd"), clientSecret, scope: body.get("scope") ?? "" };
};

const invalidRequest = (description: string): TokenRefusal => ({ error: "invalid_request", description });

/** Client and secret of `Authorization: Basic` (RFC 6749, 2.3.1), which libraries prefer. */
const basicOf = (authorization: string | undefined): [string, string] | null => {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return null;
  const [id = "", ...secret] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  return [decoded(id), decoded(secret.join(":"))];
};

/** Both are form-encoded first; one that is not, stays as it is. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
};

/** As RFC 6749 wants it, and as a problem, which the specification declares for these answers. */
const refuse = (request: FastifyRequest, reply: FastifyReply, { error, description }: TokenRefusal): FastifyReply => {
  setAnsweredMessage(request, description);
  const status = error === "invalid_client" ? 401 : 400;
  if (status === 401) reply.header("www-authenticate", 'Basic realm="OpenADR"');
  return reply.status(status).send({ error, error_description: description, ...problem(status, description) });
};
