// `npm run new -- module NAME`, `operation MODULE/NAME`, `channel NAME` or `migration NAME`: writes source and test from a template.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ORDER } from "./modules.mjs";
import {
  channelSource,
  channelTest,
  channelTexts,
  channelWords,
  domainSource,
  domainTest,
  migrationSource,
  operationSource,
  operationTest,
} from "./templates.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const SOURCE = "packages/server/src";
const TEST = "packages/server/test";
const MIGRATIONS = "packages/server/migrations";
const MODULES = "scripts/modules.mjs";
const CHANNELS = "packages/contract/src/lists/channels.ts";
const CHANNEL_TEXTS = "packages/web/src/parts/channel-texts.ts";
const REGISTRY = `${SOURCE}/notification/channels/registry.ts`;
const USAGE = `usage: npm run new -- module NAME
       npm run new -- operation MODULE/NAME
       npm run new -- channel NAME
       npm run new -- migration NAME
`;

const refuse = (message) => {
  process.stderr.write(message);
  process.exit(1);
};

const checkName = (name = "") => {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) refuse(`new: "${name}" is not kebab-case, such as end-dispatch\n`);
};

/** All files or none. */
const write = (files) => {
  const existing = Object.keys(files).find((path) => existsSync(join(root, path)));
  if (existing !== undefined) refuse(`new: ${existing} exists\n`);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    process.stdout.write(`${path}\n`);
  }
  format(Object.keys(files).filter((path) => path.endsWith(".ts")));
};

const format = (paths) => {
  if (paths.length === 0) return;
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
  const { status, stderr } = spawnSync(process.execPath, [biome, "check", "--write", ...paths], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) refuse(`new: the formatter failed; run npm ci, then npm run format\n${stderr}`);
};

const writeModule = (name) => {
  checkName(name);
  if (existsSync(join(root, SOURCE, name)) || ORDER.includes(name)) refuse(`new: the module ${name} exists\n`);
  write({
    [`${SOURCE}/${name}/domain/${name}.ts`]: domainSource(name),
    [`${TEST}/${name}/domain/${name}.test.ts`]: domainTest(name),
  });
  const table = join(root, MODULES);
  writeFileSync(table, readFileSync(table, "utf8").replace('\n  "app",\n', `\n  "${name}",\n  "app",\n`));
  process.stdout.write(`Next: move "${name}" in ${MODULES} below the modules that may import it.\n`);
};

const writeOperation = (path = "") => {
  const [module, name, ...more] = path.split("/");
  if (more.length > 0) refuse(USAGE);
  // The platform has no operations, and app joins those of the modules.
  const modules = ORDER.slice(1, -1);
  if (!modules.includes(module)) refuse(`new: no module "${module}" has operations; there are ${modules.join(", ")}\n`);
  checkName(name);
  write({
    [`${SOURCE}/${module}/operations/${name}.ts`]: operationSource(module, name),
    [`${TEST}/${module}/operations/${name}.test.ts`]: operationTest(module, name),
  });
};

/** A channel whose messages go to addresses that accounts enter. */
const writeChannel = (name) => {
  if (!/^[a-z][a-z0-9]*$/.test(name)) refuse(`new: "${name}" is not one word in lower case, such as pager\n`);
  const words = readFileSync(join(root, CHANNELS), "utf8");
  if (words.includes(`\n  ${name}: {`)) refuse(`new: the channel ${name} exists\n`);
  write({
    [`${SOURCE}/notification/channels/${name}/${name}.ts`]: channelSource(name),
    [`${TEST}/notification/channels/${name}.test.ts`]: channelTest(name),
  });
  const registry = readFileSync(join(root, REGISTRY), "utf8");
  const texts = readFileSync(join(root, CHANNEL_TEXTS), "utf8");
  writeFileSync(join(root, CHANNELS), words.replace("\n  personal: {", `\n${channelWords(name)}  personal: {`));
  writeFileSync(join(root, CHANNEL_TEXTS), texts.replace("\n  personal: {", `\n${channelTexts(name)}  personal: {`));
  writeFileSync(
    join(root, REGISTRY),
    registry
      .replace("\n\n/**", `\nimport { ${name} } from "./${name}/${name}.js";\n\n/**`)
      .replace("registry = { ", `registry = { ${name}, `),
  );
  const changed = [CHANNELS, CHANNEL_TEXTS, REGISTRY];
  format(changed);
  process.stdout.write(
    `${changed.join("\n")}\nNext: fill in all, run npm run openapi, and say in docs/ how to set it up.\n`,
  );
};

const writeMigration = (name) => {
  checkName(name);
  const ending = `_${name.replaceAll("-", "_")}.sql`;
  const present = readdirSync(join(root, MIGRATIONS)).filter((file) => file.endsWith(".sql"));
  const same = present.find((file) => file.slice(4) === ending);
  if (same !== undefined) refuse(`new: ${MIGRATIONS}/${same} exists\n`);
  const number = String(present.length + 1).padStart(4, "0");
  write({ [`${MIGRATIONS}/${number}${ending}`]: migrationSource() });
  process.stdout.write("Next: write it, then run npm run rows.\n");
};

const [kind, name, ...rest] = process.argv.slice(2);
const kinds = new Map([
  ["module", writeModule],
  ["operation", writeOperation],
  ["channel", writeChannel],
  ["migration", writeMigration],
]);
const writeKind = kinds.get(kind);
if (writeKind === undefined || name === undefined || rest.length > 0) refuse(USAGE);
writeKind(name);
