import { silentMs } from "../../openadr/domain/polls.js";
import { MISSED_INTERVALS } from "../../openadr/domain/ven.js";
import type { AddressedChannel, PreviewChannel } from "../../platform/channel.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { isRecent } from "./owed-notice.js";

/** Channels that can notify an account of a dispatch. */
export interface Reach {
  readonly accountId: string;
  readonly accountName: string;
  readonly mailContacts: number;
  /** Those that subscribe to new dispatches. */
  readonly webhooks: readonly WebhookReach[];
  /** Those that receive one of the sites. */
  readonly vens: readonly VenReach[];
  /** Those of OpenADR 3 that receive one of the sites. */
  readonly clients: readonly ClientReach[];
  /** Of channels such as chat. */
  readonly addresses: readonly AddressReach[];
  /** Number of valid keys. */
  readonly keys: number;
  /** Of GET /dispatches. */
  readonly lastPollAt: Date | null;
}

interface WebhookReach {
  readonly url: string;
  readonly lastSuccessAt: Date | null;
  /** Whether the latest finished delivery failed for good. */
  readonly hasFailed: boolean;
}

interface AddressReach {
  readonly channel: AddressedChannel;
  readonly name: string;
  readonly lastSuccessAt: Date | null;
  /** Whether it has failed often, or refused a message. */
  readonly hasFailed: boolean;
}

interface VenReach {
  readonly venId: string;
  readonly lastPollAt: Date | null;
  readonly pollIntervalSeconds: number;
  /** Whether it has a valid certificate; without one it cannot be notified. */
  readonly isCertified: boolean;
  /** Whether events are pushed to it, so that it need not poll. */
  readonly isPushed: boolean;
}

interface ClientReach {
  readonly name: string;
  readonly lastPollAt: Date | null;
  /** Usual time between two polls; null if it polled once at most. */
  readonly intervalSeconds: number | null;
  /** Whether a subscription notifies it of new events, so that it need not poll. */
  readonly isCalledBack: boolean;
  /** Whether the latest finished notification failed for good. */
  readonly hasFailed: boolean;
}

export interface PreviewedChannel {
  readonly channel: PreviewChannel;
  readonly description: string;
  readonly lastSeenAt: Date | null;
}

export const channelsOf = ({
  webhooks,
  vens,
  clients,
  addresses,
  keys,
  lastPollAt,
}: Reach): readonly PreviewedChannel[] => [
  ...webhooks.map(({ url, lastSuccessAt }) => ({
    channel: "webhook" as const,
    description: url,
    lastSeenAt: lastSuccessAt,
  })),
  ...vens
    .filter(({ isCertified }) => isCertified)
    .map(({ venId, lastPollAt }) => ({ channel: "openadr" as const, description: venId, lastSeenAt: lastPollAt })),
  ...clients.map(({ name, lastPollAt: lastSeenAt }) => ({
    channel: "openadr3" as const,
    description: name,
    lastSeenAt,
  })),
  ...addresses.map(({ channel, name, lastSuccessAt }) => ({ channel, description: name, lastSeenAt: lastSuccessAt })),
  ...(keys === 0
    ? []
    : [{ channel: "rest" as const, description: keys === 1 ? "1 key" : `${keys} keys`, lastSeenAt: lastPollAt }]),
];

/** Reasons why the account may not be notified of a dispatch; empty if there is no problem. */
export const warningsOf = (reach: Reach, now: Date): readonly string[] => [
  ...(isUnreachable(reach, now)
    ? [
        `The account has no webhook and no VEN and ${pollsOf(reach.lastPollAt)}: phone it, or it may not learn of the dispatch.`,
      ]
    : []),
  ...reach.webhooks
    .filter(({ hasFailed }) => hasFailed)
    .map(({ url }) => `The last delivery to webhook ${url} failed.`),
  ...reach.vens
    .filter(({ isCertified }) => !isCertified)
    .map(({ venId }) => `VEN ${venId} has no valid certificate, so it cannot be notified.`),
  ...reach.vens.filter((ven) => ven.isCertified && isSilent(ven, now)).map(silenceOf),
  ...reach.clients
    .filter(({ hasFailed }) => hasFailed)
    .map(({ name }) => `The last notification of OpenADR 3 client ${name} failed.`),
  ...reach.addresses
    .filter(({ hasFailed }) => hasFailed)
    .map(({ name, channel }) => `Messages to ${channel} ${name} fail.`),
  ...reach.clients.filter((client) => isClientSilent(client, now)).map(clientSilenceOf),
  ...(reach.mailContacts === 0 ? ["The account has no contacts: no mail can be sent when its webhooks fail."] : []),
];

/** By the rule that mails such an account at once. */
const isUnreachable = ({ webhooks, vens, clients, lastPollAt }: Reach, now: Date): boolean =>
  webhooks.length === 0 &&
  !vens.some(({ isCertified }) => isCertified) &&
  clients.length === 0 &&
  !isRecent(lastPollAt, now);

const pollsOf = (lastPollAt: Date | null): string =>
  lastPollAt === null ? "has never polled" : `has not polled since ${formatTimestamp(lastPollAt)}`;

/** By the rule of the alarm; a VEN that never polled does not count. */
const isSilent = ({ lastPollAt, pollIntervalSeconds, isPushed }: VenReach, now: Date): boolean =>
  !isPushed &&
  (lastPollAt === null || lastPollAt.getTime() < now.getTime() - pollIntervalSeconds * MISSED_INTERVALS * 1000);

/** By the rule of the alarm; a client that never polled does not count. */
const isClientSilent = ({ isCalledBack, lastPollAt, intervalSeconds }: ClientReach, now: Date): boolean =>
  !isCalledBack &&
  (lastPollAt === null ||
    (intervalSeconds !== null && lastPollAt.getTime() < now.getTime() - silentMs(intervalSeconds)));

const clientSilenceOf = ({ name, lastPollAt }: ClientReach): string =>
  `OpenADR 3 client ${name} ${lastPollAt === null ? "has never polled" : `has not polled since ${formatTimestamp(lastPollAt)}`}.`;

const silenceOf = ({ venId, lastPollAt }: VenReach): string =>
  `VEN ${venId} ${lastPollAt === null ? "has never polled" : `has not polled since ${formatTimestamp(lastPollAt)}`}.`;
