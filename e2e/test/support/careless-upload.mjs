// The control of the kill test: uploads a file as `curtail upload` does, but records its progress before the service
// has stored the readings. Usage: FILE
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { env } from "node:process";
import { createParticipant, upload } from "@curtail/client";

const PART = 10_000;
const [file] = process.argv.slice(2);
const state = `${file}.upload.json`;
const readings = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const participant = createParticipant({ url: env.CURTAIL_URL, key: env.CURTAIL_API_KEY, retry: { attempts: 10 } });

for (let done = existsSync(state) ? Number(readFileSync(state, "utf8")) : 0; done < readings.length; ) {
  const part = readings.slice(done, done + PART);
  done += part.length;
  writeFileSync(state, String(done));
  await upload(participant, part);
}
rmSync(state, { force: true });
