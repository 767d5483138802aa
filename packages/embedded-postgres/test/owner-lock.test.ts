import { link, mkdir, mkdtemp, rm, utimes } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type OwnerLock, takeOwnership } from "../src/owner-lock.js";

const directory = async (): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), "curtail-own-test-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
};

/** Leaves the socket of an owner that is gone. */
const deadOwnerIn = async (dataDir: string): Promise<void> => {
  const path = join(dataDir, "owner.sock");
  const aside = join(dataDir, "bound.sock");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(aside, resolve));
  await link(aside, path);
  await new Promise((resolve) => server.close(resolve));
};

const takers = async (dataDir: string, count: number): Promise<OwnerLock[]> => {
  const outcomes = await Promise.allSettled(Array.from({ length: count }, () => takeOwnership(dataDir)));
  return outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
};

test("of many that come at once after an owner was killed, one gets the lock, every time", async () => {
  for (let times = 0; times < 10; times++) {
    const dataDir = await directory();
    await deadOwnerIn(dataDir);
    const owners = await takers(dataDir, 8);
    expect(owners).toHaveLength(1);
    await owners[0]?.release();
  }
});

test("a starter that was killed while it took the lock is waited for no longer than a few seconds", async () => {
  const dataDir = await directory();
  const turn = join(dataDir, "owner.turn");
  await mkdir(turn);
  await utimes(turn, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
  const owners = await takers(dataDir, 3);
  expect(owners).toHaveLength(1);
  await owners[0]?.release();
});
