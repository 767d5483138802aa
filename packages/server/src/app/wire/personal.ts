import type pg from "pg";
import webPush from "web-push";
import { dispatchStore } from "../../dispatch/storage/dispatch-store.js";
import { dispatchView } from "../../dispatch/storage/dispatch-view.js";
import { dueMessages, mailbox } from "../../dispatch/storage/mailbox.js";
import { pushPolicy } from "../../notification/domain/push-subscription.js";
import type { PushSubscriptionPorts } from "../../notification/operations/manage-push-subscriptions.js";
import type { FindNoticed } from "../../notification/operations/send-personal-notices.js";
import { personalChannel } from "../../notification/storage/personal-notice-queue.js";
import { findPushKeys } from "../../notification/storage/push-subscription-store.js";
import { countedTransport, mailTransport } from "../../notification/worker/mail-sender.js";
import { personalWorker } from "../../notification/worker/personal-worker.js";
import { boundedPushTests } from "../../notification/worker/push-test.js";
import { sendPersonalMail, sendPersonalPush } from "../../notification/worker/send-personal.js";
import { fitsKeys, type PushSender, pushSender } from "../../notification/worker/send-push.js";
import type { AddressPolicy } from "../../platform/attempt.js";
import { footerOf } from "../../platform/brand.js";
import { onceDone } from "../../platform/once.js";
import { webhookClient } from "../../platform/outbound/webhook-client.js";
import type { Basis, Stopping } from "../basis.js";

/** Beside webhooks: one push service takes most, and answers within a tenth of a second. */
const MAX_PUSHES_IN_FLIGHT = 256;
/** Apart from the connections of emails to contacts, which must not wait for these. */
const MAIL_CONNECTIONS = 5;

interface PersonalWiring extends Basis {
  readonly policy: AddressPolicy;
  readonly publicUrl: string;
}

/** What the pages need to register browsers. */
export interface PersonalRegistration extends Pick<PushSubscriptionPorts, "policy" | "fitsKeys" | "testPush"> {
  /** The public key that browsers subscribe with. */
  readonly pushKey: () => Promise<string>;
  /** Whether there is a mail server. */
  readonly hasMail: boolean;
}

interface PersonalPushTests {
  readonly registration: PersonalRegistration;
  readonly sender: () => Promise<PushSender>;
  close(): Promise<void>;
}

/** The key pair, and tests of browsers: for every process that serves pages. */
export const wirePushTests = (wiring: PersonalWiring): PersonalPushTests => {
  const { config, pool, clock, secretBox, policy, publicUrl, wordsFor } = wiring;
  const sender = onceDone(async () => {
    const keys = await findPushKeys(pool, secretBox, webPush.generateVAPIDKeys);
    return { ...keys, contact: contactOf(publicUrl) };
  });
  // Its own client: tests that hang take nothing from notices.
  const client = webhookClient(pushPolicy(policy));
  const test = boundedPushTests(pushSender(client, sender), clock, wordsFor);
  return {
    registration: {
      policy: pushPolicy(policy),
      fitsKeys,
      testPush: test,
      pushKey: async () => (await sender()).publicKey,
      hasMail: config.smtpUrl !== null,
    },
    sender,
    close: () => client.close(),
  };
};

/** How a push service can reach the operator of this service (RFC 8292, 2.1). */
const contactOf = (publicUrl: string): string =>
  publicUrl.startsWith("https:") ? publicUrl : `mailto:curtail@${new URL(publicUrl).hostname.replace(/^\[|\]$/g, "")}`;

/** Starts notifying persons. */
export const wirePersonal = (
  wiring: PersonalWiring & { readonly queuePool: pg.Pool },
  sender: () => Promise<PushSender>,
): Stopping => {
  const { config, queuePool, logger, clock, secretBox, policy, publicUrl, gate, due, wordsFor, brand } = wiring;
  const client = webhookClient(pushPolicy(policy));
  const ports = {
    clock,
    random: Math.random,
    find: findOver(queuePool),
  };
  const [byMail, byPush] = [personalChannel("mail", secretBox), personalChannel("push", secretBox)];
  const send = sendPersonalPush(pushSender(client, sender), clock, wordsFor);
  const pushes = personalWorker(
    { ...ports, queue: mailbox(queuePool, byPush), maxInFlight: MAX_PUSHES_IN_FLIGHT, send },
    logger,
  );
  const transport =
    config.smtpUrl === null
      ? null
      : countedTransport(
          mailTransport({ smtpUrl: config.smtpUrl, publicUrl, brand }, MAIL_CONNECTIONS),
          wiring.metrics.countMail,
        );
  const pages = { participants: publicUrl, operators: config.operatorPublicUrl ?? publicUrl };
  const mails =
    transport === null
      ? null
      : personalWorker(
          {
            ...ports,
            queue: mailbox(queuePool, byMail),
            maxInFlight: MAIL_CONNECTIONS,
            send: sendPersonalMail(transport, clock, { pages, wordsFor, footer: footerOf(brand) }),
          },
          logger,
        );
  const workers = mails === null ? [pushes] : [pushes, mails];
  due.on(dueMessages(byPush), pushes);
  if (mails !== null) due.on(dueMessages(byMail), mails);
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
