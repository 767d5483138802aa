import { auth } from "@curtail/contract";
import type { FastifyInstance, FastifyReply } from "fastify";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import { refuseOtherSites } from "../../platform/http/same-site.js";
import { done, isRefusal, type Result } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { checkSessions, type SessionRoutePorts, signedInOf } from "../caller/session-check.js";
import { browserOf, clearCookie, cookieOf, setLanguageCookie, setSignedInCookies } from "../caller/session-cookie.js";
import { knownLanguage } from "../domain/language.js";
import type { Session } from "../domain/session.js";
import { changePassword } from "../operations/change-password.js";
import { endOfSession, revokeSession, signOutEverywhere } from "../operations/manage-sessions.js";
import { type SignInOutcome, signIn } from "../operations/sign-in.js";
import { codesOf, secondFactorRoutes } from "./second-factor.js";
import { userToWire } from "./user.js";

interface SignInOptions {
  readonly hasSingleSignOn: boolean;
}

/** Everything below /auth. */
export const authRoutes = (app: FastifyInstance, ports: SessionRoutePorts, options: SignInOptions): void => {
  serve(app, auth.getSignInOptions, async ({ request }) => {
    const token = cookieOf(request, "session", ports.publicUrl);
    const sessionEnd = token === null ? null : await endOfSession(ports, token);
    return { oidc: options.hasSingleSignOn, password: true as const, session_end: sessionEnd };
  });
  app.register(async (scope) => signInRoutes(scope, ports));
  app.register(async (scope) => sessionRoutes(scope, ports));
};

const signInRoutes = (app: FastifyInstance, ports: SessionRoutePorts): void => {
  // Otherwise a page of another site could sign somebody in as another user.
  app.addHook("onRequest", async (request) => refuseOtherSites(request, ports.publicUrl));
  serve(app, auth.signIn, async ({ body, request, reply }) => {
    const { email, password } = body;
    const credentials = { email, password, ...codesOf(body) };
    return answered(reply, ports, await signIn(ports, credentials, browserOf(request, ports.publicUrl)));
  });
};

const answered = (
  reply: FastifyReply,
  { publicUrl }: SessionRoutePorts,
  outcome: Result<SignInOutcome>,
): Result<auth.SignedIn> => {
  if (isRefusal(outcome)) return outcome;
  if (outcome.state === "totp_needed") return { state: "totp_needed", user: null };
  setSignedInCookies(reply, outcome, publicUrl);
  return { state: "signed_in", user: userToWire(outcome.user) };
};

const sessionRoutes = (app: FastifyInstance, ports: SessionRoutePorts): void => {
  checkSessions(app, ports);
  serve(app, auth.signOut, async ({ request, reply }) => {
    const { user, session } = signedInOf(request);
    const revoked = await revokeSession(ports, user, session.id);
    clearCookie(reply, "session", ports.publicUrl);
    return isRefusal(revoked) ? revoked : undefined;
  });
  serve(app, auth.signOutEverywhere, async ({ request, reply }) => {
    const { user } = signedInOf(request);
    const ended = await signOutEverywhere(ports, { actor: `user:${user.id}`, within: null }, user.id);
    for (const name of ["session", "device"] as const) clearCookie(reply, name, ports.publicUrl);
    return isRefusal(ended) ? ended : undefined;
  });
  serve(app, auth.getSession, async ({ request }) => {
    const { user, language, session } = signedInOf(request);
    const { recoveryCodes, users } = ports.stores;
    const [left, dismissed] = await Promise.all([recoveryCodes.left(user.id), users.dismissedHints(user.id)]);
    return {
      user: userToWire(user),
      session: toWire(session, session),
      recovery_codes_left: left,
      // An older version of the service may not know a hint of a newer one.
      dismissed_hints: auth.hints.filter((hint) => dismissed.includes(hint)),
      language: knownLanguage(language.own),
    };
  });
  serve(app, auth.listSessions, ({ query, request }) => {
    const { user, session } = signedInOf(request);
    const now = ports.clock.now();
    return listed(
      query,
      (page) => ports.stores.sessions.list(user.id, now, page),
      (each) => toWire(each, session),
    );
  });
  serve(app, auth.revokeSession, ({ params, request }) =>
    done(revokeSession(ports, signedInOf(request).user, params.id)),
  );
  serve(app, auth.changePassword, async ({ body, request }) => {
    const by = { signedIn: signedInOf(request), browser: browserOf(request, ports.publicUrl) };
    const proof = { password: body.password, totp: null, recoveryCode: null };
    return done(changePassword(ports, { ...by, proof }, body.new_password));
  });
  serve(app, auth.setHint, async ({ body, request }) => {
    await ports.stores.users.setHint(signedInOf(request).user.id, body.hint, body.dismissed);
    return undefined;
  });
  serve(app, auth.setLanguage, async ({ body, request, reply }) => {
    await ports.stores.users.setLanguage(signedInOf(request).user.id, body.language);
    setLanguageCookie(reply, body.language);
    return undefined;
  });
  secondFactorRoutes(app, ports);
};

const toWire = (session: Session, current: Session): auth.Session => ({
  id: session.id,
  is_current: session.id === current.id,
  created_at: formatTimestamp(session.createdAt),
  last_seen_at: formatTimestamp(session.lastSeenAt),
  expires_at: formatTimestamp(session.expiresAt),
  user_agent: session.userAgent,
  address: session.address,
});
