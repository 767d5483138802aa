// Runs a script with the code that V8 compiled before: to parse 8 MB takes half of what the service needs to start.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { constants, Script } from "node:vm";

/** Where the compiled code of a script is kept, for this version of V8. */
export const compiledOf = (file) => `${file}.v8-${process.versions.v8}`;

/**
 * V8 refuses what it compiled with other flags, such as `--max-old-space-size`, and compiles again.
 *
 * @param file CommonJS in ASCII: a text of two bytes each takes longer to read
 */
export const scriptOf = (file) => {
  const source = readFileSync(file, "latin1");
  return new Script(`(function (exports, require, module, __filename) {${source}\n})`, {
    filename: file,
    cachedData: keptFor(file),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
};

/**
 * Runs a script.
 *
 * @param modules those that it requires and that node can only import, by name
 * @returns its exports
 */
export const runScript = (file, modules, script = scriptOf(file)) => {
  const require = createRequire(file);
  const module = { exports: {} };
  script.runInThisContext()(module.exports, (name) => modules[name] ?? require(name), module, file);
  return module.exports;
};

const keptFor = (file) => {
  try {
    return readFileSync(compiledOf(file));
  } catch {
    // It only saves time.
    return undefined;
  }
};
