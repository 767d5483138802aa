import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { byId, PageQuery, pageOf } from "../operator-v1/list.js";
import { User } from "../operator-v1/user.js";
import { id, nullable, Timestamp } from "../values.js";

const MAX_EMAIL_CHARACTERS = 254;
const MAX_SECRET_CHARACTERS = 400;

/** Code of an authenticator app. */
export const TotpCode = Type.String({ pattern: "^\\d{6}$", description: "Six digits of an authenticator app." });

/** One of those that were shown when the authenticator app was set up. */
export const RecoveryCode = Type.String({
  maxLength: 60,
  description: "A recovery code, usable once in place of a code of the app; case, spaces and hyphens do not matter.",
  examples: ["4f9k-2m7q-1x8c-w3tz"],
});

const Password = Type.String({ maxLength: MAX_SECRET_CHARACTERS, description: "Your current password." });

/** What is asked for again before something about signing in changes. */
const Proof = {
  password: Password,
  totp: Type.Optional(TotpCode),
  recovery_code: Type.Optional(RecoveryCode),
};

const RecoveryCodes = Type.Array(Type.String(), {
  description: "Ten recovery codes, each usable once in place of a code of the app. They are shown this once.",
});

export const SignedIn = Type.Object(
  {
    state: Type.Enum(["signed_in", "totp_needed"], {
      description: "totp_needed: email and password are right; send them again with `totp` or `recovery_code`.",
    }),
    user: nullable(User),
  },
  { $id: "SignedIn" },
);
export type SignedIn = Static<typeof SignedIn>;

/** Signed in from one browser. */
export const Session = Type.Object(
  {
    id: id("session", "Session id."),
    is_current: Type.Boolean({ description: "The one that asks." }),
    created_at: Timestamp,
    last_seen_at: Timestamp,
    expires_at: Timestamp,
    user_agent: Type.String(),
    address: Type.String(),
  },
  { $id: "Session" },
);
export type Session = Static<typeof Session>;

export const SignInOptions = Type.Object(
  {
    oidc: Type.Boolean({ description: "true: single sign-on begins at /auth/oidc/start." }),
    password: Type.Literal(true, { description: "Email and password always do." }),
    session_end: nullable(
      Type.Enum(["expired", "signed_out_elsewhere", "signed_out_by_administrator", "password_changed"], {
        description:
          "Why the session of the cookie that came with the request ended; null without one, and for one that counts.",
      }),
    ),
  },
  { $id: "SignInOptions" },
);
export type SignInOptions = Static<typeof SignInOptions>;

export const getSignInOptions = endpoint({
  id: "getSignInOptions",
  method: "GET",
  path: "/options",
  tag: "Sessions",
  summary: "How one can sign in here; asked before anybody is signed in",
  reply: SignInOptions,
});
export const signIn = endpoint({
  id: "signIn",
  method: "POST",
  path: "/sign-in",
  tag: "Sessions",
  summary: "Sign in with email and password; sets the session's cookie",
  description:
    "Also sets a cookie that identifies this browser at later sign-ins; its failures are counted separately.",
  body: Type.Object({
    email: Type.String({ maxLength: MAX_EMAIL_CHARACTERS }),
    password: Type.String({ maxLength: MAX_SECRET_CHARACTERS }),
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
  summary: "End this session",
  status: 204,
});
export const getSession = endpoint({
  id: "getSession",
  method: "GET",
  path: "/session",
  tag: "Sessions",
  summary: "Who is signed in",
  reply: Type.Object({
    user: User,
    session: Session,
    recovery_codes_left: Type.Integer({ description: "Recovery codes that were not used yet." }),
  }),
});
export const listSessions = endpoint({
  id: "listSessions",
  method: "GET",
  path: "/sessions",
  tag: "Sessions",
  summary: "List your sessions, newest first",
  query: PageQuery,
  reply: pageOf(Session),
});
export const revokeSession = endpoint({
  id: "revokeSession",
  method: "DELETE",
  path: "/sessions/{id}",
  tag: "Sessions",
  summary: "End one of your sessions",
  params: byId,
  status: 204,
});
export const signOutEverywhere = endpoint({
  id: "signOutEverywhere",
  method: "POST",
  path: "/sign-out-everywhere",
  tag: "Sessions",
  summary: "End all of your sessions, this one too",
  description: "Browsers that signed in before are forgotten as well.",
  status: 204,
});
export const changePassword = endpoint({
  id: "changePassword",
  method: "POST",
  path: "/password",
  tag: "Sessions",
  summary: "Change your password; your other sessions end",
  body: Type.Object({
    password: Password,
    new_password: Type.String({ maxLength: MAX_SECRET_CHARACTERS, description: "At least 12 characters." }),
  }),
  status: 204,
});
export const setUpTotp = endpoint({
  id: "setUpTotp",
  method: "POST",
  path: "/totp",
  tag: "Sessions",
  summary: "Have a code of an authenticator app asked for when signing in",
  description:
    "With your password: answers a new secret for the app. With a code from the app: confirms the secret and answers recovery codes. From then on, signing in takes a code.",
  body: Type.Object({ password: Type.Optional(Password), code: Type.Optional(TotpCode) }),
  reply: Type.Object(
    {
      state: Type.Enum(["begun", "confirmed"]),
      secret: nullable(Type.String({ description: "Base32, to type into the app; null once confirmed." })),
      otpauth_uri: nullable(Type.String({ description: "The same as an address, for a QR code." })),
      recovery_codes: nullable(RecoveryCodes),
    },
    { $id: "TotpSetup" },
  ),
});

export const removeTotp = endpoint({
  id: "removeTotp",
  method: "POST",
  path: "/totp/remove",
  tag: "Sessions",
  summary: "Remove the authenticator app and its recovery codes",
  description: "Takes your password and either a code from the app or a recovery code.",
  body: Type.Object(Proof),
  status: 204,
});
export const renewRecoveryCodes = endpoint({
  id: "renewRecoveryCodes",
  method: "POST",
  path: "/recovery-codes",
  tag: "Sessions",
  summary: "Replace your recovery codes",
  description: "Takes your password and either a code from the app or a recovery code.",
  body: Type.Object(Proof),
  reply: Type.Object({ recovery_codes: RecoveryCodes }, { $id: "RecoveryCodes" }),
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
] as const;

export const startSignOn = endpoint({
  id: "startSignOn",
  method: "GET",
  path: "/oidc/start",
  tag: "Sessions",
  summary: "Begin single sign-on: leads the browser to the identity provider",
  status: 303,
  isOptional: true,
});

export const finishSignOn = endpoint({
  id: "finishSignOn",
  method: "GET",
  path: "/oidc/callback",
  tag: "Sessions",
  summary: "Where the identity provider leads the browser back to",
  description:
    "Signs in the user whom the provider names, sets the session's cookie and leads on to the pages. A browser whose sign-on failed is led back to the form.",
  status: 303,
  isOptional: true,
});

/** Beside them, what leads browsers from one address to another. */
export const authRedirects = [startSignOn, finishSignOn] as const;
