// Loaded into a service that a test starts as a process: writes its replies to a file before their last byte is sent.
import { appendFileSync } from "node:fs";
import { watchReplies } from "./watch-replies.mjs";

const file = process.env.REPLIES_FILE;
if (file !== undefined) watchReplies((reply) => appendFileSync(file, `${JSON.stringify(reply)}\n`));
