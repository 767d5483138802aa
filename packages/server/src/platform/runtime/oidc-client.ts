import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from "openid-client";
import { onceDone } from "../once.js";

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What a browser stores while its user is with the provider; it binds the return to the start. */
interface SignOnSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Within the idle timeout of a connection, with room for two requests. */
const TIMEOUT_SECONDS = 5;

/** Single sign-on by OpenID Connect: code flow with state, nonce and PKCE; verifies the token's signature. */
export const oidcClient = (settings: OidcSettings) => {
  // On first use: a provider that is down must not keep the service down.
  const configuration = onceDone(() => discovered(settings));
  return {
    /** Where to send the browser. */
    async start(redirectUri: string): Promise<{ readonly url: string; readonly secrets: SignOnSecrets }> {
      const secrets = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const url = buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: "openid email",
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
        code_challenge_method: "S256",
      });
      return { url: url.href, secrets };
    },

    /** Identifies the user by the URL that the provider redirected to; throws if anything does not match. */
    async finish(returned: URL, { state, nonce, verifier }: SignOnSecrets) {
      const config = await configuration();
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
      const tokens = await authorizationCodeGrant(config, returned, checks);
      const claims = tokens.claims();
      if (claims === undefined) throw new Error("the provider sent no ID token");
      const person = claims["email"] === undefined ? await userInfo(config, tokens.access_token, claims.sub) : claims;
      return { issuer: claims.iss, subject: claims.sub, claims: { ...person, ...claims } };
    },
  };
};

/** Some providers return the email only there, not in the ID token. */
const userInfo = async (
  config: Configuration,
  accessToken: string,
  subject: string,
): Promise<Record<string, unknown>> =>
  config.serverMetadata().userinfo_endpoint === undefined ? {} : fetchUserInfo(config, accessToken, subject);

/** The provider's endpoints. */
const discovered = ({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> => {
  const execute = [enableNonRepudiationChecks, ...(issuer.startsWith("http:") ? [allowInsecureRequests] : [])];
  return discovery(new URL(issuer), clientId, clientSecret, undefined, { execute, timeout: TIMEOUT_SECONDS });
};
