import type { EmailTrust } from "../../platform/email-trust.js";
import type { Ports } from "../../platform/ports.js";
import { conflict, type Result } from "../../platform/refusal.js";
import { maySignIn } from "../domain/session.js";
import type { User } from "../domain/user.js";
import { type Claims, type SignOnFailure, verifiedEmail } from "../domain/verified-email.js";
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
  readonly claims: Claims;
}

/** The provider of single sign-on. */
export interface IdentityProvider {
  /** Where to redirect the browser, which returns to `redirectUri`. */
  start(redirectUri: string): Promise<{ readonly url: string; readonly secrets: SignOnSecrets }>;
  /** Throws if the response does not match the request. */
  finish(returned: URL, secrets: SignOnSecrets): Promise<ProvenIdentity>;
}

export type SignOnOutcome = Started | { readonly failure: SignOnFailure };

export interface SignOnPorts extends SessionPorts {
  readonly emailTrust: EmailTrust;
}

/** Signs in by an identity bound before, or else by a trusted email; the identity is bound from then on. */
export const signInByIdentity = async (
  ports: SignOnPorts,
  identity: ProvenIdentity,
  browser: Browser,
): Promise<SignOnOutcome> => {
  const outcome = await startedBy(ports, identity, browser);
  if ("failure" in outcome) ports.noteRefused({ kind: "single_sign_on", address: browser.address, userId: null });
  return outcome;
};

const startedBy = async (ports: SignOnPorts, identity: ProvenIdentity, browser: Browser): Promise<SignOnOutcome> => {
  const bound = await ports.stores.users.findByIdentity(identity);
  const record = bound ?? (await findUnbound(ports, identity));
  if ("failure" in record) return record;
  if (!maySignIn(record)) return { failure: "disabled" };
  const isSet = bound !== null || (await bindIdentity(ports, record.user, identity));
  if (!isSet) return { failure: "linked-elsewhere" };
  return (await startSession(ports, { record }, browser)) ?? { failure: "disabled" };
};

type Found = UserRecord | { readonly failure: SignOnFailure };

/** The owner of the email, or else the user invited with it, if there is exactly one. */
const findUnbound = async (
  { stores: { users }, emailTrust }: SignOnPorts,
  { claims }: ProvenIdentity,
): Promise<Found> => {
  const proven = verifiedEmail(claims, emailTrust);
  if ("failure" in proven) return proven;
  const owner = await users.findByEmail(proven.email);
  if (owner !== null) return owner.identity === null ? owner : { failure: "linked-elsewhere" };
  return theOneOf(await users.findInvited(proven.email));
};

const theOneOf = (invited: readonly UserRecord[]): Found => {
  const [first, second] = invited.filter(maySignIn);
  if (second !== undefined) return { failure: "several-invitations" };
  return first ?? { failure: invited.length === 0 ? "unknown-email" : "disabled" };
};

const bindIdentity = async (
  { transact, clock }: Ports<AccessStores>,
  user: User,
  { issuer, subject }: Identity,
): Promise<boolean> => {
  const bound = await transact(async (stores): Promise<Result<true>> => {
    if ((await stores.users.lock(user.id, null))?.identity !== null) return taken;
    const at = clock.now();
    if (!(await stores.users.bind(user.id, { issuer, subject }, at))) return taken;
    const actor = `user:${user.id}` as const;
    await stores.audit.append({ actor, at }, "user.bind_oidc", user, {});
    return true;
  });
  return bound === true;
};

const taken = conflict("the user or the identity was linked in the meantime");
