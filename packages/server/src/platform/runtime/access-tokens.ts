import { errors, type JWTHeaderParameters, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { BoundedMap } from "../bounded-map.js";
import type { DerivedKey } from "../secret-box.js";

const ALGORITHM = "HS256";
const ISSUER = "curtail";

interface TokenContent {
  readonly subject: string;
  readonly scope: string;
  readonly issuedAt: Date;
}

/** What a token was found to say, until it expires. */
interface ReadToken {
  readonly content: TokenContent;
  readonly expiresMs: number;
}

/** Of tokens that were read: some 20,000. */
const MOST_BYTES = 32 * 1024 * 1024;
const TOKEN_BYTES = 1500;

/** The token was valid; its time is over. */
export const EXPIRED = "expired";

/** Signed access tokens (RFC 9068), which every process with the same secrets accepts. */
export const accessTokens = (keys: readonly [DerivedKey, ...DerivedKey[]], audience: string) => {
  // A client sends the same token for an hour.
  const known = new BoundedMap<ReadToken>(MOST_BYTES);
  return tokensOver(known, keys, audience);
};

const tokensOver = (known: BoundedMap<ReadToken>, keys: readonly [DerivedKey, ...DerivedKey[]], audience: string) => ({
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
    const read = known.get(token);
    if (read !== undefined && now.getTime() < read.expiresMs) return read.content;
    const options = { algorithms: [ALGORITHM], typ: "at+jwt", issuer: ISSUER, audience, currentDate: now };
    const verified = await verifiedOf(() =>
      jwtVerify(token, ({ kid }: JWTHeaderParameters) => keyOf(keys, kid), options).then(({ payload }) => payload),
    );
    if (verified === null || verified === EXPIRED) return verified;
    const content = contentOf(verified);
    // The library counts in whole seconds: it is asked again in the last one.
    const expiresMs = (verified.exp ?? 0) * 1000 - 1000;
    if (content !== null) known.set(token, { content, expiresMs }, TOKEN_BYTES);
    return content;
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
