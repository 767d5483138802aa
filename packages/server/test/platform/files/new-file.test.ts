import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { atEnd } from "@curtail/testing/at-end";
import { expect, test } from "vitest";
import { writeWholeFile } from "../../../src/platform/files/new-file.js";

const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "curtail-files-"));
  atEnd(() => rm(folder, { recursive: true }));
  return folder;
};

async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

const refused = (code: string) => async (): Promise<void> => {
  throw Object.assign(new Error(`link: ${code}`), { code });
};

test.each(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"])(
  "where links are refused with %s a file gets its name all the same, and never in place of another",
  async (code) => {
    const folder = await temporaryFolder();
    const path = join(folder, "file");
    expect(await writeWholeFile(path, bytesOf("whole"), refused(code))).toBe(5);
    expect(await readFile(path, "utf8")).toBe("whole");
    await expect(writeWholeFile(path, bytesOf("other"), refused(code))).rejects.toMatchObject({ code: "EEXIST" });
    expect([await readFile(path, "utf8"), await readdir(folder)]).toEqual(["whole", ["file"]]);
  },
);

test("another failure to link is one of the file, and leaves nothing", async () => {
  const folder = await temporaryFolder();
  const writing = writeWholeFile(join(folder, "file"), bytesOf("whole"), refused("EIO"));
  await expect(writing).rejects.toMatchObject({ code: "EIO" });
  expect(await readdir(folder)).toEqual([]);
});

test("of two who write the same file at once, without links, one has it and the other is refused", async () => {
  const path = join(await temporaryFolder(), "file");
  const texts = Array.from({ length: 8 }, (_, index) => `content ${index}`);
  const written = await Promise.allSettled(texts.map((text) => writeWholeFile(path, bytesOf(text), refused("EPERM"))));
  const winners = written.flatMap(({ status }, index) => (status === "fulfilled" ? [texts[index]] : []));
  expect(winners).toEqual([await readFile(path, "utf8")]);
});

const host = createHash("sha256").update(hostname()).digest("hex").slice(0, 8);
const partOf = (name: string, madeOn: string, pid: number): string =>
  `${name}.${madeOn}.${pid}.${crypto.randomUUID()}.part`;

test("parts of processes that have ended are removed, those of running ones and other files are not", async () => {
  const folder = await temporaryFolder();
  const { pid: dead } = spawnSync(process.execPath, ["--version"]);
  const left = [partOf("one", host, dead), partOf("other", host, process.pid), partOf("old", "0123abcd", 1)];
  const kept = [partOf("running", host, process.ppid), partOf("elsewhere", "0123abcd", dead), "notes.part"];
  for (const name of [...left, ...kept]) await writeFile(join(folder, name), "");
  const yesterday = Date.now() / 1000 - 90_000;
  await utimes(join(folder, left[2] ?? ""), yesterday, yesterday);
  await writeWholeFile(join(folder, "file"), bytesOf("whole"));
  expect(await readdir(folder)).toEqual([...kept, "file"].sort());
});
