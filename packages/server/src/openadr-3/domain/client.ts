import type { Environment } from "../../access/domain/api-key.js";

/** A system that may get tokens: a participant's VEN, or business logic of the operator. */
export interface Openadr3Client {
  /** The clientID in OpenADR. */
  readonly id: string;
  readonly role: "bl" | "ven";
  /** Of a VEN; null for business logic, which sees every account. */
  readonly accountId: string | null;
  readonly environment: Environment;
  readonly name: string;
  /** null: all current and future sites of the account. */
  readonly siteIds: readonly string[] | null;
  readonly scopes: readonly string[];
  /** What an outside issuer calls it; it then has no secret here. */
  readonly externalId: string | null;
  /** Until when the secret before the current one is accepted; null: there is none. */
  readonly previousSecretUntil: Date | null;
  /** Tokens issued before are refused. */
  readonly tokensFrom: Date;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** A client as authentication sees it. */
export interface ClientRecord {
  readonly client: Openadr3Client;
  readonly secretHash: Buffer | null;
  readonly previousSecretHash: Buffer | null;
  readonly accountDisabled: boolean;
}

/** Without the time of its activity, which is no change of the client. */
type AuditedClient = Omit<Openadr3Client, "lastUsedAt" | "tokensFrom"> & { readonly targets: readonly string[] };

declare module "../../access/domain/audit.js" {
  interface Audited {
    openadr3_client: {
      action: `openadr3_client.${"create" | "change" | "rotate_secret" | "revoke"}`;
      state: AuditedClient;
    };
  }
}

/** The most that an account may have, or the operator of business logic. */
export const MAX_CLIENTS = 100;
/** How long the old secret is accepted after a rotation, unless the request says otherwise. */
export const CHANGE_OVER_HOURS = 24;
/** The longest that a token is valid. */
export const TOKEN_SECONDS = 3600;
