import { execFileSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeBlocks, root } from "@curtail/docs";
import { freePort } from "@curtail/testing/free-port";
import { test } from "vitest";
import { commandFolder } from "../support/docs/command-folder.js";
import { runShell } from "../support/docs/run-shell.js";
import { OPERATOR_TOKEN } from "../support/service-process.js";
import { webService } from "../support/web-service.js";

const PAGE = "docs/start.md";

/** Only files that a clone has. */
const checkout = async (): Promise<string> => {
  const folder = await commandFolder();
  const files = execFileSync("git", ["ls-files", "-z", "examples"], { cwd: root, encoding: "utf8" }).split("\0");
  for (const file of files.filter((name) => name !== "")) cpSync(join(root, file), join(folder, file));
  return folder;
};

/** Every block that a reader pastes, with the token that is the reader's to fill in, and free ports. */
const script = async (serviceUrl: string): Promise<string> => {
  const port = String(await freePort());
  const curl = 'curl() { command curl --fail-with-body --silent --show-error --max-time 20 "$@"; }\n';
  const pasted = codeBlocks(PAGE, readFileSync(join(root, PAGE), "utf8"))
    .filter(({ language, notes }) => language === "sh" && notes["skip"] === undefined)
    .map(({ text }) => text)
    .join("\n");
  const filledIn = pasted
    .replaceAll("cto_…", OPERATOR_TOKEN)
    .replaceAll("http://127.0.0.1:8080", serviceUrl)
    .replaceAll("127.0.0.1:9000", `127.0.0.1:${port}`);
  return `${curl}export PORT=${port}\n${filledIn}`;
};

export const testStart = (): void =>
  test("the first page leads from an empty service to a measured dispatch by copy and paste", async ({ expect }) => {
    const service = await webService();
    const folder = await checkout();
    const pasted = await script(service.url);
    expect(pasted, "nothing else is left to fill in").not.toContain("…");
    // The address is the default; the service of this test is elsewhere.
    const environment = {
      PATH: `${join(folder, "bin")}:${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
      CURTAIL_PUBLIC_URL: service.url,
    };
    const { code, output } = await runShell(pasted, { folder, environment });
    expect(code, output).toBe(0);
    expect(output).toContain("120 readings in ");
    // The receiver runs in the background: what it prints may follow an answer that ends without a new line.
    expect(output).toMatch(/curtail dis_\w+ until \S+: Store 1 by 50 kW$/m);
    expect(output).toMatch(/stop dis_\w+: ended$/m);
    // Not dashes: 350 kW of some 400, by the last reading and by all of them.
    expect(output).toMatch(/^totals: .*, now sites 1, reduction_kw [45]\d.*, to_date sites 1, reduction_kw [45]\d/m);
  }, 180_000);
