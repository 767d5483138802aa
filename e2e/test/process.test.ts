import { spawnSync } from "node:child_process";
import { chmod, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { operatorClient } from "@curtail/client";
import { operator } from "@curtail/contract";
import { expect, test } from "vitest";
import { firstOperatorLink } from "./support/first-operator.js";
import { command, type ServiceProcess, startProcess, temporaryFolder } from "./support/service-process.js";

// Stopping under load: process.long.test.ts.

test("the first start prints the operator token once and `curtail ready` last, and its doctor finds it well; the second reuses the data", async () => {
  const own = await temporaryFolder();
  const plain = { CURTAIL_DATA_DIR: join(own.path, "data") };
  const first = await startProcess(plain);
  expect(first.lines.at(-1)).toBe("curtail ready");
  const token = /operator token.*: (\S+)$/m.exec(first.lines.join("\n"))?.[1] ?? "none";
  const client = ({ url }: ServiceProcess) => operatorClient({ url, token });
  const made = await client(first).send(operator.createAccount, { body: { name: "Kept" } });
  expect(made.status).toBe(201);
  expect((await stat(plain.CURTAIL_DATA_DIR)).mode & 0o777).toBe(0o700);
  const looked = spawnSync(process.execPath, [command, "doctor", "service", "--json"], {
    env: { PATH: process.env["PATH"], CURTAIL_PORT: "0", ...plain, CURTAIL_PUBLIC_URL: first.url },
    encoding: "utf8",
  });
  expect(looked).toMatchObject({ status: 0, stderr: "" });
  expect(JSON.parse(looked.stdout).checks).toEqual(
    expect.arrayContaining(
      ["database", "secrets", "address"].map((name) => expect.objectContaining({ name, result: "ok" })),
    ),
  );
  const link = firstOperatorLink(first);
  expect(await first.end("SIGTERM")).toBe(0);

  await chmod(plain.CURTAIL_DATA_DIR, 0o755);
  const second = await startProcess(plain);
  expect((await stat(plain.CURTAIL_DATA_DIR)).mode & 0o777).toBe(0o700);
  expect(second.lines.join("\n")).not.toContain("operator token");
  expect(await client(second).call(operator.listAccounts)).toMatchObject({ items: [{ name: "Kept" }] });
  expect(firstOperatorLink(second)).toMatch(/first-user/);
  expect(firstOperatorLink(second)).not.toBe(link);
  expect(await second.end("SIGTERM")).toBe(0);
  await own.remove();
});

test("wrong settings are all listed and end the start with 78", () => {
  const environment = {
    PATH: process.env["PATH"],
    CURTAIL_PORT: "eighty",
    CURTAIL_PROT: "80",
    CURTAIL_MAX_READINGS: "0",
  };
  const { status, stderr } = spawnSync(process.execPath, [command, "serve"], { env: environment, encoding: "utf8" });
  expect(status).toBe(78);
  for (const name of ["CURTAIL_PORT ", "CURTAIL_PROT ", "CURTAIL_MAX_READINGS "]) expect(stderr).toContain(name);
});

const KEPT = `
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { isCurrent, service } from "./bundle.mjs";
import { compiledOf, scriptOf } from "./kept-script.mjs";
const kept = isCurrent() ? readdirSync(dirname(service)).filter((name) => name.startsWith(basename(service) + ".")) : [];
process.stdout.write(JSON.stringify({
  isCurrent: isCurrent(),
  isOtherNode: kept.length === 1 && kept[0] !== basename(compiledOf(service)),
  isAscii: !/[^\\0-\\x7f]/.test(readFileSync(service, "latin1")),
  isTaken: scriptOf(service).cachedDataRejected === false,
}));
`;

test("the service starts with the code that V8 compiled when it was built", ({ skip }) => {
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", KEPT], {
    cwd: dirname(command),
    encoding: "utf8",
  });
  const { isCurrent, isOtherNode, ...found } = JSON.parse(stdout);
  skip(!isCurrent, "packages were compiled after the bundle was built");
  skip(isOtherNode, "another version of Node built the bundle");
  expect(found).toEqual({ isAscii: true, isTaken: true });
});
