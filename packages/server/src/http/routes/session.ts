import { auth } from "@curtail/contract";
import type { FastifyInstance, FastifyReply } from "fastify";
import { isRefusal, type Result } from "../../domain/refusal.js";
import type { Session } from "../../domain/session.js";
import { formatTimestamp } from "../../domain/timestamp.js";
import {
  beginTotp,
  confirmTotp,
  revokeSession,
  type SessionPorts,
  type SignInOutcome,
  signIn,
} from "../../operations/manage-sessions.js";
import { browserOf } from "../browser.js";
import { serve } from "../endpoint.js";
import { listed } from "../page.js";
import { sweepEachMinute } from "../request-rate.js";
import { refuseOtherSites } from "../same-site.js";
import { checkSessions, type SessionCheckPorts, signedInOf } from "../session-check.js";
import { clearSessionCookie, setSessionCookie } from "../session-cookie.js";
import { userToWire } from "../wire/user.js";

export type SessionRoutePorts = SessionPorts & SessionCheckPorts;

interface SignInOptions {
  readonly hasSingleSignOn: boolean;
}

/** Everything below /auth. */
export const authRoutes = (app: FastifyInstance, ports: SessionRoutePorts, options: SignInOptions): void => {
  serve(app, auth.getSignInOptions, async () => ({ oidc: options.hasSingleSignOn, password: true as const }));
  app.register(async (scope) => signInRoutes(scope, ports));
  app.register(async (scope) => sessionRoutes(scope, ports));
};

const signInRoutes = (app: FastifyInstance, ports: SessionRoutePorts): void => {
  sweepEachMinute(app, () => ports.failures.sweep(ports.clock.now().getTime()));
  // Else a page of another site could sign somebody in as somebody else.
  app.addHook("onRequest", async (request) => refuseOtherSites(request, ports.publicUrl));
  serve(app, auth.signIn, async ({ body, request, reply }) => {
    const { email, password, totp: code = null } = body;
    return answered(reply, ports, await signIn(ports, { email, password, code }, browserOf(request)));
  });
};

const answered = (
  reply: FastifyReply,
  { publicUrl }: SessionRoutePorts,
  outcome: Result<SignInOutcome>,
): Result<auth.SignedIn> => {
  if (isRefusal(outcome)) return outcome;
  if (outcome.state === "totp_needed") return { state: "totp_needed", user: null };
  setSessionCookie(reply, { token: outcome.token, expiresAt: outcome.session.expiresAt, publicUrl });
  return { state: "signed_in", user: userToWire(outcome.user) };
};

const sessionRoutes = (app: FastifyInstance, ports: SessionRoutePorts): void => {
  checkSessions(app, ports);
  serve(app, auth.signOut, async ({ request, reply }) => {
    const { user, session } = signedInOf(request);
    const revoked = await revokeSession(ports, user, session.id);
    clearSessionCookie(reply, ports.publicUrl);
    return isRefusal(revoked) ? revoked : undefined;
  });
  serve(app, auth.getSession, async ({ request }) => {
    const { user, session } = signedInOf(request);
    return { user: userToWire(user), session: toWire(session, session) };
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
  serve(app, auth.revokeSession, async ({ params, request }) => {
    const revoked = await revokeSession(ports, signedInOf(request).user, params.id);
    return isRefusal(revoked) ? revoked : undefined;
  });
  serve(app, auth.setUpTotp, async ({ body, request }) => {
    const { user } = signedInOf(request);
    if (body.code === undefined) {
      const begun = await beginTotp(ports, user);
      return isRefusal(begun) ? begun : { state: "begun" as const, secret: begun.secret, otpauth_uri: begun.uri };
    }
    const confirmed = await confirmTotp(ports, user, body.code);
    return isRefusal(confirmed) ? confirmed : { state: "confirmed" as const, secret: null, otpauth_uri: null };
  });
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
