import { operator } from "@curtail/contract";
import { type Mailbox, mailbox } from "@curtail/testing/mailbox";
import { type PushService, pushService } from "@curtail/testing/push-service";
import { expect } from "vitest";
import { PERSONAL_NOTICES } from "../../src/notification/followers/personal-notices.js";
import { caughtUp } from "./caught-up.js";
import { newProgram } from "./dispatching.js";
import { type Browser, newBrowser } from "./people.js";
import { type Participant, type Running, running } from "./running.js";

export let inbox: Mailbox;
export let pushes: PushService;
export let service: Running;

export const prepare = async () => {
  [inbox, pushes] = await Promise.all([mailbox(), pushService()]);
  service = await running({ CURTAIL_SMTP_URL: `${inbox.url}?from=dispatch@operator.example` });
};

export const both = { mail: true, push: true };
export const push = { mail: false, push: true };

interface Subscribed {
  readonly participant: Participant;
  readonly person: Browser;
  readonly programId: string;
}

/** An account with a person, and a program of its own. */
export const newcomer = async (): Promise<Subscribed> => {
  const participant = await service.newParticipant();
  const person = await newBrowser(service, "participant-viewer", participant.accountId);
  return { participant, person, programId: await newProgram(service, [participant]) };
};

export const change = (id: string, body: object) => service.made(operator.changeDispatch, { params: { id }, body });

/** Everything that is due is sent: an account without a webhook has its mail recorded by then. */
export const settled = async (): Promise<void> => {
  const waiting = "select count(*)::int as count from messages where channel like 'personal_%' and state = 'pending'";
  const noted =
    "select count(*)::int as count from notices where noted_at is null and state <> 'dropped' and due_at <= $1";
  const countOf = async (query: string, values: unknown[]) =>
    (await service.database.pool.query(query, values)).rows[0].count;
  await expect.poll(() => countOf(noted, [service.clock.now()])).toBe(0);
  await caughtUp(service.database.pool, PERSONAL_NOTICES);
  await expect.poll(() => countOf(waiting, [])).toBe(0);
};
