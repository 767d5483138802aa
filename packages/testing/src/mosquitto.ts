import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { untilListening } from "./until-listening.js";

/** Debian puts it with the programs of administrators. */
const PROGRAMS = ["mosquitto", "/usr/sbin/mosquitto"];
const program = PROGRAMS.find((name) => spawnSync(name, ["-h"]).error === undefined);

/** Where distributions put it. */
const PLUGINS = ["x86_64-linux-gnu/", "aarch64-linux-gnu/", ""].map(
  (folder) => `/usr/lib/${folder}mosquitto_dynamic_security.so`,
);

/** Why tests with a broker are skipped; null: they are not. */
export const withoutMosquitto = program === undefined ? "mosquitto is not installed" : null;

export interface Broker {
  readonly url: string;
  stop(): Promise<void>;
}

/** Files of a certificate and its key. */
interface Tls {
  readonly certificate: string;
  readonly key: string;
}

/** A user who administers a broker. */
interface Administrator {
  readonly username: string;
  readonly password: string;
}

const PAGE = new URL("../../../docs/openadr3-mqtt.md", import.meta.url);

/** The configuration, and the command that denies by default, as the page "OpenADR 3.1 over MQTT" gives them. */
const recipe = () => {
  const page = readFileSync(PAGE, "utf8");
  const configuration = /```text\n(per_listener_settings[^`]*)```/.exec(page)?.[1];
  const command = /^sed -i .*publishClientReceive.*$/m.exec(page)?.[0];
  if (configuration === undefined || command === undefined) throw new Error(`the recipe is not in ${PAGE.href}`);
  return { configuration, command };
};

const FILE = "/var/lib/mosquitto/dynamic-security.json";

const run = (name: string, args: readonly string[]): void => {
  const made = spawnSync(name, args);
  if (made.status !== 0) throw new Error(`${name} failed: ${made.stderr?.toString()}`);
};

/** The text with each part replaced, which must be there. */
const replaced = (text: string, parts: Readonly<Record<string, string>>): string => {
  let result = text;
  for (const [part, by] of Object.entries(parts)) {
    if (!text.includes(part)) throw new Error(`the recipe has no ${part}`);
    result = result.replace(part, by);
  }
  return result;
};

/** What differs from the page in a test. */
interface Place {
  readonly folder: string;
  readonly port: number;
  /** null: without TLS, which the page has. */
  readonly tls: Tls | null;
  readonly administrator: Administrator;
  /** Left out as the page once did: what denies by default, and binds client identifiers to users. */
  readonly asBefore?: boolean;
}

/** The configuration of a broker as the page has it, with an administrator; only files and the port are others. */
export const configurationOfPage = ({ folder, port, tls, administrator, asBefore = false }: Place): string => {
  const { configuration, command } = recipe();
  const file = join(folder, "dynamic-security.json");
  run("mosquitto_ctrl", ["dynsec", "init", file, administrator.username, administrator.password]);
  if (!asBefore) run("sh", ["-c", replaced(command, { [FILE]: file })]);
  const plugin = PLUGINS.find((path) => existsSync(path));
  if (plugin === undefined) throw new Error("mosquitto_dynamic_security.so was not found");
  return replaced(configuration, {
    [PLUGINS[0] ?? ""]: plugin,
    [FILE]: file,
    "listener 8883": `listener ${port} 127.0.0.1`,
    "certfile /etc/mosquitto/certs/broker.pem": tls === null ? "" : `certfile ${tls.certificate}`,
    "keyfile /etc/mosquitto/certs/broker.key": tls === null ? "" : `keyfile ${tls.key}`,
    ...(asBefore ? { "use_username_as_clientid true": "" } : {}),
  });
};

/** Starts a broker, as the user of the tests, with a configuration that listens on the port. */
export const startConfigured = async (folder: string, port: number, configuration: string): Promise<Broker> => {
  const file = join(folder, `mosquitto-${port}.conf`);
  await writeFile(file, [`user ${userInfo().username}`, "persistence false", configuration, ""].join("\n"));
  const child = spawn(program ?? "mosquitto", ["-c", file], { stdio: "ignore" });
  await untilListening(port, child);
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    await once(child, "exit");
  };
  return { url: `${/^certfile /m.test(configuration) ? "mqtts" : "mqtt"}://localhost:${port}`, stop };
};

/**
 * Starts a broker on a port; with `tls` it takes TLS only. `access`: lines of its configuration; by default anybody may
 * do anything.
 */
export const startBroker = (
  folder: string,
  port: number,
  tls: Tls | null = null,
  access: readonly string[] = ["allow_anonymous true"],
): Promise<Broker> => {
  const secured = tls === null ? [] : [`certfile ${tls.certificate}`, `keyfile ${tls.key}`];
  return startConfigured(folder, port, [`listener ${port} 127.0.0.1`, ...access, ...secured].join("\n"));
};
