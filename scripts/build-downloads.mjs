// Makes what the service hands out to participants, if its sources changed: the command line, the libraries and the
// nodes for Node-RED.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtOnce, filesBelow, root } from "./built-once.mjs";
import { THIRD_PARTIES } from "./third-party.mjs";

const folder = join(root, "packages", "cli", "dist", "downloads");
const packages = ["agent", "cli", "client", "contract", "measure", "meter-data", "node-red", "spool"];
const inPackages = (name) => join(root, "packages", name);

const sources = [
  join(root, "package-lock.json"),
  join(root, "LICENSE"),
  ...packages.flatMap((name) => filesBelow(join(inPackages(name), "src"))),
  ...packages.map((name) => join(inPackages(name), "package.json")),
  ...["cli", "client", "node-red", "spool"].map((name) => join(inPackages(name), "README.md")),
  ...filesBelow(join(inPackages("node-red"), "editor")),
  ...["commands/agent.ts", "program.ts"].map((name) => join(inPackages("server"), "src", "app", name)),
  ...filesBelow(join(inPackages("server"), "src", "platform", "runtime")),
  ...["build-downloads", "bundle-cli", "licence-texts", "pack-cli", "pack-node-red", "pack-sdk", "third-party"].map(
    (name) => join(root, "scripts", `${name}.mjs`),
  ),
];

/** In the form of `sha256sum`, which checks it. */
const sumsOf = (into) =>
  readdirSync(into)
    .map(
      (name) =>
        `${createHash("sha256")
          .update(readFileSync(join(into, name)))
          .digest("hex")}  ${name}\n`,
    )
    .join("");

await builtOnce(folder, sources, async () => {
  const { stageCli, writeWholeCli } = await import("./pack-cli.mjs");
  const { stageNodeRed } = await import("./pack-node-red.mjs");
  const { packStaged, stageSdk } = await import("./pack-sdk.mjs");
  // A service that runs meanwhile hands out whole files.
  const next = `${folder}.next`;
  rmSync(next, { recursive: true, force: true });
  mkdirSync(next, { recursive: true });
  await packStaged([stageCli, stageSdk("client"), stageSdk("spool"), stageNodeRed], next);
  const { thirdParties } = await writeWholeCli(next);
  writeFileSync(join(next, "SHA256SUMS"), sumsOf(next));
  // The libraries and the nodes have nothing of others.
  writeFileSync(join(next, THIRD_PARTIES), JSON.stringify(thirdParties));
  rmSync(folder, { recursive: true, force: true });
  renameSync(next, folder);
});
