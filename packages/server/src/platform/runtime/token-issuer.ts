import { createRemoteJWKSet, type JWTPayload, jwtVerify } from "jose";
import { allowInsecureRequests, type Configuration, discovery, None } from "openid-client";
import { EXPIRED, verifiedOf } from "./access-tokens.js";

export interface IssuerSettings {
  readonly issuer: string;
  readonly audience: string;
}

/** What a token of an outside issuer says. */
export interface OutsideToken {
  /** Names of its client, the most specific first. */
  readonly names: readonly string[];
  readonly scope: string;
  readonly issuedAt: Date;
}

const TIMEOUT_SECONDS = 5;
/** No client of ours: only the metadata of the issuer are read. */
const NOBODY = "curtail";

type KeySet = ReturnType<typeof createRemoteJWKSet>;

/** Tokens of an outside issuer, found by OpenID Connect discovery (RFC 8414) on first use. */
export const tokenIssuer = ({ issuer, audience }: IssuerSettings) => {
  let found: Promise<{ metadata: ReturnType<Configuration["serverMetadata"]>; keys: KeySet }> | undefined;
  const discover = async () => {
    try {
      const execute = issuer.startsWith("http:") ? [allowInsecureRequests] : [];
      const options = { execute, timeout: TIMEOUT_SECONDS };
      const metadata = (await discovery(new URL(issuer), NOBODY, undefined, None(), options)).serverMetadata();
      if (metadata.jwks_uri === undefined) throw new Error(`${issuer} publishes no keys (jwks_uri)`);
      return {
        metadata,
        keys: createRemoteJWKSet(new URL(metadata.jwks_uri), { timeoutDuration: TIMEOUT_SECONDS * 1000 }),
      };
    } catch (error) {
      found = undefined;
      throw error;
    }
  };
  const discovered = () => (found ??= discover());
  return {
    /** Where clients obtain tokens. */
    async tokenUrl(): Promise<string> {
      const { token_endpoint } = (await discovered()).metadata;
      if (token_endpoint === undefined) throw new Error(`${issuer} publishes no token endpoint`);
      return token_endpoint;
    },

    /** null: it is not one of the issuer's for us. Throws if the issuer cannot be asked. */
    async read(token: string, now: Date): Promise<OutsideToken | typeof EXPIRED | null> {
      const { metadata, keys } = await discovered();
      const options = { issuer: metadata.issuer, audience, currentDate: now, requiredClaims: ["exp", "iat"] };
      const verified = await verifiedOf(() => jwtVerify(token, keys, options).then(({ payload }) => payload));
      return verified === null || verified === EXPIRED ? verified : outsideToken(verified);
    },
  };
};

export type TokenIssuer = ReturnType<typeof tokenIssuer>;

/** Issuers name the client in `client_id` (RFC 9068), `azp` or `appid`; some only in `sub`. */
const outsideToken = ({ client_id, azp, appid, sub, scope, scp, iat }: JWTPayload): OutsideToken => ({
  names: [client_id, azp, appid, sub].filter((name) => typeof name === "string"),
  scope: [scope, scp]
    .flat()
    .filter((each) => typeof each === "string")
    .join(" "),
  issuedAt: new Date((iat ?? 0) * 1000),
});
