import Type, { type Static } from "typebox";
import { EMAIL_CHARACTERS, MIN_PASSWORD_CHARACTERS, TOTP_DIGITS } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { PageQuery, pageOf } from "../operator-v1/list.js";
import { User } from "../operator-v1/user.js";
import { boolean, byId, id, integer, moment, nullable, string } from "../values.js";
import { createCalendar, deleteCalendar, listCalendars } from "./calendar.js";
import { dismissedHints, setHint } from "./hint.js";
import { ownLanguage, setLanguage } from "./language.js";
import { getNoticePreferences, setNoticePreferences } from "./notice-preferences.js";
import {
  addPushSubscription,
  listPushSubscriptions,
  removePushSubscription,
  testPushSubscription,
} from "./push-subscription.js";

const MAX_SECRET_CHARACTERS = 400;

/** Code of an authenticator app. */
export const TotpCode = Type.String({
  pattern: `^\\d{${TOTP_DIGITS}}$`,
  description: "Six-digit code of the authenticator app.",
  examples: ["492039"],
});

/** One of the codes that were shown when the authenticator app was set up. */
export const RecoveryCode = Type.String({
  maxLength: 60,
  description: "A recovery code, in place of a code of the app. It works once. Case, spaces and hyphens do not matter.",
  examples: ["4f9k-2m7q-1x8c-w3tz"],
});

const secret = (description: string) =>
  Type.String({ maxLength: MAX_SECRET_CHARACTERS, description, examples: ["correct horse battery staple"] });

const Password = secret("Your current password.");

/** Proof of identity that a change of credentials requires. */
const Proof = {
  password: Password,
  totp: Type.Optional(TotpCode),
  recovery_code: Type.Optional(RecoveryCode),
};
const proofRule =
  "Requires your password, and a code of the app or a recovery code. A wrong one gets 400; too many get 429.";

const RecoveryCodes = Type.Array(string("A recovery code.", "4f9k-2m7q-1x8c-w3tz"), {
  description: "Ten recovery codes. Each works once in place of a code of the app. They are not shown again.",
});

export const SignedIn = Type.Object(
  {
    state: Type.Enum(["signed_in", "totp_needed"], {
      description: "`totp_needed`: email and password are correct; send them again with `totp` or `recovery_code`.",
    }),
    user: nullable(User, "The user; null while a code is needed."),
  },
  { $id: "SignedIn", description: "Result of a sign-in." },
);
export type SignedIn = Static<typeof SignedIn>;

/** A user signed in from one browser. */
export const Session = Type.Object(
  {
    id: id("session"),
    is_current: boolean("Whether this is the session of the request.", true),
    created_at: moment("When the user signed in.", "created"),
    last_seen_at: moment("When the session was last used."),
    expires_at: moment("When the session ends unless it is used before then.", "later"),
    user_agent: string("User-Agent header of the browser.", "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"),
    address: string("IP address of the browser.", "203.0.113.7"),
  },
  { $id: "Session", description: "A user signed in from one browser." },
);
export type Session = Static<typeof Session>;

export const SignInOptions = Type.Object(
  {
    oidc: boolean("`true`: single sign-on is available and starts at `/auth/oidc/start`.", true),
    password: Type.Literal(true, { description: "Always `true`: email and password are available." }),
    session_end: nullable(
      Type.Enum(["expired", "signed_out_elsewhere", "signed_out_by_administrator", "password_changed"], {
        description:
          "Why the session of the request's cookie ended; null without a cookie, and for a session that is valid.",
      }),
    ),
  },
  { $id: "SignInOptions", description: "Ways to sign in." },
);
export type SignInOptions = Static<typeof SignInOptions>;

export const getSignInOptions = endpoint({
  id: "getSignInOptions",
  method: "GET",
  path: "/options",
  tag: "Sessions",
  summary: "Retrieve the ways to sign in",
  description: "Needs no session. Also returns why the browser's last session ended.",
  isOpen: true,
  reply: SignInOptions,
});
export const signIn = endpoint({
  id: "signIn",
  method: "POST",
  path: "/sign-in",
  tag: "Sessions",
  summary: "Sign in with email and password",
  isOpen: true,
  description:
    "Starts a session and sets its cookie. With `totp_needed` no session starts; send the request again with a code. Wrong credentials get 401, too many failures 429.\n\nA second cookie identifies this browser at later sign-ins, so that failures from other browsers do not lock it out.",
  body: Type.Object({
    email: Type.String({
      maxLength: EMAIL_CHARACTERS,
      description: "Email address of the user.",
      examples: ["ana@example.com"],
    }),
    password: secret("Password of the user."),
    totp: Type.Optional(TotpCode),
    recovery_code: Type.Optional(RecoveryCode),
  }),
  reply: SignedIn,
});
export const signOut = endpoint({
  id: "signOut",
  method: "POST",
  path: "/sign-out",
  tag: "Sessions",
  summary: "Sign out",
  description: "Ends the session of the request and deletes its cookie. Your other sessions continue.",
  status: 204,
});
export const getSession = endpoint({
  id: "getSession",
  method: "GET",
  path: "/session",
  tag: "Sessions",
  summary: "Retrieve the current session",
  description: "Returns who is signed in. Without a valid session the reply is 401.",
  reply: Type.Object({
    user: User,
    session: Session,
    recovery_codes_left: integer("Number of recovery codes that have not been used.", 9),
    dismissed_hints: dismissedHints,
    language: ownLanguage,
  }),
});
export const listSessions = endpoint({
  id: "listSessions",
  method: "GET",
  path: "/sessions",
  tag: "Sessions",
  summary: "List your sessions, newest first",
  description: "Returns your sessions that have not ended, on every browser.",
  query: PageQuery,
  reply: pageOf(Session),
});
export const revokeSession = endpoint({
  id: "revokeSession",
  method: "DELETE",
  path: "/sessions/{id}",
  tag: "Sessions",
  summary: "Revoke one of your sessions",
  description: "The browser of the session is signed out at once.",
  params: byId("session"),
  status: 204,
});
export const signOutEverywhere = endpoint({
  id: "signOutEverywhere",
  method: "POST",
  path: "/sign-out-everywhere",
  tag: "Sessions",
  summary: "End all of your sessions",
  description: "Ends this session, too. Browsers known from earlier sign-ins are forgotten.",
  status: 204,
});
export const changePassword = endpoint({
  id: "changePassword",
  method: "POST",
  path: "/password",
  tag: "Sessions",
  summary: "Change your password",
  description: "Your other sessions end; this one continues. A wrong current password gets 400.",
  body: Type.Object({
    password: Password,
    new_password: secret(`The new password, of at least ${MIN_PASSWORD_CHARACTERS} characters.`),
  }),
  status: 204,
});
export const setUpTotp = endpoint({
  id: "setUpTotp",
  method: "POST",
  path: "/totp",
  tag: "Sessions",
  summary: "Set up an authenticator app",
  description:
    "Takes two requests. The first, with your password, returns a new secret for the app. The second, with a code from the app, confirms the secret and returns recovery codes. From then on, signing in with the password requires a code.",
  body: Type.Object({ password: Type.Optional(Password), code: Type.Optional(TotpCode) }),
  reply: Type.Object(
    {
      state: Type.Enum(["begun", "confirmed"], {
        description: "`begun`: confirm the secret with a code. `confirmed`: the app is set up.",
      }),
      secret: nullable(string("The secret in base32, to type into the app; null once confirmed.", "JBSWY3DPEHPK3PXP")),
      otpauth_uri: nullable(
        string(
          "The secret as an address for a QR code; null once confirmed.",
          "otpauth://totp/Curtail:ana@example.com?secret=JBSWY3DPEHPK3PXP&issuer=Curtail",
        ),
      ),
      recovery_codes: nullable(RecoveryCodes, "Ten recovery codes, which are not shown again; null until confirmed."),
    },
    { $id: "TotpSetup", description: "State of the set-up of an authenticator app." },
  ),
});

export const removeTotp = endpoint({
  id: "removeTotp",
  method: "POST",
  path: "/totp/remove",
  tag: "Sessions",
  summary: "Remove your authenticator app",
  description: `From then on, signing in requires the password alone. The recovery codes are deleted. ${proofRule}`,
  body: Type.Object(Proof),
  status: 204,
});
export const renewRecoveryCodes = endpoint({
  id: "renewRecoveryCodes",
  method: "POST",
  path: "/recovery-codes",
  tag: "Sessions",
  summary: "Replace your recovery codes",
  description: `Returns ten new recovery codes; the old ones stop working. ${proofRule}`,
  body: Type.Object(Proof),
  reply: Type.Object({ recovery_codes: RecoveryCodes }, { $id: "RecoveryCodes", description: "New recovery codes." }),
});

/** Every operation below /auth. */
export const authEndpoints = [
  getSignInOptions,
  signIn,
  signOut,
  getSession,
  listSessions,
  revokeSession,
  signOutEverywhere,
  changePassword,
  setUpTotp,
  removeTotp,
  renewRecoveryCodes,
  listCalendars,
  createCalendar,
  deleteCalendar,
  setHint,
  setLanguage,
  getNoticePreferences,
  setNoticePreferences,
  listPushSubscriptions,
  addPushSubscription,
  removePushSubscription,
  testPushSubscription,
] as const;

export const startSignOn = endpoint({
  id: "startSignOn",
  method: "GET",
  path: "/oidc/start",
  tag: "Sessions",
  summary: "Start single sign-on",
  description:
    "Redirects the browser to the identity provider. 404 if single sign-on is not configured. Pages link here; no other client needs it.",
  status: 303,
  isOpen: true,
  isOptional: true,
});

export const finishSignOn = endpoint({
  id: "finishSignOn",
  method: "GET",
  path: "/oidc/callback",
  tag: "Sessions",
  summary: "Complete single sign-on",
  description:
    "The identity provider redirects the browser here. Starts a session for the user, sets its cookie and redirects to the pages. If the sign-on failed, redirects to the sign-in form.",
  status: 303,
  isOpen: true,
  isOptional: true,
});

/** Operations that redirect the browser, in addition to `authEndpoints`. */
export const authRedirects = [startSignOn, finishSignOn] as const;
