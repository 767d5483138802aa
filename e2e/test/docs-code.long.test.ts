import { execFileSync } from "node:child_process";
import { runAdmin } from "@curtail/cli/admin";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { all, of, pages, recipeOf, where } from "./support/docs/blocks.js";
import { DocumentedService } from "./support/docs/documented-service.js";
import { filledIn, withoutIds } from "./support/docs/placeholders.js";
import { recipes } from "./support/docs/recipes.js";
import { environmentOf, expectPageToRun } from "./support/docs/run-page.js";
import { commandsIn, labelsIn, wordsOf } from "./support/docs/transcript.js";
import { OPERATOR_TOKEN } from "./support/service-process.js";

/** Two wait for the real clock, so `real-time/` runs them beside other tests; one is in docs-code.test.ts. */
const ELSEWHERE = ["docs/tutorial.md", "docs/start.md", "README.md"];

describe("on a running service", () => {
  let documented: DocumentedService;
  beforeAll(async () => {
    documented = await DocumentedService.start();
  });

  const withShell = pages.filter((page) => !ELSEWHERE.includes(page) && of("sh").some((block) => block.page === page));
  test.for(withShell)("the commands of %s work in the order in which they are written", (page) =>
    expectPageToRun(documented, page),
  );

  const run = async (words: readonly string[]) => {
    let output = "";
    const write = (text: string | Uint8Array) => void (output += text instanceof Uint8Array ? "" : text);
    const code = await runAdmin(words, {
      stdout: { write },
      stderr: { write },
      readSettings: () => ({
        settings: {
          publicUrl: documented.service.url,
          port: 0,
          operatorPublicUrl: null,
          operatorPort: null,
          operatorToken: OPERATOR_TOKEN,
          apiKeyHeader: "X-Service-API-Key",
          noColor: true,
        },
      }),
      now: () => new Date(),
      wait: async () => {},
      onInterrupt: () => () => {},
    });
    return { code, output };
  };

  test.for(of("console"))("the transcript in $page, line $line, is what the commands do", async (block) => {
    const values = await documented.values(block);
    const folder = process.cwd();
    process.chdir(documented.folder);
    onTestFinished(() => process.chdir(folder));
    for (const { command, printed } of commandsIn(block.text)) {
      const [name, noun, ...rest] = wordsOf(filledIn(command, values));
      expect([name, noun], where(block)).toEqual(["curtail", "admin"]);
      const { code, output } = await run(rest);
      const refusal = printed.find((line) => line.startsWith("curtail: "));
      expect(code, `${where(block)}: ${command}\n${output}`).toBe(refusal === undefined ? 0 : 1);
      if (refusal !== undefined) expect(withoutIds(output)).toContain(withoutIds(refusal));
      for (const label of labelsIn(printed))
        expect(output, `${where(block)}: ${command}`).toMatch(new RegExp(`^${label}: `, "m"));
    }
  });

  test.for([...of("js"), ...of("python")])("$language in $page, line $line, runs", async (block) => {
    const values = await documented.values();
    const program = block.language === "js" ? [process.execPath, "--input-type=module", "-"] : ["python3", "-"];
    const [command = "", ...args] = program;
    const printed = execFileSync(command, args, {
      cwd: documented.folder,
      input: filledIn(block.text, values),
      env: { ...process.env, ...environmentOf(documented, values) },
      encoding: "utf8",
    });
    expect(printed).not.toBe("");
  });

  test.for(Object.entries(recipes))("the recipe %s reaches the service as it is written", async ([name, recipe]) => {
    const values = await documented.values();
    const blocks = all.filter((block) => recipeOf(block) === name);
    await recipe({ blocks, values, documented });
  });
});
