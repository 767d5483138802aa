import type pg from "pg";
import { dispatchView } from "../../dispatch/storage/dispatch-view.js";
import { dueMessages, mailbox } from "../../dispatch/storage/mailbox.js";
import type { ChannelAddressPorts } from "../../notification/operations/manage-channel-addresses.js";
import { addressedChannel } from "../../notification/storage/addressed-messages.js";
import { addressedWorker, sendSaid, sendTestSaid } from "../../notification/worker/addressed-worker.js";
import { ACCOUNT_TESTS } from "../../notification/worker/public-tests.js";
import type { AddressPolicy } from "../../platform/attempt.js";
import { addressedChannels } from "../../platform/channel.js";
import { boundedCalls } from "../../platform/outbound/bounded-calls.js";
import { type WebhookClient, webhookClient } from "../../platform/outbound/webhook-client.js";
import type { Basis, Stopping } from "../basis.js";

/** Tests of addresses, by the client of tests. */
export const wireAddressTests = (
  { clock }: Basis,
  client: WebhookClient,
): Pick<ChannelAddressPorts, "testAddress"> => ({
  testAddress: boundedCalls(sendTestSaid(sendSaid(client, clock)), ({ accountId }) => accountId, ACCOUNT_TESTS),
});

interface ChannelWiring extends Basis {
  readonly queuePool: pg.Pool;
  readonly policy: AddressPolicy;
  /** Base address of participants' pages. */
  readonly publicUrl: string;
}

/** Sends what waits for addresses. Channels share no places, clients or connections. */
export const wireChannels = (wiring: ChannelWiring): Stopping => {
  const { queuePool, policy, publicUrl, clock, logger, secretBox, gate, due } = wiring;
  const all = addressedChannels.map((name) => {
    const client = webhookClient(policy);
    const channel = addressedChannel(name, secretBox);
    const queue = mailbox(queuePool, channel);
    const ports = {
      queue,
      clock,
      dispatches: dispatchView(queuePool),
      pages: publicUrl,
      send: sendSaid(client, clock),
    };
    const worker = addressedWorker(name, ports, logger);
    due.on(dueMessages(channel), worker);
    return { client, worker };
  });
  gate.whenReleased(() => {
    for (const { worker } of all) worker.start();
  });
  return {
    async stop() {
      await Promise.all(all.map(({ worker }) => worker.stop()));
      await Promise.all(all.map(({ client }) => client.close()));
    },
  };
};
