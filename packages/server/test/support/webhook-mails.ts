import { type Mailbox, mailbox, type ReceivedMail } from "@curtail/testing/mailbox";
import { expect } from "vitest";
import { type Running, running } from "./running.js";

export let inbox: Mailbox;
export let service: Running;

export const prepare = async () => {
  inbox = await mailbox();
  service = await running({ CURTAIL_SMTP_URL: `${inbox.url}?from=dispatch@operator.example` });
};
export const clearEach = () => inbox.open();

/** The mails about a dispatch that `act` causes. */
export const newMails = async (
  dispatchId: string,
  count: number,
  act: () => unknown,
): Promise<readonly ReceivedMail[]> => {
  const about = () => inbox.received.filter(({ content }) => content.includes(dispatchId));
  const before = about().length;
  await act();
  await expect.poll(() => about().length).toBe(before + count);
  return about().slice(before);
};

export const sent = (event: string, failures = 0) => ({ event, state: "sent", failures });
