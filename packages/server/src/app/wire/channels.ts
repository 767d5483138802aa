import type pg from "pg";
import type { Dispatch } from "../../dispatch/domain/dispatch.js";
import { findEachSeen, type Seen } from "../../dispatch/storage/dispatch-view.js";
import { dueMessages, mailbox } from "../../dispatch/storage/mailbox.js";
import type { ChannelAddressPorts } from "../../notification/operations/manage-channel-addresses.js";
import type { AddressedPorts } from "../../notification/operations/send-addressed-messages.js";
import { addressedChannel } from "../../notification/storage/addressed-messages.js";
import { addressedWorker, sendSaid, sendTestSaid } from "../../notification/worker/addressed-worker.js";
import { ACCOUNT_TESTS } from "../../notification/worker/public-tests.js";
import type { AddressPolicy } from "../../platform/attempt.js";
import { Batcher } from "../../platform/batcher.js";
import { addressedChannels } from "../../platform/channel.js";
import { boundedCalls } from "../../platform/outbound/bounded-calls.js";
import { type WebhookClient, webhookClient } from "../../platform/outbound/webhook-client.js";
import type { Basis, Stopping } from "../basis.js";

const READ_AT_ONCE = 256;

/** Tests of addresses, by the client of tests. */
export const wireAddressTests = (
  { clock, wordsFor, brand }: Basis,
  client: WebhookClient,
): Pick<ChannelAddressPorts, "testAddress"> => ({
  testAddress: boundedCalls(
    sendTestSaid(sendSaid(client, clock), wordsFor, brand.name),
    ({ accountId }) => accountId,
    ACCOUNT_TESTS,
  ),
});

/** A thousand messages that are claimed together read their dispatches by a few statements: webhooks use the same connections. */
const readTogether = (pool: pg.Pool): AddressedPorts["dispatches"] => {
  const reads = new Batcher<Seen, Dispatch | null>({ work: (asked) => findEachSeen(pool, asked), most: READ_AT_ONCE });
  return { findSeenBy: (accountId, id) => reads.add({ accountId, id }) };
};

interface ChannelWiring extends Basis {
  readonly queuePool: pg.Pool;
  readonly policy: AddressPolicy;
  /** Base address of participants' pages. */
  readonly publicUrl: string;
}

/** Sends what waits for addresses. Channels share no places, clients or connections. */
export const wireChannels = (wiring: ChannelWiring): Stopping => {
  const { queuePool, policy, publicUrl, clock, logger, secretBox, gate, due, wordsFor, brand } = wiring;
  const all = addressedChannels.map((name) => {
    const client = webhookClient(policy);
    const channel = addressedChannel(name, secretBox);
    const queue = mailbox(queuePool, channel);
    const ports = {
      queue,
      clock,
      dispatches: readTogether(queuePool),
      pages: publicUrl,
      wordsFor,
      service: brand.name,
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
