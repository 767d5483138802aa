import { grantedScopes, type Scope, scopes, type TokenError, type TokenReply } from "@curtail/openadr-3";
import { type ClientRecord, type Openadr3Client, TOKEN_SECONDS } from "../domain/client.js";
import type { Openadr3Caller } from "./caller.js";
import type { TokenPorts } from "./token-ports.js";

export interface TokenRequest {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Separated by spaces; "": all of the client. */
  readonly scope: string;
}

/** Why there is no token, as RFC 6749 names it. */
export interface TokenRefusal {
  readonly error: TokenError;
  readonly description: string;
}

/** The client of a secret; the answer to a wrong one does not show whether the client exists. */
const checkSecret = async (
  { clients, secrets, clock }: Pick<TokenPorts, "clients" | "secrets" | "clock">,
  { clientId, clientSecret }: Pick<TokenRequest, "clientId" | "clientSecret">,
): Promise<ClientRecord | TokenRefusal> => {
  const record = await clients.byId(clientId);
  const hashes = record === null ? [] : hashesOf(record, clock.now());
  // Not `some`: the time must not show which of them was compared.
  const isRight = hashes.map((hash) => secrets.matches(clientSecret, hash)).includes(true);
  if (record === null || !isRight) return refuse("invalid_client", "client_id or client_secret is wrong.");
  const why = whyRefused(record);
  return why === null ? record : refuse("invalid_client", why);
};

/** Issues a token for a secret. */
export const issueToken = async (ports: TokenPorts, request: TokenRequest): Promise<TokenReply | TokenRefusal> => {
  const record = await checkSecret(ports, request);
  if ("error" in record) return record;
  const granted = grantedScopes(scopesOfClient(record.client), request.scope);
  if (granted === null) return refuse("invalid_scope", "The client does not have every scope that was asked for.");
  const content = { subject: record.client.id, scope: granted.join(" "), issuedAt: ports.clock.now() };
  return {
    access_token: await ports.tokens.issue(content, TOKEN_SECONDS),
    token_type: "Bearer",
    expires_in: TOKEN_SECONDS,
    scope: content.scope,
  };
};

const refuse = (error: TokenError, description: string): TokenRefusal => ({ error, description });

const hashesOf = ({ client, secretHash, previousSecretHash }: ClientRecord, now: Date): readonly Buffer[] => {
  const isPreviousValid = client.previousSecretUntil !== null && client.previousSecretUntil > now;
  return [secretHash, isPreviousValid ? previousSecretHash : null].filter((hash) => hash !== null);
};

/** Sent only to the holder of a secret or token that is, or was, the client's. */
const whyRefused = ({ client, accountDisabled }: ClientRecord): string | null => {
  if (client.revokedAt !== null) return "The client was revoked; ask the operator for a new one.";
  return accountDisabled ? "The account of the client is disabled; ask the operator." : null;
};

const scopesOfClient = ({ scopes: own }: Openadr3Client): readonly Scope[] =>
  scopes.filter((scope) => own.includes(scope));

/** Why a token is not accepted. */
export interface RefusedToken {
  readonly refused: "expired" | "invalid";
  readonly message: string;
}

const invalidToken = (message: string): RefusedToken => ({ refused: "invalid", message });
const unknown = invalidToken("The token is not valid; get one from the token endpoint.");
const expired: RefusedToken = { refused: "expired", message: "The token has expired; get a new one." };

/** The caller of a request by its token. Throws if the database or the outside issuer cannot be asked. */
export const identifyClient = async (
  ports: Omit<TokenPorts, "secrets">,
  token: string,
): Promise<Openadr3Caller | RefusedToken> => {
  const now = ports.clock.now();
  const own = await ports.tokens.read(token, now);
  if (own === "expired") return expired;
  if (own === null) return ports.issuer === null ? unknown : identifyOutside(ports, ports.issuer, token);
  const record = await ports.clients.byId(own.subject);
  if (record === null || own.issuedAt < record.client.tokensFrom) return unknown;
  return callerOf(record, own.scope);
};

const identifyOutside = async (
  { clients, clock }: Omit<TokenPorts, "secrets">,
  issuer: NonNullable<TokenPorts["issuer"]>,
  token: string,
): Promise<Openadr3Caller | RefusedToken> => {
  const read = await issuer.read(token, clock.now());
  if (read === "expired") return expired;
  if (read === null) return unknown;
  if (read.client === null)
    return invalidToken("The token names no client in client_id or azp; ask the operator of the issuer to add one.");
  const record = await clients.byExternalId(read.client);
  if (record !== null) return callerOf(record, ownScopes(read.scope));
  return invalidToken("The token is valid, but its client is not known here; ask the operator to add it.");
};

/** Issuers add scopes of their own; a token that names none of ours has all that its client has. */
const ownScopes = (scope: string): string =>
  scope
    .split(" ")
    .filter((name) => (scopes as readonly string[]).includes(name))
    .join(" ");

const callerOf = (record: ClientRecord, scope: string): Openadr3Caller | RefusedToken => {
  const why = whyRefused(record);
  if (why !== null) return invalidToken(why);
  const names = scope === "" ? null : scope.split(" ");
  const own = scopesOfClient(record.client);
  return { client: record.client, scopes: names === null ? own : own.filter((each) => names.includes(each)) };
};
