// Sends one attack, as a child process: gets what to send and for how long, and reports the answers at the end.
import { attacks } from "./attacks.js";
import { Sender } from "./sender.js";
import type { Target } from "./stage.js";

export interface Order {
  readonly name: string;
  readonly seconds: number;
  readonly target: Target;
}

/** How long to wait for pending answers when the time is over. */
const LEEWAY_MS = 2000;

const attack = async ({ name, seconds, target }: Order): Promise<void> => {
  const sender = new Sender(seconds);
  const isOver = new Promise((resolve) => setTimeout(resolve, seconds * 1000 + LEEWAY_MS));
  await Promise.race([attacks[name]?.run(target, sender), isOver]);
  process.send?.(sender.answers, () => process.exit(0));
};

process.on("message", (order: Order) => void attack(order));
process.on("disconnect", () => process.exit(0));
