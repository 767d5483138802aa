/** How an account can or cannot be reached. */
export interface Kind {
  readonly name: string;
  /** What its webhook does with notices; all accepted their test request. `deleted`: before any dispatch. */
  readonly webhook?: "accepts" | "fails" | "hangs" | "refuses" | "deleted";
  /** What the webhook subscribes to; default: both events. */
  readonly events?: ReadonlyArray<"dispatch.create" | "dispatch.update">;
  /** What its chat room does with notices; it accepted its test message. */
  readonly chat?: "accepts" | "fails" | "hangs";
  readonly ven?: "acknowledges" | "reports an error" | "never answers" | "never polls";
  /** What its key is used for. */
  readonly key?: "polls" | "uploads";
  /** Whether the mail server accepts mail for each of its contacts. */
  readonly contacts: readonly boolean[];
  readonly isDisabled?: true;
}

const both = [true, false];
const updates = ["dispatch.update"] as const;

/** Reachable accounts are notified, accounts with working contacts get mail, and the others get an alarm. */
export const kinds: readonly Kind[] = [
  { name: "webhook accepts", webhook: "accepts", contacts: [true] },
  { name: "webhook refuses connections", webhook: "refuses", contacts: [true] },
  { name: "webhook hangs", webhook: "hangs", contacts: [true] },
  { name: "webhook hangs, no contact", webhook: "hangs", contacts: [] },
  { name: "webhook answers 500", webhook: "fails", contacts: [true] },
  { name: "webhook answers 500, no contact", webhook: "fails", contacts: [] },
  { name: "webhook answers 500, one contact refused", webhook: "fails", contacts: both },
  { name: "webhook answers 500, all contacts refused", webhook: "fails", contacts: [false, false] },
  { name: "only updates subscribed", webhook: "accepts", events: updates, contacts: [true] },
  { name: "only updates subscribed, no contact", webhook: "accepts", events: updates, contacts: [] },
  { name: "webhook deleted before", webhook: "deleted", contacts: [true] },
  { name: "webhook deleted before, no contact", webhook: "deleted", contacts: [] },
  { name: "chat room accepts", chat: "accepts", contacts: [] },
  { name: "chat room hangs, no contact", chat: "hangs", contacts: [] },
  { name: "chat room answers 500", chat: "fails", contacts: [true] },
  { name: "no channel", contacts: [true] },
  { name: "no channel, no contact", contacts: [] },
  { name: "no channel, all contacts refused", contacts: [false] },
  { name: "VEN acknowledges", ven: "acknowledges", contacts: [] },
  { name: "VEN reports an error", ven: "reports an error", contacts: [true] },
  { name: "VEN reports an error, no contact", ven: "reports an error", contacts: [] },
  { name: "VEN never answers", ven: "never answers", contacts: [true] },
  { name: "VEN never answers, no contact", ven: "never answers", contacts: [] },
  { name: "VEN never polls", ven: "never polls", contacts: both },
  { name: "polls", key: "polls", contacts: [] },
  { name: "uploads and never polls", key: "uploads", contacts: [true] },
  { name: "uploads and never polls, no contact", key: "uploads", contacts: [] },
  { name: "disabled", webhook: "accepts", contacts: [true], isDisabled: true },
];
