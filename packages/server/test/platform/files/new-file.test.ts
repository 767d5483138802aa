import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { atEnd } from "@curtail/testing/at-end";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hasEnded, ownOwner } from "../../../src/platform/files/file-owner.js";
import { writeWholeFile } from "../../../src/platform/files/new-file.js";

const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "curtail-files-"));
  atEnd(() => rm(folder, { recursive: true }));
  return folder;
};

async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

const touchedBefore = async (path: string, seconds: number): Promise<void> => {
  const at = Date.now() / 1000 - seconds;
  await utimes(path, at, at);
};

const refused = (code: string) => async (): Promise<void> => {
  throw Object.assign(new Error(`link: ${code}`), { code });
};

test.each(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"])(
  "where links are refused with %s a file gets its name all the same, and never in place of another",
  async (code) => {
    const folder = await temporaryFolder();
    const path = join(folder, "file");
    expect(await writeWholeFile(path, bytesOf("whole"), { linked: refused(code) })).toBe(5);
    expect(await readFile(path, "utf8")).toBe("whole");
    await expect(writeWholeFile(path, bytesOf("other"), { linked: refused(code) })).rejects.toMatchObject({
      code: "EEXIST",
    });
    expect([await readFile(path, "utf8"), await readdir(folder)]).toEqual(["whole", ["file"]]);
  },
);

test("another failure to link is one of the file, and leaves nothing", async () => {
  const folder = await temporaryFolder();
  const writing = writeWholeFile(join(folder, "file"), bytesOf("whole"), { linked: refused("EIO") });
  await expect(writing).rejects.toMatchObject({ code: "EIO" });
  expect(await readdir(folder)).toEqual([]);
});

test("of two who write the same file at once, without links, one has it and the other is refused", async () => {
  const path = join(await temporaryFolder(), "file");
  const texts = Array.from({ length: 8 }, (_, index) => `content ${index}`);
  const written = await Promise.allSettled(
    texts.map((text) => writeWholeFile(path, bytesOf(text), { linked: refused("EPERM") })),
  );
  const winners = written.flatMap(({ status }, index) => (status === "fulfilled" ? [texts[index]] : []));
  expect(winners).toEqual([await readFile(path, "utf8")]);
});

const partOf = (name: string, owner: string): string => `${name}.${owner}.${crypto.randomUUID()}.part`;

test("parts of processes that have ended are removed, those of running ones and other files are not", async () => {
  const folder = await temporaryFolder();
  const own = await ownOwner();
  const [space, pid, started] = own.split(".");
  const { pid: ended } = spawnSync(process.execPath, ["--version"]);
  // The process that runs now has the number of one that has ended.
  const reused = `${space}.${pid}.${Number(started) - 1}`;
  const left = [partOf("one", `${space}.${ended}.1`), partOf("other", reused)];
  // Another container may have equal numbers.
  const elsewhere = partOf("elsewhere", `0123abcd.${pid}.${started}`);
  const forgotten = partOf("forgotten", "0123abcd.1.1");
  const kept = [partOf("running", own), "notes.part", elsewhere];
  for (const name of [...left, ...kept, forgotten]) await writeFile(join(folder, name), "");
  await touchedBefore(join(folder, forgotten), 121);
  await touchedBefore(join(folder, kept[0] ?? ""), 100_000);
  const named: string[] = [];
  const onKept = (path: string): void => void named.push(basename(path));
  await writeWholeFile(join(folder, "file"), bytesOf("whole"), { onKept });
  expect(await readdir(folder)).toEqual([...kept, "file"].sort());
  expect(named.sort()).toEqual([elsewhere, kept[0] ?? ""].sort());
});

test("whatever the numbers of processes are, only a file that nobody touched for two minutes is one of an ended other", async () => {
  const [space] = (await ownOwner()).split(".");
  const numbers = fc.integer({ min: 1, max: 4_000_000 });
  const other = fc.oneof(fc.constant("unknown"), fc.stringMatching(/^[0-9a-f]{8}$/)).filter((given) => given !== space);
  await fc.assert(
    fc.asyncProperty(other, numbers, numbers, fc.integer({ min: 0, max: 1000 }), async (of, pid, started, seconds) => {
      fc.pre(Math.abs(seconds - 120) > 1);
      const touchedAtMs = Date.now() - seconds * 1000;
      expect(await hasEnded(`${of}.${pid}.${started}`, touchedAtMs)).toBe(seconds > 120);
    }),
  );
});
