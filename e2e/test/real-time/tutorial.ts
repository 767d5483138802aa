import { readFile } from "node:fs/promises";
import { codeBlocks } from "@curtail/docs";
import { freePort } from "@curtail/testing/free-port";
import { test } from "vitest";
import { type Ran, runShell } from "../support/docs/run-shell.js";
import { preparedFolder } from "../support/prepared-data.js";
import { OPERATOR_TOKEN, type ServiceProcess, startProcess } from "../support/service-process.js";

/** Every block that a reader should type, in order. */
const script = async (): Promise<string> => {
  const page = await readFile(new URL("../../../docs/tutorial.md", import.meta.url), "utf8");
  const blocks = codeBlocks("docs/tutorial.md", page).filter(({ language }) => language === "sh");
  return blocks.map(({ text }) => text).join("\n");
};

const run = async (text: string, service: ServiceProcess, folder: string): Promise<Ran> =>
  runShell(text, {
    folder,
    environment: {
      CURTAIL: service.url,
      SANDBOX: service.sandboxUrl,
      CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN,
      PORT: String(await freePort()),
    },
  });

export const testTutorial = (): void =>
  test("the tutorial works as it is written, and ends with a report in which all is passed and a certificate", async ({
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
    expect(output).toContain(
      "certified: update by webhook and polling\ncertified: cancellation by webhook and polling\n",
    );
    expect(output).toContain("telemetry[0].interval_seconds is 45; it must be divisible by 30");
    expect(output).toMatch(/"event":\{"name":"dispatch.create"\}[^]*"event":\{"name":"dispatch.update"\}/);
  }, 240_000);
