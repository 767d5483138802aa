import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  auditOf,
  type BackupStory,
  backupStory,
  evidenceOf,
  facilitiesOf,
  KEPT_BEFORE,
  MINUTES_MS,
  restarted,
  restored,
} from "./support/backup-story.js";

const sameFile = async (directory: string, name: string, { dataDir }: BackupStory): Promise<void> =>
  expect(await readFile(join(directory, name), "utf8")).toBe(await readFile(join(dataDir, name), "utf8"));

// What is held after it, faults and signals: backup.long.test.ts.
test(
  "a backup made under load is restored with every reading answered before it began, and with its keys, log and evidence",
  async () => {
    const story = await backupStory();
    const { participant, load, dispatchId } = story;
    const directory = await restored(story, "restored");
    for (const name of ["secrets.key", "openadr/ca.key", "openadr/ca.crt"]) await sameFile(directory, name, story);
    const service = await restarted(directory);

    load.kept.splice(story.keptBefore);
    expect(load.kept.length).toBeGreaterThanOrEqual(KEPT_BEFORE);
    expect(await load.missing(service.url)).toEqual([]);
    expect((await auditOf(service.url)).slice(-story.audit.length)).toEqual(story.audit);
    expect(await evidenceOf(service.url, dispatchId)).toEqual(story.evidence);
    expect(await facilitiesOf(service.url, participant)).toEqual(story.facilities);
  },
  MINUTES_MS,
);
