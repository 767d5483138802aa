// `npm run docs`: builds the documentation and serves it on a free port of this machine. `-- --port 4000` takes that one.
// What changes in `docs/` is built again when a page is loaded.
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { makeReady, THE_SERVICE } from "./make-ready.mjs";

makeReady(THE_SERVICE);

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, "packages", "docs", "dist", "site");
const types = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

const { values } = parseArgs({ options: { port: { type: "string", default: "0" } } });

const answer = async (request, response) => {
  const { pathname } = new URL(request.url, "http://localhost");
  const name = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
  if (name.endsWith(".html"))
    spawnSync(process.execPath, [join(root, "scripts", "build-docs.mjs")], { stdio: "inherit" });
  try {
    const content = await readFile(join(folder, normalize(decodeURIComponent(name))));
    response.writeHead(200, { "content-type": types[extname(name)] ?? "text/plain; charset=utf-8" }).end(content);
  } catch {
    response.writeHead(404, { "content-type": "text/plain" }).end("There is no such page.\n");
  }
};

const server = createServer((request, response) => void answer(request, response));
server.listen(Number(values.port), "127.0.0.1", () => {
  process.stdout.write(`documentation: http://127.0.0.1:${server.address().port}/\n`);
});
