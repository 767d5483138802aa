import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { operator } from "@curtail/contract";
import { afterAll, expect, test } from "vitest";
import { operate } from "./support/participant.js";
import { OPERATOR_TOKEN, startProcess, temporaryFolder } from "./support/service-process.js";

const folder = await temporaryFolder();
const dataDir = join(folder.path, "data");
const settings = { CURTAIL_DATA_DIR: dataDir, CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN, CURTAIL_VTN_ID: "grid-vtn" };
const authority = join(dataDir, "openadr", "ca.crt");
afterAll(() => folder.remove());

test("the first start makes a certificate authority in the data directory; later ones keep it", async () => {
  const first = await startProcess(settings);
  const made = await readFile(authority, "utf8");
  expect(await operate(first.url, operator.getOpenadrAuthority)).toEqual({ certificate: made, vtn_id: "grid-vtn" });
  expect(await first.end("SIGTERM")).toBe(0);
  const second = await startProcess(settings);
  expect(await operate(second.url, operator.getOpenadrAuthority)).toMatchObject({ certificate: made });
  expect(await second.end("SIGTERM")).toBe(0);
});

test("an authority that cannot be used ends the start with its file and what to do", async () => {
  await writeFile(authority, "nonsense");
  await expect(startProcess(settings)).rejects.toThrow(`${authority} cannot be used: it must be a certificate in PEM`);
});
