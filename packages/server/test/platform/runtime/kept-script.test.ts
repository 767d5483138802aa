import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { compiledOf, runScript, scriptOf } from "../../../kept-script.mjs";

const SOURCE = `
const { join } = require("node:path");
exports.place = (name) => join(require("given").folder, name);
exports.file = __filename;
`;
const given = { given: { folder: "/var" } };

describe("a script with compiled code", () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "curtail-script-"));
    file = join(folder, "service.cjs");
    await writeFile(file, SOURCE);
  });
  afterEach(() => rm(folder, { recursive: true }));

  const expectToRun = (): boolean | undefined => {
    const script = scriptOf(file);
    const exports = runScript(file, given, script);
    expect(exports["file"]).toBe(file);
    expect((exports["place"] as (name: string) => string)("log")).toBe("/var/log");
    return script.cachedDataRejected;
  };

  const keep = () => writeFile(compiledOf(file), scriptOf(file).createCachedData());

  test("runs with what it requires and with what it is given", () => {
    expect(expectToRun()).toBeUndefined();
  });

  test("takes the code that V8 compiled before", async () => {
    await keep();
    expect(expectToRun()).toBe(false);
  });

  test("is compiled again where its source has changed", async () => {
    await keep();
    await writeFile(file, `${SOURCE}// changed\n`);
    expect(expectToRun()).toBe(true);
  });

  test.each(["", "compiled by something else"])("is compiled where the compiled code is %j", async (kept) => {
    await writeFile(compiledOf(file), kept);
    expect(expectToRun()).toBe(true);
  });
});
