import type { Success } from "./judge.js";
import type { Actor } from "./set-up.js";

/** Mails that the mail server accepted and that name a dispatch. */
export const mailed = (
  received: ReadonlyArray<{ readonly to: readonly string[]; readonly content: string }>,
  recipients: readonly Actor[],
): Success[] => {
  const accounts = new Map(
    recipients.flatMap(({ accountId, contacts }) => contacts.map(({ email }) => [email, accountId])),
  );
  return received.flatMap(({ to, content }) => {
    const dispatchId = /dis_\w+/.exec(content)?.[0] ?? "";
    return to.flatMap((email) => {
      const accountId = accounts.get(email);
      return accountId === undefined ? [] : [{ accountId, dispatchId, by: "mail" as const }];
    });
  });
};
