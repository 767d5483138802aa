import type { Page, PageRequest } from "../../platform/page.js";
import type { ClientRecord, Openadr3Client } from "../domain/client.js";

export interface Openadr3ClientStore {
  /** `secretHash`: null for a client of an outside issuer. false if that issuer's name for it is taken. */
  insert(client: Openadr3Client, secretHash: Buffer | null): Promise<boolean>;
  find(id: string): Promise<Openadr3Client | null>;
  lock(id: string): Promise<Openadr3Client | null>;
  save(client: Openadr3Client): Promise<void>;
  /** The current secret becomes the previous one. */
  rotate(client: Openadr3Client, secretHash: Buffer): Promise<void>;
  /** Of an account; null: business logic. */
  list(accountId: string | null, page: PageRequest): Promise<Page<Openadr3Client>>;
  /** Those that are not revoked; of an account, or business logic. */
  countStanding(accountId: string | null): Promise<number>;
  record(id: string): Promise<ClientRecord | null>;
  recordByExternalId(externalId: string): Promise<ClientRecord | null>;
  touch(ids: readonly string[], now: Date): Promise<void>;
}
