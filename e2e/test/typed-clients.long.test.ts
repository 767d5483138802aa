import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { atEnd } from "@curtail/testing/at-end";
import { beforeAll, describe, expect, test } from "vitest";
import { OPERATOR_TOKEN, type ServiceProcess, temporaryFolder } from "./support/service-process.js";
import {
  type ClientName,
  clientNames,
  fetchDocuments,
  python,
  type Tools,
  typescript,
} from "./support/typed-clients/tools.js";
import { webService } from "./support/web-service.js";

// Installs two generators from their registries, some 25 s of the processor in all.
const INSTALL_MS = 300_000;

/** Ids of all operations of a document, as a client's names are compared: without case and separators. */
const operationsOf = async (folder: string, name: ClientName): Promise<readonly string[]> => {
  const { paths } = JSON.parse(await readFile(join(folder, `${name}.json`), "utf8")) as Document;
  return Object.values(paths).flatMap((operations) =>
    Object.values(operations).flatMap(({ operationId }) => (operationId === undefined ? [] : [operationId])),
  );
};

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
}

/** Where each of the tools names the operations of a client. */
const generatedIn: Readonly<Record<string, (folder: string, name: ClientName) => Promise<(id: string) => boolean>>> = {
  [python.name]: async (folder, name) => {
    const files = await readdir(join(folder, `${name}_client`, "api"), { recursive: true });
    const modules = new Set(files.map((file) => plain(basename(file, ".py"))));
    return (id) => modules.has(plain(id));
  },
  [typescript.name]: async (folder, name) => {
    const types = await readFile(join(folder, `${name}.d.ts`), "utf8");
    return (id) => types.includes(`operations["${id}"]`);
  },
};

const plain = (name: string): string => name.replaceAll(/[^a-zA-Z0-9]/g, "").toLowerCase();

describe("typed clients made from the documents", () => {
  let service: ServiceProcess;
  beforeAll(async () => {
    service = await webService();
  });

  test.for([python, typescript] satisfies readonly Tools[])(
    "by $name have every operation, pass its strict types, and call the service",
    { timeout: INSTALL_MS },
    async (tools, { skip }) => {
      const { path: folder, remove } = await temporaryFolder();
      atEnd(remove);
      const missing = await tools.install(folder);
      if (missing !== null) skip(`${tools.name} cannot be had here: ${missing}`);
      await fetchDocuments(folder, service.url);
      for (const name of clientNames) {
        const { code, output } = await tools.generate(folder, name);
        expect(code, output).toBe(0);
        const isGenerated = await generatedIn[tools.name]?.(folder, name);
        const operations = await operationsOf(folder, name);
        expect(operations.length).toBeGreaterThan(20);
        expect(operations.filter((id) => isGenerated?.(id) !== true)).toEqual([]);
      }
      const checked = await tools.check(folder);
      expect(checked.code, checked.output).toBe(0);
      const called = await tools.call(folder, [service.url, OPERATOR_TOKEN]);
      expect(called.output).toBe("all calls succeeded\n");
    },
  );
});
