import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { describe, expect, test } from "vitest";
import { licenceFaults } from "../../scripts/licences.mjs";
import { sbomOf } from "../../scripts/sbom.mjs";
import { isOfOthers, nameAt, readLockfile, shippedPaths } from "../../scripts/shipped-packages.mjs";

interface Component {
  readonly name: string;
  readonly group?: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly object[];
  readonly hashes?: ReadonlyArray<{ readonly alg: string; readonly content: string }>;
}

interface Bom {
  readonly components: readonly Component[];
  readonly dependencies: ReadonlyArray<{ readonly ref: string; readonly dependsOn?: readonly string[] }>;
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const lock = readLockfile();
const shipped = [...shippedPaths(lock).keys()];
const others = shipped.filter(isOfOthers);
const text = sbomOf(lock, new Date(0));
const bom = JSON.parse(text) as Bom;
const byPurl = new Map(bom.components.map((component) => [component.purl, component]));
const purlOf = (path: string): string =>
  `pkg:npm/${nameAt(path).replace("@", "%40")}@${lock.packages[path]?.version ?? ""}`;

describe("the bill of materials", () => {
  test("is CycloneDX 1.6, by its schema", async () => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    expect(await validator.validate(text)).toBeNull();
    expect(await validator.validate(text.replace('"CycloneDX"', '"Other"'))).not.toBeNull();
  });

  test("names each package that a release ships, with version, licence and the hash of the lockfile", () => {
    expect(others.length).toBeGreaterThan(200);
    for (const path of others) {
      const { integrity = "" } = lock.packages[path] ?? {};
      const component = byPurl.get(purlOf(path));
      expect(component?.licenses, path).toHaveLength(1);
      const [, base64 = ""] = /^sha512-(\S+)/.exec(integrity) ?? [];
      const content = Buffer.from(base64, "base64").toString("hex");
      expect(component?.hashes, path).toEqual([{ alg: "SHA-512", content }]);
    }
  });

  test("has our own packages, and nothing that only development needs", () => {
    const names = bom.components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
    expect(names).toEqual(
      expect.arrayContaining(["@curtail/agent", "@curtail/cli", "@curtail/server", "@curtail/web", "fastify", "uplot"]),
    );
    for (const name of ["vitest", "typescript", "react", "vite", "@curtail/testing"]) expect(names).not.toContain(name);
  });

  test("says what each package needs, by names that it has", () => {
    const refs = new Set(bom.dependencies.map(({ ref }) => ref));
    const needed = bom.dependencies.flatMap(({ dependsOn = [] }) => dependsOn);
    expect(needed.filter((ref) => !refs.has(ref))).toEqual([]);
    expect(bom.dependencies.find(({ ref }) => ref.startsWith("pkg:npm/fastify@"))?.dependsOn).toContainEqual(
      expect.stringMatching(/^pkg:npm\/find-my-way@/),
    );
  });

  test("names no host that packages came from", () => {
    expect(text.replaceAll(/"\$schema": ".*"/g, "")).not.toMatch(/https?:/);
  });
});

describe("the licences of what a release ships", () => {
  test("are accepted, or named with their package", () => {
    expect(licenceFaults(lock)).toEqual([]);
  });

  test("are refused if they ask for more, or if there is none", () => {
    const [path = ""] = others;
    const withLicence = (license?: string) => {
      const { license: _known, ...entry } = lock.packages[path] ?? {};
      const packages = { ...lock.packages, [path]: license === undefined ? entry : { ...entry, license } };
      return licenceFaults({ packages });
    };
    expect(withLicence("GPL-3.0-only")).toEqual([expect.stringContaining(`${nameAt(path)} `)]);
    expect(withLicence("MPL-2.0")).toHaveLength(1);
    expect(withLicence("(MIT AND GPL-3.0-only)")).toHaveLength(1);
    expect(withLicence("(MIT OR GPL-3.0-only)")).toEqual([]);
    expect(withLicence()).toEqual([expect.stringContaining("names no licence")]);
  });
});

const LISTS = ["web/dist/site", "docs/dist/site", "cli/dist/downloads"];
const listOf = (folder: string): string => `${root}packages/${folder}/.third-parties.json`;
const notices = `${root}packages/cli/dist/notices/third-party-notices.txt`;

interface ThirdParty {
  readonly name: string;
  readonly version: string;
}

/** Packages that files of a folder import, but for types. */
const importedBy = (folder: string): ReadonlySet<string> => {
  const files = readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" });
  const texts = files
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(`${root}${folder}/${file}`, "utf8"));
  const imports = texts.flatMap((each) => [
    ...each.matchAll(/^import (?!type\b)[^;]*?from "((?:@[^/"]+\/)?[^./"][^/"]*)/gm),
  ]);
  return new Set(imports.map(([, name = ""]) => name));
};

describe.skipIf(![notices, ...LISTS.map(listOf)].every(existsSync))(
  "the third-party notices (need npm run build)",
  () => {
    const bundled = LISTS.flatMap((folder) => JSON.parse(readFileSync(listOf(folder), "utf8")) as ThirdParty[]);
    const written = readFileSync(notices, "utf8");

    test("have each package that is bundled into pages, documentation and downloads, with its terms", () => {
      expect(bundled.length).toBeGreaterThan(70);
      const parts = written.split(`\n${"-".repeat(80)}\n\n`);
      for (const { name, version } of bundled) {
        const part = parts.find((each) => each.includes(`${name} ${version} (`));
        expect(part?.length, `${name} ${version}`).toBeGreaterThan(400);
      }
    });

    test("have each package that the sources of the pages import", () => {
      // Pages are written for React, and run by Preact.
      const imported = [...importedBy("packages/web/src")].filter(
        (name) => !/^(?:@curtail|react|react-dom)(?:\/|$)/.test(name),
      );
      expect(imported.length).toBeGreaterThan(8);
      for (const name of imported) expect(bundled.map((each) => each.name)).toContain(name);
    });

    test("have nothing that the bill of materials does not have", () => {
      const purls = bundled.map(({ name, version }) => `pkg:npm/${name.replace("@", "%40")}@${version}`);
      expect(purls.filter((purl) => !byPurl.has(purl))).toEqual([]);
    });

    test("are of what was built last: the command names the same packages at its end", () => {
      const command = readFileSync(`${root}packages/cli/dist/downloads/curtail.mjs`, "utf8");
      const named = [...command.matchAll(/^\/\/ ((?:@[\w.-]+\/)?[\w.-]+ \d[\w.-]*) \(/gm)].map(([, each]) => each);
      expect(named.length).toBeGreaterThan(40);
      for (const each of named) expect(written).toContain(`${each} (`);
    });
  },
);
