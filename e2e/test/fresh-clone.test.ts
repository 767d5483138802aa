import { describe, expect, test } from "vitest";
import { type CloneOptions, endGroup, freshClone } from "./support/fresh-clone.js";
import { operate } from "./support/participant.js";

// Each case installs and builds, which takes a registry and a minute: the continuous integration asks for them.
const isWanted = process.env["TEST_FRESH_CLONE"] === "1";
const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

const cases: ReadonlyArray<CloneOptions & { readonly name: string; readonly needsRoot: boolean }> = [
  { name: "as root, below a folder of mode 0700", mode: 0o700, needsRoot: true },
  { name: "as an ordinary user", uid: NOBODY, mode: 0o755, needsRoot: true },
  { name: "as whoever runs the tests", mode: 0o755, needsRoot: false },
];

describe.skipIf(!isWanted)("a fresh clone (set TEST_FRESH_CLONE=1 to run)", () => {
  for (const { name, needsRoot, ...options } of cases) {
    test.skipIf(needsRoot && !isRoot)(
      `\`npm start\` reaches \`curtail ready\` ${name}; kill -9 of the whole group loses nothing, and SIGTERM to npm ends it`,
      async () => {
        const clone = await freshClone(options);
        const first = await clone.start();
        const account = await operate<{ id: string }>(first.url, "POST", "/accounts", { name: "Kept" });
        await endGroup(first.group, "SIGKILL");

        const second = await clone.start();
        const path = `/accounts/${account.id}`;
        expect(await operate(second.url, "GET", path)).toMatchObject({ name: "Kept" });
        // To npm alone, as a supervisor would: the service must hear of it.
        second.group.kill("SIGTERM");
        const isServing = (): Promise<boolean> =>
          fetch(`${second.url}/healthz`).then(
            () => true,
            () => false,
          );
        await expect.poll(isServing, { timeout: 30_000 }).toBe(false);
        await clone.remove();
      },
      600_000,
    );
  }
});
