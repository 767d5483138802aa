import { SIGN_ON_FAILURES } from "@curtail/contract/constants";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { EmailTrust } from "../../platform/email-trust.js";
import { HttpError } from "../../platform/http/error-replies.js";
import { wantsHtml } from "../../platform/http/one-time-page.js";
import type { SessionRoutePorts } from "../caller/session-check.js";
import { browserOf, clearCookie, cookieOf, setCookie, setSignedInCookies } from "../caller/session-cookie.js";
import type { SignOnFailure } from "../domain/verified-email.js";
import {
  type IdentityProvider,
  type ProvenIdentity,
  type SignOnSecrets,
  signInByIdentity,
} from "../operations/sign-in-by-identity.js";

const MAX_AGE_SECONDS = 600;
const SEE_OTHER = 303;

/** Single sign-on with a provider. */
export interface SignOn {
  readonly provider: IdentityProvider;
  readonly emailTrust: EmailTrust;
  /** The page to open after sign-in, from the link's parameter; null if there is no such page. */
  readonly landingPage: (asked: unknown) => string | null;
}

/** Redirects browsers to the provider and handles their return. */
export const oidcRoutes = (
  app: FastifyInstance,
  { provider, emailTrust, landingPage }: SignOn,
  ports: SessionRoutePorts,
): void => {
  const keptIn = (request: FastifyRequest) => read(cookieOf(request, "oidc", ports.publicUrl) ?? "");
  const redirectUri = (): string => `${ports.publicUrl}/auth/oidc/callback`;

  // Redirects to the sign-in form, which explains the error.
  app.setErrorHandler((error, request, reply) => {
    if (!wantsHtml(request)) throw error;
    const reason = error instanceof SignOnFailed ? error.reason : "single-sign-on";
    const next = landingPage(keptIn(request)?.next);
    const search = next === null ? "" : `&next=${encodeURIComponent(next)}`;
    return reply.redirect(`${ports.publicUrl}/sign-in?failed=${reason}${search}`, SEE_OTHER);
  });

  app.get("/oidc/start", async (request, reply) => {
    const { url, secrets } = await provider.start(redirectUri());
    const next = landingPage((request.query as { next?: unknown }).next);
    const { publicUrl } = ports;
    setCookie(reply, {
      name: "oidc",
      value: written({ ...secrets, next }),
      until: { maxAge: MAX_AGE_SECONDS },
      publicUrl,
    });
    return reply.redirect(url, SEE_OTHER);
  });

  app.get("/oidc/callback", async (request, reply) => {
    clearCookie(reply, "oidc", ports.publicUrl);
    const secrets = keptIn(request);
    if (secrets === null) throw failed;
    const returned = new URL(redirectUri());
    returned.search = /\?.*$/.exec(request.url)?.[0] ?? "";
    const identity = await proven(provider, { request, returned, secrets });
    const browser = browserOf(request, ports.publicUrl);
    const outcome = await signInByIdentity({ ...ports, emailTrust }, identity, browser);
    if ("failure" in outcome) throw refusedSignOn(request, identity, outcome.failure);
    setSignedInCookies(reply, outcome, ports.publicUrl);
    return reply.redirect(ports.publicUrl + (landingPage(secrets.next) ?? "/"), SEE_OTHER);
  });
};

interface Return {
  readonly request: FastifyRequest;
  readonly returned: URL;
  readonly secrets: SignOnSecrets;
}

const proven = async (provider: IdentityProvider, { request, returned, secrets }: Return): Promise<ProvenIdentity> => {
  try {
    return await provider.finish(returned, secrets);
  } catch (error) {
    // Only the message: the rest of the error may contain codes and tokens.
    request.log.warn({ why: error instanceof Error ? error.message : "unknown" }, "a single sign-on failed");
    throw failed;
  }
};

/** A failure whose reason the sign-in page shows. */
class SignOnFailed extends HttpError {
  constructor(readonly reason: SignOnFailure) {
    super(401, SIGN_ON_FAILURES[reason]);
  }
}

const failed = new SignOnFailed("single-sign-on");

/** Logs the names of the claims, which show an administrator what to set; their values stay out of the log. */
const refusedSignOn = (
  request: FastifyRequest,
  { issuer, subject, claims }: ProvenIdentity,
  reason: SignOnFailure,
): SignOnFailed => {
  const hint = reason === "email-not-verified" ? { setting: "CURTAIL_OIDC_TRUST_EMAIL" } : {};
  request.log.warn({ reason, issuer, subject, claims: Object.keys(claims), ...hint }, "a single sign-on was refused");
  return new SignOnFailed(reason);
};

/** What a browser stores on its way to the provider and back. */
interface Kept extends SignOnSecrets {
  /** The page to open at the end; a browser may have changed it. */
  readonly next: unknown;
}

const written = (secrets: Kept): string => Buffer.from(JSON.stringify(secrets)).toString("base64url");

const read = (cookie: string): Kept | null => {
  const parts: unknown = parsed(Buffer.from(cookie, "base64url").toString("utf8"));
  if (parts === null || typeof parts !== "object") return null;
  const { state, nonce, verifier, next } = parts as Record<string, unknown>;
  return typeof state === "string" && typeof nonce === "string" && typeof verifier === "string"
    ? { state, nonce, verifier, next }
    : null;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
