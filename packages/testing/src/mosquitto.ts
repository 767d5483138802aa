import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { untilListening } from "./until-listening.js";

/** Debian puts it beside the programs of administrators. */
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

/** Lines for a broker with the plug-in for dynamic security, administered by a user. */
export const dynamicSecurity = async (
  folder: string,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<string[]> => {
  const file = join(folder, "dynamic-security.json");
  const made = spawnSync("mosquitto_ctrl", ["dynsec", "init", file, username, password]);
  if (made.status !== 0) throw new Error(`mosquitto_ctrl failed: ${made.stderr?.toString()}`);
  const plugin = PLUGINS.find((path) => existsSync(path));
  if (plugin === undefined) throw new Error("mosquitto_dynamic_security.so was not found");
  return ["allow_anonymous false", `plugin ${plugin}`, `plugin_opt_config_file ${file}`];
};

/**
 * Starts a broker, as the user of the tests, on a port; with `tls` (paths of cert and key) it takes TLS only. `access`:
 * lines of its configuration; by default anybody may do anything.
 */
export const startBroker = async (
  folder: string,
  port: number,
  tls: { readonly certificate: string; readonly key: string } | null = null,
  access: readonly string[] = ["allow_anonymous true"],
): Promise<Broker> => {
  const file = join(folder, `mosquitto-${port}.conf`);
  const lines = [`listener ${port} 127.0.0.1`, ...access, "persistence false", `user ${userInfo().username}`];
  const secured = tls === null ? [] : [`certfile ${tls.certificate}`, `keyfile ${tls.key}`];
  await writeFile(file, [...lines, ...secured, ""].join("\n"));
  const child = spawn(program ?? "mosquitto", ["-c", file], { stdio: "ignore" });
  await untilListening(port, child);
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    await once(child, "exit");
  };
  return { url: `${tls === null ? "mqtt" : "mqtts"}://localhost:${port}`, stop };
};
