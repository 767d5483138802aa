import { createRemoteJWKSet, type JWTPayload, jwtVerify } from "jose";
import { allowInsecureRequests, discovery, None } from "openid-client";
import { onceDone } from "../once.js";
import { askingPeer } from "../peer-away.js";
import { type EXPIRED, verifiedOf } from "./access-tokens.js";

export interface IssuerSettings {
  readonly issuer: string;
  readonly audience: string;
  /** Whether `sub` names the client of a token that has neither `client_id` nor `azp`. */
  readonly trustsSubject: boolean;
}

/** What a token of an outside issuer says. */
export interface OutsideToken {
  /** The name of its client; null: it has none that counts. */
  readonly client: string | null;
  readonly scope: string;
  readonly issuedAt: Date;
}

const TIMEOUT_SECONDS = 5;
/** No client of ours: only the metadata of the issuer are read. */
const NOBODY = "curtail";

const PEER = "the issuer of tokens";

/** Tokens of an outside issuer, found by OpenID Connect discovery (RFC 8414) on first use. */
export const tokenIssuer = ({ issuer, audience, trustsSubject }: IssuerSettings) => {
  const discovered = onceDone(async () => {
    const execute = issuer.startsWith("http:") ? [allowInsecureRequests] : [];
    const options = { execute, timeout: TIMEOUT_SECONDS };
    const metadata = (await discovery(new URL(issuer), NOBODY, undefined, None(), options)).serverMetadata();
    if (metadata.jwks_uri === undefined) throw new Error(`${issuer} publishes no keys (jwks_uri)`);
    const keys = createRemoteJWKSet(new URL(metadata.jwks_uri), { timeoutDuration: TIMEOUT_SECONDS * 1000 });
    return { metadata, keys };
  });
  return {
    /** Where clients obtain tokens. */
    tokenUrl: (): Promise<string> =>
      askingPeer(PEER, async () => {
        const { token_endpoint } = (await discovered()).metadata;
        if (token_endpoint === undefined) throw new Error(`${issuer} publishes no token endpoint`);
        return token_endpoint;
      }),

    /** null: it is not one of the issuer's for us. Throws `PeerAway` if the issuer cannot be asked. */
    async read(token: string, now: Date): Promise<OutsideToken | typeof EXPIRED | null> {
      const verified = await askingPeer(PEER, async () => {
        const { metadata, keys } = await discovered();
        const options = { issuer: metadata.issuer, audience, currentDate: now, requiredClaims: ["exp", "iat"] };
        return verifiedOf(() => jwtVerify(token, keys, options).then(({ payload }) => payload));
      });
      if (verified === null || verified === "expired") return verified;
      return isIdToken(verified) || isOfFuture(verified, now) ? null : outsideToken(verified, trustsSubject);
    },
  };
};

/** A token about a person's sign-in is for the program that signed the person in, and opens nothing. */
const isIdToken = (payload: JWTPayload): boolean => "nonce" in payload || "at_hash" in payload;

/** Clocks of issuers may be ahead by this much. */
const AHEAD_SECONDS = 30;

const isOfFuture = ({ iat = 0 }: JWTPayload, now: Date): boolean => iat > now.getTime() / 1000 + AHEAD_SECONDS;

/**
 * Issuers name the client in `client_id` (RFC 9068), `azp` or `appid`. The first that is there decides: a token for one
 * client must not be taken for another whose name it has in `sub`, which may be that of a person.
 */
const clientOf = ({ client_id, azp, appid, sub }: JWTPayload, trustsSubject: boolean): string | null => {
  const name = [client_id, azp, appid, trustsSubject ? sub : undefined].find((each) => each !== undefined);
  return typeof name === "string" ? name : null;
};

const outsideToken = ({ scope, scp, ...payload }: JWTPayload, trustsSubject: boolean): OutsideToken => ({
  client: clientOf(payload, trustsSubject),
  scope: [scope, scp]
    .flat()
    .filter((each) => typeof each === "string")
    .join(" "),
  issuedAt: new Date((payload.iat ?? 0) * 1000),
});
