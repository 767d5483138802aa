import { existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SentReply } from "../preload/watch-replies.mjs";

/** Where the processes that this test file starts put their replies. */
const file = join(tmpdir(), `curtail-replies-${process.pid}.jsonl`);

/** What a service needs in its environment so that its replies are held against the contract. */
export const repliesHeld = {
  NODE_OPTIONS: `--import ${new URL("../preload/send-replies.mjs", import.meta.url).href}`,
  REPLIES_FILE: file,
};

/** The same beside everything that this process has in its own. */
export const environmentHeld = { ...process.env, ...repliesHeld };

/** What was replied since the last time. */
export const takeChildReplies = (): readonly SentReply[] => {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  rmSync(file);
  // A process that is killed while it writes leaves half a line, whose reply nobody got.
  return lines.flatMap((line) => (line.endsWith("}") ? [JSON.parse(line) as SentReply] : []));
};
