import { execFileSync, spawnSync } from "node:child_process";
import { expect } from "vitest";
import { webhookSecrets } from "../webhooks.js";
import { OWN_PATH } from "./documented-service.js";
import type { RecipeTest } from "./recipe-test.js";

/** How a program of the language calls `isSigned`/`is_signed` with a notice from the environment. */
const calls: Readonly<Record<string, { readonly command: readonly [string, ...string[]]; readonly ending: string }>> = {
  js: {
    command: [process.execPath, "--input-type=module", "-"],
    ending: `const { secret, headers, body } = JSON.parse(process.env.NOTICE);\nconsole.log(isSigned(secret, headers, Buffer.from(body)));\n`,
  },
  python: {
    command: ["python3", "-"],
    ending: `import json, os\nn = json.loads(os.environ["NOTICE"])\nprint(str(is_signed(n["secret"], n["headers"], n["body"].encode())).lower())\n`,
  },
};

/** The service needs Node.js only, and so do its tests. */
const hasPython = spawnSync("python3", ["--version"]).status === 0;

/** Checks a notice that the service sent, and the same one changed. */
export const testSignature = async ({ blocks, documented, values }: RecipeTest): Promise<void> => {
  const { service, participant, notices } = documented;
  const [secret = ""] = await webhookSecrets(service.url, participant, values.ids["wh"] ?? "");
  const sent = () =>
    notices.find(({ path, body }) => path === `/${OWN_PATH}` && body.includes(values.ids["dis"] ?? ""));
  await expect.poll(sent).toBeDefined();
  const notice = sent();
  expect(blocks.map(({ language }) => language)).toEqual(["js", "python"]);
  for (const { language, text } of blocks.filter((block) => block.language === "js" || hasPython)) {
    const { command, ending } = calls[language] ?? { command: ["false"], ending: "" };
    const says = (sent: object): string => {
      const [name, ...args] = command;
      const env = { ...process.env, NOTICE: JSON.stringify({ secret, ...notice, ...sent }) };
      return execFileSync(name, args, { input: `${text}\n${ending}`, env, encoding: "utf8" }).trim();
    };
    expect(says({}), language).toBe("true");
    expect(says({ body: `${notice?.body ?? ""} ` }), language).toBe("false");
    const old = { ...notice?.headers, "webhook-timestamp": String(Math.floor(Date.now() / 1000) - 600) };
    expect(says({ headers: old }), language).toBe("false");
  }
};
