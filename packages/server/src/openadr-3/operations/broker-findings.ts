/** What is set at a broker so that users could reach sessions of others. */
export type BrokerWeakness = "client_identifiers" | "default_access";

/** A client that two programs use over MQTT at a time. */
export interface SharedClient {
  readonly clientId: string;
  readonly name: string;
  /** null: business logic. */
  readonly account: { readonly id: string; readonly name: string } | null;
}

/** What a person has to mend at a broker. */
export interface BrokerFindings {
  /** Replaces what was found before. */
  setWeaknesses(found: readonly BrokerWeakness[], at: Date): Promise<void>;
  /** Other ids than those of clients that stand are left out. */
  noteShared(clientId: string, at: Date): Promise<void>;
  weaknesses(): Promise<readonly BrokerWeakness[]>;
  sharedSince(since: Date): Promise<readonly SharedClient[]>;
}
