import type pg from "pg";
import { dispatchView } from "../../dispatch/storage/dispatch-view.js";
import { dueMessages, mailbox } from "../../dispatch/storage/mailbox.js";
import { NOTICE_CHANNEL } from "../../dispatch/storage/notice-store.js";
import type { OwedPorts } from "../../notification/operations/escalate-owed.js";
import type { ChannelAddressPorts } from "../../notification/operations/manage-channel-addresses.js";
import type { WebhookPorts } from "../../notification/operations/manage-webhooks.js";
import type { PhoneGateway } from "../../notification/operations/send-phone-messages.js";
import { deliveryQueue, dueDeliveries, productionQueue } from "../../notification/storage/delivery-queue.js";
import { mailChannel } from "../../notification/storage/mail-queue.js";
import { dueLooks } from "../../notification/storage/owed-store.js";
import { phoneChannel } from "../../notification/storage/phone-messages.js";
import { type MailSender, mailSender } from "../../notification/worker/mail-sender.js";
import { mailWorker } from "../../notification/worker/mail-worker.js";
import { probeWebhook, sendDelivery } from "../../notification/worker/notify.js";
import { owedWatch } from "../../notification/worker/owed-watch.js";
import { phoneGateway } from "../../notification/worker/phone-gateway.js";
import { phoneWorker } from "../../notification/worker/phone-worker.js";
import { ACCOUNT_TESTS, boundedTests } from "../../notification/worker/public-tests.js";
import { randomSecret } from "../../notification/worker/signature.js";
import { DeliveryWorker } from "../../notification/worker/worker.js";
import { dueVenNotices, venNoticeStore } from "../../openadr/storage/ven-notice-store.js";
import type { AlarmPorts } from "../../oversight/operations/watch-alarms.js";
import { alarmWatch } from "../../oversight/worker/alarm-watch.js";
import type { AddressPolicy } from "../../platform/attempt.js";
import { listenForCommits } from "../../platform/database/commit-listener.js";
import { closePool, openQueuePool } from "../../platform/database/database.js";
import { webhookClient } from "../../platform/outbound/webhook-client.js";
import { Polling } from "../../platform/polling.js";
import type { Config } from "../../platform/runtime/config.js";
import { newId } from "../../platform/runtime/secrets.js";
import { isLoopback } from "../../platform/runtime/setting-types.js";
import { RARELY_MS } from "../../platform/timetable.js";
import { type Basis, logBroken, type Stopping } from "../basis.js";
import { wireAddressTests, wireChannels } from "./channels.js";
import { listenOptions } from "./journal.js";
import { wireOpenadr3Worker } from "./openadr-3-worker.js";
import { type PersonalRegistration, wirePersonal, wirePushTests } from "./personal.js";

/** Notifies participants by webhook: registrations test with its client, the worker sends with it. */
export interface WiredDelivery extends Stopping {
  readonly webhooks: Pick<WebhookPorts, "policy" | "newSecret" | "probe"> & Pick<ChannelAddressPorts, "testAddress">;
  /** For test messages. */
  readonly gateway: PhoneGateway;
  readonly personal: PersonalRegistration;
}

interface DeliveryWiring extends Basis {
  /** Whether to look for alarms. */
  readonly watchesAlarms: boolean;
  readonly alarms: AlarmPorts & Pick<OwedPorts, "stores">;
  /** Base address of links in emails. */
  readonly publicUrl: string;
}

/** For making deliveries, claiming and recording. */
const KEPT_CONNECTIONS = 3;

export const wireDelivery = (wiring: DeliveryWiring): WiredDelivery => {
  const { config, pool, logger, clock, metrics, secretBox, due } = wiring;
  const policy = addressPolicy(config);
  // Its own client, resolver and connections: tests that hang take nothing from notices.
  const testClient = webhookClient(policy);
  const probe = boundedTests(probeWebhook(testClient, clock, newId), ACCOUNT_TESTS);
  const webhooks = { policy, newSecret: randomSecret, probe, ...wireAddressTests(wiring, testClient) };
  const gatewayClient = webhookClient(gatewayPolicy);
  const urls = { sms: config.smsUrl, voice: config.voiceUrl };
  const gateway = phoneGateway({ urls, token: config.gatewayToken }, gatewayClient);
  const pushTests = wirePushTests({ ...wiring, policy });
  const personal = pushTests.registration;
  const closeTests = async () =>
    void (await Promise.all([testClient, gatewayClient, pushTests].map((each) => each.close())));
  const registration = { webhooks, gateway, personal };
  if (!config.roles.includes("worker")) return { ...registration, stop: closeTests };
  const client = webhookClient(policy);
  const queuePool = openQueuePool(pool, logBroken(logger), KEPT_CONNECTIONS);
  const ports = {
    queue: deliveryQueue(queuePool, secretBox, productionQueue),
    clock,
    send: sendDelivery(client, { clock, ids: wiring.datedIds, tracing: wiring.tracing }),
    random: Math.random,
  };
  const worker = new DeliveryWorker(ports, logger, metrics);
  const people = wirePersonal({ ...wiring, queuePool, policy }, pushTests.sender);
  const channels = wireChannels({ ...wiring, queuePool, policy });
  const following = wireOpenadr3Worker({ ...wiring, pool: queuePool, policy });
  const listener = listenForCommits(listenOptions(wiring), {
    [NOTICE_CHANNEL]: () => {
      worker.wake();
      due.wake();
    },
  });
  const venNotices = recordingVenNotices(queuePool, wiring);
  const sender = mailSenderOf(wiring);
  const channel = mailChannel({ hasServer: sender !== null });
  const mailPorts = { queue: mailbox(queuePool, channel), clock, dispatches: dispatchView(queuePool) };
  const mails = mailWorker({ ...mailPorts, send: sender?.send ?? null }, logger);
  const phonePorts = {
    queue: mailbox(queuePool, phoneChannel),
    clock,
    dispatches: dispatchView(queuePool),
    wordsFor: wiring.wordsFor,
    gateway,
    service: wiring.brand.name,
  };
  const phones = phoneWorker(phonePorts, logger);
  const alarms = alarmWatch({ ...wiring.alarms, clock }, logger);
  const owed: Polling[] = [];
  due.onAll(dueDeliveries(""), worker.carriers);
  due.on(dueVenNotices, venNotices);
  due.on(dueMessages(channel), mails);
  due.on(dueMessages(phoneChannel), phones);
  venNotices.start();
  if (wiring.watchesAlarms) alarms.start();
  wiring.gate.whenReleased(() => {
    for (const each of [worker, mails, phones]) each.start();
    // Nobody was to be notified before.
    const watch = owedWatch({ ...wiring.alarms, clock, servingSince: clock.now() }, logger);
    owed.push(watch);
    due.on(dueLooks, watch);
    watch.start();
  });
  return {
    ...registration,
    async stop() {
      await listener.stop();
      await Promise.all(
        [worker, people, channels, venNotices, mails, phones, alarms, following, ...owed].map((each) => each.stop()),
      );
      sender?.close();
      await Promise.all([client.close(), closeTests()]);
      await closePool(queuePool);
    },
  };
};

const recordingVenNotices = (pool: pg.Pool, { clock, logger }: DeliveryWiring): Polling => {
  const store = venNoticeStore(pool);
  return new Polling({
    look: () => store.record(clock.now()),
    onError: (error) => logger.error({ err: error }, "evidence of notices to VENs could not be recorded; retrying"),
    clock,
    everyMs: RARELY_MS,
    restsFirst: true,
  });
};

const mailSenderOf = ({ config, clock, publicUrl, wordsFor, brand, metrics }: DeliveryWiring): MailSender | null => {
  const { smtpUrl } = config;
  return smtpUrl === null ? null : mailSender({ smtpUrl, publicUrl, clock, wordsFor, brand, count: metrics.countMail });
};

/** Loopback may be reached only if the service itself listens only on loopback (G33, G49). */
const addressPolicy = (config: Config): AddressPolicy => ({
  allowedNetworks: config.webhookAllowedNetworks,
  allowLoopback: addressesOf(config).every(isLoopback),
  allowHttp: config.webhookAllowHttp,
});

/** Gateways are the operator's own: also on this machine and in its networks, but not where clouds keep credentials. */
const gatewayPolicy: AddressPolicy = {
  allowedNetworks: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
  allowLoopback: true,
  allowHttp: true,
};

/** Listening addresses of every listener, and their public addresses. */
const addressesOf = ({ host, operatorHost, publicUrl, operatorPublicUrl }: Config): string[] => [
  host,
  operatorHost,
  ...[publicUrl, operatorPublicUrl].flatMap((url) => (url === null ? [] : [new URL(url).hostname])),
];
