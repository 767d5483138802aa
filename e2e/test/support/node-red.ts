import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { root } from "@curtail/docs";
import { freePort } from "@curtail/testing/free-port";
import { vi } from "vitest";
import { packNodeRed } from "../../../scripts/pack-node-red.mjs";

const run = promisify(execFile);

/** The newest that runs on Node 20: Node-RED 5 needs Node 22.9. */
const NODE_RED = "node-red@4.1.15";
const INSTALL_MS = 180_000;

/**
 * The folder of Node-RED, which is installed for the first run: its 279 packages would double the time of `npm ci`.
 *
 * @returns null if no registry can be reached
 */
export const installedNodeRed = async (): Promise<string | null> => {
  const place = join(root, "node_modules/.cache", NODE_RED.replace("@", "-"));
  const program = join(place, "node_modules/node-red");
  if (existsSync(program)) return program;
  await mkdir(dirname(place), { recursive: true });
  const draft = await mkdtemp(`${place}-`);
  try {
    await writeFile(join(draft, "package.json"), '{ "private": true }');
    await install(draft, NODE_RED, "--ignore-scripts", "--prefer-offline");
    // Another worker may have been faster.
    await rename(draft, place).catch(() => {});
    return program;
  } catch (error) {
    process.stderr.write(`${NODE_RED} cannot be installed, so its tests are skipped: ${String(error)}\n`);
    return null;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
};

const install = (folder: string, what: string, ...options: readonly string[]): Promise<unknown> =>
  run("npm", ["install", "--no-audit", "--no-fund", ...options, what], { cwd: folder, timeout: INSTALL_MS });

/** A line that the flow wrote to its journal. */
export type JournalLine = Readonly<Record<string, unknown>>;

/** Node-RED as a process, with the packed nodes in its user directory. */
export class NodeRed {
  private child: ChildProcess | null = null;
  private output = "";

  private constructor(
    private readonly program: string,
    readonly userDir: string,
    private readonly port: number,
  ) {}

  /**
   * Prepares a user directory, and starts Node-RED in it.
   *
   * @param flowOf the flow; its nodes write lines of JSON to the file that it is given
   */
  static async start(
    program: string,
    userDir: string,
    flow: { readonly of: (journal: string) => unknown; readonly credentials: unknown },
  ): Promise<NodeRed> {
    const nodeRed = new NodeRed(program, userDir, await freePort());
    await writeFile(join(userDir, "package.json"), '{ "private": true }');
    await install(userDir, await packNodeRed(join(userDir, "packed")), "--offline");
    const settings = `module.exports = { uiHost: "127.0.0.1", uiPort: ${nodeRed.port}, flowFile: "flows.json", credentialSecret: false };`;
    await writeFile(join(userDir, "settings.js"), settings);
    await writeFile(join(userDir, "flows.json"), JSON.stringify(flow.of(nodeRed.journalFile)));
    await writeFile(join(userDir, "flows_cred.json"), JSON.stringify(flow.credentials));
    await nodeRed.startAgain();
    return nodeRed;
  }

  async startAgain(): Promise<void> {
    const args = [join(this.program, "red.js"), "--userDir", this.userDir];
    const child = spawn(process.execPath, args, {
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env["PATH"] },
    });
    this.child = child;
    this.output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (this.output += chunk.toString()));
    await vi.waitFor(
      () => {
        if (!this.output.includes("Started flows")) throw new Error(`Node-RED does not start:\n${this.output}`);
      },
      { timeout: 30_000 },
    );
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.child;
    this.child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, "exit");
  }

  /** Presses the button of an inject node. */
  async inject(id: string): Promise<void> {
    const { status } = await fetch(`http://127.0.0.1:${this.port}/inject/${id}`, { method: "POST" });
    if (status !== 200) throw new Error(`the inject node ${id} returned ${status}:\n${this.output}`);
  }

  /** What the editor asks for: the nodes' forms and help. */
  async editorPage(): Promise<string> {
    const headers = { accept: "text/html", "accept-language": "en-US" };
    return (await fetch(`http://127.0.0.1:${this.port}/nodes`, { headers })).text();
  }

  /** The words of the nodes in the editor, by group and name. */
  async catalogue(): Promise<Readonly<Record<string, Readonly<Record<string, string>>>>> {
    const response = await fetch(`http://127.0.0.1:${this.port}/locales/@curtail/node-red/curtail?lng=en-US`);
    return (await response.json()) as Readonly<Record<string, Readonly<Record<string, string>>>>;
  }

  async journal(): Promise<readonly JournalLine[]> {
    const text = await readFile(this.journalFile, "utf8").catch(() => "");
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as JournalLine);
  }

  private get journalFile(): string {
    return join(this.userDir, "journal.jsonl");
  }
}
