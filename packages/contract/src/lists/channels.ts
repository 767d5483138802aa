// Channels over which accounts, and their people, learn of dispatches: all that is said of a channel stands here.
// No imports: browsers load this file, not the schemas.

interface ChannelWords {
  /** In evidence. */
  readonly title: string;
  /** In evidence, of a notice that is yet to be sent; absent where the account can see it from then on. */
  readonly due?: string;
  /** For a channel whose success counts as notifying the account. */
  readonly reach?: {
    /** After `3 by`. */
    readonly by: string;
    /** After `3 accounts notified`. */
    readonly notified: string;
    /** After `Number of accounts`, in the reference. */
    readonly how: string;
    readonly example: number;
  };
  /** In the preview of a dispatch, before what is known of it; absent where accounts have no address of it. */
  readonly preview?: string;
  /** Curtail sends by itself over it, and nothing while delivery is held. */
  readonly isHeld?: true;
  /** For a channel whose messages go to addresses that an account enters. */
  readonly address?: AddressWords;
}

/** How an address is asked for. */
interface AddressWords {
  /** Of one address, after `Add`. */
  readonly noun: string;
  /** Of the field for the address. */
  readonly label: string;
  readonly example: string;
  /** Where a person finds it. */
  readonly hint: string;
  /** What the receiver reads, by name, where there are several; the first one unless one is chosen. */
  readonly forms?: Readonly<Record<string, string>>;
}

export const channels = {
  rest: {
    title: "REST",
    reach: {
      by: "REST or page",
      notified: "over REST or on a page",
      how: "that read it over REST or on a page",
      example: 2,
    },
    preview: "Polling with",
  },
  webhook: {
    title: "Webhook",
    due: "to be sent",
    reach: { by: "webhook", notified: "by webhook", how: "of which a webhook accepted it", example: 3 },
    preview: "Webhook",
    isHeld: true,
  },
  openadr: {
    title: "OpenADR",
    reach: { by: "VEN", notified: "by their VEN", how: "of which a VEN acknowledged it", example: 1 },
    preview: "OpenADR",
    isHeld: true,
  },
  openadr3: {
    title: "OpenADR 3",
    reach: {
      by: "OpenADR 3 VEN",
      notified: "by their VEN over OpenADR 3",
      how: "of which a VEN of OpenADR 3 read or answered it, or its callback accepted it",
      example: 1,
    },
    preview: "OpenADR 3",
    isHeld: true,
  },
  mail: {
    title: "Mail",
    due: "to be mailed",
    reach: { by: "mail", notified: "by mail", how: "that a mail was handed over for", example: 1 },
    isHeld: true,
  },
  sms: {
    title: "SMS",
    due: "to be sent",
    reach: { by: "SMS", notified: "by SMS", how: "of which the SMS gateway accepted a message", example: 1 },
    isHeld: true,
  },
  voice: {
    title: "Call",
    due: "to be called",
    reach: {
      by: "voice call",
      notified: "by voice call",
      how: "of which the voice gateway accepted a call",
      example: 0,
    },
    isHeld: true,
  },
  chat: {
    title: "Chat",
    due: "to be posted",
    reach: { by: "chat", notified: "in a chat room", how: "of which a chat room took a message", example: 0 },
    preview: "Chat",
    isHeld: true,
    address: {
      noun: "chat room",
      label: "Address of its incoming webhook",
      example: "https://hooks.slack.com/services/T000/B000/XXXX",
      hint: "Slack: add an app with incoming webhooks. Teams: create the workflow “Post to a channel when a webhook request is received”. Anyone with the address can post in the room, so it is stored encrypted and never shown again.",
      forms: { slack: "Slack, Mattermost, Rocket.Chat or Google Chat", teams: "Microsoft Teams" },
    },
  },
  personal: { title: "Personal", due: "to be sent", isHeld: true },
  /** A call by an operator; `voice` is one by the gateway. */
  phone: {
    title: "Phone",
    reach: { by: "phone", notified: "by phone", how: "that an operator notified by phone", example: 0 },
  },
} as const satisfies Readonly<Record<string, ChannelWords>>;

export type Channel = keyof typeof channels;
type Having<Member extends keyof ChannelWords> = {
  [Name in Channel]: (typeof channels)[Name] extends Readonly<Record<Member, unknown>> ? Name : never;
}[Channel];
/** One whose success counts as notifying the account. */
export type ReachChannel = Having<"reach">;
/** One that accounts have an address of, which is known before a dispatch. */
export type PreviewChannel = Having<"preview">;
type HeldChannel = Having<"isHeld">;
/** One whose messages go to addresses that an account enters. */
export type AddressedChannel = Having<"address">;

const all: Readonly<Record<Channel, ChannelWords>> = channels;

/** Of a notice that is yet to be sent; undefined where the account can see it from then on. */
export const dueWords = (channel: Channel): string | undefined => all[channel].due;

export const channelNames = Object.keys(channels) as readonly Channel[];
export const reachChannels = channelNames.filter((name): name is ReachChannel => "reach" in channels[name]);
export const previewChannels = channelNames.filter((name): name is PreviewChannel => "preview" in channels[name]);
export const sendingChannels = channelNames.filter((name): name is HeldChannel => "isHeld" in channels[name]);
export const addressedChannels: readonly AddressedChannel[] = channelNames.filter(
  (name): name is AddressedChannel => "address" in channels[name],
);
export const isAddressed = (channel: Channel): channel is AddressedChannel => "address" in channels[channel];

/** Of every form that an address of a channel may have. */
export const addressForms: readonly string[] = addressedChannels.flatMap((name) => formsOf(name));
/** Forms of a channel's receivers; empty where there is one. */
export function formsOf(channel: AddressedChannel): readonly string[] {
  return Object.keys(addressWords(channel).forms ?? {});
}
export function addressWords(channel: AddressedChannel): AddressWords {
  return channels[channel].address;
}

/** A value for each channel that counts. */
export const forEachReach = <Value>(of: (channel: ReachChannel) => Value): Readonly<Record<ReachChannel, Value>> =>
  Object.fromEntries(reachChannels.map((channel) => [channel, of(channel)])) as Record<ReachChannel, Value>;
