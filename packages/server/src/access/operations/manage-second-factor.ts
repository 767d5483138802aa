import { invalid, isRefusal, type Result } from "../../platform/refusal.js";
import { plainCode, RECOVERY_CODES } from "../domain/second-factor.js";
import type { User } from "../domain/user.js";
import type { AccessStores } from "./access-stores.js";
import { limitedInSession, type ProvingAgain, provenAgain, stepOf, type Tried } from "./prove-user.js";
import type { SessionPorts } from "./sign-in-ports.js";

export interface TotpSetup {
  readonly secret: string;
  readonly uri: string;
}

type OwnChange = Omit<ProvingAgain, "withCode">;

/** Creates a secret for an authenticator app; it takes effect once `confirmTotp` gets a code of it. */
export const beginTotp = (ports: SessionPorts, by: OwnChange): Promise<Result<TotpSetup>> =>
  provenAgain(ports, { ...by, withCode: false }, async (stores, { user, totp: before }) => {
    // A stolen session must not replace the second factor.
    if (before?.isConfirmed === true) return totpIsOn;
    const secret = ports.totp.newSecret();
    await stores.users.saveTotp(user.id, secret);
    return { secret, uri: ports.totp.uriOf(secret, user.email) };
  });

const totpIsOn = invalid("an authenticator app is already set up; remove it first");

/** Requires a code from now on; returns recovery codes, which are shown only once. */
export const confirmTotp = (ports: SessionPorts, by: Omit<OwnChange, "proof">, code: string) =>
  limitedInSession(ports, by, async (): Promise<Tried<readonly string[]>> => {
    const result = await ports.transact((stores) => confirmedTotp(ports, stores, { user: by.signedIn.user, code }));
    return { result, how: isRefusal(result) ? (result === wrongCode ? "wrong" : "neither") : "proven" };
  });

const confirmedTotp = async (
  ports: SessionPorts,
  stores: AccessStores,
  { user, code }: { readonly user: User; readonly code: string },
): Promise<Result<readonly string[]>> => {
  const record = (await stores.users.lock(user.id, null))?.totp ?? null;
  if (record === null) return invalid("no secret was created yet; send a request with your password first");
  if (record.isConfirmed) return totpIsOn;
  const step = stepOf(ports, record, code);
  if (step === null) return wrongCode;
  const at = ports.clock.now();
  await stores.users.confirmTotp(user.id, at);
  await stores.users.takeTotpStep(user.id, step);
  await stores.audit.append({ actor: `user:${user.id}`, at }, "user.confirm_totp", user, {});
  return newRecoveryCodes(ports, stores, user);
};

const wrongCode = invalid("the code does not match the secret; check the clock of the device and try again");

const newRecoveryCodes = async (
  { tokens }: SessionPorts,
  stores: AccessStores,
  { id }: User,
): Promise<readonly string[]> => {
  const codes = Array.from({ length: RECOVERY_CODES }, () => tokens.newRecoveryCode());
  await stores.recoveryCodes.replace(
    id,
    codes.map((code) => tokens.hashToken(plainCode(code))),
  );
  return codes;
};

/** Creates new recovery codes and voids the previous ones. */
export const renewRecoveryCodes = (ports: SessionPorts, by: OwnChange): Promise<Result<readonly string[]>> =>
  provenAgain(ports, { ...by, withCode: true }, async (stores, { user, totp }, at) => {
    if (totp?.isConfirmed !== true) return noTotp;
    await stores.audit.append({ actor: `user:${user.id}`, at }, "user.renew_recovery_codes", user, {});
    return newRecoveryCodes(ports, stores, user);
  });

/** From now on the password alone is enough. */
export const removeTotp = (ports: SessionPorts, by: OwnChange): Promise<Result<User>> =>
  provenAgain(ports, { ...by, withCode: true }, async (stores, { user, totp }, at) => {
    if (totp?.isConfirmed !== true) return noTotp;
    await stores.users.removeTotp(user.id);
    await stores.recoveryCodes.replace(user.id, []);
    await stores.audit.append({ actor: `user:${user.id}`, at }, "user.remove_totp", user, {});
    return user;
  });

const noTotp = invalid("no authenticator app is set up; there is nothing to recover or remove");
