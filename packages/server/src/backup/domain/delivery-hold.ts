import type { Condition } from "../../platform/alarm.js";

/** Nothing is sent by a restored service until an operator releases it: what ran before may have sent it already. */
export interface DeliveryHold {
  /** When the backup was restored. */
  readonly heldAt: Date;
  /** The moment that the backup shows. */
  readonly backupAt: Date;
}

/** How much of a channel was dropped when delivery was released. */
export interface DroppedCount {
  /** As in the evidence of dispatches; `sandbox`: webhooks there, `mqtt`: messages to a broker. */
  readonly channel: string;
  readonly count: number;
}

/** Subject in the audit log. */
export const HOLD_ID = "delivery_hold";

/** The alarm while delivery is held. */
export const holdConditions = (hold: DeliveryHold | null): readonly Condition[] =>
  hold === null
    ? []
    : [
        {
          kind: "delivery_held",
          subject: HOLD_ID,
          accountId: null,
          message:
            `This service was restored to its state of ${hold.backupAt.toISOString().slice(0, 16).replace("T", " ")} UTC, and ` +
            "sends nothing yet: nobody is notified of dispatches. Check that the service before is off, and what it sent after " +
            "that. Then release delivery with the button here, or with `curtail admin delivery-hold release`.",
        },
      ];

declare module "../../access/domain/audit.js" {
  interface Audited {
    delivery_hold: {
      action: "delivery_hold.release";
      state: DeliveryHold & {
        readonly outdatedDispatches: readonly string[];
        readonly dropped: readonly DroppedCount[];
      };
    };
  }
}
