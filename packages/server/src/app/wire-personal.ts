import type pg from "pg";
import webPush from "web-push";
import type { User } from "../access/domain/user.js";
import { dispatchStore } from "../dispatch/storage/dispatch-store.js";
import { dispatchView } from "../dispatch/storage/dispatch-view.js";
import { type PushTarget, pushPolicy } from "../notification/domain/push-subscription.js";
import type { PushSubscriptionPorts } from "../notification/operations/manage-push-subscriptions.js";
import type { FindNoticed } from "../notification/operations/send-personal-notices.js";
import { duePersonalNotices, personalNoticeQueue } from "../notification/storage/personal-notice-queue.js";
import { findPushKeys } from "../notification/storage/push-key-store.js";
import { mailTransport } from "../notification/worker/mail-sender.js";
import { PersonalWorker } from "../notification/worker/personal-worker.js";
import { boundedPushTests } from "../notification/worker/push-test.js";
import { sendPersonalMail, sendPersonalPush } from "../notification/worker/send-personal.js";
import { fitsKeys, type PushSender, pushSender } from "../notification/worker/send-push.js";
import type { AddressPolicy } from "../platform/attempt.js";
import type { LoopClock } from "../platform/clock.js";
import { webhookClient } from "../platform/outbound/webhook-client.js";
import type { Config } from "../platform/runtime/config.js";
import type { Logger } from "../platform/runtime/logger.js";
import type { SecretBox } from "../platform/secret-box.js";
import type { DeliveryGate } from "../platform/worker/delivery-gate.js";

import type { Due } from "./wire-timetable.js";

/** Beside webhooks: one push service takes most, and answers within a tenth of a second. */
const MAX_PUSHES_IN_FLIGHT = 256;
/** Apart from the connections of mails to contacts, which must not wait for these. */
const MAIL_CONNECTIONS = 5;

export interface PersonalWiring {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly queuePool: pg.Pool;
  readonly logger: Logger;
  readonly clock: LoopClock;
  readonly secretBox: SecretBox;
  readonly policy: AddressPolicy;
  readonly publicUrl: string;
  readonly gate: DeliveryGate;
  readonly due: Due;
}

/** What the pages need to register browsers. */
export interface PersonalRegistration extends Pick<PushSubscriptionPorts, "policy" | "fitsKeys" | "testPush"> {
  /** The public key that browsers subscribe with. */
  readonly pushKey: () => Promise<string>;
  /** Whether there is a mail server. */
  readonly hasMail: boolean;
}

export interface PersonalPushTests {
  readonly registration: PersonalRegistration;
  readonly sender: () => Promise<PushSender>;
  close(): Promise<void>;
}

/** The key pair, and tests of browsers: for every process that serves pages. */
export const wirePushTests = ({
  config,
  pool,
  clock,
  secretBox,
  policy,
  publicUrl,
}: Omit<PersonalWiring, "queuePool" | "logger" | "gate" | "due">): PersonalPushTests => {
  const sender = onceDone(async () => {
    const keys = await findPushKeys(pool, secretBox, webPush.generateVAPIDKeys);
    return { ...keys, contact: contactOf(publicUrl) };
  });
  // Its own client: tests that hang take nothing from notices.
  const client = webhookClient(pushPolicy(policy));
  const test = boundedPushTests(pushSender(client, sender), clock);
  return {
    registration: {
      policy: pushPolicy(policy),
      fitsKeys,
      testPush: (user: User, target: PushTarget) => test(user, target),
      pushKey: async () => (await sender()).publicKey,
      hasMail: config.smtpUrl !== null,
    },
    sender,
    close: () => client.close(),
  };
};

/** A failed first attempt is repeated. */
const onceDone = <T>(find: () => Promise<T>): (() => Promise<T>) => {
  let found: Promise<T> | undefined;
  return () => {
    found ??= find().catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    return found;
  };
};

/** How a push service can reach the operator of this service (RFC 8292, 2.1). */
const contactOf = (publicUrl: string): string =>
  publicUrl.startsWith("https:") ? publicUrl : `mailto:curtail@${new URL(publicUrl).hostname.replace(/^\[|\]$/g, "")}`;

export interface PersonalNotices {
  stop(): Promise<void>;
}

/** Starts notifying persons. */
export const wirePersonal = (
  { config, queuePool, logger, clock, secretBox, policy, publicUrl, gate, due }: PersonalWiring,
  sender: () => Promise<PushSender>,
): PersonalNotices => {
  const client = webhookClient(pushPolicy(policy));
  const ports = {
    queue: personalNoticeQueue(queuePool, secretBox),
    clock,
    random: Math.random,
    find: findOver(queuePool),
  };
  const pushes = new PersonalWorker(
    {
      ...ports,
      channel: "push",
      maxInFlight: MAX_PUSHES_IN_FLIGHT,
      send: sendPersonalPush(pushSender(client, sender), clock),
    },
    logger,
  );
  const transport =
    config.smtpUrl === null ? null : mailTransport({ smtpUrl: config.smtpUrl, publicUrl }, MAIL_CONNECTIONS);
  const pages = { participants: publicUrl, operators: config.operatorPublicUrl ?? publicUrl };
  const mails =
    transport === null
      ? null
      : new PersonalWorker(
          { ...ports, channel: "mail", maxInFlight: MAIL_CONNECTIONS, send: sendPersonalMail(transport, clock, pages) },
          logger,
        );
  const workers = mails === null ? [pushes] : [pushes, mails];
  due.on(duePersonalNotices("push"), pushes.carrier);
  if (mails !== null) due.on(duePersonalNotices("mail"), mails.carrier);
  gate.whenReleased(() => {
    for (const worker of workers) worker.start();
  });
  return {
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()));
      transport?.close();
      await client.close();
    },
  };
};

const findOver = (pool: pg.Pool): FindNoticed => {
  const [view, all] = [dispatchView(pool), dispatchStore(pool)];
  return (accountId, id) => (accountId === null ? all.find(id) : view.findSeenBy(accountId, id));
};
