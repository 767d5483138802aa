import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { atEnd } from "@curtail/testing/at-end";
import { WebSocket } from "ws";
import { temporaryFolder } from "./service-process.js";

const executable = ["/usr/bin/firefox-esr", "/usr/bin/firefox"].find((path) => existsSync(path));

if (executable === undefined)
  process.stderr.write("SKIPPED: no Firefox was found; install firefox-esr to test notifications in a real browser\n");

/** Tests that need Firefox are skipped without it, with a message. */
export const hasFirefox = executable !== undefined;

/** A window of Firefox, driven by WebDriver BiDi. */
export interface FirefoxWindow {
  open(url: string): Promise<void>;
  /** Evaluates an expression in the page, as after a click of the user; promises are awaited. */
  run<T>(expression: string): Promise<T>;
  /** Evaluates it until the result is truthy. */
  until<T>(expression: string): Promise<T>;
  /** Clicks a button by its words, once it is there. */
  press(words: string): Promise<void>;
}

const START_MS = 30_000;

/**
 * Starts Firefox without windows, which takes its push messages from this push service. Ends with the test file.
 *
 * @param pushUrl `ws://…` of a push service that speaks Mozilla's protocol
 */
export const firefox = async (pushUrl: string): Promise<FirefoxWindow> => {
  const profile = await temporaryFolder();
  await writeFile(join(profile.path, "user.js"), written({ ...prefs, "dom.push.serverURL": pushUrl }));
  const args = ["--headless", "--no-remote", "--profile", profile.path, "--remote-debugging-port", "0", "about:blank"];
  const browser = spawn(executable ?? "", args, { env: { PATH: "/usr/bin:/bin", HOME: profile.path } });
  atEnd(async () => {
    await ended(browser);
    await profile.remove();
  });
  const connection = await connected(`${await addressOf(browser)}/session`);
  await connection.send("session.new", { capabilities: {} });
  const { contexts } = await connection.send<{ contexts: Array<{ context: string }> }>("browsingContext.getTree", {});
  return windowOf(connection, contexts[0]?.context ?? "");
};

const prefs = {
  "dom.push.connection.enabled": true,
  "dom.push.testing.allowInsecureServerURL": true,
  // Without a desktop there is no service that shows notifications; Firefox then has its own.
  "alerts.useSystemBackend": false,
  // As if the user had allowed them.
  "permissions.default.desktop-notification": 1,
  // Nothing reaches out of this machine.
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "toolkit.telemetry.enabled": false,
  "app.update.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
} as const;

const written = (all: Readonly<Record<string, string | number | boolean>>): string =>
  Object.entries(all)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join("");

/** Firefox prints where it listens. */
const addressOf = (browser: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = "";
    const timer = setTimeout(() => reject(new Error(`Firefox did not start: ${text}`)), START_MS);
    browser.once("exit", (code) => reject(new Error(`Firefox ended with ${code}: ${text}`)));
    browser.stdout?.resume();
    browser.stderr?.on("data", (chunk) => {
      text += String(chunk);
      const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(text) ?? [];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    });
  });

const ended = async (browser: ChildProcess): Promise<void> => {
  if (browser.exitCode !== null) return;
  const exit = new Promise((resolve) => browser.once("exit", resolve));
  browser.kill("SIGKILL");
  await exit;
};

interface Connection {
  send<T>(method: string, params: object): Promise<T>;
}

interface Reply {
  readonly id?: number;
  readonly type: string;
  readonly message?: string;
  readonly result?: unknown;
}

const connected = async (url: string): Promise<Connection> => {
  const socket = new WebSocket(url);
  const waiting = new Map<number, (reply: Reply) => void>();
  socket.on("message", (data: Buffer) => {
    const reply = JSON.parse(data.toString()) as Reply;
    if (reply.id !== undefined) waiting.get(reply.id)?.(reply);
  });
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  let count = 0;
  return {
    send: <T>(method: string, params: object) =>
      new Promise<T>((resolve, reject) => {
        const id = ++count;
        waiting.set(id, ({ type, message, result }) => {
          waiting.delete(id);
          if (type === "error") reject(new Error(`${method}: ${message}`));
          else resolve(result as T);
        });
        socket.send(JSON.stringify({ id, method, params }));
      }),
  };
};

interface Evaluated {
  readonly type: "success" | "exception";
  readonly result?: { readonly value?: string };
  readonly exceptionDetails?: { readonly text: string };
}

const windowOf = (connection: Connection, context: string): FirefoxWindow => {
  const run = async <T>(expression: string): Promise<T> => {
    const { type, result, exceptionDetails } = await connection.send<Evaluated>("script.evaluate", {
      expression: `(async () => JSON.stringify((await (${expression})) ?? null))()`,
      target: { context },
      awaitPromise: true,
      userActivation: true,
    });
    if (type === "exception") throw new Error(exceptionDetails?.text);
    return JSON.parse(result?.value ?? "null") as T;
  };
  const until = <T>(expression: string): Promise<T> =>
    run<T>(`(async () => { for (;;) { const found = await (${expression}); if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 50)); } })()`);
  return {
    run,
    until,
    async open(url) {
      await connection.send("browsingContext.navigate", { context, url, wait: "complete" });
    },
    async press(words) {
      const found = `[...document.querySelectorAll("button:enabled")].find((each) => each.textContent.trim() === ${JSON.stringify(words)})`;
      await until(`${found} !== undefined`);
      await run(`${found}.click()`);
    },
  };
};
