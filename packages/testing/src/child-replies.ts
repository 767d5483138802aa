import { existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SentReply } from "../preload/watch-replies.mjs";

/** File for replies of the processes that this test file starts. */
const file = join(tmpdir(), `curtail-replies-${process.pid}.jsonl`);

/** Environment of a service whose replies are checked against the contract. */
export const checkedReplies = {
  NODE_OPTIONS: `--import ${new URL("../preload/send-replies.mjs", import.meta.url).href}`,
  REPLIES_FILE: file,
};

/** The same plus the environment of this process. */
export const environmentHeld = { ...process.env, ...checkedReplies };

/** Replies since the last call. */
export const takeChildReplies = (): readonly SentReply[] => {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  rmSync(file);
  // A process killed during a write leaves half a line, whose reply nobody received.
  return lines.flatMap((line) => (line.endsWith("}") ? [JSON.parse(line) as SentReply] : []));
};
