import { join } from "node:path";
import { expect } from "vitest";
import { OPERATOR_TOKEN } from "../service-process.js";
import { of } from "./blocks.js";
import type { DocumentedService } from "./documented-service.js";
import { type Documented, filledIn } from "./placeholders.js";
import { runShell } from "./run-shell.js";

/** What a page's commands find in their environment. */
export const environmentOf = ({ folder }: DocumentedService, { url, sandboxUrl, apiKey }: Documented) => ({
  PATH: `${join(folder, "bin")}:${process.env["PATH"] ?? ""}`,
  CURTAIL_URL: url,
  CURTAIL_SANDBOX_URL: sandboxUrl,
  CURTAIL_PUBLIC_URL: url,
  CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN,
  CURTAIL_API_KEY: apiKey,
  TOKEN: OPERATOR_TOKEN,
});

/** Runs the commands of a page in the order in which they are written, and expects that none fails. */
export const expectPageToRun = async (documented: DocumentedService, page: string): Promise<void> => {
  const parts: string[] = [];
  for (const block of of("sh").filter((each) => each.page === page))
    parts.push(`echo "# line ${block.line}"\n${filledIn(block.text, await documented.values(block))}`);
  // A status that is an error ends the script.
  const curl = 'curl() { command curl --fail-with-body --silent --show-error --max-time 20 "$@"; }\n';
  const environment = environmentOf(documented, await documented.values());
  const { code, output } = await runShell(curl + parts.join("\n"), { folder: documented.folder, environment });
  expect(code, output).toBe(0);
};
