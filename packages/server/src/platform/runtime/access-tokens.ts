import { errors, type JWTHeaderParameters, type JWTPayload, jwtVerify, SignJWT } from "jose";
import type { DerivedKey } from "../secret-box.js";

const ALGORITHM = "HS256";
const ISSUER = "curtail";

interface TokenContent {
  readonly subject: string;
  readonly scope: string;
  readonly issuedAt: Date;
}

/** The token was valid; its time is over. */
export const EXPIRED = "expired";

/** Signed access tokens (RFC 9068), which every process with the same secrets accepts. */
export const accessTokens = (keys: readonly [DerivedKey, ...DerivedKey[]], audience: string) => ({
  issue: ({ subject, scope, issuedAt }: TokenContent, seconds: number): Promise<string> =>
    new SignJWT({ scope, client_id: subject })
      .setProtectedHeader({ alg: ALGORITHM, typ: "at+jwt", kid: keys[0].id })
      .setIssuer(ISSUER)
      .setAudience(audience)
      .setSubject(subject)
      // With the milliseconds: tokens of the second before a client lost its secret are distinguished.
      .setIssuedAt(issuedAt.getTime() / 1000)
      .setExpirationTime(new Date(issuedAt.getTime() + seconds * 1000))
      .sign(keys[0].key),

  /** null: it is not one of ours, or it was changed. */
  async read(token: string, now: Date): Promise<TokenContent | typeof EXPIRED | null> {
    const options = { algorithms: [ALGORITHM], typ: "at+jwt", issuer: ISSUER, audience, currentDate: now };
    const verified = await verifiedOf(() =>
      jwtVerify(token, ({ kid }: JWTHeaderParameters) => keyOf(keys, kid), options).then(({ payload }) => payload),
    );
    return verified === null || verified === EXPIRED ? verified : contentOf(verified);
  },
});

const keyOf = (keys: readonly DerivedKey[], kid: string | undefined): Buffer => {
  const found = keys.find(({ id }) => id === kid);
  if (found === undefined) throw new errors.JWSInvalid("unknown key");
  return found.key;
};

/** What a token says; failures that are not the token's are thrown. */
export const verifiedOf = async (verify: () => Promise<JWTPayload>): Promise<JWTPayload | typeof EXPIRED | null> => {
  try {
    return await verify();
  } catch (error) {
    if (error instanceof errors.JWTExpired) return EXPIRED;
    if (isOfToken(error)) return null;
    throw error;
  }
};

const isOfToken = (error: unknown): boolean =>
  error instanceof errors.JWTInvalid ||
  error instanceof errors.JWTClaimValidationFailed ||
  error instanceof errors.JWSInvalid ||
  error instanceof errors.JWSSignatureVerificationFailed ||
  error instanceof errors.JOSEAlgNotAllowed ||
  error instanceof errors.JOSENotSupported ||
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys;

const contentOf = ({ sub, scope, iat }: JWTPayload): TokenContent | null =>
  sub === undefined || typeof scope !== "string" || iat === undefined
    ? null
    : { subject: sub, scope, issuedAt: new Date(iat * 1000) };
