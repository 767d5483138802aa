// The control of the kill test: watches a folder as `curtail upload --watch` does, but moves a file before its readings
// are stored. Usage: FOLDER
import { mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { env } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { createParticipant, upload } from "@curtail/client";

const [folder] = process.argv.slice(2);
const done = join(folder, "done");
mkdirSync(done, { recursive: true });
const participant = createParticipant({ url: env.CURTAIL_URL, key: env.CURTAIL_API_KEY });
for (;;) {
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".ndjson"))) {
    const lines = readFileSync(join(folder, name), "utf8").trim().split("\n");
    renameSync(join(folder, name), join(done, name));
    const readings = lines.filter((line) => line.endsWith("}")).map((line) => JSON.parse(line));
    await upload(participant, readings);
  }
  await sleep(100);
}
