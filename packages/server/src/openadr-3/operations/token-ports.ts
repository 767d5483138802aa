import type { Clock } from "../../platform/clock.js";
import type { ClientRecord } from "../domain/client.js";

/** What a token says of its client. */
export interface TokenContent {
  readonly subject: string;
  readonly scope: string;
  readonly issuedAt: Date;
}

/** Our own tokens. */
export interface AccessTokens {
  issue(content: TokenContent, seconds: number): Promise<string>;
  /** null: it is none of ours. */
  read(token: string, now: Date): Promise<TokenContent | "expired" | null>;
}

/** Tokens of an outside issuer. Throws if that cannot be asked. */
export interface OutsideTokens {
  tokenUrl(): Promise<string>;
  read(
    token: string,
    now: Date,
  ): Promise<{ readonly client: string | null; readonly scope: string } | "expired" | null>;
}

export interface ClientSecrets {
  newSecret(): { readonly secret: string; readonly secretHash: Buffer };
  /** Compares in constant time. */
  matches(secret: string, secretHash: Buffer): boolean;
}

/** Finds clients; may answer from a memory that is younger than a second. */
export interface ClientFinder {
  byId(id: string): Promise<ClientRecord | null>;
  byExternalId(externalId: string): Promise<ClientRecord | null>;
}

export interface TokenPorts {
  readonly clients: ClientFinder;
  readonly secrets: ClientSecrets;
  readonly tokens: AccessTokens;
  /** null: there is no outside issuer. */
  readonly issuer: OutsideTokens | null;
  readonly clock: Clock;
}
