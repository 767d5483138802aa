import type { LoopClock } from "../../platform/clock.js";
import type { FaultLog } from "../../platform/log.js";
import type { Carrier } from "../../platform/timetable.js";
import { type Lease, LeasedWorker } from "../../platform/worker/leased-worker.js";
import { type ClaimedPhoneMessage, isGatewayAlarming, type PhoneOutcome } from "../domain/phone-message.js";
import { attemptPhoneMessage, type PhonePorts } from "../operations/send-phone-messages.js";

/** Concurrent requests to gateways. */
const MAX_UNDER_WAY = 20;

/** Claims due messages, hands them to the gateway and records the outcomes, until stopped. An attempt fits a lease. */
export class PhoneWorker {
  private readonly leased: LeasedWorker<ClaimedPhoneMessage>;

  constructor(
    private readonly ports: PhonePorts & { readonly clock: LoopClock },
    private readonly log: FaultLog,
  ) {
    this.leased = new LeasedWorker({
      clock: ports.clock,
      log,
      look: (lease) => this.look(lease),
      onError: (error) => log.error({ err: error }, "messages to phones could not be fetched; retrying"),
      onEnd: () => this.leased.wake(),
    });
  }

  /** For the timetable. */
  get carrier(): Carrier {
    return this.leased;
  }

  start(): void {
    this.leased.start();
  }

  /** Stops claiming and waits for messages being handed over. */
  async stop(): Promise<void> {
    await this.leased.stop();
  }

  private async look(lease: Lease): Promise<boolean> {
    const { queue } = this.ports;
    const limit = MAX_UNDER_WAY - this.leased.count;
    // Looks even without a free place, to drop what is needless.
    const claimed = await queue.claim({ ...lease, limit });
    this.leased.take(claimed, (message) => this.send(message));
    return limit > 0 && claimed.length === limit;
  }

  private async send(message: ClaimedPhoneMessage): Promise<void> {
    try {
      const outcome = await attemptPhoneMessage(this.ports, message);
      await this.leased.record(() => this.ports.queue.record(this.leased.held(message), outcome));
      this.report(outcome, message);
    } catch (error) {
      // The lease ends, and the message is offered again under the same key.
      const { id, accountId, dispatchId } = message;
      this.log.error({ err: error, message: id, accountId, dispatchId }, "a message to a phone could not be handled");
    }
  }

  /** Logs neither numbers nor texts; the error is a code. */
  private report(outcome: PhoneOutcome, message: ClaimedPhoneMessage): void {
    if (outcome.state === "sent") return;
    const { id, accountId, dispatchId, channel } = message;
    const failures = message.failures + 1;
    const details = { message: id, accountId, dispatchId, channel, failures, error: outcome.error };
    if (outcome.state === "waiting" && !isGatewayAlarming(failures))
      this.log.warn(details, "a gateway did not take a message; retrying");
    else this.log.error(details, advice[outcome.state]);
  }
}

const advice: Readonly<Record<Exclude<PhoneOutcome["state"], "sent">, string>> = {
  waiting: "a gateway still does not take a message; check the gateway and its settings",
  refused: "a gateway refused a message; check the number of the contact and phone the account",
  expired: "a gateway did not take a message for six hours, so it was given up; phone the account",
};
