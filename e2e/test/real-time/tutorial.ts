import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Client, claimKey, createClient, redeemLink } from "@curtail/client";
import { auth, BASE_PATHS, operator, participantConsole } from "@curtail/contract";
import { codeBlocks } from "@curtail/docs";
import { freePort } from "@curtail/testing/free-port";
import { test } from "vitest";
import { runShell } from "../support/docs/run-shell.js";
import { operate } from "../support/participant.js";
import { preparedFolder } from "../support/prepared-data.js";
import { OPERATOR_TOKEN, startProcess, temporaryFolder } from "../support/service-process.js";

const PASSWORD = "correct horse battery staple";
const answerPrompt = fileURLToPath(new URL("../support/docs/answer-prompt.py", import.meta.url));

/** All that a participant has: the operator's half of it. */
const sendLink = async (url: string): Promise<string> => {
  const account = await operate(url, operator.createAccount, { body: { name: "Acme Stores" } });
  const person = { email: "dana@acme.example.com", name: "Dana Developer", role: "participant-admin" } as const;
  return (await operate(url, operator.createUser, { body: { ...person, account_id: account.id } })).invitation_url;
};

/** What the pages do when a person opens the link, chooses a password and signs in. */
const signedIn = async (link: string): Promise<Client> => {
  const { origin } = new URL(link);
  const { email } = await redeemLink<{ email: string }>(link, { password: PASSWORD });
  const answer = await createClient({ baseUrl: origin + BASE_PATHS.auth }).send(auth.signIn, {
    body: { email, password: PASSWORD },
  });
  const cookie = answer.headers
    .getSetCookie()
    .map((each) => each.split(";", 1)[0])
    .join("; ");
  return createClient({ baseUrl: origin + BASE_PATHS.console, headers: { cookie, origin } });
};

/** The key that the page behind its link shows. */
const sandboxKey = async (dashboard: Client): Promise<string> => {
  const { claim_url } = await dashboard.call(participantConsole.createOwnKey, { body: { environment: "sandbox" } });
  return (await claimKey(claim_url)).api_key;
};

/** Every block that a reader types, in order, with the addresses that the dashboard shows. */
const script = async (dashboard: Client, key: string): Promise<string> => {
  const page = await readFile(new URL("../../../docs/tutorial.md", import.meta.url), "utf8");
  const { rest_url, sandbox_url } = await dashboard.call(participantConsole.getOwnAccount);
  const port = String(await freePort());
  return codeBlocks("docs/tutorial.md", page)
    .filter(({ language, notes }) => language === "sh" && notes["skip"] === undefined)
    .map(({ text }) => text)
    .join("\n")
    .replaceAll("https://curtail.example.com", new URL(rest_url).origin)
    .replaceAll("https://sandbox.example.com", new URL(sandbox_url).origin)
    .replaceAll("ctp_…", key)
    .replaceAll("9000", port);
};

/**
 * In place of `node`: types the key when it is asked for, where Python can make a terminal, and says how long a scenario is
 * waited for.
 */
const person = (key: string): string => `#!/bin/bash
node=${process.execPath}
case " $* " in
  *" login "*)
    command -v python3 > /dev/null && exec python3 ${answerPrompt} ${key} $node "$@"
    exec $node "$@" --with-key - <<< ${key} ;;
  *" trigger "*)
    $node "$@" || exit
    echo "waited $SECONDS s" ;;
  *) exec $node "$@" ;;
esac
`;

/** What npm may not do in a test. */
const QUIET = { npm_config_audit: "false", npm_config_fund: "false", npm_config_update_notifier: "false" };

/** Records how long it takes, which the page states. */
const tell = (output: string, seconds: number): void => {
  const waited = [...output.matchAll(/^waited (\d+) s$/gm)].reduce((sum, [, each]) => sum + Number(each), 0);
  process.stdout.write(
    `the tutorial from the link to the certificate: ${seconds.toFixed(0)} s, ${waited} of them waiting\n`,
  );
};

export const testTutorial = (): void =>
  test("the tutorial leads from nothing but a link to a certificate, as it is written", async ({
    expect,
    onTestFinished,
  }) => {
    const [data, folder] = [await preparedFolder("memory"), await temporaryFolder()];
    onTestFinished(() => Promise.all([data.remove(), folder.remove()]).then(() => {}));
    const service = await startProcess({ CURTAIL_DATA_DIR: data.dataDir, CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN });
    onTestFinished(async () => void (await service.end("SIGTERM")));
    const link = await sendLink(service.url);

    const beganMs = performance.now();
    const dashboard = await signedIn(link);
    const key = await sandboxKey(dashboard);
    await writeFile(join(folder.path, "node"), person(key), { mode: 0o755 });
    const environment = { ...QUIET, PATH: `${folder.path}:${process.env["PATH"]}` };
    const { code, output } = await runShell(await script(dashboard, key), { folder: folder.path, environment });
    expect(code, output).toBe(0);
    const { items } = await dashboard.call(participantConsole.listOwnCertificates);
    tell(output, (performance.now() - beganMs) / 1000);

    expect(items.flatMap(({ passes }) => passes.map((pass) => pass.scenario_type))).toEqual(["update", "cancellation"]);
    expect(output).toContain("1 reading stored, 0 set aside.");
    expect(output.match(/^All criteria passed\.$/gm), output).toHaveLength(2);
    expect(output).toMatch(
      /notice \{"event":\{"name":"dispatch.create"\}[^]*notice \{"event":\{"name":"dispatch.update"\}/,
    );
    expect(output, "a key that is typed is not shown").not.toContain(key);
  }, 240_000);
