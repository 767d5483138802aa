import type { ClaimedMessage } from "../../dispatch/domain/message.js";
import { type AddressedChannel, formsOf } from "../../platform/channel.js";
import { invalid, type Refusal } from "../../platform/refusal.js";
import type { WebhookEventName } from "./webhook.js";

/** Where an account gets messages of a channel, such as a chat room; without the address itself, which is a secret. */
export interface ChannelAddress {
  readonly id: string;
  readonly accountId: string;
  readonly channel: AddressedChannel;
  /** Given by people. */
  readonly name: string;
  readonly form: AddressTarget["form"];
  /** What tells it from others, without its secret. */
  readonly hint: string;
  readonly createdAt: Date;
  readonly lastSuccessAt: Date | null;
  /** Of the last attempt; null if it succeeded. */
  readonly lastError: string | null;
}

/** What a channel needs to know of an address. */
export interface AddressTarget {
  /** Whoever has it can send there. */
  readonly address: string;
  /** What the receiver reads; null for a channel with one form. */
  readonly form: string | null;
}

/** To an address, which is its recipient. */
export interface ClaimedAddressedMessage extends ClaimedMessage {
  readonly channel: AddressedChannel;
  readonly accountId: string;
  readonly event: WebhookEventName;
  readonly accountLanguage: string | null;
  /** null: it cannot be decrypted. */
  readonly target: AddressTarget | null;
}

/** What is said to people at an address: lines of text, and the page to go on at. */
export interface Said {
  readonly title: string;
  readonly lines: readonly string[];
  /** null: there is none. */
  readonly link: string | null;
  /** What the link is called. */
  readonly linkName: string;
}

/** As evidence keeps it. */
export const textOfSaid = ({ title, lines, link }: Said): string =>
  [title, ...lines, ...(link === null ? [] : [link])].join("\n");

/** The form of a new address: as given, or the first one of its channel. */
export const formFor = (channel: AddressedChannel, given: string | undefined): string | null | Refusal => {
  const forms = formsOf(channel);
  if (given === undefined || forms.includes(given)) return given ?? forms[0] ?? null;
  if (forms.length === 0) return invalid(`channel ${channel} has one form only; leave out form`);
  return invalid(`form is ${given}; on channel ${channel} it is ${forms.join(" or ")}`);
};

const HINT_CHARACTERS = 4;

/** `hooks.slack.com …1a2b` */
export const hintOf = (address: URL): string => `${address.host} …${address.href.slice(-HINT_CHARACTERS)}`;

type AuditedAddress = Omit<ChannelAddress, "lastSuccessAt" | "lastError"> & {
  readonly lastSuccessAt?: never;
  readonly lastError?: never;
};

export const auditedAddress = ({ lastSuccessAt: _at, lastError: _error, ...address }: ChannelAddress): AuditedAddress =>
  address;

declare module "../../access/domain/audit.js" {
  interface Audited {
    channel_address: { action: "channel_address.create" | "channel_address.delete"; state: AuditedAddress };
  }
}
