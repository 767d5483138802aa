import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { root } from "@curtail/docs";
import { freePort } from "@curtail/testing/free-port";
import { vi } from "vitest";
import { NEWEST_LTS, newestLts } from "../../../scripts/newest-lts.mjs";
import { packNodeRed } from "../../../scripts/pack-node-red.mjs";

const run = promisify(execFile);

const INSTALL_MS = 180_000;

/** A release of Node-RED that the nodes are tested in. */
export interface NodeRedRelease {
  readonly name: string;
  readonly version: string;
  /** The Node that runs it; null if there is none here. */
  readonly node: () => string | null;
}

export const NODE_RED_4: NodeRedRelease = { name: "Node-RED 4", version: "4.1.15", node: () => process.execPath };

/** It needs Node 22.9. */
const NODE_RED_5: NodeRedRelease = {
  name: "Node-RED 5",
  version: "5.0.7",
  node: newestLts,
};

export const RELEASES: readonly NodeRedRelease[] = [NODE_RED_4, NODE_RED_5];

/** A release that can be started. */
export interface InstalledNodeRed {
  readonly node: string;
  /** Its folder. */
  readonly program: string;
}

/**
 * Node-RED, which is installed for the first run: its 279 packages would double the time of `npm ci`.
 *
 * @returns null if there is no Node for it, or no registry can be reached
 */
export const installedNodeRed = async ({ name, version, node }: NodeRedRelease): Promise<InstalledNodeRed | null> => {
  const binary = node();
  if (binary === null) return skipped(name, `Node ${NEWEST_LTS} cannot be had`);
  const place = join(root, `node_modules/.cache/node-red-${version}`);
  const installed = { node: binary, program: join(place, "node_modules/node-red") };
  if (existsSync(installed.program)) return installed;
  await mkdir(dirname(place), { recursive: true });
  const draft = await mkdtemp(`${place}-`);
  try {
    await writeFile(join(draft, "package.json"), '{ "private": true }');
    await install(draft, `node-red@${version}`, "--ignore-scripts", "--prefer-offline");
    // Another worker may have been faster.
    await rename(draft, place).catch(() => {});
    return installed;
  } catch (error) {
    return skipped(name, String(error));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
};

const skipped = (name: string, why: string): null => {
  process.stderr.write(`${name} cannot be had, so its tests are skipped: ${why}\n`);
  return null;
};

const install = (folder: string, what: string, ...options: readonly string[]): Promise<unknown> =>
  run("npm", ["install", "--no-audit", "--no-fund", ...options, what], { cwd: folder, timeout: INSTALL_MS });

/** The editor asks nothing of who opens it for the first time, and looks for no other nodes in the internet. */
const SETTINGS = {
  uiHost: "127.0.0.1",
  flowFile: "flows.json",
  credentialSecret: false,
  telemetry: { enabled: false },
  editorTheme: { tours: false },
  externalModules: { palette: { allowInstall: false } },
};

/** A line that the flow wrote to its journal. */
export type JournalLine = Readonly<Record<string, unknown>>;

/** Node-RED as a process, with the packed nodes in its user directory. */
export class NodeRed {
  private child: ChildProcess | null = null;
  private output = "";

  private constructor(
    private readonly installed: InstalledNodeRed,
    readonly userDir: string,
    private readonly port: number,
  ) {}

  /**
   * Prepares a user directory, and starts Node-RED in it.
   *
   * @param flowOf the flow; its nodes write lines of JSON to the file that it is given
   */
  static async start(
    installed: InstalledNodeRed,
    userDir: string,
    flow: { readonly of: (journal: string) => unknown; readonly credentials: unknown },
  ): Promise<NodeRed> {
    const nodeRed = new NodeRed(installed, userDir, await freePort());
    await writeFile(join(userDir, "package.json"), '{ "private": true }');
    await install(userDir, await packNodeRed(join(userDir, "packed")), "--offline");
    const { port: uiPort } = nodeRed;
    const settings = { ...SETTINGS, uiPort };
    await writeFile(join(userDir, "settings.js"), `module.exports = ${JSON.stringify(settings)};`);
    await writeFile(join(userDir, "flows.json"), JSON.stringify(flow.of(nodeRed.journalFile)));
    await writeFile(join(userDir, "flows_cred.json"), JSON.stringify(flow.credentials));
    await nodeRed.startAgain();
    return nodeRed;
  }

  /** Address of the editor. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async startAgain(): Promise<void> {
    const { node, program } = this.installed;
    const child = spawn(node, [join(program, "red.js"), "--userDir", this.userDir], {
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
    const { status } = await fetch(`${this.url}/inject/${id}`, { method: "POST" });
    if (status !== 200) throw new Error(`the inject node ${id} returned ${status}:\n${this.output}`);
  }

  /** What the editor asks for: the nodes' forms and help. */
  async editorPage(): Promise<string> {
    const headers = { accept: "text/html", "accept-language": "en-US" };
    return (await fetch(`${this.url}/nodes`, { headers })).text();
  }

  /** The words of the nodes in the editor, by group and name. */
  async catalogue(): Promise<Readonly<Record<string, Readonly<Record<string, string>>>>> {
    const response = await fetch(`${this.url}/locales/@curtail/node-red/curtail?lng=en-US`);
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
