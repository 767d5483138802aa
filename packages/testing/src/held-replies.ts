import { type SentReply, watchReplies } from "../preload/watch-replies.mjs";
import { takeChildReplies } from "./child-replies.js";

const MAX_SHOWN = 10;

const found: Array<Promise<string | null>> = [];

watchReplies((reply) => void found.push(faultIn(reply)));

/** Faults of the replies since the last call, each once. */
export const takeFaults = async (): Promise<readonly string[]> => {
  const faults = await Promise.all([...found.splice(0), ...takeChildReplies().map(faultIn)]);
  return [...new Set(faults.filter((fault) => fault !== null))].slice(0, MAX_SHOWN);
};

/** Loads the contract on the first reply: most tests have none. */
const faultIn = async (reply: SentReply): Promise<string | null> =>
  (await import("./contract-check.js")).faultOf(reply);
