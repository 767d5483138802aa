import { operator } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { mailbox } from "@curtail/testing/mailbox";
import { expect, test } from "vitest";
import { newParticipant, newProgram, operate } from "./support/participant.js";
import { preparedFolder } from "./support/prepared-data.js";
import { startProcess, underLoad } from "./support/service-process.js";

const A_MINUTE_MS = 60_000;

// G62: each recipient of a mail is a delivery of its own.
test("a kill between two recipients of a mail neither loses one nor mails the other twice", async () => {
  const [folder, inbox] = [await preparedFolder(), await mailbox()];
  atEnd(folder.remove);
  const settings = { ...underLoad(folder.dataDir), CURTAIL_SMTP_URL: `${inbox.url}?from=dispatch@operator.example` };
  const first = await startProcess(settings);
  atEnd(async () => void (await first.end("SIGKILL")));
  const participant = await newParticipant(first.url, 1);
  const [taken, deferred] = ["ana@mills.example", "ben@mills.example"];
  for (const email of [taken, deferred]) {
    const params = { id: participant.accountId };
    await operate(first.url, operator.createContact, { params, body: { name: email, email } });
  }
  inbox.greylisted.set(deferred, 1000);
  const program_id = await newProgram(first.url);
  const start_time = new Date(Date.now() + 60 * A_MINUTE_MS).toISOString();
  const sites = participant.sites.map((site) => ({ site_id: site.id }));
  const { id } = await operate(first.url, operator.createDispatch, { body: { program_id, start_time, sites } });
  const mailsTo = (email: string) =>
    inbox.received.filter(({ content, to }) => content.includes(id) && to.includes(email)).length;

  // Recorded, too: before that, nobody can know what the mail server took.
  const mailed = async (url: string) =>
    (await operate(url, operator.listEvidence, { params: { id } })).items.filter(({ what }) => what === "mailed")
      .length;
  await expect.poll(() => mailed(first.url), { timeout: A_MINUTE_MS }).toBe(1);
  expect([mailsTo(taken), mailsTo(deferred)]).toEqual([1, 0]);
  expect(await first.end("SIGKILL")).toBeNull();

  inbox.greylisted.delete(deferred);
  const second = await startProcess(settings);
  atEnd(async () => void (await second.end("SIGTERM")));
  await expect.poll(() => mailsTo(deferred), { timeout: 2 * A_MINUTE_MS, interval: 200 }).toBe(1);
  await expect.poll(() => mailed(second.url), { timeout: A_MINUTE_MS }).toBe(2);
  expect([mailsTo(taken), mailsTo(deferred)]).toEqual([1, 1]);
}, 240_000);
