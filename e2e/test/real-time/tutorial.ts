import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { freePort } from "@curtail/testing/free-port";
import { test } from "vitest";
import { preparedFolder } from "../support/prepared-data.js";
import { OPERATOR_TOKEN, type ServiceProcess, startProcess } from "../support/service-process.js";

/** Every block that a reader should type, in order. */
const script = async (): Promise<string> => {
  const page = await readFile(new URL("../../../docs/tutorial.md", import.meta.url), "utf8");
  return [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block).join("\n");
};

const run = async (
  text: string,
  service: ServiceProcess,
  folder: string,
): Promise<{ code: number | null; output: string }> => {
  const environment = {
    PATH: process.env["PATH"],
    CURTAIL: service.url,
    SANDBOX: service.sandboxUrl,
    CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN,
    PORT: String(await freePort()),
    TMPDIR: folder,
  };
  // Its own process group, so that what the page starts ends with it.
  const shell = spawn("bash", ["-euo", "pipefail", "-c", text], { env: environment, detached: true });
  let output = "";
  shell.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  shell.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await once(shell, "close");
  try {
    process.kill(-(shell.pid ?? 0), "SIGTERM");
  } catch {
    // ESRCH: all of it has ended.
  }
  return { code: shell.exitCode, output };
};

export const testTutorial = (): void =>
  test("the tutorial works as it is written, and ends with a report in which all is passed", async ({
    expect,
    onTestFinished,
  }) => {
    const folder = await preparedFolder();
    onTestFinished(folder.remove);
    const service = await startProcess({ CURTAIL_DATA_DIR: folder.dataDir, CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN });
    onTestFinished(async () => void (await service.end("SIGTERM")));
    const { code, output } = await run(await script(), service, folder.path);
    expect(code, output).toBe(0);
    const verdicts = [...output.matchAll(/^(\w+): (passed|failed|not_seen), /gm)].map(
      ([, name, result]) => `${name} ${result}`,
    );
    const both = ["notified passed", "fetched passed", "update_fetched passed", "curtailed_in_time passed"];
    expect(verdicts, output).toEqual([...both, "returned_after passed", ...both, "stopped_on_cancel passed"]);
    expect(output).toContain("telemetry[0].interval_seconds is 45; it must be divisible by 30");
    expect(output).toMatch(/"event":\{"name":"dispatch.create"\}[^]*"event":\{"name":"dispatch.update"\}/);
  }, 240_000);
