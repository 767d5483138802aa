import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const logger = fileURLToPath(new URL("../../../dist/platform/runtime/logger.js", import.meta.url));

/** What a separate process writes to standard error when it logs an error. */
const logged = (error: string): Record<string, Record<string, unknown>> => {
  const script = `import { buildLogger } from ${JSON.stringify(logger)}; buildLogger("info").warn({ err: ${error} }, "it broke");`;
  const { stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  return JSON.parse(stderr) as Record<string, Record<string, unknown>>;
};

test("an error is logged with its message, stack and code, and without the connection that the database's carry", () => {
  const broken = `Object.assign(new Error("terminated"), { code: "57P01", client: { connectionParameters: { user: "ann" } } })`;
  expect(logged(broken)).toMatchObject({
    msg: "it broke",
    err: { message: "terminated", code: "57P01", stack: expect.stringContaining("terminated") },
  });
  expect(logged(broken)["err"]).not.toHaveProperty("client");
});
