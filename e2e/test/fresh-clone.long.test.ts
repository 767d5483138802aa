import { operator } from "@curtail/contract";
import { afterAll, describe, expect, test } from "vitest";
import { type CloneOptions, endGroup, type FreshClone, freshClone } from "./support/fresh-clone.js";
import { operate } from "./support/participant.js";
import { postgresIn } from "./support/process-group.js";

// Installs and builds, which needs a registry and a minute.
const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
const INSTALL_MS = 600_000;

/** Installed by the first test, for all. */
let clone: FreshClone | undefined;
afterAll(() => clone?.remove());

const cloneFor = async (options: CloneOptions): Promise<FreshClone> =>
  (clone = await (clone?.begunAnew(options) ?? freshClone(options)));

/** It serves, survives a kill, and stops. */
const expectToServe = async (clone: FreshClone): Promise<void> => {
  const first = await clone.start();
  const account = await operate(first.url, operator.createAccount, { body: { name: "Kept" } });
  await endGroup(first.group, "SIGKILL");

  const second = await clone.start();
  expect(await operate(second.url, operator.getAccount, { params: { id: account.id } })).toMatchObject({
    name: "Kept",
  });
  // Only to npm, as a supervisor would: the service must receive it.
  second.group.kill("SIGTERM");
  const isServing = (): Promise<boolean> =>
    fetch(`${second.url}/healthz`).then(
      () => true,
      () => false,
    );
  await expect.poll(isServing, { timeout: 30_000 }).toBe(false);
  await expect.poll(() => postgresIn(clone.dataDir), { timeout: 30_000 }).toEqual([]);
};

const claim =
  "`npm start` reaches `curtail ready` %s; kill -9 of the whole group loses nothing, and SIGTERM to npm ends it";

describe("a fresh clone", () => {
  // Whoever is root has installed the checkout that these tests run in.
  test.skipIf(!isRoot)(
    claim.replace("%s", "as an ordinary user, who installs it, too"),
    async () => expectToServe(await cloneFor({ uid: NOBODY, mode: 0o755 })),
    INSTALL_MS,
  );

  test.skipIf(!isRoot)(
    claim.replace("%s", "as root, below a folder of mode 0700"),
    async () => expectToServe(await cloneFor({ uid: 0, mode: 0o700 })),
    INSTALL_MS,
  );

  test(
    claim.replace("%s", "as whoever runs the tests"),
    async () => expectToServe(await cloneFor({ mode: 0o755 })),
    INSTALL_MS,
  );
});
