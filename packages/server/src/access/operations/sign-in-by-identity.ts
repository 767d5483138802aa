import type { Ports } from "../../platform/ports.js";
import { denied, isRefusal, type Result } from "../../platform/refusal.js";
import { maySignIn } from "../domain/session.js";
import type { User } from "../domain/user.js";
import type { AccessStores } from "./access-stores.js";
import { type Started, startSession } from "./sign-in.js";
import type { Browser, SessionPorts } from "./sign-in-ports.js";
import type { Identity, UserRecord } from "./user-ports.js";

/** What a browser stores while its user is with the provider. */
export interface SignOnSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The provider's claims about a user. */
export interface ProvenIdentity extends Identity {
  readonly email: string | null;
  readonly isEmailVerified: boolean;
}

/** The provider of single sign-on. */
export interface IdentityProvider {
  /** Where to redirect the browser, which returns to `redirectUri`. */
  start(redirectUri: string): Promise<{ readonly url: string; readonly secrets: SignOnSecrets }>;
  /** Throws if the response does not match the request. */
  finish(returned: URL, secrets: SignOnSecrets): Promise<ProvenIdentity>;
}

/** Signs in by an identity bound before, or else by a verified email; the identity is bound from then on. */
export const signInByIdentity = async (
  ports: SessionPorts,
  identity: ProvenIdentity,
  browser: Browser,
): Promise<Result<Started>> => {
  const outcome = await startedBy(ports, identity, browser);
  if (isRefusal(outcome)) ports.noteRefused({ kind: "single_sign_on", address: browser.address, userId: null });
  return outcome;
};

const startedBy = async (ports: SessionPorts, identity: ProvenIdentity, browser: Browser): Promise<Result<Started>> => {
  const bound = await ports.stores.users.findByIdentity(identity);
  const record = bound ?? (await findUnbound(ports, identity));
  if (record === null || !maySignIn(record)) return unknownPerson;
  const isSet = bound !== null || (await bindIdentity(ports, record.user, identity));
  return (isSet ? await startSession(ports, { record }, browser) : null) ?? unknownPerson;
};

const unknownPerson = denied("No user with that email may sign in; ask an administrator to invite you.");

/** The owner of the email, or else the user invited with it, if there is exactly one. */
const findUnbound = async (
  { stores: { users } }: SessionPorts,
  { email, isEmailVerified }: ProvenIdentity,
): Promise<UserRecord | null> => {
  if (email === null || !isEmailVerified) return null;
  const owner = await users.findByEmail(email);
  if (owner !== null) return owner.identity === null ? owner : null;
  const invited = (await users.findInvited(email)).filter(maySignIn);
  return invited.length === 1 ? (invited[0] ?? null) : null;
};

const bindIdentity = async (
  { transact, clock }: Ports<AccessStores>,
  user: User,
  { issuer, subject }: Identity,
): Promise<boolean> => {
  const bound = await transact(async (stores): Promise<Result<true>> => {
    if ((await stores.users.lock(user.id, null))?.identity !== null) return unknownPerson;
    const at = clock.now();
    if (!(await stores.users.bind(user.id, { issuer, subject }, at))) return unknownPerson;
    const actor = `user:${user.id}` as const;
    await stores.audit.append({ actor, at }, "user.bind_oidc", user, {});
    return true;
  });
  return bound === true;
};
