import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SdkModel } from "./sdk-model.js";

/** What the libraries export. Read again, which takes seconds, only if a declaration or what reads them changed. */
export const sdkModel = async (root: string): Promise<SdkModel> => {
  const file = join(root, "packages/docs/dist/sdk-model.json");
  const state = stateOf(root);
  const known = cached(file);
  if (known?.state === state) return known.model;
  // Loaded only now: it is large.
  const { readSdk } = await import("./read-sdk.js");
  const model = await readSdk(root);
  mkdirSync(dirname(file), { recursive: true });
  // Another process may read it at the same time.
  const next = `${file}.${process.pid}`;
  writeFileSync(next, JSON.stringify({ state, model }));
  renameSync(next, file);
  return model;
};

const stateOf = (root: string): string => {
  const docs = join(root, "packages/docs");
  const sources = ["read-sdk", "declaration-text", "hidden-types", "sdk-comment"].map((name) =>
    join(docs, "src", `${name}.ts`),
  );
  const declarations = ["client", "spool"].flatMap((name) => declarationsIn(join(root, "packages", name, "dist")));
  const hash = createHash("sha256");
  for (const path of [join(root, "package-lock.json"), join(docs, "sdk.tsconfig.json"), ...sources, ...declarations])
    hash.update(path.slice(root.length)).update(readFileSync(path));
  return hash.digest("hex");
};

const declarationsIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".d.ts"))
    .toSorted()
    .map((name) => join(folder, name));

const cached = (file: string): { readonly state: string; readonly model: SdkModel } | null => {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
};
