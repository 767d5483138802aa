import type { Retailer } from "@curtail/openadr-3";
import { dueMessages, mailbox } from "../../dispatch/storage/mailbox.js";
import { notificationChannel } from "../../openadr-3/storage/notification-queue.js";
import {
  CHANGES_KEPT_DAYS,
  changeArchive,
  OBJECTS_AT_ONCE,
  objectArchive,
} from "../../openadr-3/storage/object-archive.js";
import { noteLapsing, noteSettings } from "../../openadr-3/storage/projection-hints.js";
import { notificationWorker } from "../../openadr-3/worker/notification-worker.js";
import { sendNotification } from "../../openadr-3/worker/send-notification.js";
import type { AddressPolicy } from "../../platform/attempt.js";
import { webhookClient } from "../../platform/outbound/webhook-client.js";
import { Polling } from "../../platform/polling.js";
import { Pruning } from "../../platform/pruning.js";
import type { Config } from "../../platform/runtime/config.js";
import { RARELY_MS } from "../../platform/timetable.js";
import { dueRehearsals, noteRehearsals } from "../../sandbox/storage/rehearsal-notices.js";
import type { Basis, Stopping } from "../basis.js";
import { wireMqttPublisher } from "./openadr-3-mqtt.js";
import { hourlyPruner } from "./upkeep.js";

interface Openadr3WorkerWiring extends Basis {
  /** Where subscriptions may point. */
  readonly policy: AddressPolicy;
}

/** Sends to VENs of OpenADR 3, and notes what their objects are to follow that no change says. */
export const wireOpenadr3Worker = (wiring: Openadr3WorkerWiring): Stopping => {
  const { config, pool, logger, clock, secretBox } = wiring;
  const hints = notingHints(wiring);
  const rehearsals = notingRehearsals(wiring);
  const client = webhookClient(wiring.policy);
  const channel = notificationChannel(secretBox);
  const notifications = notificationWorker(
    { queue: mailbox(pool, channel), clock, random: Math.random, send: sendNotification(client, clock) },
    logger,
  );
  const mqtt = wireMqttPublisher(wiring);
  wiring.due.on(dueRehearsals, rehearsals);
  wiring.due.on(dueMessages(channel), notifications);
  const pruner = hourlyPruner(
    wiring,
    "old changes, events and reports of OpenADR 3",
    new Pruning(changeArchive(pool), clock, CHANGES_KEPT_DAYS),
    new Pruning(objectArchive(pool), clock, config.openadr3KeptDays, OBJECTS_AT_ONCE),
  );
  for (const each of [hints, rehearsals, pruner]) each.start();
  wiring.gate.whenReleased(() => notifications.start());
  return {
    async stop() {
      await Promise.all([hints, rehearsals, notifications, pruner].map((each) => each.stop()));
      await mqtt.stop();
      await client.close();
    },
  };
};

/** Dispatches without an end have events of an hour at least, which are prolonged when half of it is left. */
const PROLONGING_MS = 60_000;

const notingHints = ({ pool, logger, clock }: Openadr3WorkerWiring): Polling => {
  let isNoted = false;
  return new Polling({
    async look() {
      // They may have changed while nothing ran.
      if (!isNoted) await noteSettings(pool, clock.now());
      isNoted = true;
      await noteLapsing(pool, clock.now());
    },
    onError: (error) =>
      logger.error({ err: error }, "events of OpenADR 3 that are to be prolonged could not be noted; retrying"),
    clock,
    everyMs: PROLONGING_MS,
  });
};

const notingRehearsals = ({ sandboxPool, logger, clock }: Openadr3WorkerWiring): Polling =>
  new Polling({
    look: () => noteRehearsals(sandboxPool, clock.now()),
    onError: (error) => logger.error({ err: error }, "notices of scenarios could not be noted; retrying"),
    clock,
    everyMs: RARELY_MS,
    restsFirst: true,
  });

export const retailerOf = ({ openadr3Retailer: name, openadr3Country: place }: Config): Retailer => ({
  name,
  country: place?.slice(0, 2) ?? null,
  subdivision: place !== null && place.length > 2 ? place : null,
});
