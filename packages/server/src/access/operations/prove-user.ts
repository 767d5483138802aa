import { denied, invalid, type Result, tooMany } from "../../platform/refusal.js";
import { acceptedSteps, plainCode, TOTP_STEP_SECONDS } from "../domain/second-factor.js";
import { maySignIn } from "../domain/session.js";
import type { SignInAttempt } from "../domain/sign-in-limit.js";
import type { AccessStores } from "./access-stores.js";
import type { Browser, Codes, SessionPorts, SignedIn } from "./sign-in-ports.js";
import type { TotpRecord, UserRecord } from "./user-ports.js";

/** Uses up a code, so that it cannot be used again; false if it is wrong or used. */
export type Spend = (stores: AccessStores, at: Date) => Promise<boolean>;

/** How to use up the given code; null if it is wrong or missing. */
export const spendOf = (ports: SessionPorts, { user, totp }: UserRecord, codes: Codes): Spend | null => {
  const { recoveryCode } = codes;
  if (recoveryCode !== null) {
    const hash = ports.tokens.hashToken(plainCode(recoveryCode));
    return (stores, at) => stores.recoveryCodes.use(user.id, hash, at);
  }
  const step = codes.totp === null || totp === null ? null : stepOf(ports, totp, codes.totp);
  return step === null ? null : (stores) => stores.users.takeTotpStep(user.id, step);
};

/** The step that a code belongs to; null if it is not accepted now. */
export const stepOf = ({ totp, clock }: SessionPorts, { secret, lastStep }: TotpRecord, code: string): number | null =>
  acceptedSteps(clock.now(), lastStep).find((step) => totp.codeAt(secret, step * TOTP_STEP_SECONDS) === code) ?? null;

export const hasBothCodes = ({ totp, recoveryCode }: Codes): boolean => totp !== null && recoveryCode !== null;
export const bothCodes = invalid("totp and recovery_code are both set; send only one");

/** The credentials of a signed-in user who has to confirm the identity again. */
export interface Proof extends Codes {
  readonly password: string;
}

export interface ProvingAgain {
  readonly signedIn: SignedIn;
  readonly browser: Browser;
  readonly proof: Proof;
  /** Whether a code is required as well, from users who have set up codes. */
  readonly withCode: boolean;
}

/** The result of an attempt, and whether it counts as a failure. */
export interface Tried<T> {
  readonly result: Result<T>;
  /** Only a success clears failures: otherwise a code could be guessed with such calls in between. */
  readonly how: "proven" | "wrong" | "neither";
}

/** Limits attempts per session: a stolen session must not keep the owner from changing the password. */
export const limitedInSession = async <T>(
  { failures, clock, noteRefused }: SessionPorts,
  { signedIn: { user, session }, browser }: Pick<ProvingAgain, "signedIn" | "browser">,
  run: () => Promise<Tried<T>>,
): Promise<Result<T>> => {
  const attempt: SignInAttempt = { email: user.email, place: browser.place, device: `session ${session.id}` };
  const barredSeconds = failures.begin(attempt, clock.now().getTime());
  if (barredSeconds > 0) return tooMany("too many wrong passwords or codes were sent", barredSeconds);
  try {
    const { result, how } = await run();
    if (how === "wrong") noteRefused({ kind: "own_password", address: browser.address, userId: user.id });
    else if (how === "proven") failures.succeeded(attempt);
    else failures.takeBack(attempt);
    return result;
  } catch (error) {
    failures.takeBack(attempt);
    throw error;
  }
};

/** Does `work` once the password is confirmed: an unattended or stolen session must not change credentials. */
export const provenAgain = async <T>(
  ports: SessionPorts,
  by: ProvingAgain,
  work: (stores: AccessStores, record: UserRecord, at: Date) => Promise<Result<T>>,
): Promise<Result<T>> => {
  if (hasBothCodes(by.proof)) return bothCodes;
  return limitedInSession(ports, by, async () => {
    let isProven = false;
    const result = await ports.transact(async (stores) => {
      const record = await stores.users.lock(by.signedIn.user.id, null);
      if (record === null || !maySignIn(record)) return gone;
      const fault = await proofFault(ports, stores, { ...by, record });
      isProven = fault === null;
      return fault ?? work(stores, record, ports.clock.now());
    });
    return { result, how: isProven ? "proven" : result === wrongProof ? "wrong" : "neither" };
  });
};

const gone = denied("Permission denied: sign in first.");
const wrongProof = invalid("the password or the code is wrong; check them and try again");
const noPassword = invalid(
  "you have no password here, because you use single sign-on; ask an administrator for an invitation link to set one",
);
const codeNeeded = invalid(
  "a code is required too: send the code of your authenticator app as totp, or a recovery code as recovery_code",
);

const proofFault = async (
  ports: SessionPorts,
  stores: AccessStores,
  { record, proof, withCode }: Pick<ProvingAgain, "proof" | "withCode"> & { readonly record: UserRecord },
) => {
  if (record.passwordHash === null) return noPassword;
  if (!(await ports.passwords.verify(record.passwordHash, proof.password))) return wrongProof;
  if (!withCode || record.totp?.isConfirmed !== true) return null;
  if (proof.totp === null && proof.recoveryCode === null) return codeNeeded;
  const spend = spendOf(ports, record, proof);
  return spend !== null && (await spend(stores, ports.clock.now())) ? null : wrongProof;
};
