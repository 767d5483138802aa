import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { onTestFinished } from "vitest";

/** A folder as the documentation is built into, with a file beside it that nobody may read. */
export const temporarySite = async (): Promise<string> => {
  const parent = await mkdtemp(join(tmpdir(), "curtail-docs-"));
  onTestFinished(() => rm(parent, { recursive: true }));
  const folder = join(parent, "site");
  await mkdir(join(folder, "assets"), { recursive: true });
  const page = "<!doctype html><title>Documentation</title>";
  await writeFile(join(folder, "index.html"), page);
  await writeFile(join(folder, "index.html.br"), brotliCompressSync(page));
  await writeFile(join(folder, "assets", "site-1a2b3c4d.css"), "body{}");
  await writeFile(join(folder, "llms.txt"), "# Curtail\n\n- [Start](/docs/start.html)\n");
  await writeFile(join(folder, ".built"), "");
  await writeFile(join(parent, "secret.txt"), "");
  return folder;
};
