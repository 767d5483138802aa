import { MISSED_INTERVALS } from "../../openadr/domain/ven.js";
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

interface VenReach {
  readonly venId: string;
  readonly lastPollAt: Date | null;
  readonly pollIntervalSeconds: number;
  /** Whether events are pushed to it, so that it need not poll. */
  readonly isPushed: boolean;
}

export interface Channel {
  readonly channel: "webhook" | "openadr" | "rest";
  readonly description: string;
  readonly lastSeenAt: Date | null;
}

export const channelsOf = ({ webhooks, vens, keys, lastPollAt }: Reach): readonly Channel[] => [
  ...webhooks.map(({ url, lastSuccessAt }) => ({
    channel: "webhook" as const,
    description: url,
    lastSeenAt: lastSuccessAt,
  })),
  ...vens.map(({ venId, lastPollAt }) => ({ channel: "openadr" as const, description: venId, lastSeenAt: lastPollAt })),
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
  ...reach.vens.filter((ven) => isSilent(ven, now)).map(silenceOf),
  ...(reach.mailContacts === 0 ? ["The account has no contacts: no mail can be sent when its webhooks fail."] : []),
];

/** By the rule that mails such an account at once. */
const isUnreachable = ({ webhooks, vens, lastPollAt }: Reach, now: Date): boolean =>
  webhooks.length === 0 && vens.length === 0 && !isRecent(lastPollAt, now);

const pollsOf = (lastPollAt: Date | null): string =>
  lastPollAt === null ? "has never polled" : `has not polled since ${formatTimestamp(lastPollAt)}`;

/** By the rule of the alarm; a VEN that never polled does not count. */
const isSilent = ({ lastPollAt, pollIntervalSeconds, isPushed }: VenReach, now: Date): boolean =>
  !isPushed &&
  (lastPollAt === null || lastPollAt.getTime() < now.getTime() - pollIntervalSeconds * MISSED_INTERVALS * 1000);

const silenceOf = ({ venId, lastPollAt }: VenReach): string =>
  `VEN ${venId} ${lastPollAt === null ? "has never polled" : `has not polled since ${formatTimestamp(lastPollAt)}`}.`;
