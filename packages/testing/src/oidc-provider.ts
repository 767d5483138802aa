import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { atEnd } from "./at-end.js";

const CLIENT = { id: "curtail-client", secret: "client-secret-of-the-tests" };

/** The provider's claims about the user who signs in; undefined members are omitted. */
export type Claims = Readonly<Record<string, unknown>>;

/** An OpenID provider on its own socket, for one client; signs with RS256. */
export interface OidcProvider {
  readonly issuer: string;
  readonly settings: Record<string, string>;
  /** Sets the claims of the next tokens. */
  says(claims: Claims): void;
  /** Sets the claims of the userinfo endpoint, which is available from then on. */
  tells(claims: Claims): void;
  /** Signs with a key that it does not publish, or again with its own. */
  forges(isForging: boolean): void;
  /** Stops or resumes responding. */
  isDown(isDown: boolean): void;
  /** An access token with these claims, besides the issuer's. */
  accessToken(claims: Claims): string;
  /** Signs in the user of the browser; returns the URL that it is redirected to. */
  authorize(url: string): URL;
}

interface Grant {
  readonly challenge: string;
  readonly redirectUri: string;
  readonly nonce: string;
}

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

const signed = (claims: Claims, key: KeyObject): string => {
  const head = `${base64url({ alg: "RS256", kid: "one" })}.${base64url(claims)}`;
  return `${head}.${createSign("RSA-SHA256").update(head).sign(key).toString("base64url")}`;
};

type KeyPair = ReturnType<typeof keyPair>;
const keyPair = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
/** Made once for a worker of tests: each takes a tenth of a second. */
let keyPairs: { readonly published: KeyPair; readonly foreign: KeyPair } | undefined;

export const oidcProvider = async (): Promise<OidcProvider> => {
  keyPairs ??= { published: keyPair(), foreign: keyPair() };
  const { published, foreign } = keyPairs;
  const grants = new Map<string, Grant>();
  let key = published.privateKey;
  let claims: Claims = {};
  let info: Claims | null = null;
  let down = false;

  const token = async (request: IncomingMessage): Promise<[number, object]> => {
    const sent = new URLSearchParams(await text(request));
    const grant = grants.get(sent.get("code") ?? "");
    grants.delete(sent.get("code") ?? "");
    const isClient = sent.get("client_id") === CLIENT.id && sent.get("client_secret") === CLIENT.secret;
    if (!isClient) return [401, { error: "invalid_client" }];
    const challenge = createHash("sha256")
      .update(sent.get("code_verifier") ?? "")
      .digest("base64url");
    const isGranted = grant?.challenge === challenge && grant.redirectUri === sent.get("redirect_uri");
    if (grant === undefined || !isGranted) return [400, { error: "invalid_grant" }];
    const now = Math.floor(Date.now() / 1000);
    const standard = { iss: issuer, aud: CLIENT.id, iat: now, exp: now + 60, nonce: grant.nonce };
    return [200, { access_token: "access", token_type: "Bearer", id_token: signed({ ...standard, ...claims }, key) }];
  };

  const answer = async (request: IncomingMessage): Promise<[number, object]> => {
    if (down) return [503, {}];
    switch (request.url) {
      case "/.well-known/openid-configuration":
        return [200, { ...metadata(), ...(info === null ? {} : { userinfo_endpoint: `${issuer}/userinfo` }) }];
      case "/jwks":
        return [
          200,
          { keys: [{ ...published.publicKey.export({ format: "jwk" }), kid: "one", alg: "RS256", use: "sig" }] },
        ];
      case "/token":
        return token(request);
      case "/userinfo":
        return [200, info ?? {}];
      default:
        return [404, {}];
    }
  };

  const metadata = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  });

  const authorize = (url: string): URL => {
    const asked = new URL(url).searchParams;
    const value = (name: string): string => asked.get(name) ?? "";
    if (value("client_id") !== CLIENT.id || value("code_challenge_method") !== "S256")
      throw new Error(`refused: ${url}`);
    const code = randomBytes(16).toString("hex");
    const redirectUri = value("redirect_uri");
    grants.set(code, { challenge: value("code_challenge"), redirectUri, nonce: value("nonce") });
    const back = new URL(redirectUri);
    back.searchParams.set("code", code);
    back.searchParams.set("state", value("state"));
    return back;
  };

  const send = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url?.startsWith("/authorize?") === true)
      return void response.writeHead(303, { location: authorize(issuer + request.url).href }).end();
    const [status, body] = await answer(request);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  const server = createServer((request, response) => void send(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });

  return {
    issuer,
    settings: {
      CURTAIL_OIDC_ISSUER: issuer,
      CURTAIL_OIDC_CLIENT_ID: CLIENT.id,
      CURTAIL_OIDC_CLIENT_SECRET: CLIENT.secret,
    },
    says: (next) => void (claims = next),
    tells: (next) => void (info = next),
    forges: (isForging) => void (key = isForging ? foreign.privateKey : published.privateKey),
    isDown: (isDown) => void (down = isDown),
    accessToken: (given) => signed({ iss: issuer, ...given }, key),
    authorize,
  };
};
