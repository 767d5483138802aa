import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";

type Delivery = operator.Delivery;

export const deliveryStates: Readonly<Record<Delivery["state"], string>> = {
  pending: say("pending", {}, "delivery"),
  delivered: say("delivered", {}, "delivery"),
  failed: say("failed", {}, "delivery"),
  dropped: say("dropped", {}, "delivery"),
};

export const deliveryEvents: Readonly<Record<Delivery["event"], string>> = {
  "dispatch.create": say("new dispatch"),
  "dispatch.update": say("change", {}, "of a dispatch"),
};
