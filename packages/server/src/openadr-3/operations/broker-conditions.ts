import type { Condition } from "../../platform/alarm.js";

/** What is set at a broker so that users could reach sessions of others. */
export type BrokerWeakness = "client_identifiers" | "default_access";

/** A client that two programs use over MQTT at a time. */
interface SharedClient {
  readonly clientId: string;
  readonly name: string;
  /** null: business logic. */
  readonly account: { readonly id: string; readonly name: string } | null;
}

/** What a person has to correct at a broker. */
export interface BrokerFindings {
  /** Replaces what was found before. */
  setWeaknesses(found: readonly BrokerWeakness[], at: Date): Promise<void>;
  /** Ids of other than present clients are left out. */
  noteShared(clientId: string, at: Date): Promise<void>;
  weaknesses(): Promise<readonly BrokerWeakness[]>;
  sharedSince(since: Date): Promise<readonly SharedClient[]>;
}

/** The cursor of what an outside broker has taken. */
export const OUTSIDE_BROKER = "openadr3-broker";

/** How long a change may wait for the outside broker before a person has to look. */
const BEHIND_MS = 60_000;
/** How long a client counts as used twice after it was seen so. */
const SHARED_MS = 600_000;

/** The alarm for an outside broker that takes no changes, whichever process publishes. */
export const brokerConditions = (since: Date | null, now: Date): readonly Condition[] => {
  if (since === null || now.getTime() - since.getTime() <= BEHIND_MS) return [];
  return [
    {
      kind: "broker_behind",
      subject: "CURTAIL_OPENADR3_MQTT_URL",
      accountId: null,
      message:
        `The MQTT broker has not taken changes of OpenADR 3.1 since ${since.toISOString()}. VENs that rely on it hear of ` +
        "nothing. Start it again, or see the log for why it takes no messages; the changes wait, and follow in order.",
    },
  ];
};

/** What to do about each weakness, in alarms and in the log. */
export const weaknessWords: Readonly<Record<BrokerWeakness, string>> = {
  client_identifiers:
    "Set `use_username_as_clientid true` for each listener of the MQTT broker, and restart it. Without it, a user that " +
    "connects with the client identifier of another ends its connection and takes what was queued for it.",
  default_access:
    "Deny by default what users of the MQTT broker receive (`publishClientReceive`), after your own users have a role for " +
    "what they need. Until then they may receive what was queued for a VEN. The page about MQTT has the steps.",
};

/** Alarms for a broker whose users could reach sessions of others. */
export const weaknessConditions = async ({
  weaknesses,
}: Pick<BrokerFindings, "weaknesses">): Promise<readonly Condition[]> =>
  (await weaknesses()).map((weakness) => ({
    kind: "broker_unsafe",
    subject: weakness,
    accountId: null,
    message: weaknessWords[weakness],
  }));

/** Alarms for clients that end their own connections over MQTT, again and again. */
export const sharedConditions = async (
  { sharedSince }: Pick<BrokerFindings, "sharedSince">,
  now: Date,
): Promise<readonly Condition[]> =>
  (await sharedSince(new Date(now.getTime() - SHARED_MS))).map((shared) => ({
    kind: "broker_client_shared",
    subject: shared.clientId,
    accountId: shared.account?.id ?? null,
    message: sharedWords(shared),
  }));

const sharedWords = ({ name, account }: SharedClient): string => {
  const owner = account === null ? "business logic" : `a VEN of ${account.name}`;
  return (
    `Give each program a client of its own: two programs connect over MQTT as ${name}, ${owner}, and end each other's ` +
    "connection again and again. Only one connection of a client is open at a time, so each of them misses messages."
  );
};
