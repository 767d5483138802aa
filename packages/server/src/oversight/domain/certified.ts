/** The scenarios that an integration has to pass in the sandbox: together they check every criterion. */
export const REQUIRED_SCENARIOS = ["update", "cancellation"] as const;

/** How a participant was notified of a scenario's dispatches. */
export const noticeChannels = ["webhook", "polling", "openadr"] as const;
export type NoticeChannel = (typeof noticeChannels)[number];

/** What the newest certificate of an account says. The sandbox, a module above, issues them. */
export interface Certified {
  readonly accountId: string;
  readonly certifiedAt: Date;
  readonly scenarios: ReadonlyArray<(typeof REQUIRED_SCENARIOS)[number]>;
  /** Of all its scenarios. */
  readonly channels: readonly NoticeChannel[];
}
